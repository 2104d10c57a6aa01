"""cmbs.read_main_graph: all of the graph, whatever incidents have ruled out."""

import pytest

from cmbs.database.calls import call
from tests.support.beliefs import Connection
from tests.support.callers import READERS, caller
from tests.tee.graphs import (
    SAID,
    begin,
    edge,
    edge_id,
    graph,
    merge,
    name,
    node,
    rule_out,
    rule_out_edges,
    seed,
    tables,
)


@pytest.mark.cold
def test_nothing(tx: Connection) -> None:
    before = tables(tx)
    assert call(tx, "read_main_graph") == {"nodes": [], "edges": []}
    assert tables(tx) == before


def test_everything(tx: Connection) -> None:
    seed(tx, "ab", "ab bz")
    begin(tx)
    rule_out(tx, "a")
    rule_out_edges(tx, name("a", "b"))
    assert graph(tx) == (["a", "b"], [edge_id("a", "b"), edge_id("b", "z")])


def test_it_is_as_it_is_now(tx: Connection) -> None:
    merge(tx, [node("a", hypothetical=True)])
    said = {"source": "x", "trigger": "y"}
    merge(tx, [node("a", provenance=[said])])
    shown = node("a", hypothetical=False, provenance=[SAID, said])
    assert call(tx, "read_main_graph")["nodes"] == [shown]


def test_it_can_be_merged_into_another(tx: Connection) -> None:
    seed(tx)
    merge(tx, [node("ä|%", hypothetical=True)], [edge("ä|%", "b", "MANIFESTS_AS")])
    found = call(tx, "read_main_graph")
    there = caller(tx, "eve", "agent", tenant="other")
    merge(tx, found["nodes"], found["edges"], credential=there)
    copied = call(tx, "read_main_graph", credential=there)
    assert copied["nodes"] == found["nodes"]
    assert sorted(map(str, copied["edges"])) == sorted(map(str, found["edges"]))


def test_of_the_tenant_of_the_caller(tx: Connection) -> None:
    seed(tx)
    mine = call(tx, "read_main_graph")
    for role in READERS:
        assert call(tx, "read_main_graph", credential=caller(tx, role, role)) == mine
    for role in READERS:
        stranger = caller(tx, f"other {role}", role, tenant="other")
        found = call(tx, "read_main_graph", credential=stranger)
        assert found == {"nodes": [], "edges": []}
