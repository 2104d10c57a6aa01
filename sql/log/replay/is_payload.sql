-- cmbs_store.is_payload
--
-- Whether a payload has the members that its verb records, and no others; null is no as well.

create or replace function cmbs_store.is_payload(
    p_verb text,
    p_payload jsonb
)
returns boolean
language plpgsql
immutable
as $$
declare
    v_shape jsonb;
begin
    -- Nearly every event is one of these, so they are asked by expressions and not by a query.
    if p_verb = 'ELIMINATE' then
        return jsonb_typeof(p_payload -> 'source_id') = 'string'
            and jsonb_typeof(p_payload -> 'observation_id') = 'string'
            and jsonb_typeof(p_payload -> 'justification') = 'object'
            and jsonb_typeof(p_payload -> 'eliminated') = 'array'
            and not jsonb_path_exists(
                p_payload, 'strict $.eliminated[*] ? (@.type() != "string")'
            )
            and p_payload - array['source_id', 'observation_id', 'justification', 'eliminated']
                = '{}';
    end if;
    v_shape := cmbs_store.member_types(p_payload);
    if cmbs_store.is_arbitration(p_verb) then
        return cmbs_store.is_arbitration_payload(p_verb, v_shape);
    end if;
    if p_verb = 'DECLARE_SESSION' then
        return (v_shape || '{"metadata": "object"}') - array['arbitration', 'universe_from'] = '{
                "metadata": "object", "n_hypotheses": "number", "ontology": "object",
                "policy": "object", "universe_digest": "string"
            }'
            and coalesce(v_shape ->> 'metadata', 'object') = 'object'
            and (
                not v_shape ? 'arbitration' or cmbs_store.is_pin(p_payload -> 'arbitration')
            )
            and (
                not v_shape ? 'universe_from'
                or p_payload -> 'universe_from' in (
                    jsonb_build_object(
                        'tee_incident', p_payload #> '{universe_from,tee_incident}'
                    ),
                    jsonb_build_object(
                        'tee_incident', p_payload #> '{universe_from,tee_incident}', 'edges', true
                    )
                )
                and cmbs_store.id_fault(p_payload #> '{universe_from,tee_incident}') is null
            )
            and cmbs_store.member_types(p_payload -> 'ontology') = '{
                "causal_graph_ref": "string", "causal_graph_version": "string",
                "hypothesis_space_id": "string", "hypothesis_version": "string"
            }'
            and cmbs_store.member_types(p_payload -> 'policy') = '{
                "allow_forced_termination": "boolean", "stability_window": "number",
                "validate_hypotheses": "boolean"
            }';
    end if;
    return coalesce(v_shape ->> 'request_id', 'string') = 'string'
        and v_shape - 'request_id' = case p_verb
            when 'ENTER_OBLIGATION' then
                '{"min_total_eliminations": "number", "obligation_id": "string"}'
            when 'REQUEST_EXIT' then '{
                "approved": "boolean", "context": "object", "obligation_id": "string",
                "reason": "string"
            }'
            when 'WAIVE_OBLIGATION' then '{
                "approved": "boolean", "obligation_id": "string", "reason": "string",
                "waive_reason": "string"
            }'
            when 'DECLARE_CONCLUSION' then '{
                "accepted": "boolean", "conclusion_id": "string", "context": "object",
                "reason": "string"
            }'
            when 'REQUEST_TERMINATION' then
                '{"approved": "boolean", "context": "object", "reason": "string"}'
        end::jsonb;
end
$$;
