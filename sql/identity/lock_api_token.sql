-- cmbs_store.lock_api_token
--
-- Waits for the turn to change a token, if the caller may see it. It takes the lock before it says
-- that there is no such token, so that a read-only standby says first that it is one.
--
-- Locks      the log of identities of the token's tenant.
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.lock_api_token(
    p_caller cmbs_store.principal,
    p_token_id uuid
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.lock_identities((
        select t.tenant
        from cmbs_store.api_token as t
        where t.token_id = p_token_id and p_caller.tenant in ('*', t.tenant)
    ));
end
$$;
