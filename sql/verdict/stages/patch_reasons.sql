-- cmbs_store.patch_reasons
--
-- The stage of schemas for the values of one state delta.

create or replace function cmbs_store.patch_reasons(
    p_item_no integer,
    p_patch jsonb
)
returns cmbs_store.reason[]
language sql
stable
as $$
    select array(
        select (
            p_item_no, 'schemas', f.code, f.key, 'block', case f.code
                when 'VALUE_NOT_JSON' then 'the value must be the text of a JSON object'
                when 'DUPLICATE_JSON_KEY' then 'a member stands twice in the value'
                else 'the value must be an object with the member v, which is 1'
            end
        )::cmbs_store.reason
        from (
            select m.key, cmbs_store.value_fault(m.value) as code
            from jsonb_each_text(p_patch) as m (key, value)
            where m.value is not null
        ) as f
        where f.code is not null
        order by f.key collate "C"
    )
$$;
