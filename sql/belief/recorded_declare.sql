-- cmbs_store.recorded_declare
--
-- The recorded outcome of a repeated declare. The same ontology, universe, metadata, policy as sent
-- and policy pack are the same request, if they were asked for from the same incident or from none.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.recorded_declare(
    p_session cmbs_store.session,
    p_ontology jsonb,
    p_universe_digest bytea,
    p_metadata text,
    p_policy_as_sent text,
    p_arbitration jsonb,
    p_universe_from text
)
returns text
language plpgsql
stable
as $$
declare
    v_event_id uuid;
    v_metadata text;
    v_arbitration jsonb;
begin
    select
        e.event_id,
        e.record::jsonb -> 'payload' ->> 'metadata',
        ((e.record::jsonb -> 'payload' -> 'arbitration') - 'policy_hash')
            #- '{shadow, policy_hash}'
    into strict v_event_id, v_metadata, v_arbitration
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = 1;
    if p_session.ontology <> p_ontology::text
        or p_session.universe_digest is distinct from p_universe_digest
        or p_session.policy_as_sent is distinct from p_policy_as_sent
        or v_metadata is distinct from p_metadata
        or v_arbitration is distinct from p_arbitration
        or p_session.universe_from is distinct from p_universe_from
    then
        perform cmbs_store.refuse(
            'MB102',
            'This session id was declared with another request.',
            json_build_object(
                'audit_event_id', v_event_id, 'session_id', p_session.session_id
            )::text,
            'Give a new session its own id.'
        );
    end if;
    return format(
        '"session_id": "%s", "audit_event_id": "%s", "duplicate": true',
        p_session.session_id, v_event_id
    );
end
$$;
