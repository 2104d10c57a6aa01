-- cmbs.enter_obligation
--
-- Enters an obligation: until it is left, nothing can be concluded or terminated (verb
-- ENTER_OBLIGATION).
--
-- Promises   one obligation is active at a time; its count starts from this event.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT,
--            MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.enter_obligation(
    p_session_id uuid,
    p_obligation_id text,
    p_min_total_eliminations bigint,
    p_request_id text default null,
    p_expected_head uuid default null,
    p_notes text default null,
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
        p_credential, 'enter_obligation', '{agent}'
    );
    v_content jsonb;
    v_session cmbs_store.session;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_id('obligation_id', p_obligation_id);
    if p_min_total_eliminations is null or p_min_total_eliminations < 0 then
        perform cmbs_store.refuse_request(
            'min_total_eliminations', 'must be a whole number of at least 0'
        );
    end if;
    v_content := jsonb_build_object(
        'obligation_id', p_obligation_id, 'min_total_eliminations', p_min_total_eliminations
    );
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_outcome(
        p_session_id, p_request_id, 'ENTER_OBLIGATION', v_content
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    if v_session.obligation_id is not null then
        perform cmbs_store.refuse(
            'MB102',
            'An obligation is active already.',
            json_build_object('active_obligation_id', v_session.obligation_id)::text,
            'Exit the active obligation first; one is active at a time.'
        );
    end if;

    v_session.obligation_seq := v_session.audit_seq + 1;
    v_session.obligation_id := p_obligation_id;
    v_session.obligation_minimum := p_min_total_eliminations;
    v_session.obligation_survivors := v_session.n_survivors;
    v_content := cmbs_store.with_request_id(v_content, p_request_id);
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'ENTER_OBLIGATION', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    insert into cmbs_store.obligation (
        session_id, entered_seq, obligation_id, min_total_eliminations, survivors_at_entry
    )
    values (
        p_session_id, v_session.audit_seq, p_obligation_id, p_min_total_eliminations,
        v_session.n_survivors
    );
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

grant execute on function cmbs.enter_obligation to cmbs_server, cmbs_agent;
