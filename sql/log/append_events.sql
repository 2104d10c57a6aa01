-- cmbs_store.append_events
--
-- Appends the events of a batch to the log of a locked session and returns the session with the
-- last of them as its head.
--
-- p_event_ids, p_applied, p_hashes  for every message what cmbs_store.batch_outcomes says of it
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.append_events(
    p_session cmbs_store.session,
    p_actor text,
    p_batch jsonb,
    p_event_ids uuid[],
    p_applied text[],
    p_hashes bytea[]
)
returns cmbs_store.session
language plpgsql
volatile
as $$
declare
    v_message jsonb;
    v_record text;
    v_size bigint := 0;
    v_events cmbs_store.audit_event[];
begin
    for v_i in 1 .. jsonb_array_length(p_batch) loop
        continue when p_event_ids[v_i] is null;
        v_message := p_batch -> v_i - 1;
        p_session.audit_seq := p_session.audit_seq + 1;
        p_session.audit_head_at := greatest(cmbs_store.clock(), p_session.audit_head_at);
        p_session.audit_head_event_id := p_event_ids[v_i];
        v_record := cmbs_store.record_v1(
            p_session.session_id, p_session.audit_seq, p_session.audit_head_event_id,
            p_session.audit_head_at, 'ELIMINATE', p_actor, v_message ->> 'notes',
            format(
                '{"source_id": %s, "eliminated": %s, "justification": %s, "observation_id": %s}',
                v_message -> 'source_id', v_message -> 'eliminated',
                coalesce(nullif(v_message -> 'justification', 'null'), '{}'),
                v_message -> 'observation_id'
            ),
            p_applied[v_i], p_session.survivors_hash, p_hashes[v_i], p_session.audit_head_hash
        );
        p_session.survivors_hash := p_hashes[v_i];
        p_session.audit_head_hash := cmbs_store.event_hash_v1(v_record);
        v_events := v_events || row(
            p_session.session_id, p_session.audit_seq, p_session.audit_head_at,
            p_session.audit_head_event_id, p_session.audit_head_hash, 'ELIMINATE', p_actor,
            v_message ->> 'source_id', v_message ->> 'observation_id', null, v_record
        )::cmbs_store.audit_event;
        -- 8 MiB of JSON can stand for a GiB of records, more than an array holds.
        v_size := v_size + octet_length(v_record);
        if v_size > 16777216 then
            perform cmbs_store.insert_events(v_events);
            v_events := '{}';
            v_size := 0;
        end if;
    end loop;
    perform cmbs_store.insert_events(v_events);
    return p_session;
end
$$;
