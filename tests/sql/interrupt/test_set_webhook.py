"""Who is told of questions: the last that was set for a tenant, else the one of all tenants."""

from typing import Any

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.schema.test_privileges import WEBHOOK
from tests.support.beliefs import Connection, refused
from tests.support.callers import caller, principal, token

URL = "https://example.org/"


def stored(connection: Connection) -> list[Any]:
    query = "select tenant, webhook_no, url, secret, set_by from cmbs_store.webhook order by 1, 2"
    return connection.execute(query).fetchall()


def in_force(connection: Connection, tenant: str) -> Any:
    query = "select w.url from cmbs_store.webhook_in_force(%s) as w"
    row = connection.execute(query, [tenant]).fetchone()
    return row and row[0]


@pytest.mark.cold
def test_every_change_is_kept(tx: Connection) -> None:
    mine = {"credential": caller(tx, "ann", "admin", tenant="*"), "tenant": "acme"}
    told = call(tx, "set_webhook", **WEBHOOK, **mine)
    assert told == {"tenant": "acme", "url": WEBHOOK["url"]}, "and no secret"
    call(tx, "set_webhook", url=URL, secret="t" * 24, **mine)
    assert call(tx, "set_webhook", url=None, **mine)["url"] is None
    assert stored(tx) == [
        ("acme", 1, WEBHOOK["url"], WEBHOOK["secret"], "ann"),
        ("acme", 2, URL, "t" * 24, "ann"),
        ("acme", 3, None, None, "ann"),
    ]
    assert in_force(tx, "acme") is None


def test_the_last_of_a_tenant_or_of_all(tx: Connection) -> None:
    call(tx, "set_webhook", url=f"{URL}all", secret="s" * 24, tenant="*")
    assert in_force(tx, "acme") == f"{URL}all"
    call(tx, "set_webhook", url=f"{URL}acme", secret="s" * 24, tenant="acme")
    assert [in_force(tx, tenant) for tenant in ("acme", "other")] == [f"{URL}acme", f"{URL}all"]
    call(tx, "set_webhook", url=None, tenant="acme")
    assert in_force(tx, "acme") is None, "nobody is told, whoever is told of the others"


def test_a_secret_of_nobody_is_not_kept(tx: Connection) -> None:
    call(tx, "set_webhook", url=None, secret="s" * 24)
    assert stored(tx)[0][2:4] == (None, None)


def test_only_by_who_sees_every_tenant(tx: Connection) -> None:
    """The server calls the address from inside of what may be a closed network."""
    mine = caller(tx, "ann", "admin", tenant="acme")
    for tenant in ("acme", "other", "*", None):
        sent = {**WEBHOOK, "tenant": tenant, "credential": mine}
        refused(tx, errors.Forbidden, "set_webhook", **sent)
    narrow = {"verbs": ["set_webhook"], "tenant": "*", "scope_tenant": "acme"}
    principal(tx, "eve", "admin", tenant="*")
    scoped = {"credential": token(tx, "eve", **narrow)}
    refused(tx, errors.Forbidden, "set_webhook", **WEBHOOK, **scoped)
