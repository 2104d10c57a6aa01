-- cmbs.capability_budget
--
-- The budgets of capability tokens: what was granted, and what was spent with the token and those
-- that were made from it.

create or replace view cmbs.capability_budget with (security_barrier) as
select
    t.session_id,
    t.token_id,
    t.parent_id,
    t.holder,
    b.unit,
    b.amount::bigint as granted,
    coalesce(s.spent, 0) as spent,
    t.expires_at,
    exists (
        select
        from cmbs_store.capability_revocation as r
        where r.session_id = t.session_id and r.token_id = any(t.chain)
    ) as revoked
from cmbs_store.capability_token as t
cross join lateral jsonb_each_text(t.budgets) as b (unit, amount)
left join lateral (
    select l.spent
    from cmbs_store.capability_spending as l
    where l.session_id = t.session_id and l.token_id = t.token_id and l.unit = b.unit
    order by l.seq desc
    limit 1
) as s on true
where (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = t.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.capability_budget is
'The budgets of capability tokens, and what was spent of them.';
comment on column cmbs.capability_budget.session_id is 'the session';
comment on column cmbs.capability_budget.token_id is 'the capability token';
comment on column cmbs.capability_budget.parent_id is 'the one that it was made from';
comment on column cmbs.capability_budget.holder is 'who may use it';
comment on column cmbs.capability_budget.unit is 'what is counted, such as max_calls';
comment on column cmbs.capability_budget.granted is 'how much of it the token has';
comment on column cmbs.capability_budget.spent is 'how much of it was spent';
comment on column cmbs.capability_budget.expires_at is 'until when it counts';
comment on column cmbs.capability_budget.revoked is
'whether it, or one that it was made from, was revoked';

revoke all on cmbs.capability_budget from public;
grant select on cmbs.capability_budget to cmbs_auditor, cmbs_policy, cmbs_analyst;
