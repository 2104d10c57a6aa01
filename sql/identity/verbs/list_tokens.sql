-- cmbs.list_tokens
--
-- Tokens of a tenant, newest first, also those that count no more; without what their holders show.
--
-- p_after    the token after which the page begins: next_after of the page before.
-- Promises   next_after is null at the end.
-- Locks      nothing.
-- Raises     MB005 PRINCIPAL_NOT_FOUND, MB006 TOKEN_NOT_FOUND, MB201 INVALID_REQUEST,
--            MB302 FORBIDDEN.

create or replace function cmbs.list_tokens(
    p_name text default null,
    p_limit integer default 50,
    p_after uuid default null,
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
        p_credential, 'list_tokens', '{admin, auditor}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_limit integer := coalesce(p_limit, 50);
    v_after cmbs_store.api_token;
    v_found jsonb[];
begin
    perform cmbs_store.check_limit(v_limit, 500);
    if p_name is not null then
        perform cmbs_store.find_principal(p_name, v_tenant);
    end if;
    if p_after is not null then
        v_after := cmbs_store.find_api_token(v_caller, p_after);
    end if;
    v_found := array(
        select cmbs_store.api_token_json(t)
        from cmbs_store.api_token as t
        where t.tenant = v_tenant
            and (p_name is null or t.name = p_name)
            and (
                p_after is null
                or (t.created_at, t.token_id) < (v_after.created_at, v_after.token_id)
            )
        order by t.created_at desc, t.token_id desc
        limit v_limit + 1
    );
    return json_build_object(
        'tokens', v_found[1:v_limit],
        'next_after', case
            when cardinality(v_found) > v_limit then v_found[v_limit] ->> 'token_id'
        end
    );
end
$$;

grant execute on function cmbs.list_tokens to cmbs_server, cmbs_admin, cmbs_auditor, cmbs_owner;
