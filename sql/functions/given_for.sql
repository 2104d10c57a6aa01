-- cmbs_store.given_for
--
-- What a verdict about an earlier proposal is given: the roles that its proposer has now, the one
-- reading of the clock, and the kill switch if it is on.
--
-- p_payload   that of the proposal

create or replace function cmbs_store.given_for(
    p_session cmbs_store.session,
    p_actor text,
    p_payload jsonb
)
returns jsonb
language sql
volatile
as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'roles', cmbs_store.standing_roles(
            p_session.tenant, p_actor, p_payload #>> '{proposal,provenance,source}'
        ),
        'decided_at',
        cmbs_store.timestamp_v1(greatest(cmbs_store.clock(), p_session.audit_head_at)),
        'halt', cmbs_store.halted(p_session.tenant)
    ))
$$;

comment on function cmbs_store.given_for(cmbs_store.session, text, jsonb) is
'What a verdict is given about an earlier proposal.';

revoke all on function cmbs_store.given_for(cmbs_store.session, text, jsonb) from public;
