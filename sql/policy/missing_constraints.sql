-- cmbs_store.missing_constraints
--
-- The constraints that a policy requires and does not have, in order. What it requires and cannot
-- be read is missing, too.

create or replace function cmbs_store.missing_constraints(
    p_entries jsonb
)
returns text[]
language plpgsql
stable
as $$
declare
    v_required jsonb;
begin
    if not p_entries ? 'policy.required_constraints' then
        return array[]::text[];
    end if;
    v_required := cmbs_store.readable_value(p_entries ->> 'policy.required_constraints');
    if cmbs_store.setting_fault('policy.required_constraints', v_required) is not null then
        return array['policy.required_constraints'];
    end if;
    return array(
        select r.key
        from jsonb_array_elements_text(v_required -> 'value') as r (key)
        where not p_entries ? r.key
        order by r.key collate "C"
    );
end
$$;
