-- cmbs_store.keys_around
--
-- The keys that a session has, as of an event, which begin with a key and a dot, or which the key
-- begins with in the same way. At most one key of each kind is needed, and told.

create or replace function cmbs_store.keys_around(
    p_session_id uuid,
    p_seq bigint,
    p_key text
)
returns setof text
language sql
stable
as $$
    select l.key
    from (
        (
            select distinct on (v.key) v.key, v.value
            from cmbs_store.state_value as v
            where v.session_id = p_session_id
                and v.key > p_key || '.'
                and v.key < p_key || '/'
                and v.seq <= p_seq
            order by v.key, v.seq desc
        )
        union all
        select b.key, w.value
        from generate_series(2, cardinality(string_to_array(p_key, '.')) - 1) as n (n_segments)
        cross join lateral (
            select array_to_string((string_to_array(p_key, '.'))[1:n.n_segments], '.') collate "C"
        ) as b (key)
        cross join lateral (
            select v.value
            from cmbs_store.state_value as v
            where v.session_id = p_session_id and v.key = b.key and v.seq <= p_seq
            order by v.seq desc
            limit 1
        ) as w
    ) as l
    where l.value is not null
$$;
