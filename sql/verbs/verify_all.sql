-- cmbs.verify_all
--
-- Verifies every session, those of whose row nothing is left included.
--
-- Promises   one row per session, as cmbs.verify would answer.
-- Locks      nothing; works on a read-only standby.
-- Raises     nothing of its own.

create or replace function cmbs.verify_all(
    p_credential bytea default null
)
returns table (
    session_id uuid,
    ok boolean,
    rows_checked bigint,
    first_bad_seq bigint,
    reason text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
    perform cmbs_store.principal(p_credential);
    return query
    select i.session_id, v.p_seq is null, v.p_rows, v.p_seq, v.p_reason
    from (
        select s.session_id from cmbs_store.session as s
        union
        select e.session_id from cmbs_store.audit_event as e
    ) as i
    cross join lateral cmbs_store.verify_session(i.session_id) as v;
end
$$;

comment on function cmbs.verify_all(bytea) is
'Verify every session; one row each.';

revoke all on function cmbs.verify_all(bytea) from public;
grant execute on function cmbs.verify_all(bytea)
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
