"""cmbs.read_principal"""

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, refused
from tests.support.callers import caller, principal


@pytest.mark.cold
def test_as_it_was_made_and_changed(tx: Connection) -> None:
    made = principal(tx, 'a"/ä', "tool", "agent", prefixes=["tool://"])
    assert call(tx, "read_principal", name='a"/ä') | {"duplicate": False} == made
    changed = call(tx, "change_principal", name='a"/ä', is_enabled=False)
    found = call(tx, "read_principal", name='a"/ä')
    assert found | {"duplicate": False} == changed
    assert (found["roles"], found["is_enabled"]) == (["agent", "tool"], False)


def test_one_name_in_two_tenants(tx: Connection) -> None:
    for tenant, role in (("default", "agent"), ("acme", "tool"), ("other", "policy")):
        principal(tx, "ann", role, tenant=tenant)
    assert call(tx, "read_principal", name="ann")["roles"] == ["agent"]
    found = call(tx, "read_principal", name="ann", tenant="acme")
    assert (found["tenant"], found["roles"]) == ("acme", ["tool"])


@pytest.mark.parametrize("name", ["nobody", "Ann", "ann ", "%"])
def test_not_there(tx: Connection, name: str) -> None:
    principal(tx, "ann")
    error = refused(tx, errors.PrincipalNotFound, "read_principal", name=name)
    assert error.details == {"name": name, "tenant": "default"}


@pytest.mark.parametrize(("sent", "member"), [({"name": None}, "name"), ({"name": ""}, "name"),
                                              ({"name": "n", "tenant": ""}, "tenant")])  # fmt: skip
def test_refused(tx: Connection, sent: dict[str, str | None], member: str) -> None:
    error = refused(tx, errors.InvalidRequest, "read_principal", **sent)
    assert error.details["member"] == member


def test_of_another_tenant(tx: Connection) -> None:
    mine = {"credential": caller(tx, "ann", "auditor", tenant="acme")}
    principal(tx, "bob")
    assert call(tx, "read_principal", name="ann", tenant="acme", **mine)["name"] == "ann"
    error = refused(tx, errors.PrincipalNotFound, "read_principal", name="bob", **mine)
    assert error.details == {"name": "bob", "tenant": "acme"}
    for tenant in ("default", "*"):
        sent = {"name": "bob", "tenant": tenant}
        refused(tx, errors.Forbidden, "read_principal", **sent, **mine)
