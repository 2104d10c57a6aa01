-- cmbs_store.with_dead_edges
--
-- Ids that are to be eliminated from a session with edges, and after them the edges of its universe
-- that lose an end by that: an edge is not without both its ends. The universe alone is asked, so
-- that it is the same wherever the log is taken to.

create or replace function cmbs_store.with_dead_edges(
    p_session cmbs_store.session,
    p_ids text[]
)
returns text[]
language sql
stable
as $$
    select p_ids || array(
        select e.edge_id collate "C"
        from unnest(p_ids) as i (id)
        -- One look for each id, whatever the statistics of the table say by then.
        cross join lateral (
            select u.edge_id
            from cmbs_store.universe_edge as u
            where u.universe_digest = p_session.universe_digest and u.node_id = i.id
            offset 0
        ) as e
        except
        select i.id collate "C" from unnest(p_ids) as i (id)
        order by 1
    )
$$;
