-- cmbs_store.resource_reasons
--
-- Paths and hosts in the arguments of a call that lie outside of the roots of its token. A token
-- without roots says nothing about resources.
--
-- A resource is whatever stands in a member that is named as one is (path, host, url and the like),
-- and any text that begins with a slash or holds a scheme, wherever it stands: what is not
-- recognised could not be held to the roots.

create or replace function cmbs_store.resource_reasons(
    p_roots text[],
    p_item_no integer,
    p_args jsonb
)
returns cmbs_store.reason[]
language sql
stable
as $$
    select array(
        select (
            p_item_no, 'token', 'RESOURCE_OUT_OF_SCOPE', null, 'block', left(s.resource, 200)
        )::cmbs_store.reason
        from (
            select distinct t.resource collate "C" as resource
            from (
                select v.value #>> '{}' as resource
                from jsonb_path_query(
                    p_args, 'strict $.** ? (@.type() == "string")'
                ) as v (value)
                where left(v.value #>> '{}', 1) = '/' or position('://' in v.value #>> '{}') > 0
                union all
                select e.value #>> '{}'
                from jsonb_path_query(
                    p_args, 'strict $.** ? (@.type() == "object").keyvalue()'
                ) as m (member)
                cross join lateral jsonb_path_query(
                    m.member -> 'value', 'lax $[*] ? (@.type() == "string")'
                ) as e (value)
                where lower(m.member ->> 'key') in (
                    'path', 'paths', 'file', 'files', 'filename', 'dir', 'directory', 'cwd',
                    'host', 'hosts', 'hostname', 'url', 'urls', 'uri', 'endpoint'
                )
            ) as t
        ) as s
        where not cmbs_store.is_in_roots(s.resource, p_roots)
        order by s.resource
    )
$$;

comment on function cmbs_store.resource_reasons(text[], integer, jsonb) is
'Paths and hosts in arguments that lie outside of the roots of a token.';

revoke all on function cmbs_store.resource_reasons(text[], integer, jsonb) from public;
