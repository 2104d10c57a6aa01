-- cmbs_store.mirror_heads
--
-- The message of every session that is the next to tell the Tee, in the order of session ids, after
-- a given one or from the first. One probe of an index for each session that has something to tell.

create or replace function cmbs_store.mirror_heads(
    p_after uuid
)
returns setof cmbs_store.tee_message
language sql
stable
rows 20
as $$
    with recursive waiting as (
        (
            select m.session_id
            from cmbs_store.tee_message as m
            where m.state <> 'delivered'
                and m.session_id >= coalesce(p_after, '00000000-0000-0000-0000-000000000000')
                and m.session_id is distinct from p_after
            order by m.session_id
            limit 1
        )
        union all
        select n.session_id
        from waiting as w
        cross join lateral (
            select m.session_id
            from cmbs_store.tee_message as m
            where m.state <> 'delivered' and m.session_id > w.session_id
            order by m.session_id
            limit 1
        ) as n
    )
    select h.*
    from waiting as w
    cross join lateral (
        select m.*
        from cmbs_store.tee_message as m
        where m.state <> 'delivered' and m.session_id = w.session_id
        order by m.seq
        limit 1
    ) as h
$$;
