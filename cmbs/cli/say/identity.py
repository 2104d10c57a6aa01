"""The answers about principals and their tokens in words, part by part."""

from collections.abc import Iterator
from typing import Any

from cmbs.cli.page import Id, Part, State, Table, validity, when
from cmbs.common.words import shown

_HEADERS = ("principal", "tenant", "kind", "roles", "sources", "state")


def listed(names: list[str]) -> str:
    return ", ".join(names) or "none"


def principal(found: dict[str, Any]) -> Iterator[Part]:
    """An answer of cmbs.create_principal or cmbs.change_principal."""
    yield from zip(_HEADERS, _principal(found), strict=True)


def principals(found: list[dict[str, Any]]) -> Iterator[Part]:
    yield Table(_HEADERS, [*map(_principal, found)])


def _principal(found: dict[str, Any]) -> tuple[str, ...]:
    sources = [shown(prefix) if prefix else "any" for prefix in found["source_prefixes"]]
    state = "enabled" if found["is_enabled"] else "disabled"
    return (
        *(shown(found["name"]), shown(found["tenant"]), found["kind"]),
        *(listed(found["roles"]), listed(sources)),
        State(state + ", a login" * found["is_login"]),
    )


def tokens(found: list[dict[str, Any]]) -> Iterator[Part]:
    yield Table(
        ["token", "principal", "tenant", "begins with", "state", "expires", "last used", "covers"],
        [*map(_token, found)],
    )


def _token(token: dict[str, Any]) -> tuple[str, ...]:
    covers = f"verbs {listed(token['verbs'])}" if token["verbs"] else "all verbs"
    if token["scope_tenant"]:
        covers += f", for tenant {shown(token['scope_tenant'])}"
    revoked = token["revoked_at"]
    return (
        *(Id(token["token_id"]), shown(token["name"]), shown(token["tenant"]), token["prefix"]),
        State(f"revoked {when(revoked)}" if revoked else validity(token["expires_at"])),
        *(when(token["expires_at"]), when(token["last_used_at"]), covers),
    )
