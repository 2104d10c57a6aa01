-- cmbs.arbitration_content
--
-- Every policy, schema and tool that the log of a session names, with its content.

create or replace view cmbs.arbitration_content with (security_barrier) as
select
    n.session_id,
    n.kind,
    n.content_hash,
    case n.kind
        when 'policy' then (
            select coalesce(
                (
                    select jsonb_object_agg(i.key, i.value)
                    from cmbs_store.policy_entry as i
                    where i.policy_hash = p.policy_hash
                ),
                '{}'
            )::text
            from cmbs_store.policy as p
            where p.policy_hash = decode(n.content_hash, 'hex')
        )
        when 'schema' then (
            select d.document
            from cmbs_store.schema_document as d
            where d.schema_hash = decode(n.content_hash, 'hex')
        )
        else (
            select t.definition
            from cmbs_store.tool_definition as t
            where t.tool_hash = decode(n.content_hash, 'hex')
        )
    end as content
from (
    select distinct e.session_id, h.kind, h.content_hash
    from cmbs_store.audit_event as e
    cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
    cross join lateral (
        -- Also those of what is asked beside the policy in force.
        select 'policy' as kind, n.content_hash
        from unnest(array[
            p.payload #>> '{arbitration,policy_hash}',
            p.payload #>> '{arbitration,shadow,policy_hash}',
            p.payload #>> '{policy,policy_hash}',
            p.payload #>> '{shadow,policy,policy_hash}',
            p.payload #>> '{shadow,policy_hash}',
            p.payload ->> 'policy_hash'
        ]) as n (content_hash)
        union all
        select 'schema' as kind, s.value as content_hash
        from unnest(array[
            p.payload -> 'schemas', p.payload #> '{shadow,schemas}'
        ]) as d (schemas)
        cross join lateral jsonb_each_text(d.schemas) as s (key, value)
        union all
        select 'tool' as kind, t.value as content_hash
        from unnest(array[
            p.payload -> 'tools', p.payload #> '{shadow,tools}'
        ]) as d (tools)
        cross join lateral jsonb_each_text(d.tools) as t (key, value)
    ) as h
    where e.verb in (
            'PROPOSE', 'RECORD_CLAIM', 'POLICY_APPLY', 'DECLARE_SESSION', 'BEGIN_EXECUTION'
        )
        -- A tool that was not registered has none, and one that was withdrawn false.
        and h.content_hash ~ '^[0-9a-f]{64}$'
        and (
            (select cmbs.tenant()) = '*' or exists (
                select
                from cmbs_store.session as o
                where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
            )
        )
) as n;

comment on view cmbs.arbitration_content is
'Every policy, schema and tool that the log of a session names, with its content.';
comment on column cmbs.arbitration_content.session_id is 'the session';
comment on column cmbs.arbitration_content.kind is 'policy, schema or tool';
comment on column cmbs.arbitration_content.content_hash is 'sha-256 of the content, hex';
comment on column cmbs.arbitration_content.content is
'its canonical text, of a policy that of an object with the text of each entry by its key; null '
'if it is not in this database';

revoke all on cmbs.arbitration_content from public;
grant select on cmbs.arbitration_content to cmbs_auditor, cmbs_policy, cmbs_analyst;
