-- cmbs_store.why_gone
--
-- Whether a hypothesis survives, and if not, the event that eliminated it; as JSON text.
--
-- p_seq      the event, null if the hypothesis survives
-- Raises     MB201 INVALID_REQUEST, MB202 INVALID_HYPOTHESIS_ID.

create or replace function cmbs_store.why_gone(
    p_session cmbs_store.session,
    p_hypothesis_id text,
    out p_answer text,
    out p_seq bigint
)
language plpgsql
stable
as $$
declare
    v_eliminated_by text;
begin
    perform cmbs_store.check_known(
        array[p_hypothesis_id],
        array(
            select m.hypothesis_id
            from cmbs_store.universe_member as m
            where m.universe_digest = p_session.universe_digest
                and m.hypothesis_id = p_hypothesis_id
        )
    );
    select
        format(
            '{"event_id": "%s", "seq": %s, "ts": "%s", "source_id": %s, "observation_id": %s, '
            '"justification": %s, "actor": %s}',
            e.event_id,
            e.seq,
            cmbs_store.timestamp_v1(e.recorded_at),
            to_json(e.source_id),
            to_json(e.observation_id),
            e.record::jsonb -> 'payload' -> 'justification',
            to_json(e.actor)
        ),
        e.seq
    into v_eliminated_by, p_seq
    from cmbs_store.tombstone as t
    inner join cmbs_store.audit_event as e on e.session_id = t.session_id and e.seq = t.seq
    where t.session_id = p_session.session_id and t.hypothesis_id = p_hypothesis_id;
    p_answer := format(
        '{"hypothesis_id": %s, "survives": %s, "eliminated_by": %s}',
        to_json(p_hypothesis_id),
        (p_seq is null)::text,
        coalesce(v_eliminated_by, 'null')
    );
end
$$;
