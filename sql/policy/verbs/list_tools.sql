-- cmbs.list_tools
--
-- The tools of a tenant with the definitions that count, by id, those that were withdrawn included.
--
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.list_tools(
    p_tool_id text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_tools', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return json_build_object('tools', (
        select coalesce(json_agg(json_build_object(
            'tool_id', r.tool_id,
            'withdrawn', r.tool_hash is null,
            'tool_hash', encode(r.tool_hash, 'hex'),
            'registered_at', cmbs_store.timestamp_v1(r.registered_at),
            'registered_by', r.registered_by,
            'definition', d.definition::json
        ) order by r.tool_id), '[]')
        from (
            select distinct on (t.tool_id)
                t.tool_id, t.tool_hash, t.registered_at, t.registered_by
            from cmbs_store.tool_registration as t
            where t.tenant = v_tenant and t.tool_id = coalesce(p_tool_id, t.tool_id)
            order by t.tool_id, t.registration_no desc
        ) as r
        left join cmbs_store.tool_definition as d on d.tool_hash = r.tool_hash
    ));
end
$$;

comment on function cmbs.list_tools(text, text, bytea) is
'The tools of a tenant with the definitions that count, by id. Raises MB201, MB302.';

revoke all on function cmbs.list_tools(text, text, bytea) from public;
grant execute on function cmbs.list_tools(text, text, bytea)
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
