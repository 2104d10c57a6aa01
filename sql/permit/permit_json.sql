-- cmbs_store.permit_json
--
-- A permit as it is shown: the call that it lets execute, and what has become of it.

create or replace function cmbs_store.permit_json(
    p_session cmbs_store.session,
    p_permit cmbs_store.permit,
    p_at timestamptz
)
returns json
language sql
stable
as $$
    select json_build_object(
        'permit_id', p_permit.permit_id,
        'proposal_id', e.event_id,
        'item_no', p_permit.item_no,
        'status', cmbs_store.permit_state(p_session, p_permit, p_at),
        'tool_id', p_permit.tool_id,
        'args', e.payload #> array['proposal', 'items', (p_permit.item_no - 1)::text, 'args'],
        'args_hash', e.payload #> array['items', (p_permit.item_no - 1)::text, 'args_hash'],
        'proposed_by', p_permit.actor,
        'token_id', p_permit.token_id,
        'issued_at', cmbs_store.timestamp_v1(e.recorded_at),
        'expires_at', cmbs_store.timestamp_v1(p_permit.expires_at),
        'begun', (
            select json_build_object(
                'by', b.actor, 'at', cmbs_store.timestamp_v1(x.recorded_at),
                'audit_event_id', x.event_id
            )
            from cmbs_store.permit_begin as b
            inner join cmbs_store.audit_event as x
                on x.session_id = b.session_id and x.seq = b.seq
            where b.session_id = p_permit.session_id and b.permit_id = p_permit.permit_id
        ),
        'ended', (
            select json_build_object(
                'at', cmbs_store.timestamp_v1(x.recorded_at), 'audit_event_id', x.event_id,
                'result_hash', encode(d.result_hash, 'hex'),
                'result', x.record::jsonb -> 'payload' -> 'result',
                'usage', x.record::jsonb -> 'payload' -> 'usage'
            )
            from cmbs_store.permit_end as d
            inner join cmbs_store.audit_event as x
                on x.session_id = d.session_id and x.seq = d.seq
            where d.session_id = p_permit.session_id and d.permit_id = p_permit.permit_id
        )
    )
    from (
        select a.event_id, a.recorded_at, a.record::jsonb -> 'payload' as payload
        from cmbs_store.audit_event as a
        where a.session_id = p_permit.session_id and a.seq = p_permit.seq
        offset 0
    ) as e
$$;
