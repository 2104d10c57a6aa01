-- cmbs.register_universe
--
-- Stores a set of hypotheses without declaring a session: what the front of a sharded server calls
-- on every node before it delegates a declare.
--
-- Promises   repeatable; the same set gives the same digest.
-- Locks      the universe row while it is new.
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.register_universe(
    p_hypotheses text[],
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
    v_universe record;
begin
    perform cmbs_store.authorize(p_credential, 'register_universe', '{agent}');
    v_universe := cmbs_store.ensure_universe('hypotheses', p_hypotheses);
    return json_build_object(
        'universe_digest', encode(v_universe.p_universe_digest, 'hex'),
        'n_hypotheses', v_universe.p_n_hypotheses
    );
end
$$;

grant execute on function cmbs.register_universe to cmbs_server, cmbs_agent, cmbs_owner;
