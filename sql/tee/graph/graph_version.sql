-- cmbs_store.graph_version
--
-- The version of the causal graph of a tenant; 0 as long as nothing was merged.

create or replace function cmbs_store.graph_version(
    p_tenant text
)
returns bigint
language sql
stable
as $$
    select coalesce(max(h.version), 0) from cmbs_store.graph_head as h where h.tenant = p_tenant
$$;
