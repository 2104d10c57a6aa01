-- cmbs_store.deferral_json
--
-- A deferred proposal as it is shown: whether it waits, for what and how long, and every try.

create or replace function cmbs_store.deferral_json(
    p_session cmbs_store.session,
    p_deferral_id uuid
)
returns json
language sql
stable
as $$
    select json_build_object(
        'deferral_id', p_deferral_id,
        'status', case
            when l.next_at is not null and not p_session.is_terminated then 'waiting'
            when l.next_at is not null then 'ended'
            when l.reasons @> '[{"code": "DEFER_EXHAUSTED"}]' then 'exhausted'
            else l.decision
        end,
        'missing', l.keys,
        'next_at', cmbs_store.timestamp_v1(l.next_at),
        'tries', l.tries
    )
    from (
        select
            (array_agg(d.next_at order by d.seq desc))[1] as next_at,
            to_jsonb((array_agg(to_jsonb(d.keys) order by d.seq desc))[1]) as keys,
            (array_agg(p.payload ->> 'decision' order by d.seq desc))[1] as decision,
            (array_agg(p.payload -> 'reasons' order by d.seq desc))[1] as reasons,
            json_agg(
                json_build_object(
                    'proposal_id', e.event_id, 'attempt', d.attempt,
                    'ts', cmbs_store.timestamp_v1(e.recorded_at),
                    'decision', p.payload -> 'decision',
                    'reason_code', p.payload -> 'reason_code',
                    'by', coalesce(p.payload -> 'retries' ->> 'by', e.actor)
                )
                order by d.seq
            ) as tries
        from cmbs_store.deferral as d
        inner join cmbs_store.audit_event as e on e.session_id = d.session_id and e.seq = d.seq
        cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
        where d.session_id = p_session.session_id and d.deferral_id = p_deferral_id
    ) as l
$$;
