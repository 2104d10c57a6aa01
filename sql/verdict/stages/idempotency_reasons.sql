-- cmbs_store.idempotency_reasons
--
-- The stage of idempotency: a key that the proposer used for other items before. As of the event
-- that the session is given as of.

create or replace function cmbs_store.idempotency_reasons(
    p_session cmbs_store.session,
    p_actor text,
    p_proposal jsonb
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_first record;
begin
    if not p_proposal ? 'idempotency_key' then
        return '{}'::cmbs_store.reason[];
    end if;
    select p.seq, p.content_hash
    into v_first
    from cmbs_store.proposal as p
    where p.session_id = p_session.session_id
        and p.actor = p_actor
        and p.idempotency_key = p_proposal ->> 'idempotency_key'
        and p.seq <= p_session.audit_seq
    order by p.seq
    limit 1;
    if v_first.content_hash <> cmbs_store.proposal_digest(p_proposal) then
        return array[(
            null, 'idempotency', 'IDEMPOTENCY_MISMATCH', null, 'block',
            'the key was used for other items in event ' || v_first.seq
        )::cmbs_store.reason];
    end if;
    return '{}'::cmbs_store.reason[];
end
$$;
