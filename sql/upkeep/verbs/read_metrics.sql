-- cmbs.read_metrics
--
-- What the database knows of itself for those who watch it, in numbers: sessions by state, the log,
-- what waits for people, for upkeep, for webhooks and for a Tee, and identities.
--
-- Promises   numbers of all tenants; what has run out by the clock is not counted as open.
-- Locks      nothing.
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs.read_metrics(
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_custom_plan
set enable_seqscan = on
set jit = off
as $$
declare
    v_now timestamptz := cmbs_store.clock();
begin
    perform cmbs_store.check_operator(
        cmbs_store.authorize_upkeep(p_credential, 'read_metrics', '{admin, auditor, monitor}')
    );
    return json_build_object(
        'postgresql', split_part(version(), ' ', 2),
        'sessions', cmbs_store.session_metrics(),
        'waiting', cmbs_store.waiting_metrics(v_now),
        'webhooks', cmbs_store.outbox_metrics(v_now),
        'mirror', cmbs_store.mirror_status(v_now),
        'identities', cmbs_store.identity_metrics(v_now)
    );
end
$$;

grant execute on function cmbs.read_metrics to cmbs_server, cmbs_auditor, cmbs_admin;
