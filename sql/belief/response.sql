-- cmbs_store.response
--
-- The response of a mutating verb, ready to send: the members of the verb itself, and the snapshot.

create or replace function cmbs_store.response(
    p_outcome text,
    p_session cmbs_store.session,
    p_minimal boolean
)
returns json
language sql
stable
as $$
    select format(
        '{%s, "snapshot": %s}',
        p_outcome, cmbs_store.snapshot(p_session, coalesce(p_minimal, false))
    )::json
$$;
