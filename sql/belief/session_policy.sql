-- cmbs_store.session_policy
--
-- The policy of a session, as canonical text.

create or replace function cmbs_store.session_policy(
    p_session cmbs_store.session
)
returns text
language sql
stable
as $$
    select format(
        '{"stability_window": %s, "validate_hypotheses": %s, "allow_forced_termination": %s}',
        p_session.stability_window,
        p_session.validate_hypotheses::text,
        p_session.allow_forced_termination::text
    )
$$;
