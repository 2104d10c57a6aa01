-- cmbs_store.parsed_entry
--
-- An entry of a policy, read: of a constraint its subject, effect, condition and what that reads,
-- or what is malformed about it.
--
-- What it was read from goes along as a digest: a text that was changed afterwards is not believed.

create or replace function cmbs_store.parsed_entry(
    p_policy_hash bytea,
    p_key text,
    p_value text
)
returns cmbs_store.policy_entry
language plpgsql
stable
as $$
declare
    v_entry cmbs_store.policy_entry;
    v_value jsonb;
    v_facts record;
begin
    v_entry.policy_hash := p_policy_hash;
    v_entry.key := p_key;
    v_entry.value := p_value;
    v_entry.value_hash := cmbs_store.digest_v1(p_value);
    if p_key like 'policy.%' and not cmbs_store.readable_value(p_value) ? 'effect' then
        v_entry.fault := cmbs_store.value_fault(p_value);
        return v_entry;
    end if;
    v_entry.subject := cmbs_store.subject_of(p_key, p_value);
    v_entry.fault := cmbs_store.constraint_fault(p_key, p_value);
    if v_entry.fault is not null then
        return v_entry;
    end if;
    v_value := p_value::jsonb;
    v_entry.effect := v_value ->> 'effect';
    v_entry.on_fail := coalesce(v_value ->> 'on_fail', 'block');
    v_entry.reason := v_value ->> 'reason';
    v_entry.reads := '{}';
    v_entry.schemas := '{}';
    if v_value ? 'when' then
        v_entry.condition := v_value -> 'when';
        v_facts := cmbs_store.condition_facts(v_entry.condition, 1);
        v_entry.fault := v_facts.p_fault;
        if jsonb_array_length(jsonb_path_query_array(
            v_entry.condition, 'strict $.** ? (@.type() == "object" && exists (@.op))'
        )) > 256 then
            v_entry.fault := 'a condition may have 256 nodes';
        end if;
        v_entry.reads := array(
            select distinct r.key collate "C" from unnest(v_facts.p_reads) as r (key) order by 1
        );
        v_entry.schemas := array(
            select distinct s.id collate "C" from unnest(v_facts.p_schemas) as s (id) order by 1
        );
    end if;
    return v_entry;
end
$$;
