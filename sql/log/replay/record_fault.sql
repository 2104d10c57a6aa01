-- cmbs_store.record_fault
--
-- What is wrong with one record, null if nothing: it must be, byte for byte, what its columns and
-- the replayed state make it.

create or replace function cmbs_store.record_fault(
    p_event cmbs_store.audit_event,
    p_record jsonb,
    p_before cmbs_store.session,
    p_after cmbs_store.session,
    p_delta text[]
)
returns text
language plpgsql
stable
as $$
declare
    v_payload jsonb := p_record -> 'payload';
begin
    if p_event.record = cmbs_store.record_v1(
        p_event.session_id, p_event.seq, p_event.event_id, p_event.recorded_at,
        p_event.verb, p_event.actor, p_record ->> 'notes', v_payload::text,
        to_jsonb(p_delta)::text, p_before.survivors_hash, p_after.survivors_hash,
        p_before.audit_head_hash
    )
        and cmbs_store.event_seq(p_event.event_id) = p_event.seq
        and p_event.source_id is not distinct from v_payload ->> 'source_id'
        and p_event.observation_id is not distinct from v_payload ->> 'observation_id'
        and p_event.request_id is not distinct from v_payload ->> 'request_id'
    then
        return null;
    end if;
    return case
        when p_record -> 'delta' -> 'eliminated' is distinct from to_jsonb(p_delta)
            then 'the delta is not what was asked for and survived'
        when p_record ->> 'survivors_after_hash'
            is distinct from encode(p_after.survivors_hash, 'hex')
            then 'the survivors hash is not that of the survivors'
        else 'the record and its columns are not the same'
    end;
end
$$;
