-- cmbs_store.elimination_outcome
--
-- The members of an ELIMINATE response, the snapshot aside, as JSON text.

create or replace function cmbs_store.elimination_outcome(
    p_applied text,
    p_ignored text[],
    p_event_id uuid,
    p_duplicate boolean
)
returns text
language sql
stable
as $$
    select format(
        '"applied_eliminated": %s, "ignored_eliminated": %s, '
        '"audit_event_id": "%s", "duplicate": %s',
        p_applied, to_jsonb(p_ignored), p_event_id, p_duplicate::text
    )
$$;
