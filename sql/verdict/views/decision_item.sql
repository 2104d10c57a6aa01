-- cmbs.decision_item
--
-- What was decided on every item of every proposal.

create or replace view cmbs.decision_item with (security_barrier) as
select
    e.session_id,
    e.seq,
    i.item_no::integer as item_no,
    e.recorded_at as ts,
    e.actor,
    q.item ->> 'kind' as kind,
    q.item ->> 'tool_id' as tool_id,
    i.verdict ->> 'decision' as decision,
    i.verdict ->> 'disposition' as disposition,
    i.verdict ->> 'reason_code' as reason_code,
    (i.verdict ->> 'effective')::boolean as effective,
    i.verdict ->> 'digest' as digest,
    i.verdict ->> 'args_hash' as args_hash,
    (i.verdict ->> 'interrupt_id')::uuid as interrupt_id,
    q.item as item
from cmbs_store.audit_event as e
cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
cross join lateral
    jsonb_array_elements(p.payload -> 'items') with ordinality as i (verdict, item_no)
cross join lateral (
    select p.payload #> array['proposal', 'items', (i.item_no - 1)::text] as item
) as q
where e.verb = 'PROPOSE'
and (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.decision_item is
'What was decided on every item of every proposal.';
comment on column cmbs.decision_item.session_id is 'the session';
comment on column cmbs.decision_item.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.decision_item.item_no is 'the item, from 1';
comment on column cmbs.decision_item.ts is 'when';
comment on column cmbs.decision_item.actor is 'who proposed';
comment on column cmbs.decision_item.kind is 'state_delta or tool_call';
comment on column cmbs.decision_item.tool_id is 'the tool of a call';
comment on column cmbs.decision_item.decision is 'what the item by itself would get';
comment on column cmbs.decision_item.disposition is 'what follows from it';
comment on column cmbs.decision_item.reason_code is 'the first stage that failed, or ALLOWED';
comment on column cmbs.decision_item.effective is 'whether it took effect';
comment on column cmbs.decision_item.digest is 'the sha-256 of the canonical text of the item';
comment on column cmbs.decision_item.args_hash is
'the sha-256 of the canonical text of the arguments of a call';
comment on column cmbs.decision_item.interrupt_id is 'the question that was opened for a person';
comment on column cmbs.decision_item.item is 'the item as it was proposed';

revoke all on cmbs.decision_item from public;
grant select on cmbs.decision_item to cmbs_auditor, cmbs_policy, cmbs_analyst;
