"""cmbs.read_tombstones: what is ruled out, also what the graph does not have."""

from typing import Any

import pytest

from cmbs.database.calls import call
from tests.support.beliefs import Connection
from tests.tee.graphs import begin, edge, merge, name, node, rule_out, rule_out_edges, seed, tables


def read(connection: Connection, incident_id: str = "i") -> Any:
    return call(connection, "read_tombstones", incident_id=incident_id)


@pytest.mark.cold
def test_nothing(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    before = tables(tx)
    assert read(tx) == {"node_ids": [], "edges": []}
    assert tables(tx) == before


def test_nodes_and_edges_sorted(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    rule_out(tx, "c", "z")
    rule_out(tx, "a", "c")
    rule_out_edges(tx, name("b", "a"), name("a", "b", "PROPAGATES_TO"), name("a", "b"))
    edges = [name("a", "b"), name("a", "b", "PROPAGATES_TO"), name("b", "a")]
    assert read(tx) == {"node_ids": ["a", "c", "z"], "edges": edges}


def test_a_node_does_not_name_its_edges(tx: Connection) -> None:
    """They have a dead end, but nobody has ruled them out."""
    seed(tx)
    begin(tx)
    rule_out(tx, "b")
    assert read(tx) == {"node_ids": ["b"], "edges": []}


def test_what_the_graph_has_later_makes_no_difference(tx: Connection) -> None:
    begin(tx)
    rule_out(tx, "z")
    rule_out_edges(tx, name("z", "a|%"))
    before = read(tx)
    merge(tx, [node("z")], [edge("z", "a|%")])
    assert read(tx) == before == {"node_ids": ["z"], "edges": [name("z", "a|%")]}
    begin(tx, "j")
    assert read(tx, "j") == {"node_ids": [], "edges": []}
