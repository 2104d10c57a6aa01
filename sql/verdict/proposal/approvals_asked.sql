-- cmbs_store.approvals_asked
--
-- The approvals that a proposal needs to go on: of its own questions, and those by which it was
-- allowed to go on before. Items are numbered as they will be then.
--
-- p_item_nos   the items that go on, by their numbers until now

create or replace function cmbs_store.approvals_asked(
    p_payload jsonb,
    p_item_nos jsonb
)
returns jsonb
language sql
immutable
as $$
    select coalesce(
        jsonb_agg(
            jsonb_build_object(
                'interrupt_id', q.interrupt_id, 'item_no', n.no, 'waives', q.waives
            )
            order by n.no, q.interrupt_id
        ),
        '[]'
    )
    from jsonb_array_elements(p_item_nos) with ordinality as n (item_no, no)
    inner join (
        select
            i.item -> 'item_no' as item_no,
            i.item ->> 'interrupt_id' as interrupt_id,
            (
                select jsonb_agg(
                    jsonb_strip_nulls(jsonb_build_object('code', r -> 'code', 'key', r -> 'key'))
                )
                from jsonb_path_query(i.item, '$.reasons[*] ? (@.disposition == "ask")') as r
            ) as waives
        from jsonb_array_elements(p_payload -> 'items') as i (item)
        where i.item ? 'interrupt_id'
        union all
        select a.approval -> 'item_no', a.approval ->> 'interrupt_id', a.approval -> 'waives'
        from jsonb_array_elements(p_payload -> 'resumes' -> 'approvals') as a (approval)
    ) as q on q.item_no = n.item_no
$$;
