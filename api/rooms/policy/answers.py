"""What the routes about policy packs answer, and what a verdict is."""

from typing import Any, Literal
from uuid import UUID

from msgspec import UNSET, UnsetType

from cmbs.api.rooms.belief.answers import Snapshot
from cmbs.api.rooms.gates.answers import Approved
from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Object, Recorded, Timestamp

Decision = Literal["allow", "deny", "defer"]
Disposition = Literal["execute", "block", "ask", "defer", "degrade"]


class PackVersion(Exact, kw_only=True):
    pack: str
    version: Count
    policy_hash: Hex


class FailedCheck(Exact, kw_only=True):
    """Why not: `key` is the constraint or the key of the state, `detail` what would have to be."""

    stage: str
    code: str
    disposition: Disposition
    detail: str | UnsetType = UNSET
    key: str | UnsetType = UNSET
    item_no: Count | UnsetType = UNSET


class Verdict(Exact, kw_only=True):
    """`reason_code` is `ALLOWED`, or the code of the first of the `reasons`."""

    decision: Decision
    disposition: Disposition
    reason_code: str


class VerdictWithReasons(Verdict, kw_only=True):
    reasons: list[FailedCheck]


class Applied(Approved, kw_only=True):
    """Not approved if an invariant of the pack does not hold of the state as it is."""

    reasons: list[FailedCheck]


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


Mode = Literal["boost", "normal", "eco", "thermal", "offline_safe"]


class ModeSet(Recorded, kw_only=True):
    mode: Mode
    reason: str
    snapshot: Snapshot


class Published(Exact, kw_only=True):
    pack: str
    version: Count
    policy_hash: Hex
    n_entries: Count
    n_fixtures: Count
    duplicate: bool


class ListedPolicy(PackVersion, kw_only=True):
    n_entries: Count
    published_at: Timestamp
    published_by: str


class Policies(Exact, kw_only=True):
    """`halted` is why every proposal and claim is denied now, if they are."""

    halted: str | None
    policies: list[ListedPolicy]


class PolicyVersion(PackVersion, kw_only=True):
    published_at: Timestamp
    published_by: str
    fixtures: list[Object]
    entries: dict[str, Any]


class NamedVersion(Exact, kw_only=True):
    pack: str
    version: Count


class Entry(Exact, kw_only=True):
    """A key and the text of its entry."""

    key: str
    value: str


class ChangedEntry(Exact, kw_only=True, rename={"from_": "from"}):
    key: str
    from_: str
    to: str


class PolicyDiff(Exact, kw_only=True, rename={"from_": "from"}):
    from_: NamedVersion
    to: NamedVersion
    added: list[Entry]
    removed: list[Entry]
    changed: list[ChangedEntry]


class Finding(Exact, kw_only=True):
    key: str
    severity: Literal["error", "warning"]
    finding: str


class Linted(Exact, kw_only=True):
    n_errors: Count
    n_warnings: Count
    findings: list[Finding]


class FixtureResult(Exact, kw_only=True):
    name: str
    ok: bool
    expected: Object
    got: VerdictWithReasons


class Tested(NamedVersion, kw_only=True):
    n_fixtures: Count
    n_failed: Count
    results: list[FixtureResult]


class Halted(Exact, kw_only=True):
    """`halted` is why, or null; that of all tenants counts too."""

    tenant: str
    halted: str | None
