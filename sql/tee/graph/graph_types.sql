-- cmbs_store.graph_types
--
-- The types of nodes, or of edges, by the names that the wire gives them.

create or replace function cmbs_store.graph_types(
    p_kind text
)
returns text[]
language sql
immutable
as $$
    select case p_kind
        when 'node' then array['SERVICE', 'DEPENDENCY', 'INFRASTRUCTURE', 'MECHANISM']
        when 'edge' then array['DEPENDS_ON', 'PROPAGATES_TO', 'MANIFESTS_AS']
    end
$$;
