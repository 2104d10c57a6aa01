-- cmbs.read_schema
--
-- A registered JSON Schema.
--
-- Locks      nothing.
-- Raises     MB009 SCHEMA_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.read_schema(
    p_schema_id text,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_schema', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_answer json;
begin
    select json_build_object(
        'schema_id', s.schema_id,
        'schema_hash', encode(s.schema_hash, 'hex'),
        'registered_at', cmbs_store.timestamp_v1(s.registered_at),
        'registered_by', s.registered_by,
        'document', d.document::json
    )
    into v_answer
    from cmbs_store.json_schema as s
    inner join cmbs_store.schema_document as d on d.schema_hash = s.schema_hash
    where s.tenant in (v_tenant, '*') and s.schema_id = p_schema_id;
    if not found then
        perform cmbs_store.refuse_missing('schema', json_build_object('schema_id', p_schema_id));
    end if;
    return v_answer;
end
$$;

grant execute on function cmbs.read_schema to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
