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
begin
    perform cmbs_store.check_operator(
        cmbs_store.authorize_upkeep(p_credential, 'read_mirror', '{admin, auditor, monitor}')
    );
    return cmbs_store.mirror_status(v_now);
end
$$;

grant execute on function cmbs.read_mirror to cmbs_server, cmbs_auditor, cmbs_admin;
