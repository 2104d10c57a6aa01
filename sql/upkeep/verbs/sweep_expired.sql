-- cmbs.sweep_expired
--
-- Does what is due in a session: releases the reservations of permits that ran out unused (verb
-- SWEEP_EXPIRED), records that the clock was set back where something had been granted before, and
-- tries deferred proposals again that have waited long enough.
--
-- Promises   whatever ran out counts no more, with or without this; it only gives budget back.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.sweep_expired(
    p_session_id uuid,
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
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize_upkeep(
        p_credential, 'sweep_expired', '{agent, encoder, tool, policy}'
    );
    v_session cmbs_store.session;
    v_time record;
    v_payload jsonb;
    v_permits uuid[] := array[]::uuid[];
    v_tried record;
    v_n_tried integer := 0;
begin
    perform cmbs_store.check_envelope(p_session_id, null, null);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_time := cmbs_store.session_time(v_session);
    v_payload := jsonb_strip_nulls(jsonb_build_object(
        'decided_at', cmbs_store.timestamp_v1(v_time.p_at),
        'clock', cmbs_store.timestamp_v1(v_time.p_clock)
    ));
    if not v_session.is_terminated then
        v_permits := cmbs_store.expired_permits(v_session, v_time.p_until);
    end if;
    if cardinality(v_permits) > 0 or v_payload ? 'clock' and cmbs_store.has_granted(v_session) then
        v_payload := v_payload || jsonb_build_object('permits', v_permits);
        v_session.audit_head_at := v_time.p_at;
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'SWEEP_EXPIRED', v_caller.name,
            null, null, null, null, v_payload::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'SWEEP_EXPIRED',
            v_payload
        );
    end if;
    if not v_session.is_terminated then
        v_tried := cmbs_store.retry_deferred(v_session, v_caller.name, v_time.p_at);
        v_session := v_tried.p_session;
        v_n_tried := v_tried.p_n_tries;
    end if;
    return json_build_object(
        'session_id', p_session_id,
        'n_released', cardinality(v_permits),
        'n_tried', v_n_tried,
        'audit_head_event_id', v_session.audit_head_event_id
    );
end
$$;

grant execute on function cmbs.sweep_expired to cmbs_server, cmbs_agent, cmbs_policy;
