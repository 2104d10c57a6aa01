-- cmbs_store.edge_id
--
-- The id of an edge where ids of hypotheses are expected: its parts, with `%` and `|` escaped.

create or replace function cmbs_store.edge_id(
    p_source text,
    p_target text,
    p_type text
)
returns text
language sql
immutable
as $$
    select 'edge:' || replace(replace(p_source, '%', '%25'), '|', '%7C')
        || '|' || replace(replace(p_target, '%', '%25'), '|', '%7C')
        || '|' || p_type
$$;
