-- cmbs_store.live_nodes
--
-- The nodes of the universe of an incident that are not ruled out.

create or replace function cmbs_store.live_nodes(
    p_incident cmbs_store.incident
)
returns table (node_id text)
language sql
stable
as $$
    select u.node_id
    from cmbs_store.universe_nodes(p_incident) as u
    where not exists (
        select
        from cmbs_store.node_tombstone as t
        where t.incident_id = p_incident.incident_id and t.node_id = u.node_id
    )
$$;
