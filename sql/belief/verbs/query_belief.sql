-- cmbs.query_belief
--
-- The belief of a session: its snapshot now, right after an event, or as it stood at a time (verb
-- QUERY_BELIEF).
--
-- Promises   at a time: as of the last event that is not later.
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.query_belief(
    p_session_id uuid,
    p_as_of uuid default null,
    p_minimal boolean default false,
    p_as_of_time timestamptz default null,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'query_belief', null);
    v_session cmbs_store.session;
begin
    if p_as_of is not null and p_as_of_time is not null then
        perform cmbs_store.refuse_request('as_of_time', 'may not be given together with as_of');
    end if;
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    if p_as_of_time is not null then
        p_as_of := cmbs_store.event_at_time(v_session, p_as_of_time);
    end if;
    if p_as_of is not null then
        v_session := cmbs_store.session_as_of(v_session, p_as_of);
    end if;
    return cmbs_store.snapshot(v_session, coalesce(p_minimal, false))::json;
end
$$;

grant execute on function cmbs.query_belief to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
