-- cmbs_store.creating_tenant
--
-- The tenant that an incident to be created belongs to: that of the caller, or, if that sees all of
-- them, that of the incident if it is there, whosever it is.

create or replace function cmbs_store.creating_tenant(
    p_caller cmbs_store.principal,
    p_incident_id text
)
returns text
language sql
stable
as $$
    select coalesce(max(i.tenant), cmbs_store.own_tenant(p_caller))
    from cmbs_store.incident as i
    where i.incident_id = p_incident_id and p_caller.tenant = '*'
$$;

comment on function cmbs_store.creating_tenant(cmbs_store.principal, text) is
'The tenant that an incident to be created belongs to.';

revoke all on function cmbs_store.creating_tenant(cmbs_store.principal, text) from public;
