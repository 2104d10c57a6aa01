-- cmbs.eliminate_batch
--
-- Eliminates on the word of many observations, in order, all or nothing (verb ELIMINATE, batch).
--
-- Promises   one event per new message; repeats inside are answered as repeats; an error in one
--            message undoes all and names it, counted from 0, in details.index.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT,
--            MB201 INVALID_REQUEST, MB202 INVALID_HYPOTHESIS_ID, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.eliminate_batch(
    p_session_id uuid,
    p_messages json,
    p_expected_head uuid default null,
    p_minimal boolean default false,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'eliminate_batch', '{agent, encoder, tool}'
    );
    v_batch jsonb := cmbs_store.checked_batch(p_session_id, p_messages);
    v_session cmbs_store.session;
    v_firsts integer[];
    v_ids record;
    v_outcomes record;
    v_is_duplicate boolean := true;
    v_head json;
begin
    if v_caller.source_prefixes is not null then
        perform cmbs_store.check_batch_sources(v_caller, v_batch);
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    if starts_with(v_session.universe_from, '{"edges": true') then
        v_batch := cmbs_store.batch_with_dead_edges(v_session, v_batch);
    end if;
    v_firsts := cmbs_store.batch_firsts(p_session_id, v_batch);
    v_ids := cmbs_store.batch_ids(v_session.universe_digest, v_batch, v_firsts);
    v_outcomes := cmbs_store.batch_outcomes(
        v_session, p_expected_head, v_batch, v_firsts,
        v_ids.p_numbers, v_ids.p_ids, v_ids.p_ranks,
        case when v_ids.p_ids is not null then cmbs_store.whole_mask(v_session) end
    );
    if v_outcomes.p_event_ids is not null then
        v_session := cmbs_store.append_events(
            v_session, v_caller.name, v_batch,
            v_outcomes.p_event_ids, v_outcomes.p_applied, v_outcomes.p_hashes
        );
        v_session.n_survivors := v_session.n_survivors
            - cardinality(array_remove(v_outcomes.p_seqs, null));
        perform cmbs_store.save_batch(
            v_session, v_outcomes.p_mask, v_ids.p_ids, v_ids.p_ranks, v_outcomes.p_seqs
        );
        v_is_duplicate := false;
    end if;
    v_head := format('{%s}', v_outcomes.p_answers[cardinality(v_firsts)])::json;
    return cmbs_store.response(
        format(
            '"results": [{%s}], "audit_event_id": "%s", "duplicate": %s',
            array_to_string(v_outcomes.p_answers, '}, {'), v_head ->> 'audit_event_id',
            v_is_duplicate::text
        ),
        v_session, p_minimal
    );
end
$$;

grant execute on function cmbs.eliminate_batch to cmbs_server, cmbs_agent;
