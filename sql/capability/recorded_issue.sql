-- cmbs_store.recorded_issue
--
-- The answer to a capability token that was issued before under the same request id; its secret is
-- not known any more. Null if the request is new.
--
-- Raises       MB102 CONFLICT.

create or replace function cmbs_store.recorded_issue(
    p_session cmbs_store.session,
    p_request_id text,
    p_content jsonb,
    p_minimal boolean
)
returns json
language plpgsql
stable
as $$
begin
    if cmbs_store.recorded_message(
        p_session.session_id, p_request_id, 'TOKEN_ISSUE', p_content
    ) is null then
        return null;
    end if;
    return (
        select cmbs_store.response(
            format(
                '"token_id": %s, "secret": null, "audit_event_id": "%s", "duplicate": true',
                e.record::jsonb #> '{payload,token_id}', e.event_id
            ),
            p_session, p_minimal
        )
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.request_id = p_request_id
    );
end
$$;

comment on function cmbs_store.recorded_issue(cmbs_store.session, text, jsonb, boolean) is
'The answer to a token that was issued before under the same request id, without its secret. '
'Raises MB102.';

revoke all on function cmbs_store.recorded_issue(
    cmbs_store.session, text, jsonb, boolean
) from public;
