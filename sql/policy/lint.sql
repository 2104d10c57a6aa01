-- cmbs_store.lint
--
-- What is wrong with the entries of a pack, and how much of it, as JSON.
--
-- p_entries   key -> text of the value

create or replace function cmbs_store.lint(
    p_tenant text,
    p_entries jsonb
)
returns json
language sql
stable
as $$
    select json_build_object(
        'n_errors', count(*) filter (where f.severity = 'error'),
        'n_warnings', count(*) filter (where f.severity = 'warning'),
        'findings', coalesce(json_agg(json_build_object(
            'key', f.key, 'severity', f.severity, 'finding', left(f.finding, 300)
        ) order by f.severity, f.key collate "C", f.finding collate "C"), '[]')
    )
    from cmbs_store.entry_faults(p_entries, p_tenant) as f
$$;
