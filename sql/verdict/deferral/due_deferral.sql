-- cmbs_store.due_deferral
--
-- The deferred proposal of a session that is to be tried again next: something was committed since
-- its last try that it waits for, or it has waited long enough. Null if there is none.
--
-- p_at        until when it must have waited; null: what was committed counts alone
-- As of the event that the session is given as of.

create or replace function cmbs_store.due_deferral(
    p_session cmbs_store.session,
    p_at timestamptz
)
returns cmbs_store.deferral
language sql
stable
as $$
    select d.*
    from cmbs_store.open_item as o
    cross join lateral (
        select l.*
        from cmbs_store.deferral as l
        where l.session_id = o.session_id
            and l.deferral_id = o.item_id
            and l.seq <= p_session.audit_seq
        order by l.seq desc
        limit 1
    ) as d
    where o.session_id = p_session.session_id
        and o.kind = 'deferral'
        and o.is_open
        and cmbs_store.is_due(d, p_session.audit_seq, p_at)
    order by d.seq
    limit 1
$$;
