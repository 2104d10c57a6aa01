-- cmbs.explain
--
-- Where a session stands and how it came there: who eliminated what, when, on which evidence; how
-- near an obligation is to its exit; whether a conclusion or a termination would be accepted now.
-- With a hypothesis: what cmbs.why says of it, and of the eliminations only that which was its.
--
-- Promises   decisions are those that the verbs would take now; the lists hold p_limit entries at
--            most, the numbers count all.
-- Locks      nothing; works on a read-only standby.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST, MB202 INVALID_HYPOTHESIS_ID.

create or replace function cmbs.explain(
    p_session_id uuid,
    p_hypothesis_id text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'explain', null);
    v_limit integer;
    v_session cmbs_store.session;
    v_why record;
    v_hypothesis text;
    v_only bigint;
begin
    v_limit := cmbs_store.page_limit(p_limit);
    if p_hypothesis_id is not null then
        perform cmbs_store.check_id('hypothesis_id', p_hypothesis_id);
    end if;
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    if p_hypothesis_id is not null then
        v_why := cmbs_store.why_gone(v_session, p_hypothesis_id);
        v_hypothesis := v_why.p_answer;
        -- No event has this number: nothing eliminated a survivor.
        v_only := coalesce(v_why.p_seq, 0);
    end if;
    return format(
        '{"hypothesis": %s, "eliminations": %s, "obligation": %s, "conclusion": %s, '
        '"termination": %s, "snapshot": %s}',
        coalesce(v_hypothesis, 'null'),
        cmbs_store.eliminations_by_source(p_session_id, v_only, v_limit),
        coalesce(cmbs_store.obligation_left(v_session), 'null'),
        cmbs_store.conclusion_left(v_session),
        cmbs_store.termination_left(v_session),
        cmbs_store.snapshot(v_session, true)
    )::json;
end
$$;

grant execute on function cmbs.explain to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
