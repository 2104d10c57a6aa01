-- cmbs_store.proposal_outcome
--
-- The members of an answer that tell what was decided on a proposal, as JSON text.
--
-- p_event_id   null for a dry run, which has no event

create or replace function cmbs_store.proposal_outcome(
    p_payload jsonb,
    p_event_id uuid,
    p_duplicate boolean
)
returns text
language sql
stable
as $$
    select format(
        '"proposal_id": %s, "decision": %s, "disposition": %s, "reason_code": %s, "reasons": %s, '
        '"items": %s, %s"policy": %s, "audit_event_id": %s, "duplicate": %s',
        coalesce(to_json(p_event_id)::text, 'null'),
        p_payload -> 'decision', p_payload -> 'disposition', p_payload -> 'reason_code',
        p_payload -> 'reasons', p_payload -> 'items',
        '"deferral": ' || (p_payload -> 'deferral')::text || ', ',
        p_payload -> 'policy',
        coalesce(to_json(p_event_id)::text, 'null'),
        p_duplicate::text
    )
$$;
