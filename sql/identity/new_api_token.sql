-- cmbs_store.new_api_token
--
-- A new token of a principal, with its event. Its id is made of its digest, so that it is the same
-- wherever the same token is made known.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.new_api_token(
    p_caller cmbs_store.principal,
    p_principal cmbs_store.principal,
    p_digest bytea,
    p_prefix text,
    p_verbs text[],
    p_scope_tenant text,
    p_expires_at timestamptz,
    p_replaces uuid
)
returns cmbs_store.api_token
language plpgsql
volatile
as $$
declare
    v_token cmbs_store.api_token;
begin
    v_token.credential_hash := sha256(p_digest);
    v_token.token_id := encode(substr(v_token.credential_hash, 1, 16), 'hex')::uuid;
    v_token.tenant := p_principal.tenant;
    v_token.name := p_principal.name;
    v_token.prefix := p_prefix;
    v_token.verbs := cmbs_store.sorted_set(p_verbs);
    v_token.scope_tenant := p_scope_tenant;
    v_token.created_by := p_caller.name;
    v_token.expires_at := p_expires_at;
    v_token.clock_lead_us := cmbs_store.clock_lead();
    if exists (select from cmbs_store.api_token as t where t.token_id = v_token.token_id) then
        perform cmbs_store.refuse(
            'MB102',
            'This token has been made before.',
            json_build_object('prefix', p_prefix)::text,
            'Make another: a token is random, and nobody has it twice.'
        );
    end if;
    v_token.created_at := cmbs_store.append_identity(
        v_token.tenant, 'CREATE_TOKEN', p_caller.name,
        jsonb_build_object(
            'token_id', v_token.token_id,
            'name', v_token.name,
            'prefix', v_token.prefix,
            'verbs', v_token.verbs,
            'scope_tenant', v_token.scope_tenant,
            'credential_hash', encode(v_token.credential_hash, 'hex'),
            'replaces', p_replaces
        ) || cmbs_store.recorded_token_end(v_token)
    );
    insert into cmbs_store.api_token values (v_token.*);
    return v_token;
end
$$;
