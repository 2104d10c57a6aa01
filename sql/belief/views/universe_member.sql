-- cmbs.universe_member
--
-- The hypotheses that each session started from.
-- A barrier, because the join would let a caller's function see universes of no session.

create or replace view cmbs.universe_member with (security_barrier) as
select
    s.session_id,
    m.hypothesis_id,
    m.hypothesis_rank
from cmbs_store.session as s
inner join cmbs_store.universe_member as m on m.universe_digest = s.universe_digest
where (select cmbs.tenant()) = '*' or s.tenant = (select cmbs.tenant());

comment on view cmbs.universe_member is
'The hypotheses that each session started from.';
comment on column cmbs.universe_member.session_id is 'the session';
comment on column cmbs.universe_member.hypothesis_id is 'one hypothesis of the universe';
comment on column cmbs.universe_member.hypothesis_rank is
'its place in byte order, from 0: its bit in the survivor mask';

revoke all on cmbs.universe_member from public;
grant select on cmbs.universe_member to cmbs_auditor, cmbs_policy, cmbs_analyst;
