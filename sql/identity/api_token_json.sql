-- cmbs_store.api_token_json
--
-- A token as it is shown: everything but what its holder shows.

create or replace function cmbs_store.api_token_json(
    p_token cmbs_store.api_token
)
returns jsonb
language sql
volatile
as $$
    select jsonb_build_object(
        'token_id', p_token.token_id,
        'tenant', p_token.tenant,
        'name', p_token.name,
        'prefix', p_token.prefix,
        'verbs', p_token.verbs,
        'scope_tenant', p_token.scope_tenant,
        'created_at', cmbs_store.timestamp_v1(p_token.created_at),
        'created_by', p_token.created_by,
        'expires_at', cmbs_store.timestamp_v1(cmbs_store.api_token_end(p_token)),
        'revoked_at', cmbs_store.timestamp_v1(p_token.revoked_at),
        'last_used_at', (
            select cmbs_store.timestamp_v1(u.used_at)
            from cmbs_store.api_token_use as u
            where u.token_id = p_token.token_id
        )
    )
$$;
