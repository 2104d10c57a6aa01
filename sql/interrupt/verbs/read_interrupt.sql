-- cmbs.read_interrupt
--
-- One question of a session: what exactly it is about, and what has become of it.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB012 INTERRUPT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.read_interrupt(
    p_session_id uuid,
    p_interrupt_id uuid,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_interrupt', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
begin
    return cmbs_store.interrupt_json(
        v_session, cmbs_store.interrupt_of(v_session, p_interrupt_id),
        cmbs_store.reading_time(v_session)
    );
end
$$;

grant execute on function cmbs.read_interrupt to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
