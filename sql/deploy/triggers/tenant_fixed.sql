-- Whose something is never changes, nor what an incident is pinned to: no hash would show it.
-- Issued anew on every deploy, for the reasons that append_only.sql gives, where its function
-- stands.

create or replace trigger session_tenant_fixed
before update of tenant on cmbs_store.session
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.session enable always trigger session_tenant_fixed;

create or replace trigger context_tenant_fixed
before update of tenant on cmbs_store.context
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.context enable always trigger context_tenant_fixed;

create or replace trigger incident_tenant_fixed
before update of tenant, version, universe_digest, has_edges_listed on cmbs_store.incident
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.incident enable always trigger incident_tenant_fixed;
