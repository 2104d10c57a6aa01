-- cmbs_store.survivors
--
-- The survivors of a session, now or as of an event, as canonical text: universe minus tombstones.
-- A set operation, because a join would be planned as nested loops while the tables have no
-- statistics, and take time that is quadratic in the universe.

create or replace function cmbs_store.survivors(
    p_session cmbs_store.session
)
returns text
language sql
stable
as $$
    select coalesce(
        '[' || string_agg(to_json(d.hypothesis_id)::text, ', ' order by d.hypothesis_id) || ']',
        '[]'
    )
    from (
        select m.hypothesis_id
        from cmbs_store.universe_member as m
        where m.universe_digest = p_session.universe_digest
        except
        select t.hypothesis_id
        from cmbs_store.tombstone as t
        where t.session_id = p_session.session_id and t.seq <= p_session.audit_seq
    ) as d
$$;
