-- cmbs_store.batch_outcomes
--
-- What the messages of a batch come to, one after the other: each takes what those before it have
-- left. Nothing is written. What is recorded may be a million ids, so it is read once for every
-- observation, however often the batch repeats it.
--
-- p_firsts       what cmbs_store.batch_firsts says of the batch
-- p_numbers, p_ids, p_ranks  what cmbs_store.batch_ids says of it
-- p_mask         the mask, before and after; not needed if no id is named
-- p_seqs         for every id the event that eliminates it, null if none does
-- p_event_ids, p_applied, p_hashes  for every new message its event, the canonical text of what it
--                eliminates, and the survivors hash after it; null for repeats
-- p_answers      the members of the answers
-- Raises         MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT, MB202 INVALID_HYPOTHESIS_ID.

create or replace function cmbs_store.batch_outcomes(
    p_session cmbs_store.session,
    p_expected_head uuid,
    p_batch jsonb,
    p_firsts integer[],
    p_numbers integer[],
    p_ids text[],
    p_ranks integer[],
    inout p_mask bytea,
    out p_seqs bigint[],
    out p_event_ids uuid[],
    out p_applied text[],
    out p_hashes bytea[],
    out p_answers text[]
)
language plpgsql
volatile
as $$
declare
    v_seq bigint := p_session.audit_seq;
    v_hash bytea := p_session.survivors_hash;
    v_n integer := 1;
    v_chunk_no integer := 0;
    v_chunk bytea := substring(p_mask for 1024);
    v_cleared text[];
    v_ignored text[];
    v_repeat text;
    v_repeats jsonb := jsonb_build_object();
    v_index integer;
    v_state text;
    v_text text;
    v_detail text;
    v_hint text;
begin
    p_seqs := array_fill(null::bigint, array[coalesce(cardinality(p_ids), 0)]);
    for v_i in 1 .. cardinality(p_firsts) loop
        v_index := v_i - 1;
        if p_firsts[v_i] < v_i then
            v_repeat := cmbs_store.batch_identity(p_batch -> v_index);
            p_answers[v_i] := coalesce(
                p_answers[(v_repeats ->> v_repeat)::integer],
                cmbs_store.batch_repeat(
                    p_session.session_id, p_batch, v_index, p_firsts[v_i] - 1, p_answers
                )
            );
            v_repeats := v_repeats || jsonb_build_object(v_repeat, v_i);
            continue;
        end if;
        if v_seq = p_session.audit_seq then
            perform cmbs_store.check_open(p_session, p_expected_head);
        end if;
        v_seq := v_seq + 1;
        v_cleared := '{}';
        v_ignored := '{}';
        while p_numbers[v_n] = v_i loop
            -- setting a bit copies the bytes: no more of them than a chunk, however long the mask
            if p_ranks[v_n] / 8192 <> v_chunk_no then
                p_mask := overlay(p_mask placing v_chunk from v_chunk_no * 1024 + 1);
                v_chunk_no := p_ranks[v_n] / 8192;
                v_chunk := substring(p_mask from v_chunk_no * 1024 + 1 for 1024);
            end if;
            if get_bit(v_chunk, p_ranks[v_n] % 8192) = 1 then
                v_chunk := set_bit(v_chunk, p_ranks[v_n] % 8192, 0);
                p_seqs[v_n] := v_seq;
                v_cleared := v_cleared || p_ids[v_n];
            else
                if p_ranks[v_n] is null and p_session.validate_hypotheses then
                    perform cmbs_store.refuse_unknown(v_i, p_numbers, p_ids, p_ranks);
                end if;
                v_ignored := v_ignored || p_ids[v_n];
            end if;
            v_n := v_n + 1;
        end loop;
        if cardinality(v_cleared) > 0 then
            p_mask := overlay(p_mask placing v_chunk from v_chunk_no * 1024 + 1);
            v_hash := cmbs_store.survivors_hash_v1(p_session.universe_digest, p_mask);
        end if;
        p_event_ids[v_i] := cmbs_store.event_id(cmbs_store.random_id(), v_seq);
        p_applied[v_i] := to_jsonb(v_cleared)::text;
        p_hashes[v_i] := v_hash;
        p_answers[v_i] := cmbs_store.elimination_outcome(
            p_applied[v_i], v_ignored, p_event_ids[v_i], false
        );
    end loop;
exception
    when sqlstate 'MB101' or sqlstate 'MB102' or sqlstate 'MB103' or sqlstate 'MB202' then
        get stacked diagnostics
            v_state = returned_sqlstate, v_text = message_text,
            v_detail = pg_exception_detail, v_hint = pg_exception_hint;
        perform cmbs_store.refuse_batch(
            v_state, v_text, v_detail, v_hint, v_index, p_session.audit_seq
        );
end
$$;
