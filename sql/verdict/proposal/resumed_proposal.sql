-- cmbs_store.resumed_proposal
--
-- A proposal that goes on: as the one that was asked about, with those of its items that do, in the
-- state as it is.

create or replace function cmbs_store.resumed_proposal(
    p_session cmbs_store.session,
    p_proposal jsonb,
    p_item_nos jsonb
)
returns jsonb
language sql
immutable
as $$
    select p_proposal - 'idempotency_key' || jsonb_build_object(
        'state_snapshot_id', p_session.audit_head_event_id,
        'items', (
            select jsonb_agg(p_proposal -> 'items' -> n.item_no::integer - 1 order by n.no)
            from jsonb_array_elements_text(p_item_nos) with ordinality as n (item_no, no)
        )
    )
$$;
