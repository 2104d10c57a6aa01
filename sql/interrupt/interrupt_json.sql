-- cmbs_store.interrupt_json
--
-- A question as it is shown: what exactly it is about, and what has become of it.

create or replace function cmbs_store.interrupt_json(
    p_session cmbs_store.session,
    p_interrupt cmbs_store.interrupt,
    p_at timestamptz
)
returns json
language sql
stable
as $$
    select json_build_object(
        'interrupt_id', p_interrupt.interrupt_id,
        'session_id', p_interrupt.session_id,
        'proposal_id', e.event_id,
        'item_no', p_interrupt.item_no,
        'status', cmbs_store.interrupt_state(p_session, p_interrupt, p_at),
        'question', left(format(
            '%s asks for %s: %s', e.actor,
            coalesce('a call of ' || (o.item ->> 'tool_id'), 'a change of the state'),
            coalesce(
                (
                    select string_agg(
                        regexp_replace(r ->> 'detail', ': it denies always$', ''), '; '
                    )
                    from jsonb_path_query(
                        o.verdict, '$.reasons[*] ? (@.disposition == "ask")'
                    ) as r
                ),
                o.verdict ->> 'reason_code'
            )
        ), 1000),
        'action', o.item,
        'action_digest', encode(p_interrupt.action_digest, 'hex'),
        'constraint_keys', p_interrupt.constraint_keys,
        'asked_by', e.actor,
        'asked_at', cmbs_store.timestamp_v1(e.recorded_at),
        'expires_at', cmbs_store.timestamp_v1(p_interrupt.expires_at),
        'policy', e.payload -> 'policy',
        'provenance', e.payload -> 'proposal' -> 'provenance',
        'resolution', cmbs_store.resolution_json(p_interrupt),
        'consumed_by', (
            select x.event_id
            from cmbs_store.interrupt_use as u
            inner join cmbs_store.audit_event as x
                on x.session_id = u.session_id and x.seq = u.seq
            where u.session_id = p_interrupt.session_id
                and u.interrupt_id = p_interrupt.interrupt_id
        )
    )
    from (
        select a.event_id, a.actor, a.recorded_at, a.record::jsonb -> 'payload' as payload
        from cmbs_store.audit_event as a
        where a.session_id = p_interrupt.session_id and a.seq = p_interrupt.seq
        offset 0
    ) as e
    cross join lateral (
        select
            e.payload #> array['proposal', 'items', (p_interrupt.item_no - 1)::text] as item,
            e.payload #> array['items', (p_interrupt.item_no - 1)::text] as verdict
    ) as o
$$;
