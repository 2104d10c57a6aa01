-- cmbs_store.check_tombstones
--
-- Refuses a message of tombstones that rules nothing out, or does not say who does, and on what.
--
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs_store.check_tombstones(
    p_caller cmbs_store.principal,
    p_incident_id text,
    p_member text,
    p_n_ids integer,
    p_source_id text,
    p_trigger text,
    p_occurred_at timestamptz
)
returns void
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_id('incident_id', p_incident_id);
    if p_n_ids = 0 then
        perform cmbs_store.refuse_request(p_member, 'must not be empty');
    end if;
    perform cmbs_store.check_id('source_id', p_source_id);
    perform cmbs_store.check_id('trigger', p_trigger);
    if p_occurred_at >= '10000-01-01T00:00:00Z' or p_occurred_at < '0001-01-01T00:00:00Z' then
        perform cmbs_store.refuse_request('occurred_at', 'must be a time of the years 1 to 9999');
    end if;
    perform cmbs_store.check_source(p_caller, p_source_id);
end
$$;
