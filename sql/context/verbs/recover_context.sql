-- cmbs.recover_context
--
-- All of an elimination context: what it began with, what is gone, and what is left.
--
-- Promises   the three lists are of one moment.
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.recover_context(
    p_context_id text,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'recover_context', null);
    v_context cmbs_store.context;
    v_ids text[];
    v_gone text[];
begin
    v_context := cmbs_store.read_context(p_context_id, v_caller.tenant);
    v_ids := cmbs_store.context_hypothesis_ids(v_context);
    v_gone := cmbs_store.context_gone_ids(v_context);
    return json_build_object(
        'hypotheses', v_ids,
        'eliminated', v_gone,
        'survivors', cmbs_store.ids_without(v_ids, v_gone)
    );
end
$$;

grant execute on function cmbs.recover_context to cmbs_agent, cmbs_auditor;
