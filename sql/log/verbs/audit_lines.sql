-- cmbs.audit_lines
--
-- The log of a session as lines for an auditor, who hashes the bytes of the record and needs no
-- canonicalisation; the first line carries the hypotheses.
--
-- Promises   one line per event, in order, strictly after p_since_event_id.
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.audit_lines(
    p_session_id uuid,
    p_since_event_id uuid default null,
    p_limit integer default null,
    p_credential bytea default null
)
returns setof text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'audit_lines', null);
    v_since bigint;
begin
    v_since := cmbs_store.trace_start(
        p_session_id, v_caller.tenant, p_since_event_id, p_limit
    );
    return query
    select format(
        '{"event_hash": "%s", "record": %s%s}',
        encode(e.event_hash, 'hex'),
        to_json(e.record),
        case when e.seq = 1 then ', "hypotheses": ' || (
            select cmbs_store.universe_ids(s.universe_digest)
            from cmbs_store.session as s
            where s.session_id = p_session_id
        ) end
    )
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id and e.seq > v_since
    order by e.seq
    limit p_limit;
end
$$;

grant execute on function cmbs.audit_lines to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
