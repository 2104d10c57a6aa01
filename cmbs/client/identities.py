"""The calls about principals and tokens, each written once for both clients."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from cmbs.client.flow import Listing
from cmbs.client.found import (
    Caller,
    ChangedPrincipal,
    FirstBad,
    IdentityEvent,
    NewToken,
    Principal,
    RevokedToken,
    RotatedToken,
    Token,
    VerifiedIdentities,
    VerifiedIdentity,
    found,
)
from cmbs.client.pages import listing
from cmbs.client.request import (
    Members,
    Request,
    T,
    body_of,
    get,
    invalid,
    message_headers,
    optional_text,
    segment,
    uuid_text,
)
from cmbs.kernel.canonical import parse


def create_principal(
    name: str,
    kind: str,
    roles: Iterable[str],
    source_prefixes: Iterable[str] = (),
    *,
    tenant: str | None = None,
) -> Request[ChangedPrincipal]:
    """Make a principal: somebody who may call, with what roles and for which sources.

    It has one role at least, and any of them may read. Without a prefix it speaks for no source,
    with an empty one for any. The same again is a repeat.
    """
    body = {
        "name": optional_text("name", name),
        "kind": optional_text("kind", kind),
        "roles": _texts("roles", roles),
        "source_prefixes": _texts("source_prefixes", source_prefixes),
        "tenant": optional_text("tenant", tenant),
    }
    return _sent("POST", "/v1/principals", body, ChangedPrincipal)


def change_principal(
    name: str,
    *,
    roles: Iterable[str] | None = None,
    source_prefixes: Iterable[str] | None = None,
    is_enabled: bool | None = None,
    tenant: str | None = None,
) -> Request[ChangedPrincipal]:
    """Change what a principal may, or whether it may anything; what is left out stays."""
    body = {
        "roles": _texts("roles", roles),
        "source_prefixes": _texts("source_prefixes", source_prefixes),
        "is_enabled": is_enabled,
        "tenant": optional_text("tenant", tenant),
    }
    return _sent("PATCH", f"/v1/principals/{segment('name', name)}", body, ChangedPrincipal)


def list_principals(*, tenant: str | None = None) -> Listing[Principal]:
    """Every principal of a tenant, by name."""
    return listing(
        "/v1/principals",
        "after",
        "principals",
        "next_after",
        lambda one: found(Principal, one),
        tenant=optional_text("tenant", tenant),
    )


def read_principal(name: str, *, tenant: str | None = None) -> Request[Principal]:
    """A principal, with what it may."""
    return get(
        f"/v1/principals/{segment('name', name)}",
        lambda answer: found(Principal, answer),
        tenant=optional_text("tenant", tenant),
    )


def create_token(
    name: str,
    *,
    verbs: Iterable[str] | None = None,
    scope_tenant: str | None = None,
    expires_at: str | datetime | None = None,
    tenant: str | None = None,
) -> Request[NewToken]:
    """Make a token of a principal, for all verbs or some, and for 90 days unless you say how long.

    It is never sent again: if the answer is lost, there may be a token that nobody holds.
    `list_tokens` shows it, and `revoke_token` ends it.
    """
    body = {
        "verbs": _texts("verbs", verbs),
        "scope_tenant": optional_text("scope_tenant", scope_tenant),
        "expires_at": _time(expires_at),
        "tenant": optional_text("tenant", tenant),
    }
    path = f"/v1/principals/{segment('name', name)}/tokens"
    return replace(_sent("POST", path, body, NewToken), once=True)


def rotate_token(
    token_id: str | UUID, *, expires_at: str | datetime | None = None
) -> Request[RotatedToken]:
    """Put a new token in the place of an old one, which counts no more at once.

    The new one lasts as long as the old one was to, unless you say how long. Never sent again:
    if the answer is lost, both may be of no use, and the way on is `create_token`.
    """
    body = {"expires_at": _time(expires_at)}
    return replace(_sent("POST", f"{_token(token_id)}/rotate", body, RotatedToken), once=True)


def revoke_token(token_id: str | UUID) -> Request[RevokedToken]:
    """Revoke a token: from the next call on it counts nowhere."""
    return Request("DELETE", _token(token_id), lambda answer: found(RevokedToken, answer))


def read_token(token_id: str | UUID) -> Request[Token]:
    """A token without its text, also one that ended."""
    return get(_token(token_id), lambda answer: found(Token, answer))


def list_tokens(name: str | None = None, *, tenant: str | None = None) -> Listing[Token]:
    """Every token of a tenant, or of one principal of it, newest first, also those that ended."""
    return listing(
        "/v1/tokens",
        "after",
        "tokens",
        "next_after",
        lambda one: found(Token, one),
        name=optional_text("name", name),
        tenant=optional_text("tenant", tenant),
    )


def audit_identities(*, since_seq: int = 0, tenant: str | None = None) -> Listing[IdentityEvent]:
    """The log of identities of a tenant after an event, or all of it."""
    return listing(
        "/v1/identities/audit",
        "since_seq",
        "events",
        "next_since_seq",
        _event,
        since_seq=since_seq,
        tenant=optional_text("tenant", tenant),
    )


def verify_identities() -> Request[VerifiedIdentities]:
    """Have the server recompute the logs of identities that the caller sees, and compare."""
    return get("/v1/identities/verify", _verified)


def identify() -> Request[Caller]:
    """Who calls, and what it may."""
    return get("/v1/whoami", _caller)


def _sent(method: str, path: str, body: Members, kind: type[T]) -> Request[T]:
    return Request(
        method,
        path,
        lambda answer: found(kind, answer),
        headers=message_headers(None, None, False),
        body=body_of(body),
    )


def _token(token_id: str | UUID) -> str:
    return f"/v1/tokens/{segment('token_id', uuid_text('token_id', token_id))}"


def _texts(member: str, values: Iterable[str] | None) -> list[str] | None:
    """A set of texts, which the server keeps sorted."""
    if values is None:
        return None
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise invalid(member, "must be a list of texts")
    listed = [*values]
    if not all(isinstance(one, str) for one in listed):
        raise invalid(member, "must be a list of texts")
    return sorted(listed)


def _time(value: str | datetime | None) -> str | None:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise invalid("expires_at", "must have a time zone")
        return value.isoformat()
    return optional_text("expires_at", value)


def _event(line: Members) -> IdentityEvent:
    record = parse(line["record"].encode())
    return found(IdentityEvent, {**record, **line})


def _verified(answer: Members) -> VerifiedIdentities:
    return VerifiedIdentities(answer["ok"], [_verified_log(one) for one in answer["tenants"]])


def _verified_log(log: Members) -> VerifiedIdentity:
    verified, bad = found(VerifiedIdentity, log), log["first_bad"]
    return replace(verified, first_bad=bad and found(FirstBad, bad))


def _caller(answer: Members) -> Caller:
    caller, token = found(Caller, answer), answer["token"]
    return replace(caller, token=token and found(Token, token))
