"""cmbs.tenant"""

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, refused
from tests.support.callers import caller, digest, principal, token


@pytest.mark.cold
def test_the_operator_sees_all(tx: Connection) -> None:
    assert call(tx, "tenant") == "*"


@pytest.mark.parametrize("tenant", ["default", "acme", "*"])
def test_the_holder_of_a_token_sees_the_tenant_of_its_principal(
    tx: Connection, tenant: str
) -> None:
    assert call(tx, "tenant", credential=caller(tx, "ann", tenant=tenant)) == tenant


def test_a_token_may_be_for_one_tenant_of_all(tx: Connection) -> None:
    principal(tx, "ann", "agent", tenant="*")
    assert call(tx, "tenant", credential=token(tx, "ann", tenant="*", scope_tenant="acme")) == (
        "acme"
    )


def test_a_login_without_roles_sees_the_default(tx: Connection) -> None:
    tx.execute("create role bob login in role cmbs_analyst")
    tx.execute("set session authorization bob")
    assert call(tx, "tenant") == "default"


def test_refused(tx: Connection) -> None:
    refused(tx, errors.Unauthenticated, "tenant", credential=digest("nobody's"))
