-- cmbs_store.lock_identities
--
-- Makes whoever changes the identities of a tenant take turns: a log has one end. New names are
-- made in turns of all tenants, under the lock of `*`, because a name of `*` is one everywhere.
--
-- Who keeps a snapshot would not see what was changed before his turn, and is refused.
--
-- Locks      the row of the tenant in the table of heads, if it has one.
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.lock_identities(
    p_tenant text
)
returns void
language plpgsql
volatile
as $$
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        perform cmbs_store.refuse_caller(
            'identities are changed only where transactions are isolated as read committed'
        );
    end if;
    perform from cmbs_store.identity_head as h where h.tenant = p_tenant for no key update;
end
$$;
