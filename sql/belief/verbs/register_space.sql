-- cmbs.register_space
--
-- Registers a set of hypotheses under a name and a version, for ever.
--
-- Promises   the same list again changes nothing; a declare may name the space and send no list.
-- Locks      the space row while it is new.
-- Raises     MB102 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.register_space(
    p_hypothesis_space_id text,
    p_hypothesis_version text,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'register_space', '{agent}'
    );
    v_tenant text := cmbs_store.own_tenant(v_caller);
    v_universe record;
    v_digest bytea;
    v_created boolean;
begin
    perform cmbs_store.check_id('hypothesis_space_id', p_hypothesis_space_id);
    perform cmbs_store.check_id('hypothesis_version', p_hypothesis_version, 2048);
    v_universe := cmbs_store.ensure_universe('hypotheses', p_hypotheses);
    insert into cmbs_store.hypothesis_space (
        tenant, hypothesis_space_id, hypothesis_version, universe_digest, registered_at,
        registered_by
    )
    values (
        v_tenant, p_hypothesis_space_id, p_hypothesis_version, v_universe.p_universe_digest,
        cmbs_store.clock(), v_caller.name
    )
    on conflict (tenant, hypothesis_space_id, hypothesis_version) do nothing;
    v_created := found;
    select s.universe_digest
    into strict v_digest
    from cmbs_store.hypothesis_space as s
    where s.tenant = v_tenant
        and s.hypothesis_space_id = p_hypothesis_space_id
        and s.hypothesis_version = p_hypothesis_version;
    if v_digest <> v_universe.p_universe_digest then
        perform cmbs_store.refuse(
            'MB102',
            'This version of the space was registered with other hypotheses.',
            json_build_object(
                'hypothesis_space_id', p_hypothesis_space_id,
                'hypothesis_version', p_hypothesis_version,
                'universe_digest', encode(v_digest, 'hex')
            )::text,
            'Register the new list under a new version.'
        );
    end if;
    return json_build_object(
        'hypothesis_space_id', p_hypothesis_space_id,
        'hypothesis_version', p_hypothesis_version,
        'n_hypotheses', v_universe.p_n_hypotheses,
        'universe_digest', encode(v_digest, 'hex'),
        'duplicate', not v_created
    );
end
$$;

grant execute on function cmbs.register_space to cmbs_server, cmbs_agent;
