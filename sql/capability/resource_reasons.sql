-- cmbs_store.resource_reasons
--
-- Paths and hosts in the arguments and artifacts of a call that lie outside of the roots of its
-- token. A token without roots says nothing about resources.
--
-- A resource is whatever stands in a member that is named as one is (path, host, url and the like),
-- and any text that looks like a path or an address, wherever it stands: what is not recognised
-- could not be held to the roots. A number in such a member is none that could be inside.

create or replace function cmbs_store.resource_reasons(
    p_roots text[],
    p_item_no integer,
    p_item jsonb
)
returns cmbs_store.reason[]
language sql
stable
as $$
    with member as (
        select
            m.member -> 'value' as value,
            lower(m.member ->> 'key') ~ (
                '(^|[_-])(paths?|pathname|files?|filename|dirs?|directory|folder|cwd|src|dst|dest|'
                'destination|target)$'
            ) as is_path,
            lower(m.member ->> 'key') ~ (
                '(^|[_-])(paths?|pathname|files?|filename|dirs?|directory|folder|cwd|src|dst|dest|'
                'destination|target|hosts?|hostname|server|domain|ip|urls?|uris?|endpoint)$'
            ) as is_resource
        from jsonb_path_query(
            jsonb_build_array(p_item -> 'args', p_item -> 'artifacts'),
            'strict $.** ? (@.type() == "object").keyvalue()'
        ) as m (member)
    ),
    resource as (
        select e.value #>> '{}' as resource, m.is_path, jsonb_typeof(e.value) = 'string' as is_text
        from member as m
        cross join lateral jsonb_path_query(
            m.value, 'strict $.** ? (@.type() == "string" || @.type() == "number")'
        ) as e (value)
        where m.is_resource
        union all
        select v.value #>> '{}', false, true
        from jsonb_path_query(
            jsonb_build_array(p_item -> 'args', p_item -> 'artifacts'),
            'strict $.** ? (@.type() == "string")'
        ) as v (value)
        where v.value #>> '{}' ~ (
            '^[[:space:]]*[/~]|[.][.]/|://|^[[:space:]]*[A-Za-z][A-Za-z0-9+.-]*:[/'
            || repeat(chr(92), 2) || ']'
        )
    )
    select array(
        select (
            p_item_no, 'token', 'RESOURCE_OUT_OF_SCOPE', null, 'block', s.resource
        )::cmbs_store.reason
        from (
            select distinct left(r.resource, 200) collate "C" as resource
            from resource as r
            where not r.is_text or not cmbs_store.is_in_roots(r.resource, p_roots, r.is_path)
        ) as s
        order by s.resource
    )
$$;
