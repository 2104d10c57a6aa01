-- cmbs_store.mirror_message
--
-- What the Tee is told of an event: of the first that there is an incident, of others what they
-- eliminated. A session that was declared from an incident is that incident, and its universe is
-- not told; any other is an incident of its own.

create or replace function cmbs_store.mirror_message(
    p_session cmbs_store.session,
    p_seq bigint
)
returns json
language sql
stable
as $$
    select json_build_object(
        'seq', p_seq,
        'incident_id', coalesce(
            p_session.universe_from::jsonb ->> 'tee_incident', p_session.session_id::text
        ),
        'recorded_at', cmbs_store.timestamp_v1(e.recorded_at),
        'source_id', e.source_id,
        'observation_id', e.observation_id,
        'eliminated', e.record::json #> '{delta,eliminated}',
        'universe', case
            when p_seq = 1 and p_session.universe_from is null
            then cmbs_store.universe_ids(p_session.universe_digest)::json
        end
    )
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = p_seq
$$;
