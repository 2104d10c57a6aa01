-- cmbs.rotate_token
--
-- Puts a new token in the place of an old one, with the same principal, verbs and tenant. The old
-- one counts nowhere from the next call on.
--
-- p_expires_at  when the new one ends; null: it lasts as long as the old one was to.
-- Promises   two events in the log of identities, or none.
-- Locks      the log of identities of the tenant.
-- Raises     MB006 TOKEN_NOT_FOUND, MB102 CONFLICT, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.rotate_token(
    p_token_id uuid,
    p_digest bytea,
    p_prefix text,
    p_expires_at timestamptz default null,
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
        p_credential, 'rotate_token', '{admin}'
    );
    v_old cmbs_store.api_token;
    v_new cmbs_store.api_token;
begin
    perform cmbs_store.check_new_api_token(p_digest, p_prefix, null, p_expires_at);
    perform cmbs_store.lock_api_token(v_caller, p_token_id);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'rotate_token', '{admin}');
    v_old := cmbs_store.find_api_token(v_caller, p_token_id);
    perform cmbs_store.check_scope(p_credential, v_old.verbs);
    if v_old.revoked_at is not null then
        perform cmbs_store.refuse(
            'MB102',
            'The token is revoked.',
            json_build_object('token_id', p_token_id)::text,
            'Create a new token for the principal.'
        );
    end if;
    p_expires_at := coalesce(
        p_expires_at,
        least(
            cmbs_store.clock() + (v_old.expires_at - v_old.created_at), '9999-12-31 00:00:00+00'
        )
    );
    perform cmbs_store.check_new_api_token(p_digest, p_prefix, null, p_expires_at);
    v_new := cmbs_store.new_api_token(
        v_caller, cmbs_store.find_principal(v_old.name, v_old.tenant), p_digest, p_prefix,
        v_old.verbs, v_old.scope_tenant, p_expires_at, p_token_id
    );
    perform cmbs_store.end_api_token(v_caller, v_old);
    return cmbs_store.api_token_json(v_new) || jsonb_build_object('replaces', p_token_id);
end
$$;

grant execute on function cmbs.rotate_token to cmbs_server, cmbs_admin, cmbs_owner;
