-- cmbs_store.values_read
--
-- What the keys that a verdict reads stand for: of the state, of the belief and of the policy, as
-- of the event that the session is given as of.
--
-- p_values    key -> value, as cmbs_store.holds takes it
-- p_reads    key -> what was read, as it is recorded: the event that wrote it, or the value itself

create or replace function cmbs_store.values_read(
    p_session cmbs_store.session,
    p_policy_hash bytea,
    p_actor text,
    p_keys text[],
    out p_values jsonb,
    out p_reads jsonb
)
returns record
language plpgsql
stable
as $$
declare
    v_found jsonb;
begin
    if cardinality(p_keys) = 0 then
        p_values := '{}';
        p_reads := '{}';
        return;
    end if;
    v_found := cmbs_store.stored_values(p_session.session_id, p_session.audit_seq, p_keys);
    if position('fact.belief.' in array_to_string(p_keys, ' ')) > 0 then
        v_found := v_found || cmbs_store.belief_values(p_session, p_actor, p_keys);
    end if;
    if position('policy.' in array_to_string(p_keys, ' ')) > 0 then
        v_found := v_found || cmbs_store.policy_values(p_policy_hash, p_keys);
    end if;
    select
        coalesce(jsonb_object_agg(f.key, f.value -> 'value'), '{}'),
        coalesce(
            jsonb_object_agg(
                f.key,
                case
                    when f.key = 'fact.belief.survivors' then '{}'
                    when f.value ? 'seq' then jsonb_build_object('seq', f.value -> 'seq')
                    else jsonb_build_object('value', f.value -> 'value' -> 'value')
                end
            ) filter (where f.key not like 'policy.%'),
            '{}'
        )
    into p_values, p_reads
    from jsonb_each(v_found) as f (key, value);
    -- What was looked for and not there is part of what was read.
    p_reads := coalesce(
        (
            select jsonb_object_agg(k.key, 'null'::jsonb)
            from unnest(p_keys) as k (key)
            where k.key not like 'policy.%'
        ),
        '{}'
    ) || p_reads;
end
$$;
