-- cmbs.resume
--
-- Goes on with a proposal that people were asked about and approved (verb PROPOSE that resumes):
-- a new verdict on the identical items, in the state and by the policy of now, by which the
-- constraints count as satisfied that were approved away.
--
-- p_proposal  the items again, and a capability token if it shall be another; what else makes a
--             proposal may stand there and is taken from the one that was asked about
-- Promises    an approval is used once, by a verdict that lets the action take effect.
-- Locks       the session row, first thing.
-- Raises      MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB101 SESSION_TERMINATED,
--             MB102 and MB103 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--             MB302 FORBIDDEN.

create or replace function cmbs.resume(
    p_session_id uuid,
    p_proposal_id uuid,
    p_proposal json,
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
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'resume', '{agent, encoder, tool}'
    );
    v_sent jsonb := cmbs_store.free_object('proposal', coalesce(p_proposal, '{}'))::jsonb;
    v_request_id text := coalesce(p_request_id, v_sent ->> 'idempotency_key');
    v_items jsonb;
    v_session cmbs_store.session;
    v_asked cmbs_store.audit_event;
    v_recorded cmbs_store.audit_event;
    v_given cmbs_store.verdict_input;
begin
    perform cmbs_store.check_envelope(p_session_id, v_request_id, p_notes);
    v_items := cmbs_store.checked_resume(v_sent, p_request_id);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    -- Who waited for the lock may act no more.
    v_caller := cmbs_store.authorize(p_credential, 'resume', '{agent, encoder, tool}');
    v_asked := cmbs_store.read_event(p_session_id, p_proposal_id);
    v_recorded := cmbs_store.recorded_resume(
        v_session, v_request_id, v_caller.name, v_asked.seq, v_items
    );
    if v_recorded.seq is not null then
        return cmbs_store.response(
            cmbs_store.proposal_outcome(
                v_recorded.record::jsonb -> 'payload', v_recorded.event_id, true
            ),
            v_session, p_minimal
        );
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    v_given := cmbs_store.input_of_resume(v_session, v_caller, v_asked, v_items, v_sent);
    v_given.request_id := v_request_id;
    return cmbs_store.submit_proposal(v_session, v_caller.name, v_given, p_notes, p_minimal);
end
$$;

grant execute on function cmbs.resume to cmbs_server, cmbs_agent;
