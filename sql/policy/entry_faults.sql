-- cmbs_store.entry_faults
--
-- What is wrong with the entries of a pack: errors, with which it cannot be published, and
-- warnings.
--
-- p_entries   key -> text of the value
-- p_tenant    whose tools and schemas it would name

create or replace function cmbs_store.entry_faults(
    p_entries jsonb,
    p_tenant text
)
returns table (key text, severity text, finding text)
language sql
stable
as $$
    with entry as (
        select e.key as entry_key, p.*
        from jsonb_each_text(p_entries) as e (key, value)
        cross join lateral cmbs_store.parsed_entry(''::bytea, e.key, e.value) as p
    ),
    found as (
        select e.entry_key, 'error' as severity, 'the key must be policy.* or constraint.*, of '
            'segments of a-z, 0-9, _ and -, in up to 200 bytes' as finding
        from entry as e
        where e.entry_key !~ '^(policy|constraint)(\.[a-z0-9_-]+)+$'
            or octet_length(e.entry_key) > 200
        union all
        select e.entry_key, 'error', e.fault
        from entry as e
        where e.fault is not null
        union all
        select e.entry_key, 'error', format('the schema %s is not registered', s.schema_id)
        from entry as e
        cross join lateral unnest(e.schemas) as s (schema_id)
        where not exists (
            select
            from cmbs_store.json_schema as j
            where j.tenant in (p_tenant, '*') and j.schema_id = s.schema_id
        )
        union all
        select e.entry_key, 'error', format('the key begins with another one, %s', b.key)
        from entry as e
        cross join lateral string_to_array(e.entry_key, '.') as s (segments)
        cross join lateral generate_series(2, cardinality(s.segments) - 1) as n (n)
        cross join lateral array_to_string(s.segments[1:n.n], '.') as b (key)
        where p_entries ? b.key
        union all
        select e.entry_key, 'error', cmbs_store.setting_fault(
            e.entry_key, cmbs_store.readable_value(e.value)
        )
        from entry as e
        where e.fault is null
            and cmbs_store.setting_fault(
                e.entry_key, cmbs_store.readable_value(e.value)
            ) is not null
        union all
        select
            e.entry_key, 'error',
            format('the kernel gives no capability %s', substr(e.subject, 3))
        from entry as e
        where e.subject ~ '^c:(tool|state|claim)[.]'
            and e.subject !~ (
                '^c:(tool[.](read|write)|state[.]write[.](fact|goal|core)|'
                'claim[.]write[.](fact|preference|decision|hypothesis|derived))$'
            )
        union all
        select e.entry_key, 'error', format('the audit tells no %s', r.key)
        from entry as e
        cross join lateral unnest(e.reads) as r (key)
        where r.key ~ '^fact[.]belief[.][^.]+$'
            and r.key !~ (
                '[.](n_survivors|n_survivors_independent|n_hypotheses|survivors|terminated|'
                'active_obligation_id|conclusion)$'
            )
        union all
        select * from cmbs_store.policy_warnings(p_entries, p_tenant)
    )
    select f.entry_key, f.severity, f.finding
    from found as f
    order by f.severity, f.entry_key collate "C", f.finding collate "C"
$$;
