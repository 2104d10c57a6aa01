-- cmbs_store.trace_start
--
-- The seq after which a trace begins.
--
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs_store.trace_start(
    p_session_id uuid,
    p_tenant text,
    p_since_event_id uuid,
    p_limit integer
)
returns bigint
language plpgsql
stable
as $$
begin
    perform cmbs_store.read_session(p_session_id, p_tenant);
    perform cmbs_store.check_limit(p_limit, 10000);
    if p_since_event_id is null then
        return 0;
    end if;
    return (cmbs_store.read_event(p_session_id, p_since_event_id)).seq;
end
$$;
