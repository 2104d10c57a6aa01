"""cmbs.read_live_view: the anchored graph without tombstones and without edges of a dead end."""

from typing import Any

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection
from tests.support.callers import READERS, ROLES, caller
from tests.tee.graphs import (
    SAID,
    begin,
    edge,
    edge_id,
    live,
    merge,
    name,
    node,
    refused,
    rule_out,
    rule_out_edges,
    seed,
    tables,
)

AB, BC, CD = (edge_id(*ends) for ends in ("ab", "bc", "cd"))


def view(connection: Connection) -> Any:
    return call(connection, "read_live_view", incident_id="i")


@pytest.mark.cold
def test_what_it_says(tx: Connection) -> None:
    others = [SAID | {"trigger": str(no), "timestamp": "2026-01-02T03:04:05Z"} for no in (2, 1)]
    odd = '"\\\n'
    merge(tx, [node("b", hypothetical=True), node("a", label=odd, provenance=others)])
    more = [edge("a", "b", provenance=others)]
    merge(tx, [node("a", label=odd), node("b", provenance=others)], more)
    begin(tx)
    shown = [one | {"timestamp": "2026-01-02T03:04:05.000000Z"} for one in others]
    first = SAID
    found = view(tx)
    assert found["nodes"] == [
        node("a", label='"\\\n', hypothetical=False, provenance=[*shown, first]),
        node("b", hypothetical=False, provenance=[first, *shown[::-1]]),
    ]
    assert found["edges"] == [edge("a", "b", provenance=shown)]


