-- cmbs_store.authenticate_token
--
-- The principal whose token has this digest, in the tenant that the token is for; a token that is
-- unknown, revoked or expired is refused.
--
-- Looked up in every call, so a token that is revoked counts nowhere any more. In a transaction
-- that keeps its snapshot it would be found for longer, so there none counts. Who its holder is,
-- every token may ask: whoever lets a caller in has to know that.
--
-- Raises     MB301 UNAUTHENTICATED, MB302 FORBIDDEN.

create or replace function cmbs_store.authenticate_token(
    p_credential bytea,
    p_verb text
)
returns cmbs_store.principal
language plpgsql
stable
as $$
declare
    v_caller cmbs_store.principal;
    v_token cmbs_store.api_token;
begin
    select t.*
    into v_token
    from cmbs_store.api_token as t
    where t.credential_hash = sha256(p_credential);
    if not found then
        perform cmbs_store.refuse_credential('unknown');
    end if;
    select p.*
    into strict v_caller
    from cmbs_store.principal as p
    where p.name = v_token.name and p.tenant = v_token.tenant;
    if v_token.revoked_at is not null then
        perform cmbs_store.refuse_credential('revoked');
    elsif cmbs_store.api_token_end(v_token) <= cmbs_store.clock() then
        perform cmbs_store.refuse_credential('expired');
    elsif not v_caller.is_enabled then
        perform cmbs_store.refuse_credential('its principal is disabled');
    elsif current_setting('transaction_isolation') <> 'read committed' then
        perform cmbs_store.refuse_caller(
            'a credential counts only where transactions are isolated as read committed'
        );
    elsif p_verb <> 'identify' and p_verb <> all(v_token.verbs) then
        perform cmbs_store.refuse(
            'MB302',
            'The token does not cover this verb.',
            json_build_object('verb', p_verb, 'verbs', v_token.verbs)::text,
            'Ask an administrator for a token that does.'
        );
    end if;
    v_caller.tenant := coalesce(v_token.scope_tenant, v_caller.tenant);
    return v_caller;
end
$$;
