-- cmbs_store.recorded_claim
--
-- The answer to a claim that was made before under the same request id; null if it is new.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.recorded_claim(
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
        p_session.session_id, p_request_id, 'RECORD_CLAIM', p_content
    ) is null then
        return null;
    end if;
    return (
        select cmbs_store.response(
            cmbs_store.claim_outcome(e.record::jsonb -> 'payload', e.event_id, true),
            p_session, p_minimal
        )
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.request_id = p_request_id
    );
end
$$;

comment on function cmbs_store.recorded_claim(cmbs_store.session, text, jsonb, boolean) is
'The answer to a claim that was made before under the same request id; null if it is new. '
'Raises MB102.';

revoke all on function cmbs_store.recorded_claim(
    cmbs_store.session, text, jsonb, boolean
) from public;
