-- cmbs.query_belief
--
-- The belief of a session: its snapshot now, or right after an event (verb QUERY_BELIEF).
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.query_belief(
    p_session_id uuid,
    p_as_of uuid default null,
    p_minimal boolean default false,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_session cmbs_store.session;
begin
    perform cmbs_store.principal(p_credential);
    v_session := cmbs_store.read_session(p_session_id);
    if p_as_of is not null then
        v_session := cmbs_store.session_as_of(v_session, p_as_of);
    end if;
    return cmbs_store.snapshot(v_session, coalesce(p_minimal, false))::json;
end
$$;

comment on function cmbs.query_belief(uuid, uuid, boolean, bytea) is
'The snapshot of a session, now or right after an event. Raises MB001, MB003, MB201.';

revoke all on function cmbs.query_belief(uuid, uuid, boolean, bytea) from public;
grant execute on function cmbs.query_belief(uuid, uuid, boolean, bytea)
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
