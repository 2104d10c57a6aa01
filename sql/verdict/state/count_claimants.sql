-- cmbs_store.count_claimants
--
-- Counts who asked for which eliminations up to the head of a locked session, so that the next
-- decision need not read that part of the log again.
--
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.count_claimants(
    p_session cmbs_store.session
)
returns void
language plpgsql
volatile
as $$
declare
    v_counted bigint;
begin
    select max(c.counted_seq)
    into v_counted
    from cmbs_store.elimination_count as c
    where c.session_id = p_session.session_id;
    if v_counted = p_session.audit_seq then
        return;
    end if;
    insert into cmbs_store.elimination_claimant (session_id, hypothesis_id, actor, seq)
    select distinct on (a.hypothesis_id) p_session.session_id, a.hypothesis_id, a.actor, a.seq
    from cmbs_store.asked_eliminations(
        p_session, coalesce(v_counted, 0), p_session.audit_seq
    ) as a
    order by a.hypothesis_id, a.seq
    on conflict (session_id, hypothesis_id) do nothing;
    update cmbs_store.elimination_claimant as e
    set other_seq = o.seq
    from (
        select c.hypothesis_id, min(a.seq) as seq
        from cmbs_store.asked_eliminations(
            p_session, coalesce(v_counted, 0), p_session.audit_seq
        ) as a
        inner join cmbs_store.elimination_claimant as c
            on c.session_id = p_session.session_id
                and c.hypothesis_id = a.hypothesis_id
                and c.actor <> a.actor
                and c.other_seq is null
        group by c.hypothesis_id
    ) as o
    where e.session_id = p_session.session_id and e.hypothesis_id = o.hypothesis_id;
    insert into cmbs_store.elimination_count (session_id, counted_seq)
    values (p_session.session_id, p_session.audit_seq)
    on conflict (session_id) do update set counted_seq = excluded.counted_seq;
end
$$;
