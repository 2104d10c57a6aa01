-- cmbs_store.ontology_bundle
--
-- The ontology bundle of a declare: exactly four non-empty strings, stored and never interpreted.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.ontology_bundle(
    p_ontology json
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_fields constant text[] := array[
        'hypothesis_space_id', 'hypothesis_version', 'causal_graph_ref', 'causal_graph_version'
    ];
    v_ontology jsonb := cmbs_store.free_object('ontology', p_ontology)::jsonb;
    v_field text;
begin
    if v_ontology is null then
        perform cmbs_store.refuse_request('ontology', 'must be a JSON object');
    end if;
    perform cmbs_store.check_members('ontology', v_ontology, v_fields);
    foreach v_field in array v_fields loop
        if not v_ontology ? v_field then
            perform cmbs_store.refuse_request('ontology.' || v_field, 'is missing');
        elsif jsonb_typeof(v_ontology -> v_field) is distinct from 'string'
            or not cmbs_store.is_id(v_ontology ->> v_field, 2048)
        then
            perform cmbs_store.refuse_request(
                'ontology.' || v_field, 'must be a string of 1 to 2048 bytes'
            );
        end if;
    end loop;
    return v_ontology;
end
$$;
