-- cmbs_store.s_core_at
--
-- The vector of a session as of an event: the last one that was committed; null if none was.

create or replace function cmbs_store.s_core_at(
    p_session_id uuid,
    p_seq bigint
)
returns real[]
language sql
stable
as $$
    select d.s_core
    from cmbs_store.state_delta as d
    where d.session_id = p_session_id and d.seq <= p_seq and d.s_core is not null
    order by d.seq desc, d.item_no desc
    limit 1
$$;
