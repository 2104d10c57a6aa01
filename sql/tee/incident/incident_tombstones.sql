-- cmbs_store.incident_tombstones
--
-- What is ruled out of an incident.

create or replace function cmbs_store.incident_tombstones(
    p_incident_id text
)
returns json
language sql
stable
as $$
    select json_build_object(
        'node_ids', array(
            select t.node_id
            from cmbs_store.node_tombstone as t
            where t.incident_id = p_incident_id
            order by t.node_id
        ),
        'edges', coalesce(
            (
                select json_agg(
                    json_build_object('source', t.source, 'target', t.target, 'type', t.type)
                    order by t.source, t.target, t.type
                )
                from cmbs_store.edge_tombstone as t
                where t.incident_id = p_incident_id
            ),
            '[]'
        )
    )
$$;
