-- cmbs.publish_policy
--
-- Publishes a version of a policy pack, for ever. Its constraints must be well-formed, the schemas
-- that they name registered, and its fixtures come out as they expect.
--
-- Promises   the next version; the last one again, with `duplicate`, if nothing in it is new.
-- Locks      nothing that others wait for.
-- Raises     MB102 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.publish_policy(
    p_pack text,
    p_entries json,
    p_fixtures json default null,
    p_tenant text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'publish_policy', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_entries jsonb := cmbs_store.sent_entries(p_entries);
    v_fixtures jsonb := cmbs_store.checked_fixtures(p_fixtures);
    v_hash bytea;
    v_bad jsonb;
    v_version record;
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_label('pack', p_pack);
    if exists (
        select
        from cmbs_store.policy_version as v
        where v.pack = p_pack
            and v.tenant <> v_tenant
            and '*' in (v.tenant, v_tenant)
    ) then
        perform cmbs_store.refuse(
            'MB102',
            'The name of this pack is taken.',
            json_build_object('pack', p_pack)::text,
            'A pack of every tenant and one of a tenant may not share a name; take another.'
        );
    end if;
    select jsonb_agg(jsonb_build_object('key', f.key, 'finding', left(f.finding, 300)))
    into v_bad
    from (
        select e.key, e.finding
        from cmbs_store.entry_faults(v_entries, v_tenant) as e
        where e.severity = 'error'
        limit 100
    ) as f;
    if v_bad is not null then
        perform cmbs_store.refuse(
            'MB201',
            'The pack has entries that cannot be published.',
            json_build_object('member', 'entries', 'findings', v_bad)::text,
            'See details for each key and what is wrong with it; nothing was changed.'
        );
    end if;
    v_hash := cmbs_store.store_policy(v_entries);
    select jsonb_agg(jsonb_build_object('name', r.name, 'expected', r.expected, 'got', r.got))
    into v_bad
    from cmbs_store.fixture_results(v_hash, v_fixtures, v_tenant) as r
    where not r.ok;
    if v_bad is not null then
        perform cmbs_store.refuse(
            'MB201',
            'Fixtures of the pack do not come out as they expect.',
            json_build_object('member', 'fixtures', 'failed', v_bad)::text,
            'Mend the pack or the fixture; nothing was changed.'
        );
    end if;
    v_version := cmbs_store.new_policy_version(
        v_tenant, p_pack, v_hash, v_fixtures::text, v_caller.name
    );
    return json_build_object(
        'pack', p_pack,
        'version', v_version.p_version,
        'policy_hash', encode(v_hash, 'hex'),
        'n_entries', (select count(*) from jsonb_object_keys(v_entries)),
        'n_fixtures', jsonb_array_length(v_fixtures),
        'duplicate', not v_version.p_is_new
    );
end
$$;

grant execute on function cmbs.publish_policy to cmbs_server, cmbs_policy;
