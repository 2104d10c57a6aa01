-- cmbs_store.asked_eliminations
--
-- Who asked for the elimination of which hypotheses in a part of the log, and when first; what is
-- no hypothesis of the session is left out.

create or replace function cmbs_store.asked_eliminations(
    p_session cmbs_store.session,
    p_after bigint,
    p_until bigint
)
returns table (hypothesis_id text, actor text, seq bigint)
language sql
stable
as $$
    select a.hypothesis_id, a.actor, min(a.seq)
    from (
        select i.id collate "C" as hypothesis_id, e.actor, e.seq
        from cmbs_store.audit_event as e
        cross join lateral
            json_array_elements_text(e.record::json #> '{payload,eliminated}') as i (id)
        where e.session_id = p_session.session_id
            and e.seq > p_after
            and e.seq <= p_until
            and e.verb = 'ELIMINATE'
    ) as a
    inner join cmbs_store.universe_member as m
        on m.universe_digest = p_session.universe_digest and m.hypothesis_id = a.hypothesis_id
    group by a.hypothesis_id, a.actor
$$;
