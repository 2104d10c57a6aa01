-- cmbs.register_schema
--
-- Registers a JSON Schema under an id, for ever. It may use the keywords that are checked, and no
-- others, so that nobody relies on one that is not.
--
-- Promises   the same document again changes nothing.
-- Locks      nothing that others wait for.
-- Raises     MB102 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.register_schema(
    p_schema_id text,
    p_document json,
    p_tenant text default null,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'register_schema', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_document text := cmbs_store.checked_schema('document', p_document);
    v_hash bytea := cmbs_store.digest_v1(v_document);
    v_is_new boolean;
    v_known bytea;
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_id('schema_id', p_schema_id);
    if exists (
        select
        from cmbs_store.json_schema as s
        where s.schema_id = p_schema_id
            and s.tenant <> v_tenant
            and '*' in (s.tenant, v_tenant)
    ) then
        perform cmbs_store.refuse(
            'MB102',
            'This schema id is taken.',
            json_build_object('schema_id', p_schema_id)::text,
            'A schema of all tenants and one of a tenant may not share an id; take another.'
        );
    end if;
    insert into cmbs_store.schema_document (schema_hash, document)
    values (v_hash, v_document)
    on conflict (schema_hash) do nothing;
    insert into cmbs_store.json_schema (
        tenant, schema_id, schema_hash, registered_at, registered_by
    )
    values (v_tenant, p_schema_id, v_hash, cmbs_store.clock(), v_caller.name)
    on conflict (tenant, schema_id) do nothing;
    v_is_new := found;
    select s.schema_hash
    into strict v_known
    from cmbs_store.json_schema as s
    where s.tenant = v_tenant and s.schema_id = p_schema_id;
    if v_known <> v_hash then
        perform cmbs_store.refuse(
            'MB102',
            'This schema id was registered with another document.',
            json_build_object(
                'schema_id', p_schema_id, 'schema_hash', encode(v_known, 'hex')
            )::text,
            'Register the new document under a new id.'
        );
    end if;
    return json_build_object(
        'schema_id', p_schema_id, 'schema_hash', encode(v_hash, 'hex'), 'duplicate', not v_is_new
    );
end
$$;

grant execute on function cmbs.register_schema to cmbs_server, cmbs_policy;
