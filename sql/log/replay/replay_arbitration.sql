-- cmbs_store.replay_arbitration
--
-- Decides one event of arbitration again, by the policy that its record names, and says whether the
-- recorded decision is another; null if it is not.
--
-- p_state   the replayed session before the event

create or replace function cmbs_store.replay_arbitration(
    p_state cmbs_store.session,
    p_event cmbs_store.audit_event,
    p_payload jsonb
)
returns text
language plpgsql
stable
as $$
declare
    v_at timestamptz := (p_payload ->> 'decided_at')::timestamptz;
    v_until timestamptz := cmbs_store.granted_until(
        p_payload ->> 'decided_at', p_payload ->> 'clock'
    );
    v_fault text;
begin
    -- What cannot become a row cannot be read: told here, where the event is known.
    perform cmbs_store.normal_row(r.relation, r.content)
    from cmbs_store.event_rows(
        p_event.session_id, p_event.seq, p_event.actor, p_event.verb, p_payload
    ) as r;
    if p_payload ? 'decided_at' and (
        v_at > p_event.recorded_at or v_at < p_state.audit_head_at
        or p_payload ->> 'decided_at' <> cmbs_store.timestamp_v1(v_at)
    ) then
        return 'the decision was not taken between the event before and this one';
    elsif p_payload ? 'clock' and (
        v_at < (p_payload ->> 'clock')::timestamptz
        or p_payload ->> 'clock'
        <> cmbs_store.timestamp_v1((p_payload ->> 'clock')::timestamptz)
    ) then
        return 'the clock is later than the decision';
    elsif p_event.verb = 'TOKEN_ISSUE' and p_payload ->> 'parent_id' is not null then
        v_fault := cmbs_store.narrowing_fault(
            p_state, cmbs_store.read_capability(p_state, (p_payload ->> 'parent_id')::uuid),
            p_payload, v_until
        );
        return 'the token is wider than the one that it is made from: ' || v_fault;
    elsif p_event.verb = 'TOKEN_REVOKE' then
        perform cmbs_store.read_capability(p_state, (p_payload ->> 'token_id')::uuid);
        return null;
    elsif p_event.verb = 'POLICY_APPLY' then
        return case
            when p_payload @> cmbs_store.apply_reasons(
                p_state, p_event.actor, decode(p_payload ->> 'policy_hash', 'hex'), p_payload
            ) then null
            else 'the recorded decision is not the one that follows'
        end;
    elsif cmbs_store.is_execution(p_event.verb) then
        return cmbs_store.replay_execution(p_state, p_event, p_payload);
    elsif p_event.verb in ('PROPOSE', 'RECORD_CLAIM') then
        return cmbs_store.replay_verdict(p_state, p_event, p_payload);
    end if;
    return null;
exception
    when sqlstate 'MB006' then
        return 'the token is not one of the session';
end
$$;
