-- cmbs.list_schemas
--
-- The JSON Schemas of a tenant, by id, without their documents.
--
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.list_schemas(
    p_tenant text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_schemas', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return json_build_object('schemas', (
        select coalesce(json_agg(json_build_object(
            'schema_id', s.schema_id,
            'schema_hash', encode(s.schema_hash, 'hex'),
            'registered_at', cmbs_store.timestamp_v1(s.registered_at),
            'registered_by', s.registered_by
        ) order by s.schema_id), '[]')
        from cmbs_store.json_schema as s
        where s.tenant in (v_tenant, '*')
    ));
end
$$;

grant execute on function cmbs.list_schemas to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
