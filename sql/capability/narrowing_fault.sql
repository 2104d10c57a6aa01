-- cmbs_store.narrowing_fault
--
-- In what a token would be wider than the one that it is made from, as of the event that the
-- session is given as of; null if in nothing.

create or replace function cmbs_store.narrowing_fault(
    p_session cmbs_store.session,
    p_parent cmbs_store.capability_token,
    p_grant jsonb,
    p_at timestamptz
)
returns text
language plpgsql
stable
as $$
declare
    v_wide text;
begin
    if cmbs_store.capability_reasons(p_session, p_parent, true, p_parent.holder, p_at) <> '{}' then
        return 'the token does not count now';
    elsif cardinality(p_parent.chain) >= 8 then
        return 'depth';
    elsif not to_jsonb(p_parent.tools) @> (p_grant -> 'tools') then
        return 'tools';
    elsif not to_jsonb(p_parent.capabilities) @> (p_grant -> 'capabilities') then
        return 'capabilities';
    elsif (p_grant ->> 'expires_at')::timestamptz > p_parent.expires_at then
        return 'expires_at';
    elsif (p_grant ->> 'valid_from')::timestamptz < p_parent.valid_from then
        return 'valid_from';
    elsif p_parent.approval = 'required' and p_grant ->> 'approval' <> 'required' then
        return 'approval_requirement';
    elsif exists (
        select from jsonb_array_elements_text(p_grant -> 'state_prefixes') as s (prefix)
        where not exists (
            select from unnest(p_parent.state_prefixes) as p (prefix)
            where s.prefix = p.prefix or starts_with(s.prefix, rtrim(p.prefix, '.') || '.')
        )
    ) then
        return 'state_prefixes';
    elsif cardinality(p_parent.resource_roots) > 0 and (
        p_grant -> 'resource_roots' = '[]' or exists (
            select from jsonb_array_elements_text(p_grant -> 'resource_roots') as r (root)
            where not cmbs_store.is_in_roots(r.root, p_parent.resource_roots)
        )
    ) then
        return 'resource_roots';
    end if;
    select min(b.unit)
    into v_wide
    from jsonb_each_text(p_grant -> 'budgets') as b (unit, amount)
    where b.amount::bigint > cmbs_store.budget_left(p_session, p_parent.chain, b.unit);
    return 'budgets: ' || v_wide;
end
$$;
