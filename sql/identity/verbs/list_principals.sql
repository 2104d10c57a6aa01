-- cmbs.list_principals
--
-- Principals of a tenant by name, a page at a time.
--
-- p_after    the name after which the page begins: next_after of the page before.
-- Promises   next_after is null at the end.
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.list_principals(
    p_limit integer default 50,
    p_after text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'list_principals', '{admin, auditor}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_limit integer := coalesce(p_limit, 50);
    v_found jsonb[];
begin
    perform cmbs_store.check_limit(v_limit, 500);
    v_found := array(
        select cmbs_store.principal_json(p)
        from cmbs_store.principal as p
        where p.tenant = v_tenant and p.name > coalesce(p_after, '')
        order by p.name
        limit v_limit + 1
    );
    return json_build_object(
        'principals', v_found[1:v_limit],
        'next_after', case
            when cardinality(v_found) > v_limit then v_found[v_limit] ->> 'name'
        end
    );
end
$$;

grant execute on function cmbs.list_principals to cmbs_server, cmbs_admin, cmbs_auditor, cmbs_owner;
