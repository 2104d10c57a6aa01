"""cmbs.list_principals"""

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, refused
from tests.support.callers import caller, principal


@pytest.mark.cold
def test_none(tx: Connection) -> None:
    assert call(tx, "list_principals") == {"principals": [], "next_after": None}


def test_pages_by_name(tx: Connection) -> None:
    made = {name: principal(tx, name, "agent") for name in ("b", "a", "Z", "ä", "c")}
    principal(tx, "elsewhere", tenant="acme")
    found, after = [], None
    for expected in (2, 2, 1):
        page = call(tx, "list_principals", limit=2, after=after)
        assert len(page["principals"]) == expected
        found += page["principals"]
        after = page["next_after"]
    assert after is None
    assert [one["name"] for one in found] == ["Z", "a", "b", "c", "ä"], "by bytes"
    assert [one | {"duplicate": False} for one in found] == [made[one["name"]] for one in found]
    (other,) = call(tx, "list_principals", tenant="acme")["principals"]
    assert (other["name"], other["tenant"]) == ("elsewhere", "acme")


def test_a_page_that_is_just_full_is_the_last(tx: Connection) -> None:
    for name in "ab":
        principal(tx, name)
    assert call(tx, "list_principals", limit=2)["next_after"] is None
    assert call(tx, "list_principals", limit=1)["next_after"] == "a"


@pytest.mark.parametrize("limit", [0, -1, 501])
def test_refused(tx: Connection, limit: int) -> None:
    assert refused(tx, errors.InvalidRequest, "list_principals", limit=limit).details["member"]
    assert call(tx, "list_principals", limit=500)


def test_of_another_tenant(tx: Connection) -> None:
    mine = caller(tx, "ann", "auditor", tenant="acme")
    principal(tx, "bob")
    found = call(tx, "list_principals", credential=mine)["principals"]
    assert [one["name"] for one in found] == ["ann"]
    for tenant in ("default", "*"):
        refused(tx, errors.Forbidden, "list_principals", credential=mine, tenant=tenant)
