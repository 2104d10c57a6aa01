"""cmbs.create_token"""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.support.beliefs import Connection, background, refused
from tests.support.callers import (
    caller,
    digest,
    identity_events,
    is_whole,
    principal,
    token,
    token_id,
)

SENT: dict[str, Any] = {"name": "ann", "digest": digest("t"), "prefix": "cmbs_abcd-_Z"}
NOW = "2030-01-01T00:00:00.000000Z"


@pytest.mark.cold
def test_a_token(tx: Connection) -> None:
    set_clock(tx, NOW)
    principal(tx, "ann")
    found = call(tx, "create_token", **SENT)
    assert found == {
        "token_id": str(token_id(SENT["digest"])),
        "tenant": "default",
        "name": "ann",
        "prefix": "cmbs_abcd-_Z",
        "verbs": None,
        "scope_tenant": None,
        "created_at": NOW,
        "created_by": "postgres",
        "expires_at": "2030-04-01T00:00:00.000000Z",
        "revoked_at": None,
        "last_used_at": None,
    }
    assert identity_events(tx)[-1]["verb"] == "CREATE_TOKEN"
    assert is_whole(tx)


def test_what_its_holder_shows_is_nowhere(tx: Connection) -> None:
    principal(tx, "ann")
    answer = call(tx, "create_token", **SENT)
    tables = ("api_token", "api_token_use", "identity_event", "identity_head", "principal")
    stored = [
        str(row)
        for table in tables
        for row in tx.execute(f"select t::text from cmbs_store.{table} as t".encode())
    ]
    assert any(token_id(SENT["digest"]).hex in text for text in stored)
    assert not any(SENT["digest"].hex() in text for text in [*stored, str(answer)])


def test_with_verbs_and_an_end(tx: Connection) -> None:
    principal(tx, "ann")
    ends = datetime.now(UTC) + timedelta(days=1)
    verbs = ["verify", "eliminate", "verify"]
    found = call(tx, "create_token", **SENT, verbs=verbs, expires_at=ends)
    assert found["verbs"] == ["eliminate", "verify"]
    assert datetime.fromisoformat(found["expires_at"]) == ends
    assert is_whole(tx)


def test_one_tenant_of_all(tx: Connection) -> None:
    principal(tx, "eve", tenant="*")
    sent = {**SENT, "name": "eve", "tenant": "*"}
    assert call(tx, "create_token", **sent, scope_tenant="acme")["scope_tenant"] == "acme"
    refused(tx, errors.InvalidRequest, "create_token", **sent, scope_tenant="*")
    principal(tx, "ann", tenant="acme")
    sent = {**SENT, "digest": digest("u"), "tenant": "acme"}
    error = refused(tx, errors.InvalidRequest, "create_token", **sent, scope_tenant="default")
    assert error.details["member"] == "scope_tenant"
    assert call(tx, "create_token", **sent, scope_tenant="acme")


def test_made_before(tx: Connection) -> None:
    """No repeat: who makes a token at random never makes it twice."""
    principal(tx, "ann")
    principal(tx, "bob", tenant="acme")
    call(tx, "create_token", **SENT)
    for sent in (SENT, {**SENT, "name": "bob", "tenant": "acme"}):
        assert refused(tx, errors.Conflict, "create_token", **sent).details == {
            "prefix": "cmbs_abcd-_Z"
        }


@pytest.mark.parametrize(
    ("wrong", "member"),
    [
        ({"name": None}, "name"),
        ({"name": ""}, "name"),
        ({"digest": None}, "digest"),
        ({"digest": b"x" * 31}, "digest"),
        ({"digest": b"x" * 33}, "digest"),
        ({"prefix": None}, "prefix"),
        ({"prefix": "abc"}, "prefix"),
        ({"prefix": "x" * 33}, "prefix"),
        ({"prefix": "cmbs_ab\n"}, "prefix"),
        ({"prefix": "cmbs/abcd"}, "prefix"),
        ({"verbs": []}, "verbs"),
        ({"verbs": ["no_such_verb"]}, "verbs"),
        ({"verbs": ["add_analyst"]}, "verbs"),
        ({"verbs": ["eliminate", None]}, "verbs"),
        ({"verbs": [["eliminate"]]}, "verbs"),
        ({"expires_at": "2029-12-31 23:59:59.999999+00"}, "expires_at"),
        ({"expires_at": "infinity"}, "expires_at"),
        ({"expires_at": "-infinity"}, "expires_at"),
        ({"scope_tenant": ""}, "scope_tenant"),
        ({"scope_tenant": "acme\n"}, "scope_tenant"),
        ({"tenant": ""}, "tenant"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_refused(tx: Connection, wrong: dict[str, Any], member: str) -> None:
    set_clock(tx, NOW)
    principal(tx, "ann")
    error = refused(tx, errors.InvalidRequest, "create_token", **SENT | wrong)
    assert error.details["member"] == member


def test_of_nobody(tx: Connection) -> None:
    principal(tx, "ann", tenant="acme")
    refused(tx, errors.PrincipalNotFound, "create_token", **SENT)
    mine = caller(tx, "root", "admin")
    refused(tx, errors.Forbidden, "create_token", **SENT, tenant="acme", credential=mine)


def test_of_a_login(tx: Connection) -> None:
    """It logs in; a token would let somebody else write in its name."""
    tx.execute("create role bob login in role cmbs_agent")
    principal(tx, "bob", "agent", is_login=True)
    error = refused(tx, errors.InvalidRequest, "create_token", **{**SENT, "name": "bob"})
    assert error.details == {
        "member": "name",
        "problem": "is a login of PostgreSQL, which has no tokens",
    }


def test_no_token_makes_one_that_covers_more(tx: Connection) -> None:
    principal(tx, "root", "admin")
    principal(tx, "ann", "agent")
    verbs = ["create_token", "eliminate"]
    mine = token(tx, "root", verbs=verbs)
    for wider in (None, ["verify"], ["eliminate", "verify"]):
        sent = {**SENT, "verbs": wider, "credential": mine}
        refused(tx, errors.Forbidden, "create_token", **sent)
    assert call(tx, "create_token", **SENT, verbs=["eliminate"], credential=mine)


def test_a_token_for_one_tenant_makes_none_for_another(tx: Connection) -> None:
    principal(tx, "eve", "admin", tenant="*")
    mine = token(tx, "eve", tenant="*", scope_tenant="acme")
    principal(tx, "ann", tenant="acme")
    principal(tx, "ann", tenant="default")
    for tenant in ("default", "*"):
        refused(tx, errors.Forbidden, "create_token", **SENT, tenant=tenant, credential=mine)
    assert call(tx, "create_token", **SENT, credential=mine)["tenant"] == "acme"


def test_the_same_twice_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        principal(first, "ann")
        first.commit()
        call(first, "create_token", **SENT)
        second = calls.call("create_token", **SENT)
        calls.wait_until_blocked()
        first.commit()
        assert isinstance(second.exception(), errors.Conflict)
        assert len(identity_events(first)) == 2
        assert is_whole(first)
