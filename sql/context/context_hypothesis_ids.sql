-- cmbs_store.context_hypothesis_ids
--
-- What an elimination context began with, sorted.

create or replace function cmbs_store.context_hypothesis_ids(
    p_context cmbs_store.context
)
returns text[]
language sql
stable
as $$
    select array(
        select h.hypothesis_id
        from cmbs_store.context_hypothesis as h
        where h.universe_digest = p_context.universe_digest
        order by 1
    )
$$;
