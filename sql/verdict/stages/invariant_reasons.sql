-- cmbs_store.invariant_reasons
--
-- The stage of invariants: each must hold, and be known to hold, once the deltas are committed. One
-- that allows must be true, one that denies false.
--
-- p_values    what is read, as it would be afterwards
-- p_schemas  the documents of JSON Schemas

create or replace function cmbs_store.invariant_reasons(
    p_entries cmbs_store.policy_entry[],
    p_values jsonb,
    p_schemas jsonb
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_entry cmbs_store.policy_entry;
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_holds boolean;
begin
    foreach v_entry in array p_entries loop
        continue when v_entry.subject <> '!';
        if v_entry.fault is not null or not p_schemas ?& v_entry.schemas then
            v_reasons := v_reasons || (
                null, 'invariants', 'INVARIANT_VIOLATED', v_entry.key, 'block',
                left(coalesce(v_entry.fault, 'a schema that it names is not there'), 300)
            )::cmbs_store.reason;
            continue;
        end if;
        v_holds := v_entry.condition is null
            or cmbs_store.holds(v_entry.condition, p_values, p_schemas);
        if v_holds is distinct from (v_entry.effect = 'allow') then
            v_reasons := v_reasons || (
                null, 'invariants', 'INVARIANT_VIOLATED', v_entry.key, 'block',
                left(concat_ws(': ', v_entry.reason, case
                    when v_entry.condition is null then 'it denies always'
                    else (cmbs_store.nearest_change(
                        v_entry.condition, p_values, p_schemas, v_entry.effect = 'allow'
                    )).p_detail
                end), 600)
            )::cmbs_store.reason;
        end if;
    end loop;
    return v_reasons;
end
$$;
