-- cmbs.verify
--
-- Recomputes a session from its log alone and compares: sequence, links, hashes, deltas,
-- decisions, times, and then the stored tombstones, mask, counters, obligations and head.
--
-- Promises   ok, or the first bad event and what is wrong with it; never ok over no rows at all.
-- Locks      nothing; works on a read-only standby.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.verify(
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
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'verify', null);
    v_result record;
begin
    -- Only for who sees every tenant: whose a log without its session was, nobody can tell.
    if v_caller.tenant <> '*' or not exists (
        select from cmbs_store.audit_event as e where e.session_id = p_session_id
    ) then
        perform cmbs_store.read_session(p_session_id, v_caller.tenant);
    end if;
    v_result := cmbs_store.verify_session(p_session_id, null, '{}');
    return json_build_object(
        'ok', v_result.p_seq is null,
        'rows_checked', v_result.p_rows,
        'head_hash', encode(v_result.p_head_hash, 'hex'),
        'first_bad', case
            when v_result.p_seq is not null
                then json_build_object('seq', v_result.p_seq, 'reason', v_result.p_reason)
        end
    );
end
$$;

grant execute on function cmbs.verify
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor, cmbs_analyst;
