-- cmbs_store.is_superseded
--
-- Whether a constraint that an approval would waive was ever changed after it was asked for; what
-- was changed back is not what it was asked about either. As of the event that the session is
-- given as of.

create or replace function cmbs_store.is_superseded(
    p_session cmbs_store.session,
    p_interrupt cmbs_store.interrupt
)
returns boolean
language sql
stable
as $$
    select exists (
        select
        from cmbs_store.policy_pin as p
        cross join unnest(p_interrupt.constraint_keys) as k (key)
        left join cmbs_store.policy_entry as n
            on n.policy_hash = p.policy_hash and n.key = k.key
        where p.session_id = p_session.session_id
            and p.seq > p_interrupt.seq
            and p.seq <= p_session.audit_seq
            and n.value_hash is distinct from (
                select o.value_hash
                from cmbs_store.policy_pin as f
                inner join cmbs_store.policy_entry as o
                    on o.policy_hash = f.policy_hash and o.key = k.key
                where f.session_id = p_session.session_id
                    and f.seq = (
                        select max(l.seq)
                        from cmbs_store.policy_pin as l
                        where l.session_id = p_session.session_id and l.seq < p_interrupt.seq
                    )
            )
    )
$$;
