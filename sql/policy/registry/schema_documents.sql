-- cmbs_store.schema_documents
--
-- The documents of JSON Schemas, by schema id, from their hashes.

create or replace function cmbs_store.schema_documents(
    p_schemas jsonb
)
returns jsonb
language sql
stable
as $$
    select coalesce(jsonb_object_agg(s.schema_id, d.document::jsonb), '{}')
    from jsonb_each_text(p_schemas) as s (schema_id, schema_hash)
    inner join cmbs_store.schema_document as d on d.schema_hash = decode(s.schema_hash, 'hex')
$$;
