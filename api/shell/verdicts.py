"""What verbs decided, read off their answers for whoever counts it."""

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from cmbs.errors import SHELL_STATUS, BeliefError

# Of gates, as cmbs_store.decide_gate has them, and of packs that are applied.
_OF_GATES = (
    *("applied", "an invariant of the policy does not hold"),
    *("approved", "waived", "accepted", "approved by force", "minimum eliminations not met"),
    *("active obligation blocks conclusion", "active obligation blocks termination"),
    *("conclusion not stable", "force not allowed by policy"),
    "termination requires a singleton survivor",
)
# Of proposals and claims, as cmbs.reason_code lists them.
_OF_VERDICTS = (
    *("ALLOWED", "IDEMPOTENCY_REQUIRED", "IDEMPOTENCY_MISMATCH", "SNAPSHOT_UNKNOWN"),
    *("SNAPSHOT_STALE", "POLICY_UNAVAILABLE", "NAMESPACE_FORBIDDEN", "NAMESPACE_UNKNOWN"),
    *("TOKEN_MISSING", "TOKEN_UNKNOWN", "TOKEN_HOLDER_MISMATCH", "TOKEN_REVOKED"),
    *("TOKEN_NOT_YET_VALID", "TOKEN_EXPIRED", "SCOPE_NOT_ALLOWED", "RESOURCE_OUT_OF_SCOPE"),
    *("BUDGET_EXHAUSTED", "ATTENUATION_WIDENS", "APPROVAL_REQUIRED", "TOOL_UNKNOWN"),
    *("TOOL_WITHDRAWN", "ARGS_SCHEMA_INVALID", "VALUE_NOT_JSON", "VALUE_VERSION_INVALID"),
    *("DUPLICATE_JSON_KEY", "KEY_PREFIX_CONFLICT", "CLAIM_NOT_CONFIRMED", "CLAIM_TTL_REQUIRED"),
    *("CLAIM_NEW_EVIDENCE_REQUIRED", "CONSTRAINT_DENIED", "CONSTRAINT_MALFORMED"),
    *("CONSTRAINT_UNKNOWN", "NO_APPLICABLE_ALLOW", "POLICY_INCOMPLETE", "GOAL_CONFLICT"),
    *("WRITE_WRITE_CONFLICT", "INVARIANT_VIOLATED", "COOLDOWN_ACTIVE", "MODE_FORBIDS"),
    *("CLARIFICATION_BUDGET_EXHAUSTED", "EVALUATION_ERROR", "DEFER_EXHAUSTED"),
    *("APPROVAL_NOT_ASKED", "APPROVAL_PENDING", "APPROVAL_ACTION_MISMATCH", "APPROVAL_CONSUMED"),
    *("APPROVAL_DECLINED", "APPROVAL_CANCELLED", "APPROVAL_EXPIRED", "APPROVAL_SUPERSEDED"),
    *("APPROVAL_OWN_REQUEST", "APPROVAL_HOLDER_MISMATCH", "APPROVAL_RESOLVED"),
    *("PERMIT_SAME_TRANSACTION", "PERMIT_HOLDER_MISMATCH", "PERMIT_USED", "PERMIT_EXPIRED"),
    *("PERMIT_NOT_BEGUN", "PERMIT_COMPLETED"),
)
# Of refusals: the codes of errors.
_OF_REFUSALS = (*SHELL_STATUS, *(kind.api_code for kind in BeliefError.__subclasses__()))
REASONS = frozenset((*_OF_GATES, *_OF_VERDICTS, *_OF_REFUSALS, "none"))

VERDICTS = (
    *("approved", "denied", "allow", "deny", "ask", "defer", "declined", "cancelled"),
    "refused",
)

# Verbs that decide. Of others no answer is read: they are not slowed by what is counted.
DECIDING = frozenset(
    {
        *("request_exit", "waive_obligation", "declare_conclusion", "request_termination"),
        *("propose", "resume", "record_claim", "promote_claim", "resolve_interrupt"),
        "apply_policy",
    }
)


class Decided(Struct):
    """Of an answer what says how it was decided; its other members are skipped."""

    approved: bool | None = None
    accepted: bool | None = None
    reason: str = "none"
    decision: str | None = None
    disposition: str | None = None
    reason_code: str = "none"
    status: str | None = None

    @property
    def verdict(self) -> tuple[str, str] | None:
        """What a gate or a policy said, and its reason. To ask is a denial, or a deferral, until
        somebody has answered."""
        is_approved = self.approved if self.accepted is None else self.accepted
        if is_approved is not None:
            return "approved" if is_approved else "denied", self.reason
        if self.decision is None:
            # Here `reason` is what the caller wrote.
            return None
        return "ask" if self.disposition == "ask" else self.decision, self.reason_code


class _Verified(Struct):
    ok: bool


_DECIDED, _VERIFIED = Decoder(Decided), Decoder(_Verified)


def decided(answer: bytes) -> tuple[str, str]:
    """The verdict, and its reason."""
    try:
        found = _DECIDED.decode(answer)
    except (DecodeError, RecursionError):
        # It is decided and recorded all the same.
        return "other", "other"
    return found.verdict or (found.status or "none", "none")


def is_whole(answer: bytes) -> bool:
    """What a verify found."""
    return _VERIFIED.decode(answer).ok
