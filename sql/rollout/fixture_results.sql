-- cmbs_store.fixture_results
--
-- What came of the fixtures of a policy.

create or replace function cmbs_store.fixture_results(
    p_policy_hash bytea,
    p_fixtures jsonb,
    p_tenant text
)
returns table (name text, ok boolean, expected jsonb, got jsonb)
language plpgsql
stable
as $$
declare
    v_policy cmbs_store.policy;
    v_entries cmbs_store.policy_entry[];
    v_documents jsonb;
    v_own jsonb;
begin
    select p.* into v_policy from cmbs_store.policy as p where p.policy_hash = p_policy_hash;
    v_entries := array(
        select e
        from cmbs_store.policy_entry as e
        where e.policy_hash = p_policy_hash and e.subject is not null
        order by e.key
    );
    v_documents := cmbs_store.schema_documents(cmbs_store.schemas_named(
        p_tenant,
        array(
            select distinct s.schema_id
            from unnest(v_entries) as e
            cross join lateral unnest(e.schemas) as s (schema_id)
        ),
        null
    ));
    -- What conditions read of the pack itself.
    select coalesce(jsonb_object_agg(v.key, v.value -> 'value'), '{}')
    into v_own
    from jsonb_each(cmbs_store.policy_values(p_policy_hash, array(
        select e.key
        from cmbs_store.policy_entry as e
        where e.policy_hash = p_policy_hash and starts_with(e.key, 'policy.')
    ))) as v (key, value);
    return query
    select
        coalesce(f.fixture ->> 'name', 'fixture ' || f.no),
        v.verdict @> (f.fixture -> 'expect'),
        f.fixture -> 'expect',
        v.verdict
    from jsonb_array_elements(p_fixtures) with ordinality as f (fixture, no)
    cross join lateral (
        select cmbs_store.fixture_verdict(
            v_policy, v_entries, v_documents, v_own, f.fixture
        ) as verdict
        offset 0
    ) as v
    order by f.no;
end
$$;
