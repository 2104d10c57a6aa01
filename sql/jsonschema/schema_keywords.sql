-- cmbs_store.schema_keywords
--
-- The keywords that a JSON Schema may have here. What is not listed is refused when a schema is
-- registered, so that nobody relies on a limit that is not checked.

create or replace function cmbs_store.schema_keywords()
returns text[]
language sql
immutable
as $$
    select array[
        '$comment', '$defs', '$ref', '$schema', 'additionalProperties', 'allOf', 'anyOf', 'const',
        'default', 'deprecated', 'description', 'enum', 'examples', 'exclusiveMaximum',
        'exclusiveMinimum', 'items', 'maxItems', 'maxLength', 'maximum', 'minItems', 'minLength',
        'minimum', 'not', 'oneOf', 'pattern', 'properties', 'readOnly', 'required', 'title', 'type',
        'writeOnly'
    ]
$$;
