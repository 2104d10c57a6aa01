"""cmbs.create_principal"""

from typing import Any

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, background, refused
from tests.support.callers import caller, identity_events, is_whole, principal

SENT: dict[str, Any] = {"name": "ann", "kind": "human", "roles": ["tool", "agent", "tool"]}
# They would look like other names, or move what stands beside them.
ODD = (" ann", "ann ", " ", "an\nn", "\tann", "ann\x01", "\x1b[2Jann", "ann\x7f")


@pytest.mark.cold
def test_a_principal(tx: Connection) -> None:
    found = call(tx, "create_principal", **SENT, source_prefixes=["b", "a", "a"])
    assert found.pop("created_at")
    assert found == {
        "name": "ann",
        "tenant": "default",
        "kind": "human",
        "roles": ["agent", "tool"],
        "source_prefixes": ["a", "b"],
        "is_login": False,
        "is_enabled": True,
        "duplicate": False,
    }
    (event,) = identity_events(tx)
    assert (event["seq"], event["verb"], event["actor"]) == (1, "CREATE_PRINCIPAL", "postgres")
    assert event["payload"] == {
        "name": "ann",
        "kind": "human",
        "roles": ["agent", "tool"],
        "source_prefixes": ["a", "b"],
        "is_login": False,
    }
    assert is_whole(tx)


def test_repeated(tx: Connection) -> None:
    first = call(tx, "create_principal", **SENT)
    again = call(tx, "create_principal", **{**SENT, "roles": ["agent", "tool"]})
    assert again == {**first, "duplicate": True}
    assert len(identity_events(tx)) == 1
    for other in ({"kind": "agent"}, {"roles": ["tool"]}, {"source_prefixes": ["x"]}):
        error = refused(tx, errors.Conflict, "create_principal", **SENT | other)
        assert error.details == {"name": "ann", "problem": "another principal has it"}


@pytest.mark.parametrize(
    ("wrong", "member"),
    [
        ({"name": None}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 129}, "name"),
        ({"kind": None}, "kind"),
        ({"kind": "robot"}, "kind"),
        ({"roles": None}, "roles"),
        ({"roles": []}, "roles"),
        ({"roles": ["owner"]}, "roles"),
        ({"roles": [None]}, "roles"),
        ({"roles": [["agent"]]}, "roles"),
        ({"source_prefixes": [None]}, "source_prefixes"),
        ({"source_prefixes": ["x" * 513]}, "source_prefixes"),
        ({"tenant": ""}, "tenant"),
        ({"tenant": "x" * 129}, "tenant"),
        *(({"name": odd}, "name") for odd in ODD),
        *(({"tenant": odd}, "tenant") for odd in ODD),
    ],
    ids=lambda value: str(value)[:30],
)
def test_refused(tx: Connection, wrong: dict[str, Any], member: str) -> None:
    error = refused(tx, errors.InvalidRequest, "create_principal", **SENT | wrong)
    assert error.details["member"] == member


def test_names_of_people(tx: Connection) -> None:
    for name in ("Ann Bee", "Zoë", "安", "a\u0301", "ann@acme.example", "x" * 128, "~!\"'\\"):
        assert principal(tx, name, tenant=name)["name"] == name
    assert is_whole(tx)


def test_too_many_prefixes(tx: Connection) -> None:
    prefixes = [str(no) for no in range(101)]
    refused(tx, errors.PayloadTooLarge, "create_principal", **SENT, source_prefixes=prefixes)
    assert call(tx, "create_principal", **SENT, source_prefixes=prefixes[:100])


@pytest.mark.parametrize(
    "name", ["api", "public", "none", "*", "cmbs", "cmbs_kernel", "cmbs_x", "pg_x", "postgres"]
)
@pytest.mark.parametrize("is_login", [False, True])
def test_reserved_names(tx: Connection, name: str, is_login: bool) -> None:
    if name == "postgres" and is_login:
        assert call(tx, "create_principal", **{**SENT, "name": name}, is_login=True)
        return
    sent = {**SENT, "name": name, "is_login": is_login}
    error = refused(tx, errors.Conflict, "create_principal", **sent)
    assert error.details["name"] == name


