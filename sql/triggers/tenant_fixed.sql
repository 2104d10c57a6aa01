-- Whose something is never changes: no hash would show it. Issued anew on every deploy, for the
-- reasons that append_only.sql gives, where its function stands.

create or replace trigger session_tenant_fixed
before update of tenant on cmbs_store.session
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.session enable always trigger session_tenant_fixed;

create or replace trigger context_tenant_fixed
before update of tenant on cmbs_store.context
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.context enable always trigger context_tenant_fixed;
