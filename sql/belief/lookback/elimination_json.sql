-- cmbs_store.elimination_json
--
-- An event that eliminated hypotheses, as JSON text: who, when, on which evidence, and the first
-- hundred of them.

create or replace function cmbs_store.elimination_json(
    p_session_id uuid,
    p_seq bigint,
    p_n_eliminated bigint
)
returns text
language sql
stable
as $$
    select format(
        '{"event_id": "%s", "seq": %s, "ts": "%s", "actor": %s, "source_id": %s, '
        '"observation_id": %s, "justification": %s, "n_eliminated": %s, "eliminated": %s}',
        e.event_id,
        e.seq,
        cmbs_store.timestamp_v1(e.recorded_at),
        to_json(e.actor),
        to_json(e.source_id),
        to_json(e.observation_id),
        case
            when octet_length(r.evidence) <= 4096 then r.evidence
            else 'null'
        end,
        p_n_eliminated,
        jsonb_path_query_array(r.record -> 'delta' -> 'eliminated', '$[0 to 99]')
    )
    from cmbs_store.audit_event as e
    cross join lateral (
        select
            p.record,
            (p.record -> 'payload' -> 'justification')::text as evidence
        from (select e.record::jsonb as record offset 0) as p
        offset 0
    ) as r
    where e.session_id = p_session_id and e.seq = p_seq
$$;
