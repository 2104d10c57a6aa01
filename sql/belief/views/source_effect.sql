-- cmbs.source_effect
--
-- How much each source has contributed to a session.
-- Counted by tombstones, because reading every record as JSON takes longer than all the rest.

create or replace view cmbs.source_effect with (security_barrier) as
select
    e.session_id,
    e.source_id,
    count(*) as n_events,
    coalesce(sum(d.n_eliminations), 0)::bigint as n_eliminations,
    coalesce(
        sum(d.n_eliminations)
        / nullif(sum(sum(d.n_eliminations)) over (partition by e.session_id), 0),
        0
    )::double precision as share
from cmbs_store.audit_event as e
left join (
    select
        t.session_id,
        t.seq,
        count(*) as n_eliminations
    from cmbs_store.tombstone as t
    group by t.session_id, t.seq
) as d on d.session_id = e.session_id and d.seq = e.seq
where e.source_id is not null
    and (
        (select cmbs.tenant()) = '*' or exists (
            select
            from cmbs_store.session as o
            where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
        )
    )
group by e.session_id, e.source_id;

comment on view cmbs.source_effect is
'Events and eliminations per source of a session.';
comment on column cmbs.source_effect.session_id is 'the session';
comment on column cmbs.source_effect.source_id is 'who observed';
comment on column cmbs.source_effect.n_events is 'messages of this source';
comment on column cmbs.source_effect.n_eliminations is 'hypotheses they eliminated';
comment on column cmbs.source_effect.share is
'their part of all eliminations of the session, 0 to 1';

revoke all on cmbs.source_effect from public;
grant select on cmbs.source_effect to cmbs_auditor, cmbs_policy, cmbs_analyst;
