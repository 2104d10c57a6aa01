-- cmbs.shadow_divergence
--
-- Where the policy that is only asked says something else than the one in force.

create or replace view cmbs.shadow_divergence with (security_barrier) as
select
    e.session_id,
    e.seq,
    i.item_no::integer as item_no,
    e.recorded_at as ts,
    e.actor,
    p.payload #>> array['proposal', 'items', (i.item_no - 1)::text, 'tool_id'] as tool_id,
    p.payload #>> '{policy,pack}' as pack,
    (p.payload #>> '{policy,version}')::integer as version,
    i.verdict ->> 'decision' as decision,
    i.verdict ->> 'disposition' as disposition,
    i.verdict ->> 'reason_code' as reason_code,
    p.payload #>> '{shadow,policy,pack}' as shadow_pack,
    (p.payload #>> '{shadow,policy,version}')::integer as shadow_version,
    h.verdict ->> 'decision' as shadow_decision,
    h.verdict ->> 'disposition' as shadow_disposition,
    h.verdict ->> 'reason_code' as shadow_reason_code,
    (i.verdict ->> 'effective')::boolean as effective
from cmbs_store.audit_event as e
cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
cross join lateral
    jsonb_array_elements(p.payload -> 'items') with ordinality as i (verdict, item_no)
cross join lateral (
    select p.payload #> array['shadow', 'items', (i.item_no - 1)::text] as verdict
) as h
where e.verb = 'PROPOSE'
    and p.payload ? 'shadow'
    and (
        i.verdict ->> 'decision' is distinct from h.verdict ->> 'decision'
        or i.verdict ->> 'disposition' is distinct from h.verdict ->> 'disposition'
        or i.verdict ->> 'reason_code' is distinct from h.verdict ->> 'reason_code'
    )
    and (
        (select cmbs.tenant()) = '*' or exists (
            select
            from cmbs_store.session as o
            where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
        )
    );

comment on view cmbs.shadow_divergence is
'Where a shadow policy says something else than the one in force, item by item.';
comment on column cmbs.shadow_divergence.session_id is 'the session';
comment on column cmbs.shadow_divergence.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.shadow_divergence.item_no is 'the item of the proposal, from 1';
comment on column cmbs.shadow_divergence.ts is 'when';
comment on column cmbs.shadow_divergence.actor is 'who proposed';
comment on column cmbs.shadow_divergence.tool_id is 'the tool of a call';
comment on column cmbs.shadow_divergence.pack is 'the policy pack in force';
comment on column cmbs.shadow_divergence.version is 'its version';
comment on column cmbs.shadow_divergence.decision is 'what it decided';
comment on column cmbs.shadow_divergence.disposition is 'what follows from it';
comment on column cmbs.shadow_divergence.reason_code is 'its first stage that failed, or ALLOWED';
comment on column cmbs.shadow_divergence.shadow_pack is 'the policy pack that was only asked';
comment on column cmbs.shadow_divergence.shadow_version is 'its version';
comment on column cmbs.shadow_divergence.shadow_decision is 'what it would have decided';
comment on column cmbs.shadow_divergence.shadow_disposition is 'what would have followed';
comment on column cmbs.shadow_divergence.shadow_reason_code is
'its first stage that failed, or ALLOWED';
comment on column cmbs.shadow_divergence.effective is
'whether the item took effect, by the policy in force';

revoke all on cmbs.shadow_divergence from public;
grant select on cmbs.shadow_divergence to cmbs_auditor, cmbs_policy, cmbs_analyst;
