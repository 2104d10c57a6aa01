-- cmbs.explain_decision
--
-- Tells why a proposal was decided as it was: of each item every constraint that applied, each
-- clause of it, the values that were read then, and what would have unlocked it.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.explain_decision(
    p_session_id uuid,
    p_proposal_id uuid,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'explain_decision', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_event cmbs_store.audit_event := cmbs_store.read_event(p_session_id, p_proposal_id);
    v_payload jsonb := v_event.record::jsonb -> 'payload';
begin
    if v_event.verb <> 'PROPOSE' then
        perform cmbs_store.refuse_request('proposal_id', 'must be the id of a proposal');
    end if;
    return jsonb_strip_nulls(jsonb_build_object(
        'resumes', v_payload -> 'resumes',
        'retries', v_payload -> 'retries',
        'deferral', v_payload -> 'deferral'
    )) || jsonb_build_object(
        'proposal_id', v_event.event_id,
        'seq', v_event.seq,
        'ts', cmbs_store.timestamp_v1(v_event.recorded_at),
        'actor', v_event.actor,
        'decision', v_payload -> 'decision',
        'disposition', v_payload -> 'disposition',
        'reason_code', v_payload -> 'reason_code',
        'reasons', v_payload -> 'reasons',
        'policy', v_payload -> 'policy',
        'reads', v_payload -> 'reads',
        'proposal', (v_payload -> 'proposal') - 'items',
        'items', cmbs_store.explained_items(
            cmbs_store.session_before(v_session, v_event.seq), v_event.actor, v_payload
        )
    );
end
$$;

grant execute on function cmbs.explain_decision
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
