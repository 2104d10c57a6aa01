-- cmbs_store.post_state
--
-- What would be read after the deltas among some items were committed.

create or replace function cmbs_store.post_state(
    p_values jsonb,
    p_items jsonb
)
returns jsonb
language sql
stable
as $$
    select p_values - array(
        select w.key
        from jsonb_each_text(cmbs_store.merged_patch(p_items)) as w (key, value)
        where w.value is null
    ) || coalesce(
        (
            select jsonb_object_agg(w.key, cmbs_store.readable_value(w.value))
            from jsonb_each_text(cmbs_store.merged_patch(p_items)) as w (key, value)
            where w.value is not null
        ),
        '{}'
    )
$$;
