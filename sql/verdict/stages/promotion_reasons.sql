-- cmbs_store.promotion_reasons
--
-- Whether a promotion has evidence that none of the claims had that it goes back to: a
-- confirmation, or a source. More confidence alone is none.

create or replace function cmbs_store.promotion_reasons(
    p_session cmbs_store.session,
    p_claim jsonb,
    p_promotes uuid
)
returns cmbs_store.reason[]
language sql
stable
as $$
    with recursive before as (
        select c.claim_id, c.promotes, c.source_chunk_ids, c.confirmed_by_event_id
        from cmbs_store.claim as c
        where c.session_id = p_session.session_id and c.claim_id = p_promotes
        union
        select c.claim_id, c.promotes, c.source_chunk_ids, c.confirmed_by_event_id
        from before as b
        inner join cmbs_store.claim as c
            on c.session_id = p_session.session_id and c.claim_id = b.promotes
    )
    select case
        when p_promotes is null then '{}'
        when exists (
            select from jsonb_array_elements_text(p_claim -> 'source_chunk_ids') as s (id)
            where not exists (select from before as b where s.id = any(b.source_chunk_ids))
        ) then '{}'
        when cmbs_store.cites_confirmation(p_session, p_claim) and not exists (
            select from before as b
            where b.confirmed_by_event_id = (p_claim ->> 'confirmed_by_event_id')::uuid
        ) then '{}'
        else array[(
            1, 'schemas', 'CLAIM_NEW_EVIDENCE_REQUIRED', null, 'defer',
            'it needs a source or a confirmation that no claim before it cites'
        )::cmbs_store.reason]
    end
$$;
