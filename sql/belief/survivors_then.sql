-- cmbs_store.survivors_then
--
-- The survivors, in order, as of the event that the session is given as of.

create or replace function cmbs_store.survivors_then(
    p_session cmbs_store.session
)
returns jsonb
language sql
stable
as $$
    select coalesce(jsonb_agg(m.hypothesis_id order by m.hypothesis_id), '[]')
    from cmbs_store.universe_member as m
    where m.universe_digest = p_session.universe_digest
        and not exists (
            select
            from cmbs_store.tombstone as t
            where t.session_id = p_session.session_id
                and t.hypothesis_id = m.hypothesis_id
                and t.seq <= p_session.audit_seq
        )
$$;
