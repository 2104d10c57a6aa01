"""What the routes that bring a policy into force answer."""

from typing import Literal
from uuid import UUID

from cmbs.api.rooms.belief.answers import Snapshot
from cmbs.api.rooms.gates.answers import Approved
from cmbs.api.rooms.policy.answers import NamedVersion
from cmbs.api.rooms.verdict.answers import FailedCheck, Verdict, VerdictWithReasons
from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Object, Recorded


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


class FixtureResult(Exact, kw_only=True):
    name: str
    ok: bool
    expected: Object
    got: VerdictWithReasons


class Tested(NamedVersion, kw_only=True):
    n_fixtures: Count
    n_failed: Count
    results: list[FixtureResult]
