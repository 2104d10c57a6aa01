-- cmbs.list_obligations
--
-- Every obligation of a session, in the order of entry: active, exited or waived, its threshold
-- and what was counted.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.list_obligations(
    p_session_id uuid,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_obligations', null);
    v_session cmbs_store.session;
begin
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    return (
        select format('{"obligations": [%s]}', string_agg(
            json_build_object(
                'obligation_id', o.obligation_id,
                'state', coalesce(d.outcome, 'active'),
                'min_total_eliminations', o.min_total_eliminations,
                'counted',
                o.survivors_at_entry - coalesce(d.survivors_at_end, v_session.n_survivors),
                'entered_event_id', (
                    select a.event_id
                    from cmbs_store.audit_event as a
                    where a.session_id = o.session_id and a.seq = o.entered_seq
                ),
                'ended_event_id', (
                    select a.event_id
                    from cmbs_store.audit_event as a
                    where a.session_id = o.session_id and a.seq = d.ended_seq
                )
            )::text,
            ', ' order by o.entered_seq
        ))
        from cmbs_store.obligation as o
        left join lateral (
            select e.outcome, e.ended_seq, e.survivors_at_end
            from cmbs_store.obligation_end as e
            where e.session_id = o.session_id and e.entered_seq = o.entered_seq
            limit 1
        ) as d on true
        where o.session_id = p_session_id
    )::json;
end
$$;

grant execute on function cmbs.list_obligations
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
