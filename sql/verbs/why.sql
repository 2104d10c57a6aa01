-- cmbs.why
--
-- Why a hypothesis is gone: the event that eliminated it, or null if it survives.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST, MB202 INVALID_HYPOTHESIS_ID.

create or replace function cmbs.why(
    p_session_id uuid,
    p_hypothesis_id text,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_session cmbs_store.session;
    v_eliminated_by text;
begin
    perform cmbs_store.principal(p_credential);
    perform cmbs_store.check_id('hypothesis_id', p_hypothesis_id);
    v_session := cmbs_store.read_session(p_session_id);
    perform cmbs_store.check_known(
        array[p_hypothesis_id],
        array(
            select m.hypothesis_id
            from cmbs_store.universe_member as m
            where m.universe_digest = v_session.universe_digest
                and m.hypothesis_id = p_hypothesis_id
        )
    );
    select format(
        '{"event_id": "%s", "seq": %s, "ts": "%s", "source_id": %s, "observation_id": %s, '
        '"justification": %s, "actor": %s}',
        e.event_id,
        e.seq,
        cmbs_store.timestamp_v1(e.recorded_at),
        to_json(e.source_id),
        to_json(e.observation_id),
        e.record::jsonb -> 'payload' -> 'justification',
        to_json(e.actor)
    )
    into v_eliminated_by
    from cmbs_store.tombstone as t
    inner join cmbs_store.audit_event as e on e.session_id = t.session_id and e.seq = t.seq
    where t.session_id = p_session_id and t.hypothesis_id = p_hypothesis_id;
    return format(
        '{"hypothesis_id": %s, "survives": %s, "eliminated_by": %s}',
        to_json(p_hypothesis_id),
        (v_eliminated_by is null)::text,
        coalesce(v_eliminated_by, 'null')
    )::json;
end
$$;

comment on function cmbs.why(uuid, text, bytea) is
'The event that eliminated a hypothesis. Raises MB001, MB201, MB202.';

revoke all on function cmbs.why(uuid, text, bytea) from public;
grant execute on function cmbs.why(uuid, text, bytea)
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
