-- cmbs_store.schemas_named
--
-- The hashes of the documents that schema ids stand for, null for an id that is not registered.
-- An id is of one tenant or of all, never of both.
-- What a record says of an id counts more than what is registered now.

create or replace function cmbs_store.schemas_named(
    p_tenant text,
    p_schema_ids text[],
    p_recorded jsonb
)
returns jsonb
language sql
stable
as $$
    select coalesce(
        jsonb_object_agg(
            i.schema_id,
            coalesce(p_recorded -> i.schema_id, to_jsonb(encode(s.schema_hash, 'hex')))
        ),
        '{}'
    )
    from unnest(p_schema_ids) as i (schema_id)
    left join cmbs_store.json_schema as s
        on s.tenant in (p_tenant, '*') and s.schema_id = i.schema_id
$$;
