"""Every route, in the order in which they are described."""

from cmbs.api.rooms.belief import routes as belief
from cmbs.api.rooms.capability import routes as capability
from cmbs.api.rooms.claim import routes as claim
from cmbs.api.rooms.gates import routes as gates
from cmbs.api.rooms.identity import routes as identity
from cmbs.api.rooms.interrupt import routes as interrupt
from cmbs.api.rooms.log import routes as log
from cmbs.api.rooms.lookback import routes as lookback
from cmbs.api.rooms.operations import metrics
from cmbs.api.rooms.operations import routes as operations
from cmbs.api.rooms.permit import routes as permit
from cmbs.api.rooms.policy import routes as policy
from cmbs.api.rooms.registry import routes as registry
from cmbs.api.rooms.rollout import routes as rollout
from cmbs.api.rooms.spaces import routes as spaces
from cmbs.api.rooms.upkeep import routes as upkeep
from cmbs.api.rooms.verdict import routes as verdict

ROUTES = (
    *(belief.declare_session, belief.list_sessions, belief.query_belief),
    *(belief.eliminate, belief.eliminate_batch),
    *(log.audit_trace, log.audit_event, log.verify, lookback.why),
    *(lookback.explain, lookback.diff, lookback.whatif),
    *(gates.list_obligations, gates.enter_obligation, gates.request_exit, gates.waive_obligation),
    *(gates.list_conclusions, gates.declare_conclusion, gates.request_termination),
    *(rollout.apply_policy, verdict.propose, verdict.list_proposals),
    *(verdict.explain_decision, rollout.replay_policy),
    *(verdict.read_state, verdict.list_permitted),
    *(verdict.resume, verdict.list_deferrals, rollout.set_mode),
    *(permit.begin_execution, permit.complete_execution),
    *(permit.list_permits, permit.read_permit, upkeep.sweep_expired),
    *(interrupt.list_interrupts, interrupt.read_interrupt, interrupt.resolve_interrupt),
    *(interrupt.list_inbox, interrupt.set_webhook),
    *(capability.issue_capability, capability.list_capabilities, capability.revoke_capability),
    *(claim.record_claim, claim.list_claims, claim.promote_claim, claim.confirm_claim),
    *(policy.list_policies, rollout.publish_policy, policy.list_policy_versions),
    *(policy.read_policy, policy.diff_policy, policy.lint_published_policy, rollout.test_policy),
    *(policy.lint_policy, policy.halt_policy),
    *(registry.register_tool, registry.list_tools, registry.read_tool, registry.withdraw_tool),
    *(registry.register_schema, registry.list_schemas, registry.read_schema),
    *(spaces.register_space, spaces.read_space),
    *(identity.create_principal, identity.list_principals),
    *(identity.read_principal, identity.change_principal),
    *(identity.create_token, identity.list_tokens, identity.rotate_token),
    *(identity.read_token, identity.revoke_token, identity.identify),
    *(identity.audit_identities, identity.verify_identities),
    *(operations.healthz, operations.readyz, metrics.metrics),
)
