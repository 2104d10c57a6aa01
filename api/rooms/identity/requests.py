"""The bodies of requests about identities."""

from typing import Annotated

from msgspec import Struct

from cmbs.api.shell.request_shapes import WITHOUT_NUL, shown
from cmbs.database.principals import KINDS, ROLES

_Name = Annotated[str, shown(minLength=1, maxLength=128, pattern=WITHOUT_NUL)]
_Kind = Annotated[str, shown(enum=[*KINDS])]
_Role = Annotated[str, shown(enum=[*ROLES])]
_Roles = Annotated[list[_Role], shown(minItems=1)]
_Prefix = Annotated[
    str,
    shown(
        maxLength=512,
        pattern=WITHOUT_NUL,
        description="Beginnings of source ids; an empty one is that of any source.",
    ),
]
_Tenant = Annotated[
    str,
    shown(
        minLength=1,
        maxLength=128,
        pattern=WITHOUT_NUL,
        description="That of the caller, if left out; `*` for one that sees all.",
    ),
]
_Verb = Annotated[str, shown(description="The name of a function, such as `eliminate`.")]
_Expiry = Annotated[str, shown(format="date-time", description="A time of RFC 3339.")]


class CreatePrincipal(Struct, forbid_unknown_fields=True, kw_only=True):
    name: _Name
    kind: _Kind
    roles: _Roles
    source_prefixes: list[_Prefix] | None = None
    tenant: _Tenant | None = None


class ChangePrincipal(Struct, forbid_unknown_fields=True, kw_only=True):
    roles: _Roles | None = None
    source_prefixes: list[_Prefix] | None = None
    is_enabled: bool | None = None
    tenant: _Tenant | None = None


class CreateToken(Struct, forbid_unknown_fields=True, kw_only=True):
    """Covers all verbs and lasts 90 days, unless it says otherwise."""

    verbs: Annotated[list[_Verb], shown(minItems=1)] | None = None
    scope_tenant: _Tenant | None = None
    expires_at: _Expiry | None = None
    tenant: _Tenant | None = None


class RotateToken(Struct, forbid_unknown_fields=True, kw_only=True):
    """Lasts as long as the one before was to, unless it says otherwise."""

    expires_at: _Expiry | None = None
