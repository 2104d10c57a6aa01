-- cmbs_store.recorded_elimination
--
-- The recorded outcome of a repeated ELIMINATE, null if the observation is new.
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
    return cmbs_store.repeated_elimination(
        v_event_id, p_source_id, p_observation_id,
        v_record -> 'payload' -> 'eliminated', v_record -> 'delta' -> 'eliminated', p_eliminated
    );
end
$$;
