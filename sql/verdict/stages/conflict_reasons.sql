-- cmbs_store.conflict_reasons
--
-- The stage of conflicts: a key that two items write, and goals that exclude each other once the
-- proposal is committed.
--
-- As of the event that the session is given as of.

create or replace function cmbs_store.conflict_reasons(
    p_session cmbs_store.session,
    p_items jsonb
)
returns cmbs_store.reason[]
language sql
stable
as $$
    select array(
        select (
            w.item_no, 'conflicts', 'WRITE_WRITE_CONFLICT', w.key, 'block', 'two items write it'
        )::cmbs_store.reason
        from (
            select i.item_no, k.key, count(*) over (partition by k.key) as n_writers
            from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
            cross join lateral (
                select p.key from jsonb_object_keys(i.item -> 'patch') as p (key)
                union all
                select 's_core' where i.item ? 's_core'
            ) as k
        ) as w
        where w.n_writers > 1
        order by w.item_no, w.key collate "C"
    ) || case
        when jsonb_path_exists(p_items, '$[*].patch.keyvalue() ? (@.key starts with "goal.")')
            then cmbs_store.goal_reasons(p_session, p_items)
    end
$$;
