-- cmbs_store.is_execution_payload
--
-- Whether a payload of this shape is one that a verb of execution, approval or upkeep records; null
-- is no as well.
--
-- p_shape   without the id of the request

create or replace function cmbs_store.is_execution_payload(
    p_verb text,
    p_shape jsonb
)
returns boolean
language sql
immutable
as $$
    select case p_verb
        when 'BEGIN_EXECUTION' then p_shape in (
            '{"permit_id": "string", "roles": "array", "decided_at": "string"}',
            '{
                "permit_id": "string", "roles": "array", "decided_at": "string",
                "policy_hash": "string", "tools": "object", "schemas": "object", "reads": "object"
            }'
        )
        when 'COMPLETE_EXECUTION' then p_shape = '{
            "permit_id": "string", "outcome": "string", "status": "string", "result": "object",
            "result_hash": "string", "usage": "object"
        }'
        when 'RESOLVE_INTERRUPT' then p_shape = '{
            "interrupt_id": "string", "resolution": "string", "comment": "string",
            "action_digest": "string", "decided_at": "string"
        }'
        when 'SET_MODE' then p_shape = '{"mode": "string", "reason": "string"}'
        when 'SWEEP_EXPIRED' then p_shape - 'clock' = '{"decided_at": "string", "permits": "array"}'
    end
$$;
