"""What the reads answer that have no counterpart in a server of this process.

Times are seconds since 1970, as in `AuditEntry`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from cmbs.kernel.answers import timestamp

Kind = TypeVar("Kind")
_TIMES = {"ts", "registered_at", "created_at", "expires_at", "revoked_at", "last_used_at"}


def found(kind: type[Kind], members: Mapping[str, Any]) -> Kind:
    """The members that the kind has; a newer server may tell more."""
    given = {field.name: members[field.name] for field in fields(kind)}  # type: ignore[arg-type]
    for name in _TIMES & given.keys():
        given[name] = given[name] and timestamp(given[name])
    return kind(**given)


@dataclass(frozen=True)
class EliminatedBy:
    """The event that eliminated a hypothesis."""

    event_id: str
    seq: int
    ts: float
    source_id: str
    observation_id: str
    justification: dict[str, Any]
    actor: str


@dataclass(frozen=True)
class Why:
    """Whether a hypothesis survives, and if not, what eliminated it."""

    hypothesis_id: str
    survives: bool
    eliminated_by: EliminatedBy | None


@dataclass(frozen=True)
class Obligation:
    """An obligation; `state` is `active`, `exited` or `waived`."""

    obligation_id: str
    state: str
    min_total_eliminations: int
    counted: int
    entered_event_id: str
    ended_event_id: str | None


@dataclass(frozen=True)
class Conclusion:
    conclusion_id: str
    accepted: bool
    event_id: str
    ts: float
    actor: str


@dataclass(frozen=True)
class FirstBad:
    seq: int
    reason: str


@dataclass(frozen=True)
class Verified:
    """What the server found when it recomputed a session from its log."""

    ok: bool
    rows_checked: int
    head_hash: str | None
    first_bad: FirstBad | None


@dataclass(frozen=True)
class RegisteredSpace:
    """A hypothesis space; `duplicate` if it was known."""

    hypothesis_space_id: str
    hypothesis_version: str
    n_hypotheses: int
    universe_digest: str
    duplicate: bool


@dataclass(frozen=True)
class Space:
    """A hypothesis space with its hypotheses."""

    hypothesis_space_id: str
    hypothesis_version: str
    n_hypotheses: int
    universe_digest: str
    registered_at: float
    registered_by: str
    hypotheses: list[str]


@dataclass(frozen=True)
class Alive:
    """The server runs; the database was not asked."""

    status: str


@dataclass(frozen=True)
class Ready:
    """The database answers, and `revision` is that of its schema."""

    status: str
    revision: str


@dataclass(frozen=True)
class Principal:
    """Who may call: `roles` says what, `source_prefixes` how the sources begin that it speaks for,
    where an empty one is any. A login is the role of PostgreSQL of this name."""

    name: str
    tenant: str
    kind: str
    roles: list[str]
    source_prefixes: list[str]
    is_login: bool
    is_enabled: bool
    created_at: float


@dataclass(frozen=True)
class ChangedPrincipal(Principal):
    """A principal as it is now; `duplicate` if nothing had to be changed."""

    duplicate: bool


@dataclass(frozen=True)
class Token:
    """A token without what its holder shows; `prefix` is how that begins.

    `verbs` are those that it covers, None for all; `scope_tenant` is the one that it is for, None
    for that of its principal. It was last used within the hour after `last_used_at`.
    """

    token_id: str
    tenant: str
    name: str
    prefix: str
    verbs: list[str] | None
    scope_tenant: str | None
    created_at: float
    created_by: str
    expires_at: float
    revoked_at: float | None
    last_used_at: float | None


@dataclass(frozen=True)
class NewToken(Token):
    """A token that was just made. `token` is told this once, and is no part of its repr."""

    token: str = field(repr=False)


@dataclass(frozen=True)
class RotatedToken(NewToken):
    """A token in the place of another, the id of which is `replaces`."""

    replaces: str


@dataclass(frozen=True)
class RevokedToken(Token):
    """A token that counts no more; `duplicate` if it did not before."""

    duplicate: bool


@dataclass(frozen=True)
class IdentityEvent:
    """An event of a log of identities. `event_hash` is the SHA-256 of `record`, whose members the
    others are."""

    tenant: str
    seq: int
    ts: float
    verb: str
    actor: str
    payload: dict[str, Any]
    prev_event_hash: str
    event_hash: str
    record: str


@dataclass(frozen=True)
class VerifiedIdentity:
    """What the server found when it recomputed the log of identities of a tenant."""

    tenant: str
    ok: bool
    rows_checked: int
    head_hash: str | None
    first_bad: FirstBad | None


@dataclass(frozen=True)
class VerifiedIdentities:
    ok: bool
    tenants: list[VerifiedIdentity]


@dataclass(frozen=True)
class Caller:
    """Who calls, and what it may; `token` is what it showed.

    `kind` and `source_prefixes` are None for one that was never registered: it speaks for any
    source. `is_open`: there is no principal yet, so nobody needs a token.
    """

    name: str
    tenant: str
    kind: str | None
    roles: list[str]
    source_prefixes: list[str] | None
    is_open: bool
    token: Token | None
