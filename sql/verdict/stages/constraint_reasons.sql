-- cmbs_store.constraint_reasons
--
-- The stage of constraints for one item, or one capability that an item needs: which constraints
-- that apply deny, and whether one that allows is satisfied.
--
-- Unknown never helps: a malformed constraint denies, one that denies fires unless its condition is
-- false, one that allows counts only if its condition is true.
--
-- p_entries   entries of the policy, in order; those of other subjects are passed over
-- p_schemas   the documents of JSON Schemas
-- p_waived    keys of constraints that a person waived: they count as satisfied; null in verdicts
--             that know of none

create or replace function cmbs_store.constraint_reasons(
    p_policy cmbs_store.policy,
    p_entries cmbs_store.policy_entry[],
    p_item_no integer,
    p_subjects text[],
    p_values jsonb,
    p_schemas jsonb,
    p_waived text[]
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_entry cmbs_store.policy_entry;
    v_malformed cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_denied cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_unmet cmbs_store.policy_entry[] := array[]::cmbs_store.policy_entry[];
    v_is_allowed boolean := coalesce(
        p_policy.settings -> 'policy.arbitration' ->> 'default' = 'grant', false
    );
    v_holds boolean;
begin
    foreach v_entry in array p_entries loop
        continue when v_entry.subject <> all(p_subjects);
        if v_entry.fault is not null or not p_schemas ?& v_entry.schemas then
            v_malformed := v_malformed || (
                p_item_no, 'constraints', 'CONSTRAINT_MALFORMED', v_entry.key, 'block',
                left(coalesce(v_entry.fault, 'a schema that it names is not there'), 300)
            )::cmbs_store.reason;
            continue;
        end if;
        v_holds := case
            when v_entry.on_fail = 'ask' and v_entry.key = any(p_waived)
                then v_entry.effect = 'allow'
            else v_entry.condition is null
                or cmbs_store.holds(v_entry.condition, p_values, p_schemas)
        end;
        if v_entry.effect = 'allow' then
            if v_holds then
                v_is_allowed := true;
            else
                v_unmet := v_unmet || v_entry;
            end if;
        elsif v_holds is distinct from false then
            v_denied := v_denied || (
                p_item_no, 'constraints',
                case when v_holds then 'CONSTRAINT_DENIED' else 'CONSTRAINT_UNKNOWN' end,
                v_entry.key, v_entry.on_fail, cmbs_store.why_denied(v_entry, p_values, p_schemas)
            )::cmbs_store.reason;
        end if;
    end loop;
    if cardinality(v_malformed || v_denied) = 0 and not v_is_allowed then
        v_denied := array[cmbs_store.missing_allow(
            p_policy.settings, v_unmet, p_item_no, p_subjects, p_values, p_schemas,
            p_waived is not null
        )];
    end if;
    return array(
        select (
            p_item_no, 'constraints', 'POLICY_INCOMPLETE', m.key, 'block',
            'the pack requires this constraint and does not have it'
        )::cmbs_store.reason
        from unnest(p_policy.missing_constraints) as m (key)
    ) || v_malformed || v_denied;
end
$$;
