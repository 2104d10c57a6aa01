-- cmbs.survivor
--
-- The set difference that is the belief: universe minus tombstones.
-- Session by session, because no condition on the session would reach into an EXCEPT over all.
-- A barrier, because the join would let a caller's function see universes of no session.

create or replace view cmbs.survivor with (security_barrier) as
select
    s.session_id,
    d.hypothesis_id
from cmbs_store.session as s
cross join lateral (
    select m.hypothesis_id
    from cmbs_store.universe_member as m
    where m.universe_digest = s.universe_digest
    except
    select t.hypothesis_id
    from cmbs_store.tombstone as t
    where t.session_id = s.session_id
) as d
where (select cmbs.tenant()) = '*' or s.tenant = (select cmbs.tenant());

comment on view cmbs.survivor is
'The hypotheses of each session that nothing has eliminated: universe minus tombstones.';
comment on column cmbs.survivor.session_id is 'the session';
comment on column cmbs.survivor.hypothesis_id is 'a hypothesis that survives';

revoke all on cmbs.survivor from public;
grant select on cmbs.survivor to cmbs_auditor, cmbs_policy, cmbs_analyst;
