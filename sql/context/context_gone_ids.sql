-- cmbs_store.context_gone_ids
--
-- What is eliminated in an elimination context, sorted.

create or replace function cmbs_store.context_gone_ids(
    p_context cmbs_store.context
)
returns text[]
language sql
stable
as $$
    select array(
        select t.hypothesis_id
        from cmbs_store.context_tombstone as t
        where t.context_id = p_context.context_id
        order by 1
    )
$$;
