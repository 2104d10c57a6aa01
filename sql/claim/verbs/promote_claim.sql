-- cmbs.promote_claim
--
-- Promotes a claim (verb RECORD_CLAIM with the claim that it promotes): records it anew, by
-- evidence that no claim before it had. The old one stays as it is.
--
-- p_evidence   source_chunk_ids, confirmed_by_event_id, confidence, kind (fact if it is left out)
-- Promises     a denial is an answer, audited.
-- Locks        the session row, first thing.
-- Raises       MB001 SESSION_NOT_FOUND, MB010 CLAIM_NOT_FOUND, MB101 SESSION_TERMINATED,
--              MB102 and MB103 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--              MB302 FORBIDDEN.

create or replace function cmbs.promote_claim(
    p_session_id uuid,
    p_claim_id uuid,
    p_evidence json default null,
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
        p_credential, 'promote_claim', '{agent, encoder, tool}'
    );
    v_sent jsonb := cmbs_store.free_object('evidence', coalesce(p_evidence, '{}'))::jsonb;
    v_session cmbs_store.session;
    v_old cmbs_store.claim;
    v_claim jsonb;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_members(
        'evidence', v_sent,
        '{source_chunk_ids, confirmed_by_event_id, confidence, kind, ttl_ms, review_at}'
    );
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    select c.*
    into v_old
    from cmbs_store.claim as c
    where c.session_id = p_session_id and c.claim_id = p_claim_id;
    if not found then
        perform cmbs_store.refuse_missing('claim', json_build_object('claim_id', p_claim_id));
    end if;
    v_claim := cmbs_store.checked_claim((
        jsonb_build_object(
            'kind', 'fact', 'confidence', v_old.confidence,
            'source_chunk_ids', v_old.source_chunk_ids
        ) || jsonb_strip_nulls(v_sent) || jsonb_build_object(
            'key', v_old.key, 'value', v_old.value, 'conflict_state', v_old.conflict_state
        )
    )::json);
    return cmbs_store.submit_claim(
        v_session, v_caller, v_claim, p_claim_id, p_request_id, p_expected_head, p_notes, p_minimal
    );
end
$$;

grant execute on function cmbs.promote_claim to cmbs_server, cmbs_agent;
