-- cmbs.api_token
--
-- The tokens of principals, also those that count no more.

create or replace view cmbs.api_token with (security_barrier) as
select
    t.tenant,
    t.name,
    t.token_id,
    t.prefix,
    t.verbs,
    t.scope_tenant,
    t.created_at,
    t.created_by,
    t.expires_at - greatest(
        (select m.lead_us from cmbs_store.clock_mark as m) - t.clock_lead_us, 0
    ) * interval '1 microsecond' as expires_at,
    t.revoked_at,
    u.used_at as last_used_at
from cmbs_store.api_token as t
left join cmbs_store.api_token_use as u on u.token_id = t.token_id
where (select cmbs.tenant()) = '*' or t.tenant = (select cmbs.tenant());

comment on view cmbs.api_token is
'Every token, without what its holder shows.';
comment on column cmbs.api_token.tenant is 'tenant of its principal';
comment on column cmbs.api_token.name is 'its principal';
comment on column cmbs.api_token.token_id is 'its id, which is not secret';
comment on column cmbs.api_token.prefix is 'how the token begins';
comment on column cmbs.api_token.verbs is 'the verbs that it covers; null for all';
comment on column cmbs.api_token.scope_tenant is
'the one tenant that it is for; null for that of its principal';
comment on column cmbs.api_token.created_at is 'when it was made';
comment on column cmbs.api_token.created_by is 'the principal that made it';
comment on column cmbs.api_token.expires_at is
'when it ends by itself, earlier by what the clock was set back since';
comment on column cmbs.api_token.revoked_at is 'when it was revoked; null if it was not';
comment on column cmbs.api_token.last_used_at is 'when it was last seen, to the hour';

revoke all on cmbs.api_token from public;
grant select on cmbs.api_token to cmbs_auditor, cmbs_admin;
