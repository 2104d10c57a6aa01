-- cmbs_store.budget_reasons
--
-- The budget of a token and of all that it was made from: the number of each call of a proposal
-- must be left in every one, and of what calls use up besides something. A unit that a budget does
-- not name is zero. Past the soft limit of a token that was not made from another, an attenuated
-- one is asked for; the mode scales that limit.
--
-- p_mode   what the mode means
-- As of the event that the session is given as of.

create or replace function cmbs_store.budget_reasons(
    p_session cmbs_store.session,
    p_capability cmbs_store.capability_token,
    p_items jsonb,
    p_settings jsonb,
    p_mode jsonb
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_left bigint;
    v_granted bigint := (p_capability.budgets ->> 'max_calls')::bigint;
    v_soft bigint;
    v_spent text;
begin
    if p_capability.token_id is null
        or not jsonb_path_exists(p_items, '$[*] ? (@.kind == "tool_call")')
    then
        return '{}'::cmbs_store.reason[];
    end if;
    v_left := cmbs_store.budget_left(p_session, p_capability.chain, 'max_calls');
    v_soft := v_left - v_granted + least(
        v_granted,
        v_granted * (p_settings -> 'policy.budgets' -> 'soft' ->> 'max_calls')::numeric::bigint
        * coalesce((p_mode ->> 'soft_percent')::numeric::bigint, 100) / 10000
    );
    v_spent := cmbs_store.spent_unit(p_session, p_capability.chain);
    return array(
        select (
            c.item_no, 'token', 'BUDGET_EXHAUSTED', null,
            case
                when c.call_no > v_left or v_spent is not null then 'block' else 'degrade'
            end,
            case
                when c.call_no > v_left then format('%s left of max_calls', v_left)
                when v_spent is not null then format('nothing left of %s', v_spent)
                else format('past the soft limit of max_calls, %s left', v_left)
            end
        )::cmbs_store.reason
        from (
            select i.item_no, row_number() over (order by i.item_no) as call_no
            from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
            where i.item ->> 'kind' = 'tool_call'
        ) as c
        where c.call_no > v_left
            or v_spent is not null
            or p_capability.parent_id is null and c.call_no > v_soft
        order by c.item_no
    );
end
$$;
