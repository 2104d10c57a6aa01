-- cmbs_store.altered_content
--
-- The events that name a tool or a schema whose content is here and is not that of its hash.

create or replace function cmbs_store.altered_content(
    p_session_id uuid
)
returns setof bigint
language sql
stable
as $$
    select e.seq
    from cmbs_store.audit_event as e
    cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
    cross join lateral jsonb_each_text(
        case when jsonb_typeof(p.payload -> 'tools') = 'object' then p.payload -> 'tools' end
    ) as n (id, hash)
    inner join cmbs_store.tool_definition as t
        on t.tool_hash = decode(case when n.hash ~ '^[0-9a-f]{64}$' then n.hash end, 'hex')
    where e.session_id = p_session_id
        and e.verb in ('PROPOSE', 'RECORD_CLAIM', 'POLICY_APPLY')
        and t.tool_hash <> cmbs_store.digest_v1(t.definition)
    union all
    select e.seq
    from cmbs_store.audit_event as e
    cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
    cross join lateral jsonb_each_text(
        case when jsonb_typeof(p.payload -> 'schemas') = 'object' then p.payload -> 'schemas' end
    ) as n (id, hash)
    inner join cmbs_store.schema_document as d
        on d.schema_hash = decode(case when n.hash ~ '^[0-9a-f]{64}$' then n.hash end, 'hex')
    where e.session_id = p_session_id
        and e.verb in ('PROPOSE', 'RECORD_CLAIM', 'POLICY_APPLY')
        and d.schema_hash <> cmbs_store.digest_v1(d.document)
$$;

comment on function cmbs_store.altered_content(uuid) is
'The events that name a tool or schema whose content is not that of its hash.';

revoke all on function cmbs_store.altered_content(uuid) from public;
