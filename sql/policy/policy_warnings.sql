-- cmbs_store.policy_warnings
--
-- What in a pack is legal and probably not meant.

create or replace function cmbs_store.policy_warnings(
    p_entries jsonb,
    p_tenant text
)
returns table (key text, severity text, finding text)
language sql
stable
as $$
    with entry as (
        select p.*
        from jsonb_each_text(p_entries) as e (key, value)
        cross join lateral cmbs_store.parsed_entry(''::bytea, e.key, e.value) as p
        where p.subject is not null and p.fault is null
    )
    select e.key, 'warning', case e.effect
        when 'deny' then 'denies everything: a kill switch'
        else 'allows everything that a token covers'
    end
    from entry as e
    where e.subject = '*' and e.condition is null
    union all
    select e.key, 'warning', format('the tool %s is not registered', substr(e.subject, 3))
    from entry as e
    where e.subject like 't:%' and not exists (
        select
        from cmbs_store.tool_registration as t
        where t.tenant = p_tenant and t.tool_id = substr(e.subject, 3)
    )
    union all
    select e.key, 'warning', format('no tool has the authority %s', substr(e.subject, 3))
    from entry as e
    where e.subject like 'c:%'
        and e.subject !~ '^c:(tool|state|claim)[.]'
        and not exists (
            select
            from cmbs_store.tool_registration as t
            inner join cmbs_store.tool_definition as d on d.tool_hash = t.tool_hash
            where t.tenant = p_tenant
                and d.definition::jsonb -> 'authorities' ? substr(e.subject, 3)
        )
    union all
    select k.key, 'warning', 'no verdict reads it, and no constraint'
    from jsonb_object_keys(p_entries) as k (key)
    where k.key like 'policy.%'
        and k.key not in (
            'policy.required_constraints', 'policy.arbitration', 'policy.claims',
            'policy.budgets', 'policy.interrupts', 'policy.pack', 'policy.permits',
            'policy.deferrals', 'policy.clarifications', 'policy.modes', 'policy.cooldowns'
        )
        and not exists (select from entry as e where k.key = any(e.reads) or e.key = k.key)
    union all
    select e.key, 'warning', 'it allows, and on_fail says what follows where it does not'
        ' hold: nothing else will be asked'
    from entry as e
    where e.effect = 'allow' and e.condition is null and e.value like '%"on_fail"%'
    union all
    select 'policy.required_constraints', 'warning', format('there is no %s: all is denied', m.key)
    from unnest(cmbs_store.missing_constraints(p_entries)) as m (key)
    union all
    select 'constraint', 'warning', 'no constraint allows anything: all is denied'
    where not exists (select from entry as e where e.effect = 'allow' and e.subject <> '!')
        and coalesce(
            cmbs_store.readable_value(p_entries ->> 'policy.arbitration') ->> 'default' <> 'grant',
            true
        )
$$;
