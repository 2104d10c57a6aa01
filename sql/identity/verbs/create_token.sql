-- cmbs.create_token
--
-- Makes a token of a principal known. Whoever makes it chooses it at random and says its digest,
-- and how it begins, to tell tokens apart: the database never sees it.
--
-- p_verbs    the verbs that it covers, by name; null: all that its principal may call.
-- p_scope_tenant  the one tenant that it is for, of a principal that sees all of them.
-- p_expires_at    when it ends by itself; null: 90 days from now.
-- Promises   one event in the log of identities, which holds neither the token nor its digest.
-- Locks      the log of identities of the tenant.
-- Raises     MB005 PRINCIPAL_NOT_FOUND, MB102 CONFLICT, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.create_token(
    p_name text,
    p_digest bytea,
    p_prefix text,
    p_verbs text[] default null,
    p_scope_tenant text default null,
    p_expires_at timestamptz default null,
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
        p_credential, 'create_token', '{admin}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_principal cmbs_store.principal;
begin
    p_expires_at := coalesce(p_expires_at, cmbs_store.clock() + interval '90 days');
    perform cmbs_store.check_new_api_token(p_digest, p_prefix, p_verbs, p_expires_at);
    perform cmbs_store.check_scope(p_credential, p_verbs);
    perform cmbs_store.lock_identities(v_tenant);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'create_token', '{admin}');
    v_principal := cmbs_store.find_principal(p_name, v_tenant);
    if v_principal.is_login then
        perform cmbs_store.refuse_request('name', 'is a login of PostgreSQL, which has no tokens');
    end if;
    if p_scope_tenant is not null then
        perform cmbs_store.check_label('scope_tenant', p_scope_tenant);
        if v_tenant not in ('*', p_scope_tenant) or p_scope_tenant = '*' then
            perform cmbs_store.refuse_request(
                'scope_tenant', 'must be one that the principal may act for'
            );
        end if;
    end if;
    return cmbs_store.api_token_json(
        cmbs_store.new_api_token(
            v_caller, v_principal, p_digest, p_prefix, p_verbs, p_scope_tenant, p_expires_at, null
        )
    );
end
$$;

grant execute on function cmbs.create_token to cmbs_server, cmbs_admin, cmbs_owner;
