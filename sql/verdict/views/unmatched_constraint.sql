-- cmbs.unmatched_constraint
--
-- Constraints of the packs that sessions named, which never stood against anything: perhaps dead,
-- perhaps misspelt.

create or replace view cmbs.unmatched_constraint with (security_barrier) as
select distinct
    n.pack,
    n.version,
    encode(n.policy_hash, 'hex') as policy_hash,
    c.key,
    c.effect,
    c.subject
from cmbs_store.policy_pin as n
inner join cmbs_store.policy_entry as c
    on c.policy_hash = n.policy_hash and c.subject is not null
where not exists (
    select
    from cmbs.constraint_hit as h
    where h.policy_hash = encode(n.policy_hash, 'hex') and h.key = c.key
)
and (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = n.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.unmatched_constraint is
'Constraints of the packs that sessions named, which never stood against anything.';
comment on column cmbs.unmatched_constraint.pack is 'the policy pack';
comment on column cmbs.unmatched_constraint.version is 'its version';
comment on column cmbs.unmatched_constraint.policy_hash is 'the sha-256 of its content';
comment on column cmbs.unmatched_constraint.key is 'the constraint';
comment on column cmbs.unmatched_constraint.effect is 'allow or deny, null if it is malformed';
comment on column cmbs.unmatched_constraint.subject is
'to what it applies: t: and a tool, c: and a capability, * for all, ! for an invariant';

revoke all on cmbs.unmatched_constraint from public;
grant select on cmbs.unmatched_constraint to cmbs_auditor, cmbs_policy, cmbs_analyst;
