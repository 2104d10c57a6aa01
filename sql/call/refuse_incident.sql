-- cmbs_store.refuse_incident
--
-- Ends the call: the incident does not exist.
--
-- Raises     MB013 INCIDENT_NOT_FOUND, always.

create or replace function cmbs_store.refuse_incident(
    p_incident_id text
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB013',
        'There is no such incident.',
        json_build_object('incident_id', p_incident_id)::text,
        'Create it first, or check the id.'
    );
end
$$;

comment on function cmbs_store.refuse_incident(text) is
'End the call: the incident does not exist. Raises MB013.';

revoke all on function cmbs_store.refuse_incident(text) from public;
