-- cmbs_store.check_incident_ids
--
-- Refuses a universe of an incident that no session can have.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_incident_ids(
    p_ids text[]
)
returns void
language plpgsql
stable
as $$
begin
    if cardinality(p_ids) = 0 then
        perform cmbs_store.refuse_request(
            'universe_from', 'names an incident without a node, and a session has a hypothesis'
        );
    elsif exists (select from unnest(p_ids) as u (id) where octet_length(u.id) > 512) then
        perform cmbs_store.refuse_request(
            'universe_from',
            'names an incident with an edge whose id is longer than 512 bytes; leave edges out'
        );
    end if;
end
$$;
