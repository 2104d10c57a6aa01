-- cmbs.confirm_claim
--
-- Confirms what is claimed of a key (verb CONFIRM_CLAIM): a value, by its digest. A claim that
-- cites the event is confirmed by it. Nothing else confirms, and nobody but an approver may.
--
-- p_value_digest   the sha-256 of the canonical text of the value, in hexadecimal
-- Promises         one event.
-- Locks            the session row, first thing.
-- Raises           MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT,
--                  MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.confirm_claim(
    p_session_id uuid,
    p_key text,
    p_value_digest text,
    p_comment text default null,
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
        p_credential, 'confirm_claim', '{approver}'
    );
    v_session cmbs_store.session;
    v_content jsonb;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_id('key', p_key);
    if coalesce(p_value_digest, '') !~ '^[0-9a-f]{64}$' then
        perform cmbs_store.refuse_request(
            'value_digest', 'must be the sha-256 of the value in lower-case hexadecimal'
        );
    elsif octet_length(p_comment) > 4096 then
        perform cmbs_store.refuse_size('comment', '4 KiB');
    end if;
    v_content := jsonb_build_object('key', p_key, 'value_digest', p_value_digest);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_outcome(
        p_session_id, p_request_id, 'CONFIRM_CLAIM', v_content
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    v_content := cmbs_store.with_request_id(v_content, p_request_id)
        || jsonb_build_object('comment', coalesce(p_comment, ''));
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'CONFIRM_CLAIM', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session_id, v_session.audit_seq, v_caller.name, 'CONFIRM_CLAIM', v_content
    );
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

grant execute on function cmbs.confirm_claim to cmbs_server, cmbs_agent, cmbs_policy;
