-- cmbs_store.item_subjects
--
-- What the constraints are asked about some items: which subjects apply. A delta is one question
-- for each capability that it needs, so that leave for one is not leave for another. What a tool
-- may is asked with its id, the authorities it was registered with, and whether it only reads.

create or replace function cmbs_store.item_subjects(
    p_items jsonb,
    p_definitions jsonb
)
returns table (item_no integer, subjects text[])
language sql
stable
as $$
    select
        i.item_no::integer,
        case i.item ->> 'kind'
            when 'claim' then array['*', 'c:claim.write.' || (i.item ->> 'claim_kind')]
            else array[
                '*',
                't:' || (i.item ->> 'tool_id'),
                case p_definitions -> (i.item ->> 'tool_id') -> 'mutating'
                    when 'false' then 'c:tool.read' else 'c:tool.write'
                end
            ] || array(
                select 'c:' || a.authority
                from jsonb_array_elements_text(
                    p_definitions -> (i.item ->> 'tool_id') -> 'authorities'
                ) as a (authority)
            )
        end
    from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
    where i.item ->> 'kind' in ('tool_call', 'claim')
    union all
    select i.item_no::integer, array['*', 'c:' || n.capability]
    from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
    cross join lateral (
        select distinct 'state.write.' || split_part(k.key, '.', 1)
        from jsonb_object_keys(i.item -> 'patch') as k (key)
        union all
        select 'state.write.core'
        where i.item ? 's_core'
    ) as n (capability)
    where i.item ->> 'kind' = 'state_delta'
$$;
