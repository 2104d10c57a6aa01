-- cmbs.import_content
--
-- Takes over the content of a policy, a schema or a tool that another database recorded decisions
-- by, so that they can be taken again here. Only its hash names it: no pack and no tool counts
-- because of it. For operators, as cmbs.import_events.
--
-- p_kind     policy, schema or tool
-- p_content  the canonical text: of a policy an object, key -> text of the value
-- Promises   what is there already stays as it is.
-- Locks      nothing that others wait for.
-- Raises     MB201 INVALID_REQUEST; class 22 and 54001 from the cast.

create or replace function cmbs.import_content(
    p_kind text,
    p_content text,
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
    v_content jsonb := p_content::jsonb;
    v_hash bytea := cmbs_store.digest_v1(p_content);
begin
    -- Nobody has a role for this: it is granted to who owns all of it, and no token covers it.
    if p_credential is not null then
        perform cmbs_store.authorize(p_credential, 'import_content', '{}');
    end if;
    if coalesce(p_kind, '') not in ('policy', 'schema', 'tool') then
        perform cmbs_store.refuse_request('kind', 'must be policy, schema or tool');
    elsif v_content is null or p_content <> v_content::text then
        perform cmbs_store.refuse_request('content', 'must be canonical text');
    elsif jsonb_typeof(v_content) <> 'object'
        and (p_kind <> 'schema' or jsonb_typeof(v_content) <> 'boolean')
        or p_kind = 'policy' and jsonb_path_exists(v_content, 'strict $.* ? (@.type() != "string")')
    then
        perform cmbs_store.refuse_request('content', 'must be that of a ' || p_kind);
    end if;
    if p_kind = 'policy' then
        perform cmbs_store.store_policy(v_content);
    elsif p_kind = 'schema' then
        insert into cmbs_store.schema_document (schema_hash, document)
        values (v_hash, p_content)
        on conflict (schema_hash) do nothing;
    else
        insert into cmbs_store.tool_definition (tool_hash, definition)
        values (v_hash, p_content)
        on conflict (tool_hash) do nothing;
    end if;
    return json_build_object('kind', p_kind, 'content_hash', encode(v_hash, 'hex'));
end
$$;

grant execute on function cmbs.import_content to cmbs_owner;
