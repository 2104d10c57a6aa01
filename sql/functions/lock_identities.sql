-- cmbs_store.lock_identities
--
-- Makes whoever changes identities take turns, whatever their tenants: a name must not be taken
-- twice, and a log has one end.
--
-- Locks      the row of `*` in the table of heads.

create or replace function cmbs_store.lock_identities()
returns void
language plpgsql
volatile
as $$
begin
    perform from cmbs_store.identity_head as h where h.tenant = '*' for no key update;
end
$$;

comment on function cmbs_store.lock_identities() is
'Wait until nobody else changes identities.';

revoke all on function cmbs_store.lock_identities() from public;
