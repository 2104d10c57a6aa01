-- cmbs_store.steps_without
--
-- The log of a session without some of its messages, in order: each elimination with the number of
-- hypotheses it would have found alive, as long as nothing ended the session, and each message to a
-- gate as it was sent.
--
-- p_seqs     the messages that would have eliminated the orphans, one entry for each orphan

create or replace function cmbs_store.steps_without(
    p_session_id uuid,
    p_without_source text,
    p_without_observation text,
    p_seqs bigint[],
    out seq bigint,
    out verb text,
    out event_id uuid,
    out payload jsonb,
    out n_eliminated bigint
)
returns setof record
language sql
stable
as $$
    select s.seq, min(s.verb), min(s.event_id::text)::uuid, s.payload, sum(s.n)::bigint
    from (
        select e.seq, e.verb, e.event_id, r.payload, r.n
        from cmbs_store.audit_event as e
        cross join lateral (
            select
                case when e.verb <> 'ELIMINATE' then p.record -> 'payload' end as payload,
                case
                    when e.verb = 'ELIMINATE'
                        then jsonb_array_length(p.record #> '{delta,eliminated}')
                    else 0
                end as n
            from (select e.record::jsonb as record offset 0) as p
        ) as r
        where e.session_id = p_session_id
            and e.seq > 1
            and not cmbs_store.is_arbitration(e.verb)
            and not cmbs_store.is_left_out(
                e.source_id, e.observation_id, p_without_source, p_without_observation
            )
        union all
        select o.seq, 'ELIMINATE', null, null, count(*)
        from unnest(p_seqs) as o (seq)
        where o.seq is not null
        group by o.seq
    ) as s
    group by s.seq, s.payload
    order by s.seq
$$;
