"""cmbs.read_incident: what it is pinned to, its universe, and what is ruled out."""

from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.support.beliefs import Connection
from tests.tee.graphs import begin, edge, edge_id, merge, name, node, rule_out, rule_out_edges, seed


def read(connection: Connection, incident_id: str = "i") -> Any:
    return call(connection, "read_incident", incident_id=incident_id)


@pytest.mark.cold
def test_of_the_whole_graph(tx: Connection) -> None:
    seed(tx)
    set_clock(tx, "2090-01-01T00:00:00.5Z")
    begin(tx)
    assert read(tx) == {
        "incident_id": "i",
        "created_at": "2090-01-01T00:00:00.500000Z",
        "universe_anchor": "v1",
        "universe": list("abcd"),
        "tombstones": {"node_ids": [], "edges": []},
    }


def test_it_stays_as_it_was_pinned(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    before = read(tx)
    merge(tx, [node("e")], [edge("a", "e")])
    assert read(tx) == before


def test_what_is_ruled_out_stays_in_the_universe(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    rule_out(tx, "b", "z")
    rule_out_edges(tx, name("c", "d"), name("a", "z"))
    found = read(tx)
    assert found["universe"] == list("abcd")
    gone = {"node_ids": ["b", "z"], "edges": [name("a", "z"), name("c", "d")]}
    assert found["tombstones"] == gone
    assert call(tx, "read_tombstones", incident_id="i") == gone


def test_of_a_part(tx: Connection) -> None:
    seed(tx)
    begin(tx, "i", *"cba")
    assert read(tx)["universe"] == list("abc"), "no edges where none were named"
    begin(tx, "j", *"cba", edges=Json([name("b", "c")]))
    assert read(tx, "j")["universe"] == ["a", "b", "c", edge_id("b", "c")]
    begin(tx, "k", node_ids=[])
    assert read(tx, "k")["universe"] == []


def test_its_order_is_that_of_code_points(tx: Connection) -> None:
    ids = ["a", "B", "ä", "Z", "\U0001f600", "\ue000", "_", "a b"]
    merge(tx, [node(one) for one in ids])
    begin(tx)
    assert read(tx)["universe"] == sorted(ids)
    assert rule_out(tx, *ids)["applied"] == sorted(ids)
    assert read(tx)["tombstones"]["node_ids"] == sorted(ids)
