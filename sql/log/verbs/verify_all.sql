-- cmbs.verify_all
--
-- Verifies every session, those of whose row nothing is left included.
--
-- Promises   one row per session, as cmbs.verify would answer; sessions over one universe follow
--            each other, and its members are hashed once.
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
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'verify_all', null);
    v_listed record;
    v_known_universe bytea;
    v_known_policies bytea[] := '{}'::bytea[];
    v_found record;
begin
    for v_listed in
        select i.session_id, s.universe_digest
        from (
            select a.session_id from cmbs_store.session as a
            union
            select e.session_id from cmbs_store.audit_event as e
        ) as i
        left join cmbs_store.session as s on s.session_id = i.session_id
        where v_caller.tenant in ('*', s.tenant)
        order by s.universe_digest, i.session_id
    loop
        v_found := cmbs_store.verify_session(
            v_listed.session_id, v_known_universe, v_known_policies
        );
        v_known_policies := v_found.p_policies;
        if v_found.p_seq is null then
            v_known_universe := v_listed.universe_digest;
        end if;
        session_id := v_listed.session_id;
        ok := v_found.p_seq is null;
        rows_checked := v_found.p_rows;
        first_bad_seq := v_found.p_seq;
        reason := v_found.p_reason;
        return next;
    end loop;
end
$$;

grant execute on function cmbs.verify_all
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor, cmbs_analyst;
