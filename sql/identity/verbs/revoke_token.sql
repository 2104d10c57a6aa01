-- cmbs.revoke_token
--
-- Revokes a token: from the next call on it counts nowhere. To revoke it again is a repeat.
--
-- Promises   one event in the log of identities.
-- Locks      the log of identities of the tenant.
-- Raises     MB006 TOKEN_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.revoke_token(
    p_token_id uuid,
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
        p_credential, 'revoke_token', '{admin}'
    );
    v_token cmbs_store.api_token;
    v_is_new boolean;
begin
    perform cmbs_store.lock_api_token(v_caller, p_token_id);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'revoke_token', '{admin}');
    v_token := cmbs_store.find_api_token(v_caller, p_token_id);
    v_is_new := v_token.revoked_at is null;
    if v_is_new then
        v_token := cmbs_store.end_api_token(v_caller, v_token);
    end if;
    return cmbs_store.api_token_json(v_token) || jsonb_build_object('duplicate', not v_is_new);
end
$$;

grant execute on function cmbs.revoke_token to cmbs_server, cmbs_admin, cmbs_owner;
