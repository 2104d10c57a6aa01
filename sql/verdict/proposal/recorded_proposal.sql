-- cmbs_store.recorded_proposal
--
-- The payload of the proposal that the same proposer made under the same key with the same items;
-- null if there is none.

create or replace function cmbs_store.recorded_proposal(
    p_session_id uuid,
    p_actor text,
    p_proposal jsonb,
    out p_payload jsonb,
    out p_event_id uuid
)
returns record
language plpgsql
stable
as $$
begin
    select e.record::jsonb -> 'payload', e.event_id
    into p_payload, p_event_id
    from (
        select p.seq, p.content_hash
        from cmbs_store.proposal as p
        where p.session_id = p_session_id
            and p.actor = p_actor
            and p.idempotency_key = p_proposal ->> 'idempotency_key'
        order by p.seq
        limit 1
    ) as f
    inner join cmbs_store.audit_event as e on e.session_id = p_session_id and e.seq = f.seq
    where f.content_hash = cmbs_store.proposal_digest(p_proposal);
end
$$;
