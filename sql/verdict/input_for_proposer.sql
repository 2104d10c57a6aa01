-- cmbs_store.input_for_proposer
--
-- What a verdict about an earlier proposal is given, as cmbs_store.input_for_roles, with the roles
-- that its proposer has now.
--
-- p_payload   that of the proposal

create or replace function cmbs_store.input_for_proposer(
    p_session cmbs_store.session,
    p_actor text,
    p_payload jsonb
)
returns cmbs_store.verdict_input
language sql
volatile
as $$
    select cmbs_store.input_for_roles(p_session, cmbs_store.roles_now(
        p_session.tenant, p_actor, p_payload #>> '{proposal,provenance,source}'
    ))
$$;
