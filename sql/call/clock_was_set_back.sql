-- cmbs_store.clock_was_set_back
--
-- Whether the clock was found set back after an event, as of the event that the session is given
-- as of.

create or replace function cmbs_store.clock_was_set_back(
    p_session cmbs_store.session,
    p_seq bigint
)
returns boolean
language sql
stable
as $$
    select exists (
        select
        from cmbs_store.clock_step as c
        where c.session_id = p_session.session_id
            and c.seq > p_seq
            and c.seq <= p_session.audit_seq
    )
$$;
