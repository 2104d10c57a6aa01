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
    select n.seq
    from (
        select e.seq, m.content
        from cmbs_store.audit_event as e
        cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
        cross join unnest(array[p.payload, p.payload -> 'shadow']) as m (content)
        where e.session_id = p_session_id
            and e.verb in ('PROPOSE', 'RECORD_CLAIM', 'POLICY_APPLY', 'BEGIN_EXECUTION')
    ) as n
    cross join lateral (
        values ('tools', n.content -> 'tools'), ('schemas', n.content -> 'schemas')
    ) as k (kind, hashes)
    cross join lateral jsonb_each_text(
        case when jsonb_typeof(k.hashes) = 'object' then k.hashes end
    ) as i (id, hash)
    cross join lateral (
        select decode(case when i.hash ~ '^[0-9a-f]{64}$' then i.hash end, 'hex') as hash
    ) as h
    where exists (
        select
        from cmbs_store.tool_definition as t
        where k.kind = 'tools'
            and t.tool_hash = h.hash
            and t.tool_hash <> cmbs_store.digest_v1(t.definition)
    ) or exists (
        select
        from cmbs_store.schema_document as d
        where k.kind = 'schemas'
            and d.schema_hash = h.hash
            and d.schema_hash <> cmbs_store.digest_v1(d.document)
    )
$$;
