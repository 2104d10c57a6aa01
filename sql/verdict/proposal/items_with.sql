-- cmbs_store.items_with
--
-- The numbers of the items of a decided proposal that go on: all of them if they belong together,
-- else those whose verdict has a member.

create or replace function cmbs_store.items_with(
    p_payload jsonb,
    p_member text
)
returns jsonb
language sql
immutable
as $$
    select coalesce(jsonb_agg(i.item -> 'item_no' order by i.no), '[]')
    from jsonb_array_elements(p_payload -> 'items') with ordinality as i (item, no)
    where p_payload -> 'proposal' -> 'atomic' = 'true' or i.item ? p_member
$$;
