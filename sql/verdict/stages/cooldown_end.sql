-- cmbs_store.cooldown_end
--
-- When a tool may be called again after its last allowed call in a session; null if the policy has
-- no cooldown for it, or it was not called. As of the event that the session is given as of.

create or replace function cmbs_store.cooldown_end(
    p_session cmbs_store.session,
    p_tool_id text,
    p_settings jsonb
)
returns timestamptz
language sql
stable
as $$
    select e.recorded_at + (
        p_settings -> 'policy.cooldowns' -> 'tools' ->> p_tool_id
    )::bigint * interval '1 millisecond'
    from (
        select max(p.seq) as seq
        from cmbs_store.permit as p
        where p.session_id = p_session.session_id
            and p.tool_id = p_tool_id
            and p.seq <= p_session.audit_seq
    ) as l
    inner join cmbs_store.audit_event as e
        on e.session_id = p_session.session_id and e.seq = l.seq
$$;
