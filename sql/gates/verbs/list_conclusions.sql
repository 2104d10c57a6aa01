-- cmbs.list_conclusions
--
-- Every conclusion that was declared in a session, accepted or not, in order.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.list_conclusions(
    p_session_id uuid,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_conclusions', null);
begin
    perform cmbs_store.read_session(p_session_id, v_caller.tenant);
    return (
        select format('{"conclusions": [%s]}', string_agg(
            json_build_object(
                'conclusion_id', c.conclusion_id,
                'accepted', c.is_accepted,
                'event_id', e.event_id,
                'ts', cmbs_store.timestamp_v1(e.recorded_at),
                'actor', e.actor
            )::text,
            ', ' order by c.seq
        ))
        from cmbs_store.conclusion as c
        cross join lateral (
            select a.event_id, a.recorded_at, a.actor
            from cmbs_store.audit_event as a
            where a.session_id = c.session_id and a.seq = c.seq
            limit 1
        ) as e
        where c.session_id = p_session_id
    )::json;
end
$$;

grant execute on function cmbs.list_conclusions
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
