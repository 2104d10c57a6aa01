-- cmbs_store.ground
--
-- What a verdict on some items rests on: the tools and schemas that they name, the constraints that
-- apply, and the values that these read, as of the event that the session is given as of.
--
-- p_recorded   the tools and schemas that a record names, null to take those registered now

create or replace function cmbs_store.ground(
    p_session cmbs_store.session,
    p_policy_hash bytea,
    p_actor text,
    p_items jsonb,
    p_recorded jsonb
)
returns cmbs_store.ground
language plpgsql
stable
as $$
declare
    v_ground cmbs_store.ground;
    v_world record;
begin
    v_ground.tools := coalesce(
        p_recorded -> 'tools', cmbs_store.tools_named(p_session.tenant, p_items)
    );
    v_ground.definitions := case
        when v_ground.tools = '{}' then '{}' else cmbs_store.tool_definitions(v_ground.tools)
    end;
    v_ground.entries := cmbs_store.constraints_on(
        p_policy_hash,
        array(
            select s.subject
            from cmbs_store.questions(p_items, v_ground.definitions) as q
            cross join lateral unnest(q.subjects) as s (subject)
            union
            select '!'
            where jsonb_path_exists(p_items, '$[*] ? (@.kind == "state_delta")')
        )
    );
    v_world := cmbs_store.world(
        p_session, p_policy_hash, p_actor,
        array(
            select distinct r.key
            from unnest(v_ground.entries) as e
            cross join lateral unnest(e.reads) as r (key)
            order by 1
        )
    );
    v_ground.world := v_world.p_world;
    v_ground.reads := v_world.p_reads;
    v_ground.schemas := cmbs_store.schemas_named(
        p_session.tenant,
        array(
            select s.schema_id
            from unnest(v_ground.entries) as e
            cross join lateral unnest(e.schemas) as s (schema_id)
            union
            select d.value ->> 'args_schema'
            from jsonb_each(v_ground.definitions) as d (key, value)
            where jsonb_typeof(d.value -> 'args_schema') = 'string'
        ),
        p_recorded -> 'schemas'
    );
    v_ground.documents := case
        when v_ground.schemas = '{}' then '{}' else cmbs_store.schema_documents(v_ground.schemas)
    end;
    return v_ground;
end
$$;

comment on function cmbs_store.ground(cmbs_store.session, bytea, text, jsonb, jsonb) is
'What a verdict on some items rests on: tools, schemas, constraints, and the values they read.';

revoke all on function cmbs_store.ground(cmbs_store.session, bytea, text, jsonb, jsonb) from public;
