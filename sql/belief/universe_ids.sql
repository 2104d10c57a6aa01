-- cmbs_store.universe_ids
--
-- The ids of a universe, as the canonical text that its digest hashes.

create or replace function cmbs_store.universe_ids(
    p_universe_digest bytea
)
returns text
language sql
stable
as $$
    select '[' || string_agg(to_json(m.hypothesis_id)::text, ', ' order by m.hypothesis_id) || ']'
    from cmbs_store.universe_member as m
    where m.universe_digest = p_universe_digest
$$;
