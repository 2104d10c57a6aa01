-- cmbs.audit_trace
--
-- The log of a session, or the part of it after an event, in order (verb AUDIT_TRACE).
--
-- Promises   events strictly after p_since_event_id; next_since_event_id is null at the end.
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.audit_trace(
    p_session_id uuid,
    p_since_event_id uuid default null,
    p_limit integer default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'audit_trace', null);
    v_since bigint;
    v_events text;
    v_last uuid;
begin
    v_since := cmbs_store.trace_start(
        p_session_id, v_caller.tenant, p_since_event_id, p_limit
    );
    select string_agg(cmbs_store.event_json(e.event), ', ' order by (e.event).seq)
    into v_events
    from (
        select a as event
        from cmbs_store.audit_event as a
        where a.session_id = p_session_id and a.seq > v_since
        order by a.seq
        limit p_limit
    ) as e;
    select a.event_id
    into v_last
    from cmbs_store.audit_event as a
    where a.session_id = p_session_id
        and a.seq = v_since + p_limit
        and exists (
            select
            from cmbs_store.audit_event as n
            where n.session_id = p_session_id and n.seq > a.seq
        );
    return format(
        '{"events": [%s], "next_since_event_id": %s}',
        v_events, coalesce('"' || v_last || '"', 'null')
    )::json;
end
$$;

grant execute on function cmbs.audit_trace to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
