-- cmbs_store.grant_capability
--
-- Issues a capability token of a locked session: appends its event and answers with its secret,
-- which nobody can see again: a repeated message is answered as recorded, without it.
--
-- p_parent     the token that it is made from, null if none
-- p_grant      what it allows, checked
-- Raises       MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT, MB201 INVALID_REQUEST.

create or replace function cmbs_store.grant_capability(
    p_session cmbs_store.session,
    p_caller cmbs_store.principal,
    p_parent cmbs_store.capability_token,
    p_grant jsonb,
    p_request_id text,
    p_expected_head uuid,
    p_notes text,
    p_minimal boolean
)
returns json
language plpgsql
volatile
as $$
declare
    v_recorded cmbs_store.audit_event := cmbs_store.recorded_message(
        p_session.session_id, p_request_id, 'TOKEN_ISSUE',
        p_grant - 'valid_from' || jsonb_build_object('parent_id', p_parent.token_id)
    );
    v_time record := cmbs_store.session_time(p_session);
    v_secret text := 'cmbs_cap_' || encode(
        sha256(uuid_send(cmbs_store.random_id()) || uuid_send(cmbs_store.random_id())), 'hex'
    );
    v_fault text;
    v_payload jsonb;
begin
    if v_recorded.seq is not null then
        return cmbs_store.response(
            format(
                '"token_id": %s, "secret": null, "audit_event_id": "%s", "duplicate": true',
                v_recorded.record::jsonb #> '{payload,token_id}', v_recorded.event_id
            ),
            p_session, p_minimal
        );
    end if;
    perform cmbs_store.check_open(p_session, p_expected_head);
    if (p_grant ->> 'expires_at')::timestamptz <= greatest(
        v_time.p_at, (p_grant ->> 'valid_from')::timestamptz
    ) then
        perform cmbs_store.refuse_request('expires_at', 'must be later than now and valid_from');
    end if;
    if p_parent.token_id is not null then
        v_fault := cmbs_store.narrowing_fault(p_session, p_parent, p_grant, v_time.p_until);
    end if;
    if v_fault is not null then
        perform cmbs_store.refuse(
            'MB102',
            'A token may only be made narrower than the one that it is made from.',
            json_build_object(
                'reason_code', 'ATTENUATION_WIDENS', 'wider_in', v_fault,
                'token_id', p_parent.token_id
            )::text,
            'Ask for less; list the tokens of the session to see what is left.'
        );
    end if;
    v_payload := cmbs_store.with_request_id(p_grant, p_request_id) || jsonb_build_object(
        'token_id', cmbs_store.random_id(),
        'parent_id', p_parent.token_id,
        'decided_at', cmbs_store.timestamp_v1(v_time.p_at),
        'secret_hash', encode(sha256(convert_to(v_secret, 'UTF8')), 'hex')
    ) || jsonb_strip_nulls(
        jsonb_build_object('clock', cmbs_store.timestamp_v1(v_time.p_clock))
    );
    p_session.audit_head_at := v_time.p_at;
    p_session := cmbs_store.append_event(
        p_session, p_session.survivors_hash, 'TOKEN_ISSUE', p_caller.name,
        null, null, p_request_id, p_notes, v_payload::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session.session_id, p_session.audit_seq, p_caller.name, 'TOKEN_ISSUE', v_payload
    );
    return cmbs_store.response(
        format(
            '"token_id": %s, "secret": "%s", "audit_event_id": "%s", "duplicate": false',
            v_payload -> 'token_id', v_secret, p_session.audit_head_event_id
        ),
        p_session, p_minimal
    );
end
$$;
