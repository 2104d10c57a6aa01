-- cmbs.revision
--
-- The revision of the schema: what a server compares before it serves.
--
-- Locks      nothing.
-- Raises     nothing of its own.

create or replace function cmbs.revision(
    p_credential bytea default null
)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
    -- Whether a server is ready, anybody may ask; a token that is shown has to be one all the same.
    if p_credential is not null then
        perform cmbs_store.authorize(p_credential, 'revision', null);
    end if;
    return (select r.version_num from cmbs_store.revision as r);
end
$$;

grant execute on function cmbs.revision to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor, cmbs_analyst, cmbs_admin,
cmbs_owner;
