"""What the routes about identities answer."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from cmbs.api.rooms.log.answers import FirstBad
from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Timestamp


class Principal(Exact, kw_only=True):
    name: str
    tenant: str
    kind: str
    roles: list[str]
    source_prefixes: list[str]
    is_login: bool
    is_enabled: bool
    created_at: Timestamp


class PrincipalTold(Principal, kw_only=True):
    duplicate: bool


class Principals(Exact, kw_only=True):
    principals: list[Principal]
    next_after: str | None


class Token(Exact, kw_only=True):
    """A token without its text; `verbs` is null if it covers all that its principal may call."""

    token_id: UUID
    tenant: str
    name: str
    prefix: str
    verbs: list[str] | None
    scope_tenant: str | None
    created_at: Timestamp
    created_by: str
    expires_at: Timestamp
    revoked_at: Timestamp | None
    last_used_at: Timestamp | None


Text = Annotated[
    str, Meta(pattern="^cmbs_[A-Za-z0-9_-]{43}$", description="The token. It is shown this once.")
]


class NewToken(Token, kw_only=True):
    token: Text


class RotatedToken(NewToken, kw_only=True):
    replaces: UUID


class RevokedToken(Token, kw_only=True):
    duplicate: bool


class Tokens(Exact, kw_only=True):
    tokens: list[Token]
    next_after: UUID | None


class Identified(Exact, kw_only=True):
    """`kind` is null of a login that nobody registered, `source_prefixes` where any source will do,
    `token` where none was shown; `is_open` is true as long as there is no principal at all."""

    name: str
    tenant: str
    kind: str | None
    roles: list[str]
    source_prefixes: list[str] | None
    is_open: bool
    token: Token | None


class IdentityEvent(Exact, kw_only=True):
    """One change of an identity: its record as it is hashed, and the hash."""

    event_hash: Hex
    record: str


class IdentityLog(Exact, kw_only=True):
    events: list[IdentityEvent]
    next_since_seq: Count | None


class IdentityLogVerified(Exact, kw_only=True):
    tenant: str
    ok: bool
    rows_checked: Count
    head_hash: Hex | None
    first_bad: FirstBad | None


class IdentitiesVerified(Exact, kw_only=True):
    ok: bool
    tenants: list[IdentityLogVerified]
