-- cmbs_store.session_reasons
--
-- The stage of session and snapshot: whether the proposer saw the state that is decided on. What
-- changes it is: an elimination that applied something, a gate that opened or closed, a commit of
-- state, another policy. Decisions that were only recorded do not count.
--
-- As of the event that the session is given as of.

create or replace function cmbs_store.session_reasons(
    p_session cmbs_store.session,
    p_snapshot_id uuid
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_seq bigint := cmbs_store.event_seq(p_snapshot_id);
    v_survivors_hash text;
    v_id uuid := p_session.session_id;
begin
    select left(right(e.record, 159), 64)
    into v_survivors_hash
    from cmbs_store.audit_event as e
    where e.session_id = v_id
        and e.seq = v_seq
        and e.event_id = p_snapshot_id
        and e.seq <= p_session.audit_seq;
    if not found then
        return array[
            (
                null, 'session', 'SNAPSHOT_UNKNOWN', null, 'block',
                format('%s is no event of this session', p_snapshot_id)
            )::cmbs_store.reason
        ];
    end if;
    if v_survivors_hash <> encode(p_session.survivors_hash, 'hex')
        or exists (
            select from cmbs_store.state_delta as d
            where d.session_id = v_id and d.seq > v_seq and d.seq <= p_session.audit_seq
        )
        or exists (
            select from cmbs_store.policy_pin as p
            where p.session_id = v_id and p.seq > v_seq and p.seq <= p_session.audit_seq
        )
        or exists (
            select from cmbs_store.conclusion as c
            where c.session_id = v_id
                and c.seq > v_seq
                and c.seq <= p_session.audit_seq
                and c.is_accepted
        )
        or cmbs_store.is_obligation_changed(v_id, v_seq, p_session.audit_seq)
    then
        return array[
            (
                null, 'session', 'SNAPSHOT_STALE', null, 'defer',
                format('read and propose again: the head is %s', p_session.audit_head_event_id)
            )::cmbs_store.reason
        ];
    end if;
    return '{}'::cmbs_store.reason[];
end
$$;
