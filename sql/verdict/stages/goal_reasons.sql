-- cmbs_store.goal_reasons
--
-- Goals of a proposal that an active goal excludes, or that exclude an active goal, once the
-- proposal is committed: of a group one is active at a time. A goal is active unless its status
-- says done or dropped.
--
-- As of the event that the session is given as of.

create or replace function cmbs_store.goal_reasons(
    p_session cmbs_store.session,
    p_items jsonb
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_patch jsonb := cmbs_store.merged_patch(p_items);
begin
    return array(
        with goal as (
            select g.key, cmbs_store.readable_value(g.value) as value
            from (
                select p.key collate "C" as key, p.value
                from jsonb_each_text(v_patch) as p (key, value)
                where p.key like 'goal.%' and cmbs_store.value_fault(p.value) is null
                union all
                select s.key, s.value
                from cmbs_store.live_values(
                    p_session.session_id, p_session.audit_seq, 'goal.', 'goal/'
                ) as s
                where not v_patch ? s.key
            ) as g
            where g.value is not null
        ),

        active as (
            select a.key, a.value
            from goal as a
            where coalesce(a.value ->> 'status' not in ('done', 'dropped'), true)
        )

        select (
            i.item_no, 'conflicts', 'GOAL_CONFLICT', a.key, 'defer', min(b.key)
        )::cmbs_store.reason
        from (select n.* from active as n where v_patch ? n.key) as a
        inner join active as b
            on b.key <> a.key
                and (
                    a.value -> 'exclusive_group' = b.value -> 'exclusive_group'
                    and a.value -> 'exclusive_group' <> 'null'
                    or coalesce(a.value -> 'excludes' @> to_jsonb(b.key), false)
                    or coalesce(b.value -> 'excludes' @> to_jsonb(a.key), false)
                )
        inner join jsonb_array_elements(p_items) with ordinality as i (item, item_no)
            on i.item -> 'patch' ? a.key
        group by i.item_no, a.key
        order by i.item_no, a.key
    );
end
$$;
