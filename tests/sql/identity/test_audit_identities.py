"""cmbs.audit_identities"""

from typing import Any

import pytest

from cmbs import errors
from cmbs.database.calls import call
from cmbs.kernel.canonical import canonical, hash_text, parse
from tests.support.beliefs import Connection, refused
from tests.support.callers import caller, principal, token, token_id


def busy(connection: Connection, tenant: str) -> bytes:
    """A tenant with an event of every verb."""
    mine = caller(connection, "ann", "auditor", tenant=tenant)
    call(connection, "change_principal", name="ann", source_prefixes=['é"\\'], tenant=tenant)
    old = token_id(token(connection, "ann", f"old of {tenant}", tenant=tenant))
    new = {"digest": (b"new" + tenant.encode()).ljust(32), "prefix": "cmbs_new"}
    call(connection, "rotate_token", token_id=old, **new)
    return mine


@pytest.mark.cold
def test_it_is_a_chain_that_anybody_can_check(tx: Connection) -> None:
    busy(tx, "acme")
    previous = "0" * 64
    events = call(tx, "audit_identities", tenant="acme")["events"]
    records: list[dict[str, Any]] = []
    for seq, event in enumerate(events, 1):
        record = parse(event["record"])
        assert event["event_hash"] == hash_text(event["record"])
        assert canonical(record) == event["record"]
        assert (record["seq"], record["prev_event_hash"]) == (seq, previous)
        assert (record["v"], record["tenant"], record["actor"]) == (1, "acme", "postgres")
        previous = event["event_hash"]
        records.append(record)
    assert [record["verb"] for record in records] == [
        *("CREATE_PRINCIPAL", "CREATE_TOKEN", "CHANGE_PRINCIPAL"),
        *("CREATE_TOKEN", "CREATE_TOKEN", "REVOKE_TOKEN"),
    ]
    assert [record["ts"] for record in records] == sorted(record["ts"] for record in records)
    (told,) = [one for one in call(tx, "verify_identities")["tenants"] if one["tenant"] == "acme"]
    assert told["head_hash"] == previous


def test_pages(tx: Connection) -> None:
    busy(tx, "default")
    whole = call(tx, "audit_identities")
    assert whole["next_since_seq"] is None
    found, since = [], 0
    for expected in (4, 2):
        page = call(tx, "audit_identities", limit=4, since_seq=since)
        assert len(page["events"]) == expected
        found += page["events"]
        since = page["next_since_seq"]
    assert since is None
    assert found == whole["events"]
    assert call(tx, "audit_identities", since_seq=6)["events"] == []


@pytest.mark.parametrize("limit", [0, -1, 501])
def test_refused(tx: Connection, limit: int) -> None:
    assert refused(tx, errors.InvalidRequest, "audit_identities", limit=limit).details["member"]
    assert call(tx, "audit_identities", limit=500) == {"events": [], "next_since_seq": None}


def test_of_another_tenant(tx: Connection) -> None:
    mine = busy(tx, "acme")
    principal(tx, "bob")
    assert len(call(tx, "audit_identities", credential=mine)["events"]) == 6
    for tenant in ("default", "*"):
        refused(tx, errors.Forbidden, "audit_identities", credential=mine, tenant=tenant)
