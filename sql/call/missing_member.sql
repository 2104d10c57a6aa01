-- cmbs_store.missing_member
--
-- The first of the members that an object lacks; null if it has them all.

create or replace function cmbs_store.missing_member(
    p_object jsonb,
    p_members text[]
)
returns text
language sql
immutable
as $$
    select m.name
    from unnest(p_members) with ordinality as m (name, no)
    where not p_object ? m.name
    order by m.no
    limit 1
$$;
