-- cmbs_store.begun_outcome
--
-- The members of an answer that tell what may be executed now, as JSON text.
--
-- p_origin   the payload of the proposal that gave the permit

create or replace function cmbs_store.begun_outcome(
    p_permit cmbs_store.permit,
    p_origin jsonb
)
returns text
language sql
stable
as $$
    select format(
        '"permit_id": "%s", "status": "executing", "tool_id": %s, "args": %s, "args_hash": %s',
        p_permit.permit_id,
        to_json(p_permit.tool_id),
        p_origin #> array['proposal', 'items', (p_permit.item_no - 1)::text, 'args'],
        p_origin #> array['items', (p_permit.item_no - 1)::text, 'args_hash']
    )
$$;
