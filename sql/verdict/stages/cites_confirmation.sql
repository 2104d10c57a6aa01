-- cmbs_store.cites_confirmation
--
-- Whether a claim cites an approver's act that names its key and its value, as of the event that
-- the session is given as of.

create or replace function cmbs_store.cites_confirmation(
    p_session cmbs_store.session,
    p_claim jsonb
)
returns boolean
language sql
stable
as $$
    select exists (
        select
        from cmbs_store.claim_confirmation as c
        inner join cmbs_store.audit_event as e
            on e.session_id = c.session_id
                and e.seq = c.seq
                and e.event_id = (p_claim ->> 'confirmed_by_event_id')::uuid
        where c.session_id = p_session.session_id
            and c.seq <= p_session.audit_seq
            and c.seq = cmbs_store.event_seq((p_claim ->> 'confirmed_by_event_id')::uuid)
            and c.key = p_claim ->> 'key'
            and c.value_digest = cmbs_store.digest_v1((p_claim -> 'value')::text)
    )
$$;
