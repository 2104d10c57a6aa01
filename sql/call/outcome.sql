-- cmbs_store.outcome
--
-- The members of a response that tell the outcome of a message, as JSON text.

create or replace function cmbs_store.outcome(
    p_payload jsonb,
    p_event_id uuid,
    p_duplicate boolean
)
returns text
language sql
stable
as $$
    select format(
        '%s"audit_event_id": "%s", "duplicate": %s',
        (
            select string_agg(format('"%s": %s, ', m.key, m.value), '' order by m.key)
            from jsonb_each(p_payload) as m (key, value)
            where m.key in ('approved', 'accepted', 'reason', 'reasons')
        ),
        p_event_id,
        p_duplicate::text
    )
$$;
