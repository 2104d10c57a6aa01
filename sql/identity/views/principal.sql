-- cmbs.principal
--
-- Who may call, and what.

create or replace view cmbs.principal with (security_barrier) as
select
    p.tenant,
    p.name,
    p.kind,
    p.roles,
    p.source_prefixes,
    p.is_login,
    p.is_enabled,
    p.created_at
from cmbs_store.principal as p
where (select cmbs.tenant()) = '*' or p.tenant = (select cmbs.tenant());

comment on view cmbs.principal is
'Every principal: who may call, with what roles and for which sources.';
comment on column cmbs.principal.tenant is 'whose sessions it sees; * for those of all';
comment on column cmbs.principal.name is 'its name, which is the actor of its events';
comment on column cmbs.principal.kind is 'agent, encoder, tool, human or service';
comment on column cmbs.principal.roles is 'what it may';
comment on column cmbs.principal.source_prefixes is
'beginnings of the source ids that it may speak for';
comment on column cmbs.principal.is_login is 'whether it is the role of PostgreSQL of this name';
comment on column cmbs.principal.is_enabled is 'whether it may call at all';
comment on column cmbs.principal.created_at is 'when it was made';

revoke all on cmbs.principal from public;
grant select on cmbs.principal to cmbs_auditor, cmbs_admin;
