-- cmbs_store.mode_in_force
--
-- The mode of a session, as of the event that it is given as of; normal where none was set.

create or replace function cmbs_store.mode_in_force(
    p_session cmbs_store.session
)
returns text
language sql
stable
as $$
    select coalesce(
        (
            select m.mode
            from cmbs_store.session_mode as m
            where m.session_id = p_session.session_id and m.seq <= p_session.audit_seq
            order by m.seq desc
            limit 1
        ),
        'normal'
    )
$$;
