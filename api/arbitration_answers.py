"""What the routes about arbitration answer; see answers.py, whose rules hold here too."""

from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from .answers import Approved, Count, Exact, Hex, Object, Snapshot, Timestamp, Told

AnyJson = Annotated[Any, Meta(extra_json_schema={"description": "Any JSON."})]
_Decision = Literal["allow", "deny", "defer"]
_Disposition = Literal["execute", "block", "ask", "defer", "degrade"]


class PackVersion(Exact, kw_only=True):
    pack: str
    version: Count
    policy_hash: Hex


class FailedCheck(Exact, kw_only=True):
    """Why not: `key` is the constraint or the key of the state, `detail` what would have to be."""

    stage: str
    code: str
    disposition: _Disposition
    detail: str | UnsetType = UNSET
    key: str | UnsetType = UNSET
    item_no: Count | UnsetType = UNSET


class Verdict(Exact, kw_only=True):
    """`reason_code` is `ALLOWED`, or the code of the first of the `reasons`."""

    decision: _Decision
    disposition: _Disposition
    reason_code: str


class VerdictWithReasons(Verdict, kw_only=True):
    reasons: list[FailedCheck]


class Interrupt(Exact, kw_only=True):
    """What a person is asked: the action, and the constraints that a yes would lift."""

    action_digest: Hex
    constraint_keys: list[str]
    expires_at: Timestamp


class PermitGiven(Exact, kw_only=True):
    """Until when the execution of the call may begin."""

    expires_at: Timestamp


class ItemVerdict(VerdictWithReasons, kw_only=True):
    """`effective`: whether it took effect, or of a call may be executed with the permit; `offer`:
    what would pass instead, with a `grant` to attenuate or in another `mode`."""

    item_no: Count
    effective: bool
    digest: Hex
    args_hash: Hex | UnsetType = UNSET
    interrupt_id: UUID | UnsetType = UNSET
    interrupt: Interrupt | UnsetType = UNSET
    permit_id: UUID | UnsetType = UNSET
    permit: PermitGiven | UnsetType = UNSET
    deferral_id: UUID | UnsetType = UNSET
    offer: Object | UnsetType = UNSET


class Applied(Approved, kw_only=True):
    """Not approved if an invariant of the pack does not hold of the state as it is."""

    reasons: list[FailedCheck]


class DeferralOpened(Exact, kw_only=True):
    """What a proposal waits for: keys that are `missing`, or the time of the next attempt."""

    deferral_id: UUID
    attempt: Count
    max_attempts: Count | UnsetType = UNSET
    missing: list[str]
    next_at: Timestamp | None


class Proposed(VerdictWithReasons, kw_only=True):
    """`proposal_id` is that of its event, null in a dry run."""

    proposal_id: UUID | None
    items: list[ItemVerdict]
    deferral: DeferralOpened | UnsetType = UNSET
    policy: PackVersion
    audit_event_id: UUID | None
    duplicate: bool
    snapshot: Snapshot


class ListedItem(Exact, kw_only=True):
    kind: str
    tool_id: str | UnsetType = UNSET
    keys: list[str] | UnsetType = UNSET


class Proposal(Verdict, kw_only=True):
    proposal_id: UUID
    seq: Count
    ts: Timestamp
    actor: str
    idempotency_key: str | None
    items: list[ListedItem]


class Proposals(Exact, kw_only=True):
    proposals: list[Proposal]
    next_before: Count | None


class ExplainedConstraint(Exact, kw_only=True):
    """`unlock` tells what is nearest to make it let the item pass; `condition` is its `when`, each
    clause with whether it holds (`true`, `false`, `unknown`) and what it read."""

    key: str
    outcome: Literal["allows", "does not allow", "denies", "does not deny", "waived", "malformed"]
    asked_as: str | None
    effect: Literal["allow", "deny"] | UnsetType = UNSET
    on_fail: Literal["block", "ask", "defer"] | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    unlock: str | UnsetType = UNSET
    condition: Object | UnsetType | None = UNSET


class ExplainedItem(ItemVerdict, kw_only=True):
    item: Object
    constraints: list[ExplainedConstraint]


class DecisionExplained(VerdictWithReasons, kw_only=True):
    """`reads` are the values that the policy read, as they were then."""

    proposal_id: UUID
    seq: Count
    ts: Timestamp
    actor: str
    policy: PackVersion
    reads: Object
    proposal: Object
    items: list[ExplainedItem]
    resumes: Object | UnsetType = UNSET
    retries: Object | UnsetType = UNSET
    deferral: Object | UnsetType = UNSET


class State(Exact, kw_only=True):
    """`f_sparse` holds facts and goals, each the JSON text of its value."""

    state_snapshot_id: UUID
    audit_seq: Count
    f_sparse: dict[str, str]
    s_core: list[float] | None
    pack: PackVersion
    policy: dict[str, str] | UnsetType = UNSET


class PermittedTool(Exact, kw_only=True):
    """`depends`: on the arguments, which a schema checks."""

    tool_id: str
    decision: Literal["allow", "deny", "defer", "depends"]
    disposition: _Disposition
    reason_code: str
    reasons: list[FailedCheck]


class Permitted(Exact, kw_only=True):
    state_snapshot_id: UUID
    policy: PackVersion
    tools: list[PermittedTool]


class VerdictFlip(Exact, kw_only=True):
    proposal_id: UUID
    seq: Count
    actor: str
    recorded: Verdict
    replayed: Verdict
    reasons: list[FailedCheck]


class Replayed(Exact, kw_only=True):
    pack: str
    version: Count
    n_proposals: Count
    n_flips: Count
    flips: list[VerdictFlip]


class TokenIssued(Told, kw_only=True):
    token_id: UUID
    secret: Annotated[str, Meta(description="It is shown this once; later it is null.")] | None
    snapshot: Snapshot


class CapabilityToken(Exact, kw_only=True):
    """`left` of the budgets is the least that is left of it and of those it was made of."""

    token_id: UUID
    parent_id: UUID | None
    depth: Count
    holder: str
    tools: list[str]
    capabilities: list[str]
    state_prefixes: list[str]
    resource_roots: list[str]
    budgets: dict[str, int]
    left: dict[str, int]
    valid_from: Timestamp
    expires_at: Timestamp
    approval_requirement: Literal["none", "required"]
    revoked: bool


class CapabilityTokens(Exact, kw_only=True):
    capability_tokens: list[CapabilityToken]


class TokenRevoked(Told, kw_only=True):
    token_id: UUID
    snapshot: Snapshot


class ClaimTold(VerdictWithReasons, kw_only=True):
    """`kind` may be another than was asked for; `claim_id` is null if it was not recorded."""

    claim_id: UUID | None
    kind: str
    confirmed: bool
    expires_at: Timestamp | None
    policy: PackVersion
    audit_event_id: UUID
    duplicate: bool
    snapshot: Snapshot


class Claim(Exact, kw_only=True):
    claim_id: UUID
    key: str
    kind: str
    value: AnyJson
    value_digest: Hex
    confidence: float
    confirmed: bool
    source_chunk_ids: list[str]
    confirmed_by_event_id: UUID | None
    conflict_state: str
    expires_at: Timestamp | None
    review_at: Timestamp | None
    promotes: UUID | None
    live: bool


class Claims(Exact, kw_only=True):
    claims: list[Claim]


class Confirmed(Told, kw_only=True):
    """`audit_event_id` is what a claim cites to be confirmed by it."""

    snapshot: Snapshot
