"""cmbs.change_principal"""

from typing import Any

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, background, refused
from tests.support.callers import caller, identity_events, is_whole, principal


@pytest.mark.cold
def test_what_is_left_out_stays(tx: Connection) -> None:
    expected = principal(tx, "ann", "agent", prefixes=["a"])
    for change in (
        {"roles": ["tool", "encoder"]},
        {"source_prefixes": []},
        {"is_enabled": False},
        {"is_enabled": True, "source_prefixes": ["x", "b"]},
    ):
        found = call(tx, "change_principal", name="ann", **change)
        expected |= {name: sorted(v) if isinstance(v, list) else v for name, v in change.items()}
        assert found == expected
    events = identity_events(tx)
    assert [event["verb"] for event in events] == ["CREATE_PRINCIPAL"] + ["CHANGE_PRINCIPAL"] * 4
    assert events[-1]["payload"] == {
        "name": "ann",
        "roles": ["encoder", "tool"],
        "source_prefixes": ["b", "x"],
        "is_enabled": True,
    }
    assert is_whole(tx)


@pytest.mark.parametrize("same", [{}, {"roles": ["agent"]}, {"is_enabled": True}], ids=str)
def test_repeated(tx: Connection, same: dict[str, Any]) -> None:
    first = principal(tx, "ann", "agent")
    assert call(tx, "change_principal", name="ann", **same) == {**first, "duplicate": True}
    assert len(identity_events(tx)) == 1


def test_it_counts_from_the_next_call_on(tx: Connection) -> None:
    mine = caller(tx, "ann", "auditor")
    assert call(tx, "list_principals", credential=mine)["principals"]
    call(tx, "change_principal", name="ann", roles=["agent"])
    refused(tx, errors.Forbidden, "list_principals", credential=mine)
    call(tx, "change_principal", name="ann", is_enabled=False)
    error = refused(tx, errors.Unauthenticated, "list_principals", credential=mine)
    assert error.details == {"credential": "its principal is disabled"}
    call(tx, "change_principal", name="ann", is_enabled=True, roles=["auditor"])
    assert call(tx, "list_principals", credential=mine)["principals"]


@pytest.mark.parametrize(
    ("wrong", "member"),
    [
        ({"name": None}, "name"),
        ({"name": ""}, "name"),
        ({"roles": []}, "roles"),
        ({"roles": ["owner"]}, "roles"),
        ({"source_prefixes": ["x" * 513]}, "source_prefixes"),
        ({"tenant": ""}, "tenant"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_refused(tx: Connection, wrong: dict[str, Any], member: str) -> None:
    principal(tx, "ann")
    error = refused(tx, errors.InvalidRequest, "change_principal", **{"name": "ann", **wrong})
    assert error.details["member"] == member


def test_too_many_prefixes(tx: Connection) -> None:
    principal(tx, "ann")
    prefixes = [str(no) for no in range(101)]
    sent = {"name": "ann", "source_prefixes": prefixes}
    refused(tx, errors.PayloadTooLarge, "change_principal", **sent)


def test_not_there(tx: Connection) -> None:
    principal(tx, "ann", tenant="acme")
    for sent in ({"name": "nobody", "tenant": "acme"}, {"name": "ann"}):
        error = refused(tx, errors.PrincipalNotFound, "change_principal", **sent)
        assert error.details["name"] == sent["name"]
    other = caller(tx, "root", "admin", tenant="other")
    sent = {"name": "ann", "credential": other}
    refused(tx, errors.PrincipalNotFound, "change_principal", **sent)
    refused(tx, errors.Forbidden, "change_principal", **sent, tenant="acme")


def test_of_two_at_once_the_later_builds_on_the_earlier(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        principal(first, "ann", "agent", prefixes=["a"])
        first.commit()
        call(first, "change_principal", name="ann", roles=["tool"])
        late = calls.call("change_principal", name="ann", source_prefixes=["b"])
        calls.wait_until_blocked()
        first.commit()
        assert (late.result()["roles"], late.result()["source_prefixes"]) == (["tool"], ["b"])
        assert [event["seq"] for event in identity_events(first)] == [1, 2, 3]
        assert is_whole(first)
