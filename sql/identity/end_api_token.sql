-- cmbs_store.end_api_token
--
-- Revokes a token, with its event.

create or replace function cmbs_store.end_api_token(
    p_caller cmbs_store.principal,
    p_token cmbs_store.api_token
)
returns cmbs_store.api_token
language plpgsql
volatile
as $$
begin
    p_token.revoked_at := cmbs_store.append_identity(
        p_token.tenant, 'REVOKE_TOKEN', p_caller.name,
        jsonb_build_object('token_id', p_token.token_id)
    );
    update cmbs_store.api_token as t
    set revoked_at = p_token.revoked_at
    where t.credential_hash = p_token.credential_hash;
    return p_token;
end
$$;