def test_a_login_has_a_role_and_others_have_none(tx: Connection) -> None:
    tx.execute("create role bob login")
    refused(tx, errors.Conflict, "create_principal", **{**SENT, "name": "bob"})
    refused(tx, errors.Conflict, "create_principal", **SENT, is_login=True)
    found = call(tx, "create_principal", **{**SENT, "name": "bob"}, is_login=True, tenant="acme")
    assert (found["is_login"], found["tenant"]) == (True, "acme")


def test_one_name_in_several_tenants(tx: Connection) -> None:
    for tenant in ("acme", "default"):
        assert principal(tx, "ann", tenant=tenant)["duplicate"] is False
    # Of all tenants it would be in both.
    refused(tx, errors.Conflict, "create_principal", **SENT, tenant="*")
    principal(tx, "eve", tenant="*")
    refused(tx, errors.Conflict, "create_principal", **{**SENT, "name": "eve"}, tenant="acme")
    assert [len(identity_events(tx, tenant)) for tenant in ("acme", "default", "*")] == [1, 1, 1]


def test_an_administrator_of_a_tenant_stays_in_it(tx: Connection) -> None:
    admin = caller(tx, "root", "admin", tenant="acme")
    found = call(tx, "create_principal", **SENT, credential=admin)
    assert found["tenant"] == "acme"
    assert identity_events(tx, "acme")[-1]["actor"] == "root"
    for tenant in ("default", "*"):
        sent = {**SENT, "credential": admin, "tenant": tenant}
        refused(tx, errors.Forbidden, "create_principal", **sent)
    tx.execute("create role bob login")
    sent = {**SENT, "name": "bob", "is_login": True, "credential": admin}
    refused(tx, errors.Forbidden, "create_principal", **sent)


def test_why_a_name_is_taken_is_no_tenants_to_know(tx: Connection) -> None:
    admin = caller(tx, "root", "admin", tenant="acme")
    principal(tx, "eve", tenant="*")
    whys = {
        "api": "the name is reserved",
        "postgres": "a role of PostgreSQL has it",
        "eve": "another principal has it",
    }
    for name, why in whys.items():
        for sent, told in (({"credential": admin}, "the name cannot be used here"), ({}, why)):
            given = {**SENT, "name": name, **sent}
            error = refused(tx, errors.Conflict, "create_principal", **given)
            assert error.details == {"name": name, "problem": told}
    # One of its own it may know of.
    given = {**SENT, "name": "root", "credential": admin}
    error = refused(tx, errors.Conflict, "create_principal", **given)
    assert error.details["problem"] == "another principal has it"


def test_two_names_in_a_transaction_that_keeps_its_snapshot(db: Connection) -> None:
    """It would not see a name of * that was made since it began."""
    for level in ("repeatable read", "serializable", "read uncommitted"):
        with db.transaction():
            db.execute(f"set transaction isolation level {level}".encode())
            for tenant in ("acme", "*"):
                error = refused(db, errors.Forbidden, "create_principal", **SENT, tenant=tenant)
                assert "read committed" in error.details["problem"]
    assert identity_events(db, "acme") == []
    with db.transaction():
        call(db, "create_principal", **SENT, tenant="acme")
        refused(db, errors.Conflict, "create_principal", **SENT, tenant="*")


def test_two_of_one_name_at_once(database: str) -> None:
    """Two administrators, one event; who comes second with something else is told."""
    with background(database) as calls, psycopg.connect(database) as first:
        mine = call(first, "create_principal", **SENT)
        same = calls.call("create_principal", **SENT)
        other = calls.call("create_principal", **{**SENT, "kind": "tool"})
        calls.wait_until_blocked(2)
        first.commit()
        assert same.result() == {**mine, "duplicate": True}
        assert isinstance(other.exception(), errors.Conflict)
        assert len(identity_events(first)) == 1
        assert is_whole(first)
