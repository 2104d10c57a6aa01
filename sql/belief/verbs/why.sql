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
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'why', null);
    v_why record;
begin
    perform cmbs_store.check_id('hypothesis_id', p_hypothesis_id);
    v_why := cmbs_store.why_gone(
        cmbs_store.read_session(p_session_id, v_caller.tenant), p_hypothesis_id
    );
    return v_why.p_answer::json;
end
$$;

grant execute on function cmbs.why to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
