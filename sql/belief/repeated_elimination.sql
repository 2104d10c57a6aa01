-- cmbs_store.repeated_elimination
--
-- The outcome of an ELIMINATE message that repeats another. The same set of ids is the same
-- content: order, repetitions and justification do not count.
--
-- p_sent      the ids of the message that is repeated
-- p_applied   those of them that it eliminated
-- p_eliminated the ids of the repeat
-- Raises      MB102 CONFLICT.

create or replace function cmbs_store.repeated_elimination(
    p_event_id uuid,
    p_source_id text,
    p_observation_id text,
    p_sent jsonb,
    p_applied jsonb,
    p_eliminated text[]
)
returns text
language plpgsql
stable
as $$
declare
    v_sent text[] := array(select jsonb_array_elements_text(p_sent));
begin
    if v_sent <> p_eliminated
        and (
            cardinality(cmbs_store.ids_without(v_sent, p_eliminated)) > 0
            or cardinality(cmbs_store.ids_without(p_eliminated, v_sent)) > 0
        )
    then
        perform cmbs_store.refuse(
            'MB102',
            'This observation was recorded with other content.',
            json_build_object(
                'audit_event_id', p_event_id,
                'source_id', p_source_id,
                'observation_id', p_observation_id
            )::text,
            'Give a new observation its own observation_id.'
        );
    end if;
    return cmbs_store.elimination_outcome(
        p_applied::text,
        cmbs_store.ids_without(v_sent, array(select jsonb_array_elements_text(p_applied))),
        p_event_id,
        true
    );
end
$$;
