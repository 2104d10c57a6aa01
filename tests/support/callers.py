"""Callers with tokens, for the tests of who may do what."""

import hashlib
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from cmbs.database.calls import call
from tests.support.beliefs import Connection, Session

ROLES = ("agent", "encoder", "tool", "policy", "approver", "auditor", "admin", "monitor")
# Those that may read sessions; who watches reads numbers alone.
READERS = ROLES[:-1]
# What everybody may, and to confirm claims: no other verb asks for this role.
READER = ("approver",)


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def token_id(credential: bytes) -> UUID:
    return UUID(bytes=hashlib.sha256(credential).digest()[:16])


def principal(
    connection: Connection, name: str, *roles: str, prefixes: Iterable[str] = ("",), **more: object
) -> Any:
    sent = {"name": name, "kind": "agent", "source_prefixes": list(prefixes)}
    return call(connection, "create_principal", **sent | {"roles": list(roles or READER)} | more)


def token(connection: Connection, name: str, text: str | None = None, **more: object) -> bytes:
    """A token of a principal: what its holder passes as p_credential."""
    credential = digest(text or f"token of {name} of {more.get('tenant')}")
    sent = {"name": name, "digest": credential, "prefix": "cmbs_test"} | more
    assert call(connection, "create_token", **sent)["token_id"] == str(token_id(credential))
    return credential


def caller(
    connection: Connection,
    name: str,
    *roles: str,
    prefixes: Iterable[str] = ("",),
    tenant: str | None = None,
) -> bytes:
    """A principal and its token."""
    principal(connection, name, *roles, prefixes=prefixes, tenant=tenant)
    return token(connection, name, tenant=tenant)


class Held(Session):
    """A session that is declared and used by the holder of a token."""

    def __init__(
        self,
        connection: Connection,
        credential: bytes,
        hypotheses: Iterable[str] = "abcd",
        **arguments: object,
    ) -> None:
        self.credential = credential
        super().__init__(connection, hypotheses, credential=credential, **arguments)

    def __call__(self, verb: str, **arguments: object) -> Any:
        return super().__call__(verb, **{"credential": self.credential} | arguments)


def identity_events(connection: Connection, tenant: str = "default") -> list[dict[str, Any]]:
    """The log of identities of a tenant, as its view shows it."""
    query = "select seq, verb, actor, payload from cmbs.identity_event where tenant = %s order by 1"
    return [
        dict(zip(("seq", "verb", "actor", "payload"), row, strict=True))
        for row in connection.execute(query, [tenant])
    ]


def is_whole(connection: Connection) -> bool:
    """Whether every log of identities is whole and leads to what is stored."""
    return bool(call(connection, "verify_identities")["ok"])
