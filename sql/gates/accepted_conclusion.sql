-- cmbs_store.accepted_conclusion
--
-- The last accepted conclusion, as of the event that the session is given as of.

create or replace function cmbs_store.accepted_conclusion(
    p_session cmbs_store.session
)
returns text
language sql
stable
as $$
    select c.conclusion_id
    from cmbs_store.conclusion as c
    where c.session_id = p_session.session_id
        and c.seq <= p_session.audit_seq
        and c.is_accepted
    order by c.seq desc
    limit 1
$$;
