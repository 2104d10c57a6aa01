-- cmbs.read_space
--
-- A registered hypothesis space with its hypotheses.
--
-- Locks      nothing.
-- Raises     MB004 SPACE_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.read_space(
    p_hypothesis_space_id text,
    p_hypothesis_version text,
    p_tenant text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_space', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_space cmbs_store.hypothesis_space;
begin
    perform cmbs_store.check_id('hypothesis_space_id', p_hypothesis_space_id);
    perform cmbs_store.check_id('hypothesis_version', p_hypothesis_version, 2048);
    select s.*
    into v_space
    from cmbs_store.hypothesis_space as s
    where s.tenant = v_tenant
        and s.hypothesis_space_id = p_hypothesis_space_id
        and s.hypothesis_version = p_hypothesis_version;
    if not found then
        perform cmbs_store.refuse_missing('space', json_build_object(
            'hypothesis_space_id', p_hypothesis_space_id,
            'hypothesis_version', p_hypothesis_version
        ));
    end if;
    return format(
        '{"hypothesis_space_id": %s, "hypothesis_version": %s, "n_hypotheses": %s, '
        '"universe_digest": "%s", "registered_at": "%s", "registered_by": %s, "hypotheses": %s}',
        to_json(v_space.hypothesis_space_id),
        to_json(v_space.hypothesis_version),
        (
            select u.n_hypotheses
            from cmbs_store.universe as u
            where u.universe_digest = v_space.universe_digest
        ),
        encode(v_space.universe_digest, 'hex'),
        cmbs_store.timestamp_v1(v_space.registered_at),
        to_json(v_space.registered_by),
        cmbs_store.universe_ids(v_space.universe_digest)
    )::json;
end
$$;

grant execute on function cmbs.read_space to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
