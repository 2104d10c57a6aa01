-- cmbs_store.evidence
--
-- What a verdict on some items rests on: the tools and schemas that they name, the constraints that
-- apply, and the values that these read, as of the event that the session is given as of.
--
-- p_recorded   the tools and schemas that a record names, null to take those registered now

create or replace function cmbs_store.evidence(
    p_session cmbs_store.session,
    p_policy_hash bytea,
    p_actor text,
    p_items jsonb,
    p_recorded jsonb
)
returns cmbs_store.evidence
language plpgsql
stable
as $$
declare
    v_evidence cmbs_store.evidence;
    v_values record;
begin
    v_evidence.tools := coalesce(
        p_recorded -> 'tools', cmbs_store.tools_named(p_session.tenant, p_items)
    );
    v_evidence.definitions := case
        when v_evidence.tools = '{}' then '{}' else cmbs_store.tool_definitions(v_evidence.tools)
    end;
    v_evidence.entries := cmbs_store.constraints_on(
        p_policy_hash,
        array(
            select s.subject
            from cmbs_store.item_subjects(p_items, v_evidence.definitions) as q
            cross join lateral unnest(q.subjects) as s (subject)
            union
            select '!'
            where jsonb_path_exists(p_items, '$[*] ? (@.kind == "state_delta")')
        )
    );
    v_values := cmbs_store.values_read(
        p_session, p_policy_hash, p_actor,
        array(
            select distinct r.key
            from unnest(v_evidence.entries) as e
            cross join lateral unnest(e.reads) as r (key)
            order by 1
        )
    );
    v_evidence.values := v_values.p_values;
    v_evidence.reads := v_values.p_reads;
    v_evidence.schemas := cmbs_store.schemas_named(
        p_session.tenant,
        array(
            select s.schema_id
            from unnest(v_evidence.entries) as e
            cross join lateral unnest(e.schemas) as s (schema_id)
            union
            select d.value ->> 'args_schema'
            from jsonb_each(v_evidence.definitions) as d (key, value)
            where jsonb_typeof(d.value -> 'args_schema') = 'string'
        ),
        p_recorded -> 'schemas'
    );
    v_evidence.documents := case
        when v_evidence.schemas = '{}' then '{}'
        else cmbs_store.schema_documents(v_evidence.schemas)
    end;
    return v_evidence;
end
$$;