def test_edges_of_a_dead_end(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    rule_out_edges(tx, name("a", "b"))
    assert live(tx) == (list("abcd"), [BC, CD])
    rule_out(tx, "c")
    assert live(tx) == (list("abd"), [])
    rule_out(tx, *"abd")
    assert live(tx) == ([], [])


def test_edges_of_an_end_that_is_no_node(tx: Connection) -> None:
    seed(tx, "ab", "ab bz zy")
    begin(tx)
    assert live(tx) == (["a", "b"], [AB])


def test_it_stays_as_it_was_pinned(tx: Connection) -> None:
    merge(tx, [node("a", hypothetical=True), node("b")], [edge("a", "b")])
    begin(tx)
    before = view(tx)
    said = [{"source": "x", "trigger": "y"}]
    merge(tx, [node("a", provenance=said), node("z")], [edge("a", "b", provenance=said)])
    merge(tx, [], [edge("b", "a"), edge("a", "z")])
    assert view(tx) == before, "neither confirmed since then nor said by others"
    begin(tx, "j")
    pinned, whole = call(tx, "read_live_view", incident_id="j"), call(tx, "read_main_graph")
    assert pinned["nodes"] == whole["nodes"]
    assert sorted(map(str, pinned["edges"])) == sorted(map(str, whole["edges"]))


def test_it_writes_nothing(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    before = tables(tx)
    assert live(tx) == live(tx)
    assert tables(tx) == before


@pytest.mark.parametrize("verb", ["read_live_view", "read_incident", "read_tombstones"])
@pytest.mark.parametrize("incident_id", ["", None, "x" * 513])
def test_a_bad_id(tx: Connection, verb: str, incident_id: str | None) -> None:
    error = refused(tx, errors.InvalidRequest, verb, incident_id=incident_id)
    assert error.details["member"] == "incident_id"


@pytest.mark.parametrize("verb", ["read_live_view", "read_incident", "read_tombstones"])
def test_whose_it_is(tx: Connection, verb: str) -> None:
    seed(tx)
    begin(tx)
    mine = call(tx, verb, incident_id="i")
    for role in READERS:
        credential = caller(tx, role, role)
        assert call(tx, verb, incident_id="i", credential=credential) == mine
    operator = caller(tx, "root", "auditor", tenant="*")
    assert call(tx, verb, incident_id="i", credential=operator) == mine
    stranger = caller(tx, "eve", *ROLES, tenant="other")
    for sent in ({"incident_id": "i", "credential": stranger}, {"incident_id": "nope"}):
        error = refused(tx, errors.IncidentNotFound, verb, **sent)
        assert error.details == {"incident_id": sent["incident_id"]}


def test_nobody_waits_for_who_rules_out(database: str) -> None:
    with (
        psycopg.connect(database, autocommit=True) as connection,
        psycopg.connect(database, autocommit=True) as reader,
    ):
        seed(connection)
        begin(connection)
        reader.execute("set lock_timeout = '5s'")
        with connection.transaction():
            rule_out(connection, "a")
            merge(connection, [node("z")])
            assert live(reader) == (list("abcd"), [AB, BC, CD])
        assert live(reader) == (list("bcd"), [BC, CD])


def test_it_does_not_read_what_others_listed(db: Connection) -> None:
    seed(db)
    begin(db)
    for incident in range(5):
        call(db, "create_incident", incident_id=f"other{incident}", node_ids=["a", "b"])
    # A small table that is known to be one is read whole.
    db.execute("analyze cmbs_store.context_hypothesis")
    read = "select pg_stat_get_xact_tuples_returned('cmbs_store.context_hypothesis'::regclass)"
    with db.transaction():
        assert view(db)["nodes"] != []
        assert db.execute(read).fetchone() == (0,)
        call(db, "read_live_view", incident_id="other1")
        assert db.execute(read).fetchone() != (0,)


def pages(connection: Connection, limit: int, **more: Any) -> list[Any]:
    found, after = list[Any](), None
    while True:
        sent = {"limit": limit, "after": after}
        found.append(call(connection, "read_live_view", incident_id="i", **sent, **more))
        after = found[-1]["next"]
        if not after:
            return found
        assert len(found[-1]["nodes"]) + len(found[-1]["edges"]) == limit


def test_pages_are_the_whole(tx: Connection) -> None:
    ids = [*"zyx", "é", "A", '"']
    said = [SAID | {"trigger": no} for no in "12"]
    merge(tx, [node(one) for one in ids])
    merge(tx, [node("x", provenance=said)], [edge("x", "y", provenance=said)])
    merge(tx, [], [edge(*ends) for ends in ("zy", "zx", "yx", "yz", "éA", "Aé")])
    merge(tx, [], [edge("z", "y", "MANIFESTS_AS")])
    begin(tx)
    rule_out(tx, "A")
    whole = view(tx)
    assert whole["next"] is None
    assert (len(whole["nodes"]), len(whole["edges"])) == (5, 6)
    for limit in range(1, 13):
        found = pages(tx, limit)
        nodes = [one for page in found for one in page["nodes"]]
        edges = [one for page in found for one in page["edges"]]
        assert nodes == whole["nodes"], "in the same order"
        assert sorted(map(str, edges)) == sorted(map(str, whole["edges"]))
        assert len(found) == 11 // limit + 1


def test_what_is_ruled_out_between_two_pages_is_on_none(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    first = call(tx, "read_live_view", incident_id="i", limit=1)
    rule_out(tx, "b")
    rest = call(tx, "read_live_view", incident_id="i", limit=99, after=first["next"])
    assert [one["id"] for one in rest["nodes"]] == ["c", "d"]
    assert [edge_id(one["source"], one["target"]) for one in rest["edges"]] == [CD]
    assert rest["next"] is None


@pytest.mark.parametrize(
    ("sent", "member"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": -1}, "limit"),
        ({"limit": 100_001}, "limit"),
        ({"limit": 1, "after": "edge:"}, "after"),
        ({"limit": 1, "after": "edge:a|b"}, "after"),
        ({"limit": 1, "after": "edge:a|b|NOTHING"}, "after"),
        ({"limit": 1, "after": "edge:a|b|DEPENDS_ON|c"}, "after"),
    ],
)
def test_a_bad_page(tx: Connection, sent: Any, member: str) -> None:
    seed(tx)
    begin(tx)
    error = refused(tx, errors.InvalidRequest, "read_live_view", incident_id="i", **sent)
    assert error.details["member"] == member
