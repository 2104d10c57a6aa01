-- cmbs.retry_mirror
--
-- Has the Tee told everything of a session again, from its first event on: after what it had
-- refused was mended, or after it has lost something. Telling it twice changes nothing.
--
-- p_session_id   null: every session of which it refused something
-- Locks          the messages.
-- Raises         MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.retry_mirror(
    p_session_id uuid default null,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'retry_mirror', '{admin}');
    v_now timestamptz := cmbs_store.clock();
    v_sessions uuid[];
    v_n bigint;
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_operator(v_caller);
    if p_session_id is not null then
        perform cmbs_store.read_session(p_session_id, v_caller.tenant);
        v_sessions := array[p_session_id];
    else
        v_sessions := array(
            select h.session_id
            from cmbs_store.mirror_heads(null) as h
            where h.state = 'dead'
        );
    end if;
    update cmbs_store.tee_message as m
    set
        state = 'pending', n_attempts = 0, next_at = v_now, last_error = null,
        delivered_at = null
    where m.session_id = any(v_sessions);
    get diagnostics v_n = row_count;
    return json_build_object('n_sessions', cardinality(v_sessions), 'n_messages', v_n);
end
$$;

grant execute on function cmbs.retry_mirror to cmbs_server, cmbs_admin;
