-- cmbs_store.explained_constraint
--
-- What a constraint came to: each node of its condition with the values read, and what would have
-- to be different, as a sentence.

create or replace function cmbs_store.explained_constraint(
    p_entry cmbs_store.policy_entry,
    p_values jsonb,
    p_documents jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_holds boolean := true;
    v_outcome text;
begin
    if p_entry.fault is not null or not p_documents ?& p_entry.schemas then
        return jsonb_build_object(
            'key', p_entry.key, 'outcome', 'malformed',
            'unlock', coalesce(p_entry.fault, 'a schema that it names is not there')
        );
    end if;
    if p_entry.condition is not null then
        v_holds := cmbs_store.holds(p_entry.condition, p_values, p_documents);
    end if;
    v_outcome := case
        when p_entry.effect = 'allow' and v_holds then 'allows'
        when p_entry.effect = 'allow' then 'does not allow'
        when v_holds is distinct from false then 'denies'
        else 'does not deny'
    end;
    return jsonb_strip_nulls(jsonb_build_object(
        'key', p_entry.key,
        'effect', p_entry.effect,
        'on_fail', p_entry.on_fail,
        'reason', p_entry.reason,
        'outcome', v_outcome,
        'unlock', case
            when v_outcome = 'denies' and p_entry.condition is null then 'it denies always'
            when v_outcome in ('denies', 'does not allow') then (cmbs_store.nearest_change(
                p_entry.condition, p_values, p_documents, p_entry.effect = 'allow'
            )).p_detail
        end
    )) || jsonb_build_object('condition', case
        when p_entry.condition is not null
            then cmbs_store.explained_condition(p_entry.condition, p_values, p_documents)
    end);
end
$$;
