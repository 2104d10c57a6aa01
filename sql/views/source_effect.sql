-- cmbs.source_effect
--
-- How much each source has contributed to a session.

create or replace view cmbs.source_effect as
select
    e.session_id,
    e.source_id,
    count(*) as n_events,
    sum(d.n_eliminations)::bigint as n_eliminations,
    coalesce(
        sum(d.n_eliminations)
        / nullif(sum(sum(d.n_eliminations)) over (partition by e.session_id), 0),
        0
    )::double precision as share
from cmbs_store.audit_event as e
cross join lateral (
    select jsonb_array_length(e.record::jsonb -> 'delta' -> 'eliminated') as n_eliminations
) as d
where e.source_id is not null
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
grant select on cmbs.source_effect to cmbs_auditor, cmbs_policy;
