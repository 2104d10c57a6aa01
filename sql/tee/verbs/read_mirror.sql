-- cmbs.read_mirror
--
-- How far the mirror is behind: what waits, since when, how often that was tried in vain, and what
-- the Tee refused.
--
-- Locks      nothing.
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs.read_mirror(
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
    v_now timestamptz := cmbs_store.clock();
    v_status json;
begin
    perform cmbs_store.check_operator(
        cmbs_store.authorize_upkeep(p_credential, 'read_mirror', '{admin, auditor}')
    );
    select json_build_object(
        'endpoint', cmbs_store.mirror_endpoint(),
        'n_pending', count(*) filter (where m.state = 'pending'),
        'n_dead', count(*) filter (where m.state = 'dead'),
        'n_sessions', count(distinct m.session_id),
        'n_retries', coalesce(sum(greatest(m.n_attempts - 1, 0)), 0),
        'lag_seconds', coalesce(
            greatest(extract(epoch from v_now - min(m.created_at)), 0), 0
        )
    )
    into v_status
    from cmbs_store.tee_message as m
    where m.state <> 'delivered';
    return v_status;
end
$$;

grant execute on function cmbs.read_mirror to cmbs_server, cmbs_auditor, cmbs_admin;
