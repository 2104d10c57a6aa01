-- cmbs_store.belief_values
--
-- Those of the given keys that tell the belief, as of the event that the session is given as of:
-- what the audit says, which nobody can write.
--
-- p_actor    for whom n_survivors_independent counts only what others asked for

create or replace function cmbs_store.belief_values(
    p_session cmbs_store.session,
    p_actor text,
    p_keys text[]
)
returns jsonb
language sql
stable
as $$
    select coalesce(
        jsonb_object_agg(
            k.key,
            jsonb_build_object('value', jsonb_build_object('v', 1, 'value', case k.key
                when 'fact.belief.n_survivors' then to_jsonb(p_session.n_survivors)
                when 'fact.belief.n_hypotheses' then to_jsonb(p_session.n_hypotheses)
                when 'fact.belief.terminated' then to_jsonb(p_session.is_terminated)
                when 'fact.belief.active_obligation_id' then to_jsonb(p_session.obligation_id)
                when 'fact.belief.conclusion' then
                    to_jsonb(cmbs_store.accepted_conclusion(p_session))
                when 'fact.belief.survivors' then cmbs_store.survivors_then(p_session)
                else to_jsonb(cmbs_store.independent_survivors(p_session, p_actor))
            end))
        ),
        '{}'
    )
    from unnest(p_keys) as k (key)
    where k.key in (
        'fact.belief.n_survivors', 'fact.belief.n_hypotheses', 'fact.belief.terminated',
        'fact.belief.active_obligation_id', 'fact.belief.conclusion', 'fact.belief.survivors',
        'fact.belief.n_survivors_independent'
    )
$$;
