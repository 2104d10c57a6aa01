"""cmbs.list_tokens"""

from uuid import UUID

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, refused
from tests.support.callers import caller, principal, token, token_id


@pytest.mark.cold
def test_none(tx: Connection) -> None:
    assert call(tx, "list_tokens") == {"tokens": [], "next_after": None}
    principal(tx, "ann")
    principal(tx, "bob", tenant="acme")
    assert call(tx, "list_tokens", name="ann") == {"tokens": [], "next_after": None}
    for name, tenant in (("nobody", "default"), ("bob", "default"), ("ann", "acme")):
        error = refused(tx, errors.PrincipalNotFound, "list_tokens", name=name, tenant=tenant)
        assert error.details == {"name": name, "tenant": tenant}


def test_pages_newest_first(tx: Connection) -> None:
    principal(tx, "ann")
    made = [str(token_id(token(tx, "ann", f"token {no}"))) for no in range(5)]
    call(tx, "revoke_token", token_id=made[2])
    token(tx, principal(tx, "bob")["name"])
    found, after = [], None
    for expected in (2, 2, 1):
        page = call(tx, "list_tokens", name="ann", limit=2, after=after)
        assert len(page["tokens"]) == expected
        found += page["tokens"]
        after = page["next_after"]
    assert after is None
    assert [one["token_id"] for one in found] == made[::-1]
    assert [one["revoked_at"] is None for one in found] == [True, True, False, True, True]
    assert len(call(tx, "list_tokens")["tokens"]) == 6


@pytest.mark.parametrize("limit", [0, -1, 501])
def test_refused(tx: Connection, limit: int) -> None:
    assert refused(tx, errors.InvalidRequest, "list_tokens", limit=limit).details["member"]
    assert call(tx, "list_tokens", limit=500)


def test_of_another_tenant(tx: Connection) -> None:
    mine, foreign = caller(tx, "ann", "auditor", tenant="acme"), caller(tx, "bob")
    (one,) = call(tx, "list_tokens", credential=mine)["tokens"]
    assert one["token_id"] == str(token_id(mine))
    sent = {"credential": mine}
    refused(tx, errors.Forbidden, "list_tokens", **sent, tenant="default")
    for after in (UUID(int=1), token_id(foreign)):
        refused(tx, errors.TokenNotFound, "list_tokens", **sent, after=after)
