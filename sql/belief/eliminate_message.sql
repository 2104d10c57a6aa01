-- cmbs_store.eliminate_message
--
-- One ELIMINATE message: A = eliminated and surviving; the survivors lose A.
--
-- Locks       the session row, first thing.
-- Raises      MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT,
--             MB202 INVALID_HYPOTHESIS_ID.

create or replace function cmbs_store.eliminate_message(
    p_session_id uuid,
    p_caller cmbs_store.principal,
    p_source_id text,
    p_observation_id text,
    p_eliminated text[],
    p_justification text,
    p_expected_head uuid,
    p_notes text,
    p_minimal boolean
)
returns json
language plpgsql
volatile
as $$
declare
    v_session cmbs_store.session := cmbs_store.lock_session(
        p_session_id, p_caller.tenant
    );
    v_next cmbs_store.session := v_session;
    v_known record;
    v_cleared record;
    v_applied text[];
    v_applied_text text;
    v_outcome text;
begin
    if starts_with(v_session.universe_from, '{"edges": true') then
        p_eliminated := cmbs_store.with_dead_edges(v_session, p_eliminated);
    end if;
    v_known := cmbs_store.ranks(v_session.universe_digest, p_eliminated);
    -- A repeated message has its recorded answer before anything can be wrong with it, and before
    -- chunks of a mask are written; else the insert of the event finds out.
    if v_session.is_terminated
        or v_session.audit_head_event_id <> p_expected_head
        or v_session.validate_hypotheses
            and coalesce(cardinality(v_known.p_found), 0) < cardinality(p_eliminated)
        or v_session.mask is null
    then
        v_outcome := cmbs_store.recorded_elimination(
            p_session_id, p_source_id, p_observation_id, p_eliminated
        );
        if v_outcome is not null then
            return cmbs_store.response(v_outcome, v_session, p_minimal);
        end if;
        perform cmbs_store.check_open(v_session, p_expected_head);
        if v_session.validate_hypotheses then
            perform cmbs_store.check_known(p_eliminated, v_known.p_found);
        end if;
    end if;

    if v_session.mask is null then
        v_applied := cmbs_store.clear_chunks(
            p_session_id, v_known.p_found, v_known.p_ranks
        );
    else
        v_cleared := cmbs_store.clear_bits(
            v_session.mask, v_known.p_found, v_known.p_ranks
        );
        v_applied := v_cleared.p_cleared_ids;
        v_next.mask := v_cleared.p_cleared_mask;
    end if;
    if cardinality(v_applied) > 0 then
        v_next.n_survivors := v_session.n_survivors - cardinality(v_applied);
        v_next.survivors_hash := cmbs_store.survivors_hash(v_next);
    end if;
    v_applied_text := to_jsonb(v_applied)::text;
    v_next := cmbs_store.append_event(
        v_next, v_session.survivors_hash, 'ELIMINATE', p_caller.name,
        p_source_id, p_observation_id, null, p_notes,
        format(
            '{"source_id": %s, "eliminated": %s, "justification": %s, "observation_id": %s}',
            to_json(p_source_id), to_jsonb(p_eliminated), p_justification, to_json(p_observation_id)
        ),
        v_applied_text
    );
    if v_next.session_id is null then
        v_outcome := cmbs_store.recorded_elimination(
            p_session_id, p_source_id, p_observation_id, p_eliminated
        );
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;

    if cardinality(v_applied) > 0 then
        insert into cmbs_store.tombstone (session_id, seq, hypothesis_id)
        select p_session_id, v_next.audit_seq, t.hypothesis_id
        from unnest(v_applied) as t (hypothesis_id);
        if v_next.is_mirrored then
            perform cmbs_store.note_mirrored(v_next, v_next.audit_seq);
        end if;
    end if;
    v_outcome := cmbs_store.elimination_outcome(
        v_applied_text,
        case
            when cardinality(v_applied) = cardinality(p_eliminated) then '{}'
            else cmbs_store.ids_without(p_eliminated, v_applied)
        end,
        v_next.audit_head_event_id,
        false
    );
    return cmbs_store.response(v_outcome, v_next, p_minimal);
end
$$;
