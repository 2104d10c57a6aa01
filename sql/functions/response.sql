-- cmbs_store.response
--
-- The response of a mutating verb, ready to send: the members of the verb itself, and the snapshot.

create or replace function cmbs_store.response(
    p_outcome text,
    p_session cmbs_store.session,
    p_snapshot boolean,
    p_minimal boolean
)
returns json
language sql
stable
as $$
    select case
        when p_snapshot then format(
            '{%s, "snapshot": %s}',
            p_outcome, cmbs_store.snapshot(p_session, coalesce(p_minimal, false))
        )
        else format('{%s}', p_outcome)
    end::json
$$;

comment on function cmbs_store.response(text, cmbs_store.session, boolean, boolean) is
'The response of a mutating verb, ready to send.';

revoke all on function cmbs_store.response(text, cmbs_store.session, boolean, boolean) from public;
