-- cmbs_store.deferrals_full
--
-- Whether no more deferred proposals may wait in a session: true, or null if there is room. Whoever
-- commits what they wait for waits for their tries.

create or replace function cmbs_store.deferrals_full(
    p_session_id uuid
)
returns boolean
language sql
stable
as $$
    select case when count(*) = 100 then true end
    from (
        select
        from cmbs_store.open_item as o
        where o.session_id = p_session_id and o.kind = 'deferral' and o.is_open
        limit 100
    ) as w
$$;
