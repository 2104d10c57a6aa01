-- cmbs.register_tool
--
-- Registers a tool: what it may, whether it changes something, which arguments it takes. Another
-- definition counts from then on; decisions keep the one that they were taken with.
--
-- Promises   the definition that counts already changes nothing when it is sent again.
-- Locks      nothing that others wait for.
-- Raises     MB009 SCHEMA_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.register_tool(
    p_tool_id text,
    p_definition json,
    p_tenant text default null,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'register_tool', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_definition text;
    v_hash bytea;
begin
    perform cmbs_store.check_writable();
    v_definition := cmbs_store.checked_tool(p_definition, v_tenant)::text;
    v_hash := cmbs_store.digest_v1(v_definition);
    perform cmbs_store.check_id('tool_id', p_tool_id);
    insert into cmbs_store.tool_definition (tool_hash, definition)
    values (v_hash, v_definition)
    on conflict (tool_hash) do nothing;
    return cmbs_store.registered_tool(v_tenant, p_tool_id, v_hash, v_caller.name);
end
$$;

grant execute on function cmbs.register_tool to cmbs_server, cmbs_policy;
