-- cmbs_store.checked_schema
--
-- The canonical text of a JSON Schema that may be registered.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_schema(
    p_member text,
    p_document json
)
returns text
language plpgsql
stable
as $$
declare
    v_document jsonb;
    v_fault text;
begin
    if p_document is null then
        perform cmbs_store.refuse_request(p_member, 'must be a JSON Schema');
    end if;
    v_document := cmbs_store.free_object(
        p_member, json_build_object('schema', p_document)
    )::jsonb -> 'schema';
    v_fault := cmbs_store.schema_malformed(v_document);
    if v_fault is not null then
        perform cmbs_store.refuse_request(p_member, left(v_fault, 500));
    end if;
    return v_document::text;
end
$$;
