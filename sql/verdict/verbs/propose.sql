-- cmbs.propose
--
-- Proposes changes of the state and calls of tools (verb PROPOSE). The policy of the session
-- decides, and what it allows takes effect in the same transaction: deltas are committed, a call
-- gets a permit and its budget is reserved. What waits for a committed key is tried again.
--
-- Promises   a denial is an answer, audited like an approval, and changes nothing; a proposal under
--            a key that its proposer used before gets the recorded answer; a dry run gets the same
--            verdict and writes nothing.
-- Locks      the session row, first thing; a dry run nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB103 CONFLICT,
--            MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.propose(
    p_session_id uuid,
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
        p_credential, 'propose', '{agent, encoder, tool}'
    );
    v_sent jsonb := cmbs_store.free_object('proposal', coalesce(p_proposal, '{}'))::jsonb;
    v_proposal jsonb;
    v_is_dry boolean := coalesce(v_sent ->> 'mode' = 'dry_run', false);
    v_session cmbs_store.session;
    v_recorded record;
    v_given cmbs_store.verdict_input;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_proposal := cmbs_store.checked_proposal(v_sent, p_request_id);
    perform cmbs_store.check_source(v_caller, v_proposal -> 'provenance' ->> 'source');
    v_session := case
        when v_is_dry then cmbs_store.read_session(p_session_id, v_caller.tenant)
        else cmbs_store.lock_session(p_session_id, v_caller.tenant)
    end;
    -- Who waited for the lock may act no more.
    v_caller := cmbs_store.authorize(p_credential, 'propose', '{agent, encoder, tool}');
    if v_proposal ? 'idempotency_key' then
        v_recorded := cmbs_store.recorded_proposal(p_session_id, v_caller.name, v_proposal);
        if v_recorded.p_payload is not null then
            return cmbs_store.response(
                cmbs_store.proposal_outcome(v_recorded.p_payload, v_recorded.p_event_id, true),
                v_session, p_minimal
            );
        end if;
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    v_given := cmbs_store.input_for_roles(v_session, v_caller.roles);
    v_given.v := 2;
    v_given.proposal := v_proposal;
    v_given.is_token_shown := v_sent ->> 'capability_token' is not null;
    v_given.token_id := cmbs_store.find_capability(p_session_id, v_sent ->> 'capability_token');
    v_given.is_full := cmbs_store.deferrals_full(p_session_id);
    if v_is_dry then
        return cmbs_store.response(
            cmbs_store.proposal_outcome(
                cmbs_store.verdict_without_offers(cmbs_store.decide(
                    v_session, v_caller.name, v_given, null,
                    cmbs_store.policy_in_force(v_session)
                )),
                null, false
            ),
            v_session, p_minimal
        );
    end if;
    return cmbs_store.submit_proposal(v_session, v_caller.name, v_given, p_notes, p_minimal);
end
$$;

grant execute on function cmbs.propose to cmbs_server, cmbs_agent;
