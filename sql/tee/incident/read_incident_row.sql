-- cmbs_store.read_incident_row
--
-- The incident, for verbs that only read, if the caller may see it.
--
-- Locks      nothing.
-- Raises     MB013 INCIDENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs_store.read_incident_row(
    p_incident_id text,
    p_tenant text
)
returns cmbs_store.incident
language plpgsql
stable
as $$
declare
    v_incident cmbs_store.incident;
begin
    perform cmbs_store.check_id('incident_id', p_incident_id);
    select i.*
    into v_incident
    from cmbs_store.incident as i
    where i.incident_id = p_incident_id and (i.tenant = p_tenant or p_tenant = '*');
    if not found then
        perform cmbs_store.refuse_missing(
            'incident', json_build_object('incident_id', p_incident_id)
        );
    end if;
    return v_incident;
end
$$;
