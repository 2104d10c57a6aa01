-- cmbs_store.lock_incident
--
-- The incident, locked until the end of the transaction, if the caller may see it.
--
-- Locks      the row of the incident.
-- Raises     MB013 INCIDENT_NOT_FOUND.

create or replace function cmbs_store.lock_incident(
    p_incident_id text,
    p_tenant text
)
returns cmbs_store.incident
language plpgsql
volatile
as $$
declare
    v_incident cmbs_store.incident;
begin
    select i.*
    into v_incident
    from cmbs_store.incident as i
    where i.incident_id = p_incident_id and (i.tenant = p_tenant or p_tenant = '*')
    for no key update;
    if not found then
        perform cmbs_store.refuse_missing(
            'incident', json_build_object('incident_id', p_incident_id)
        );
    end if;
    return v_incident;
end
$$;
