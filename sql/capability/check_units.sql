-- cmbs_store.check_units
--
-- Refuses a usage of units that neither the budget of the token names nor that of one that it was
-- made from, or of more than was granted of it: whoever reports can use up no more than that.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_units(
    p_session cmbs_store.session,
    p_permit cmbs_store.permit,
    p_usage jsonb
)
returns void
language plpgsql
stable
as $$
begin
    if p_usage <> '{}' and exists (
        select
        from jsonb_each_text(p_usage) as u (unit, amount)
        where u.amount::bigint > coalesce(
            (
                select coalesce(
                    max((c.budgets ->> u.unit)::bigint) filter (
                        where c.token_id = p_permit.token_id and c.budgets ->> u.unit <> '0'
                    ),
                    max((c.budgets ->> u.unit)::bigint)
                )
                from cmbs_store.capability_token as t
                inner join cmbs_store.capability_token as c
                    on c.session_id = t.session_id and c.token_id = any(t.chain)
                where t.session_id = p_session.session_id
                    and t.token_id = p_permit.token_id
            ),
            -1
        )
    ) then
        perform cmbs_store.refuse_request(
            'usage', 'must be of units that the budget of the capability token names, and no more '
            'than it granted'
        );
    end if;
end
$$;
