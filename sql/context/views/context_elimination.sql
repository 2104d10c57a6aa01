-- cmbs.context_elimination
--
-- What eliminated each hypothesis that is gone from an elimination context.

create or replace view cmbs.context_elimination with (security_barrier) as
select
    t.context_id,
    t.hypothesis_id,
    e.source_id,
    e.trigger,
    e.eliminated_at
from cmbs_store.context_tombstone as t
inner join cmbs_store.context_event as e
    on e.context_id = t.context_id and e.event_no = t.event_no
where (select cmbs.tenant()) = '*' or exists (
    select
    from cmbs_store.context as o
    where o.context_id = t.context_id and o.tenant = (select cmbs.tenant())
);

comment on view cmbs.context_elimination is
'Every hypothesis that is gone from an elimination context, with what eliminated it.';
comment on column cmbs.context_elimination.context_id is 'the elimination context; not a session';
comment on column cmbs.context_elimination.hypothesis_id is 'the hypothesis that is gone';
comment on column cmbs.context_elimination.source_id is 'who eliminated it';
comment on column cmbs.context_elimination.trigger is 'on what';
comment on column cmbs.context_elimination.eliminated_at is 'when';

revoke all on cmbs.context_elimination from public;
grant select on cmbs.context_elimination to cmbs_auditor, cmbs_policy, cmbs_analyst;
