-- cmbs_store.missing_allow
--
-- The reason of an item that no constraint allows. It names the constraint that comes nearest: the
-- one with the fewest clauses to change, then the first by key.
--
-- p_settings       those of the policy: its hint is told where nothing is near
-- p_unmet          the constraints that would allow it and are not satisfied
-- p_is_waivable    a person may be asked to waive the one that is named, so it is one of those
--                  whose failing is the mildest

create or replace function cmbs_store.missing_allow(
    p_settings jsonb,
    p_unmet cmbs_store.policy_entry[],
    p_item_no integer,
    p_subjects text[],
    p_values jsonb,
    p_schemas jsonb,
    p_is_waivable boolean
)
returns cmbs_store.reason
language plpgsql
stable
as $$
declare
    v_nearest record;
begin
    select u.key, n.p_detail
    into v_nearest
    from unnest(p_unmet) as u
    cross join lateral cmbs_store.nearest_change(u.condition, p_values, p_schemas) as n
    order by
        case when p_is_waivable then cmbs_store.severity(u.on_fail) end, n.p_n_failing, u.key
    limit 1;
    if not found then
        return (
            p_item_no, 'constraints', 'NO_APPLICABLE_ALLOW', null, 'block', left(concat_ws(
                '; ',
                'no constraint of the pack allows ' || replace(replace(
                    array_to_string(array_remove(p_subjects, '*'), ' or '), 't:', 'the tool '
                ), 'c:', 'the capability '),
                p_settings -> 'policy.pack' ->> 'hint'
            ), 300)
        )::cmbs_store.reason;
    end if;
    -- Any one of them would unlock the item, so the mildest says what follows.
    return (
        p_item_no, 'constraints', 'NO_APPLICABLE_ALLOW', v_nearest.key,
        (
            select u.on_fail
            from unnest(p_unmet) as u
            order by cmbs_store.severity(u.on_fail)
            limit 1
        ),
        v_nearest.p_detail
    )::cmbs_store.reason;
end
$$;
