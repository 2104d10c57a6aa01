-- cmbs_store.keys_of_clause
--
-- The keys that a well-formed predicate may read: of each path the key that it is, and every key
-- that it begins with.

create or replace function cmbs_store.keys_of_clause(
    p_op text,
    p_args jsonb
)
returns text[]
language sql
immutable
as $$
    select array(
        select array_to_string(s.segments[1:n.n], '.')
        from (
            select string_to_array(p.path, '.') as segments
            from unnest(array[
                case when p_op <> 'schema' then p_args ->> 0 end,
                case
                    when p_op = 'schema' and p_args ->> 1 ~ '^(policy|goal|fact)\.'
                        then p_args ->> 1
                    when p_op in ('eq', 'in') and jsonb_typeof(p_args -> 1) = 'object'
                        then p_args -> 1 ->> 'ref'
                end
            ]) as p (path)
            where p.path is not null
        ) as s
        cross join lateral generate_series(2, cardinality(s.segments)) as n (n)
    )
$$;
