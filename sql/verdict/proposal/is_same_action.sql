-- cmbs_store.is_same_action
--
-- Whether items are those of a proposal, to the last character: all of them, or those that go on.

create or replace function cmbs_store.is_same_action(
    p_payload jsonb,
    p_resumes jsonb,
    p_items jsonb
)
returns boolean
language sql
immutable
as $$
    -- As text: numbers are equal whatever zeros they end in.
    select p_items::text in (
        (p_payload -> 'proposal' -> 'items')::text,
        (
            select jsonb_agg(p_payload #> array['proposal', 'items', (n.item_no - 1)::text])
            from (
                select i.item_no::integer as item_no
                from jsonb_array_elements_text(p_resumes -> 'item_nos') as i (item_no)
                order by 1
            ) as n
        )::text
    )
$$;
