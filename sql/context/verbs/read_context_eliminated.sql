-- cmbs.read_context_eliminated
--
-- The hypotheses of an elimination context that are gone, sorted.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.read_context_eliminated(
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
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'read_context_eliminated', null
    );
    v_context cmbs_store.context;
begin
    v_context := cmbs_store.read_context(p_context_id, v_caller.tenant);
    return json_build_object('eliminated', cmbs_store.context_gone_ids(v_context));
end
$$;

grant execute on function cmbs.read_context_eliminated to cmbs_agent, cmbs_auditor;
