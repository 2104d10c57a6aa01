-- cmbs_store.schema_types
--
-- The types of JSON Schema, as a list.

create or replace function cmbs_store.schema_types()
returns jsonb
language sql
immutable
as $$
    select '["array", "boolean", "integer", "null", "number", "object", "string"]'::jsonb
$$;
