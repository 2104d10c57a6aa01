-- cmbs_store.recorded_elimination
--
-- The recorded outcome of a repeated ELIMINATE, null if the observation is new. The same set of
-- ids is the same content: order, repetitions and justification do not count.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.recorded_elimination(
    p_session_id uuid,
    p_source_id text,
    p_observation_id text,
    p_eliminated text[]
)
returns text
language plpgsql
stable
as $$
declare
    v_event_id uuid;
    v_record jsonb;
    v_sent text[];
    v_applied text[];
begin
    select e.event_id, e.record::jsonb
    into v_event_id, v_record
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
        and e.source_id = p_source_id
        and e.observation_id = p_observation_id;
    if not found then
        return null;
    end if;
    v_sent := array(select jsonb_array_elements_text(v_record -> 'payload' -> 'eliminated'));
    if cardinality(cmbs_store.ids_without(v_sent, p_eliminated)) > 0
        or cardinality(cmbs_store.ids_without(p_eliminated, v_sent)) > 0
    then
        raise exception using
            errcode = 'MB102',
            message = 'This observation was recorded with other content.',
            detail = json_build_object(
                'audit_event_id', v_event_id,
                'source_id', p_source_id,
                'observation_id', p_observation_id
            )::text,
            hint = 'Give a new observation its own observation_id.';
    end if;
    v_applied := array(select jsonb_array_elements_text(v_record -> 'delta' -> 'eliminated'));
    return cmbs_store.elimination_outcome(
        to_jsonb(v_applied)::text, cmbs_store.ids_without(v_sent, v_applied), v_event_id, true
    );
end
$$;

comment on function cmbs_store.recorded_elimination(uuid, text, text, text[]) is
'The recorded outcome of a repeated ELIMINATE; null if it is new. Raises MB102.';

revoke all on function cmbs_store.recorded_elimination(uuid, text, text, text[]) from public;
