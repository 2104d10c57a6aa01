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
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
    perform cmbs_store.principal(p_credential);
    return (select r.version_num from cmbs_store.revision as r);
end
$$;

comment on function cmbs.revision(bytea) is
'The revision of the schema.';

revoke all on function cmbs.revision(bytea) from public;
grant execute on function cmbs.revision(bytea)
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor, cmbs_analyst, cmbs_owner;
