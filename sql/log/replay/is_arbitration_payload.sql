-- cmbs_store.is_arbitration_payload
--
-- Whether a payload of this shape is one that a verb of arbitration records; null is no as well.

create or replace function cmbs_store.is_arbitration_payload(
    p_verb text,
    p_shape jsonb
)
returns boolean
language plpgsql
immutable
as $$
declare
    -- What may be left out, and what may be null.
    v_free text[] := array[
        'request_id', 'token_id', 'halt', 'parent_id', 'promotes', 'expires_at', 'clock'
    ];
    v_decided jsonb := '{
        "roles": "array", "decided_at": "string", "policy": "object", "tools": "object",
        "schemas": "object", "reads": "object", "decision": "string", "disposition": "string",
        "reason_code": "string", "reasons": "array"
    }'::jsonb;
begin
    if p_shape ->> 'request_id' <> 'string' or p_shape ->> 'token_id' <> 'string'
        or p_shape ->> 'halt' <> 'string' or p_shape ->> 'clock' <> 'string'
        or p_shape ->> 'parent_id' not in ('string', 'null')
        or p_shape ->> 'promotes' not in ('string', 'null')
        or p_shape ->> 'expires_at' not in ('string', 'null')
    then
        return false;
    elsif cmbs_store.is_execution(p_verb) then
        return cmbs_store.is_execution_payload(p_verb, p_shape - 'request_id');
    end if;
    return case p_verb
        when 'PROPOSE' then not p_shape ?| '{parent_id, promotes, expires_at}'
            and (p_shape ? 'resumes' or not p_shape ? 'request_id')
            and coalesce(p_shape ->> 'is_full', 'boolean') = 'boolean'
            and coalesce(p_shape ->> 'resumes', 'object') = 'object'
            and coalesce(p_shape ->> 'retries', 'object') = 'object'
            and coalesce(p_shape ->> 'deferral', 'object') = 'object'
            and coalesce(p_shape ->> 'shadow', 'object') = 'object'
            and p_shape - v_free - '{is_full, resumes, retries, deferral, shadow}'::text[]
            = v_decided || '{
                "v": "number", "proposal": "object", "is_token_shown": "boolean",
                "items": "array"
            }'
        when 'RECORD_CLAIM' then not p_shape ?| '{token_id, parent_id}'
            and p_shape ?& '{promotes, expires_at}'
            and p_shape - v_free = v_decided || '{
                "claim": "object", "claim_id": "string", "kind": "string", "confirmed": "boolean"
            }'
        when 'TOKEN_ISSUE' then not p_shape ?| '{halt, promotes}'
            and p_shape ?& '{token_id, parent_id, expires_at}'
            and p_shape - v_free = '{
                "holder": "string", "tools": "array", "capabilities": "array",
                "state_prefixes": "array", "resource_roots": "array", "budgets": "object",
                "approval": "string", "valid_from": "string", "secret_hash": "string",
                "decided_at": "string"
            }'
        when 'TOKEN_REVOKE' then p_shape - 'request_id' = '{"token_id": "string"}'
        when 'CONFIRM_CLAIM' then p_shape - 'request_id'
            = '{"key": "string", "value_digest": "string", "comment": "string"}'
        when 'POLICY_APPLY' then coalesce(p_shape ->> 'shadow', 'object') = 'object'
            and p_shape - '{request_id, shadow}'::text[] = '{
                "pack": "string", "version": "number", "policy_hash": "string",
                "approved": "boolean", "reason": "string", "reasons": "array", "reads": "object",
                "tools": "object", "schemas": "object"
            }'
    end;
end
$$;
