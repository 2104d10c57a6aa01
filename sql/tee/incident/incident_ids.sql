-- cmbs_store.incident_ids
--
-- The universe of an incident, sorted: its nodes, and the ids of its edges too if they are asked
-- for, those with both ends in it.

create or replace function cmbs_store.incident_ids(
    p_incident cmbs_store.incident,
    p_with_edges boolean
)
returns text[]
language plpgsql
stable
as $$
begin
    -- As long as nothing is ruled out, what is left is all of it.
    p_incident.incident_id := null;
    return cmbs_store.live_ids(p_incident, p_with_edges);
end
$$;
