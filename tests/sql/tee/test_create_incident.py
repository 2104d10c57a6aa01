"""cmbs.create_incident: pinned to the graph as it is, once, with one universe."""

from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, background
from tests.support.callers import caller
from tests.tee.graphs import (
    begin,
    edge,
    edge_id,
    live,
    merge,
    name,
    node,
    refused,
    seed,
    tables,
)

WHOLE = (list("abcd"), [edge_id(*ends) for ends in ("ab", "bc", "cd")])


def created(is_created: bool, anchor: str = "v1", incident_id: str = "i") -> dict[str, Any]:
    return {"incident_id": incident_id, "created": is_created, "universe_anchor": anchor}


@pytest.mark.cold
def test_of_the_whole_graph(tx: Connection) -> None:
    seed(tx)
    assert begin(tx) == created(True)
    assert live(tx) == WHOLE


def test_of_no_graph_at_all(tx: Connection) -> None:
    assert begin(tx) == created(True, "v0")
    seed(tx)
    assert live(tx) == ([], [])


def test_again_is_the_same_incident(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    merge(tx, [node("e")], [edge("a", "e")])
    before = tables(tx)
    assert begin(tx) == created(False)
    assert tables(tx) == before
    assert live(tx) == WHOLE, "what was merged later is not part of it"
    assert begin(tx, "j")["universe_anchor"] == "v2"


def test_what_is_merged_later_is_no_part_of_it(tx: Connection) -> None:
    merge(tx, [node("a"), node("b", hypothetical=True)], [edge("a", "b"), edge("a", "c")])
    begin(tx)
    before = call(tx, "read_live_view", incident_id="i")
    more = [{"source": "x", "trigger": "y"}]
    merge(tx, [node("c"), node("b", provenance=more)], [edge("a", "b", provenance=more)])
    assert call(tx, "read_live_view", incident_id="i") == before, "not even who else says so"
    assert live(tx) == (["a", "b"], [edge_id("a", "b")])


def test_of_some_nodes_with_the_edges_between_them(tx: Connection) -> None:
    seed(tx)
    assert begin(tx, "i", "c", "a", "b", "a") == created(True)
    assert live(tx) == (list("abc"), [edge_id(*ends) for ends in ("ab", "bc")])
    merge(tx, [], [edge("a", "c")])
    assert live(tx)[1] == [edge_id(*ends) for ends in ("ab", "bc")]
    for again in (["a", "b", "c"], ["c", "b", "a", "c"], []):
        assert begin(tx, "i", *again) == created(False)


def test_of_some_nodes_and_edges(tx: Connection) -> None:
    seed(tx)
    edges = Json([name("b", "c"), name("b", "c")])
    assert begin(tx, "i", *"abc", edges=edges) == created(True)
    assert live(tx) == (list("abc"), [edge_id("b", "c")])
    assert begin(tx, "i", *"cba", edges=Json([name("b", "c")])) == created(False)
    assert begin(tx, "j", *"abc", edges=Json([])) == created(True, incident_id="j")
    assert live(tx, "j") == (list("abc"), [])


def test_of_nothing(tx: Connection) -> None:
    seed(tx)
    assert begin(tx, "i", node_ids=[]) == created(True)
    assert live(tx) == ([], [])
    assert begin(tx, "j", node_ids=[], edges=Json([]))["created"] is True
    assert live(tx, "j") == ([], [])


def test_no_list_of_nodes_is_all_of_them(tx: Connection) -> None:
    """As p_node_ids says: null is the whole graph, and p_edges are the edges that are."""
    seed(tx)
    begin(tx, edges=Json([]))
    assert live(tx) == (list("abcd"), [])
    begin(tx, "j", edges=Json([name("a", "b")]))
    assert live(tx, "j") == (list("abcd"), [edge_id("a", "b")])


@pytest.mark.parametrize(
    "other",
    [
        {"node_ids": list("ab")},
        {"node_ids": list("abcd")},
        {"node_ids": []},
        {"node_ids": list("abc"), "edges": Json([])},
        {"node_ids": list("abc"), "edges": Json([name("a", "b")])},
    ],
)
def test_another_universe_under_the_same_id(tx: Connection, other: dict[str, Any]) -> None:
    seed(tx)
    begin(tx, "i", *"abc")
    error = refused(tx, errors.Conflict, "create_incident", incident_id="i", **other)
    assert error.details == {"incident_id": "i", "universe_anchor": "v1"}


@pytest.mark.parametrize("node_ids", ["", "abc", "abcde"])
def test_all_of_it_is_not_a_part_of_it(tx: Connection, node_ids: str) -> None:
    seed(tx)
    begin(tx)
    assert begin(tx, "i", *"dcba") == created(False), "all that it was pinned to"
    merge(tx, [node("e")])
    assert begin(tx, "i", *"abcd") == created(False)
    sent = {"incident_id": "i", "node_ids": list(node_ids)}
    refused(tx, errors.Conflict, "create_incident", **sent)
    edges = Json([name("a", "b")])
    refused(
        tx, errors.Conflict, "create_incident", **sent | {"node_ids": list("abcd")}, edges=edges
    )


@pytest.mark.parametrize(
    ("sent", "unknown"),
    [
        ({"node_ids": ["a", "z", "y"]}, ["y", "z"]),
        ({"node_ids": ["a", "b"], "edges": [name("b", "a")]}, [edge_id("b", "a")]),
        ({"node_ids": ["a"], "edges": [name("a", "b")]}, [edge_id("a", "b")]),
        ({"node_ids": ["b", "z"], "edges": [name("a", "z")]}, [edge_id("a", "z"), "z"]),
    ],
)
def test_what_the_graph_has_not(tx: Connection, sent: dict[str, Any], unknown: list[str]) -> None:
    seed(tx)
    merge(tx, [], [edge("a", "z")])
    if "edges" in sent:
        sent = sent | {"edges": Json(sent["edges"])}
    error = refused(tx, errors.InvalidRequest, "create_incident", incident_id="i", **sent)
    assert sorted(error.details["unknown"]) == unknown


def test_no_more_than_a_hundred_of_them_are_named(tx: Connection) -> None:
    ids = [f"n{number}" for number in range(500)]
    sent = {"incident_id": "i", "node_ids": ids}
    error = refused(tx, errors.InvalidRequest, "create_incident", **sent)
    assert len(error.details["unknown"]) == 100


@pytest.mark.parametrize("incident_id", ["", None, "x" * 513])
def test_a_bad_id(tx: Connection, incident_id: str | None) -> None:
    error = refused(tx, errors.InvalidRequest, "create_incident", incident_id=incident_id)
    assert error.details["member"] == "incident_id"
    assert begin(tx, "x" * 512)["created"] is True


@pytest.mark.parametrize(
    "node_ids", [[""], [None], ["a", None], ["x" * 513], ["edge:a"], [["a"], ["b"]]]
)
def test_bad_ids_of_nodes(tx: Connection, node_ids: list[Any]) -> None:
    seed(tx)
    sent = {"incident_id": "i", "node_ids": node_ids}
    error = refused(tx, errors.InvalidRequest, "create_incident", **sent)
    assert error.details["member"] == "node_ids"


@pytest.mark.parametrize(
    "edges",
    [{}, 1, "a", None, [None], [[]], [name("a", "a")], [name("a", "b", "NO")], [edge(*"ab")]],
)
def test_bad_edges(tx: Connection, edges: object) -> None:
    seed(tx)
    sent = {"incident_id": "i", "node_ids": ["a", "b"], "edges": Json(edges)}
    error = refused(tx, errors.InvalidRequest, "create_incident", **sent)
    assert error.details["member"].startswith("edges")


def test_edges_of_ids_that_are_too_long_together(tx: Connection) -> None:
    """An id of an edge may be longer than an id may be: whatever is said, it is said of edges."""
    one, other = "x" * 300, "y" * 300
    merge(tx, [node(one), node(other)], [edge(one, other)])
    sent = {"node_ids": [one, other], "edges": Json([name(one, other)])}
    error = refused(tx, errors.InvalidRequest, "create_incident", incident_id="i", **sent)
    assert error.details["member"] == "edges"


def test_by_agents_alone(tx: Connection) -> None:
    assert begin(tx, credential=caller(tx, "ann", "agent"))["created"] is True
    for role in ("encoder", "tool", "policy", "approver", "auditor", "admin"):
        sent = {"incident_id": "j", "credential": caller(tx, role, role)}
        refused(tx, errors.Forbidden, "create_incident", **sent)


def test_of_another_tenant(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    stranger = caller(tx, "eve", "agent", tenant="other")
    error = refused(tx, errors.Conflict, "create_incident", incident_id="i", credential=stranger)
    assert error.details == {"incident_id": "i"}, "and nothing else is told of it"
    assert begin(tx, "theirs", credential=stranger) == created(True, "v0", "theirs")
    sent = {"incident_id": "mine", "node_ids": ["a"], "credential": stranger}
    refused(tx, errors.InvalidRequest, "create_incident", **sent)


def test_two_at_a_time(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection, background(database) as others:
        seed(connection)
        with connection.transaction():
            assert begin(connection)["created"] is True
            waiting = others.call("create_incident", incident_id="i")
            others.wait_until_blocked()
        assert waiting.result() == created(False)
        with connection.transaction(force_rollback=True):
            assert begin(connection, "j")["created"] is True
            waiting = others.call("create_incident", incident_id="j")
            others.wait_until_blocked()
        assert waiting.result() == created(True, incident_id="j")


def test_nobody_waits_for_a_merge(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection, background(database) as others:
        seed(connection)
        with connection.transaction():
            merge(connection, [node("e")], [edge("a", "e")])
            assert others.call("create_incident", incident_id="i").result() == created(True)
        assert live(connection) == WHOLE
