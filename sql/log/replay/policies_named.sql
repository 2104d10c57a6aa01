-- cmbs_store.policies_named
--
-- The policies that the log of a session names, with the first event that does: those in force,
-- those that are asked beside them, and the one by which all is denied before the first.

create or replace function cmbs_store.policies_named(
    p_session cmbs_store.session
)
returns table (policy_hash bytea, seq bigint)
language plpgsql
stable
as $$
declare
    v_at_first cmbs_store.policy_pin;
begin
    p_session.audit_seq := 0;
    v_at_first := cmbs_store.policy_in_force(p_session);
    return query
    select n.policy_hash, min(n.seq)
    from (
        select i.policy_hash, i.seq
        from cmbs_store.policy_pin as i
        where i.session_id = p_session.session_id
        union all
        select i.policy_hash, i.seq
        from cmbs_store.shadow_pin as i
        where i.session_id = p_session.session_id
        union all
        -- One that was refused has no pin.
        select decode(h.policy_hash, 'hex'), e.seq
        from cmbs_store.audit_event as e
        cross join unnest(array[
            e.record::json #>> '{payload,policy_hash}',
            e.record::json #>> '{payload,shadow,policy_hash}'
        ]) as h (policy_hash)
        where e.session_id = p_session.session_id
            and e.verb = 'POLICY_APPLY'
            and h.policy_hash is not null
        union all
        select v_at_first.policy_hash, e.seq
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id
            and e.verb in ('PROPOSE', 'RECORD_CLAIM')
            and not exists (
                select
                from cmbs_store.policy_pin as i
                where i.session_id = e.session_id and i.seq < e.seq
            )
    ) as n
    group by n.policy_hash
    order by 2;
end
$$;
