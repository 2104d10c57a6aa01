"""cmbs.merge_hypothesis: the graph grows, what was said first stands, and nothing is said twice."""

import json
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection
from tests.support.callers import caller
from tests.tee.graphs import (
    SAID,
    UNSPEAKABLE,
    Sent,
    edge,
    edge_id,
    graph,
    merge,
    node,
    refused,
    tables,
    version,
)

OTHER = {"source": "trace", "trigger": "span 1", "timestamp": "2026-01-02T03:04:05.600000Z"}
LONG = "x" * 512


def stored(connection: Connection, node_id: str) -> Any:
    found = call(connection, "read_main_graph")["nodes"]
    return next(one for one in found if one["id"] == node_id)


@pytest.mark.cold
def test_nodes_and_edges(tx: Connection) -> None:
    answer = merge(tx, [node("b"), node("a", hypothetical=True)], [edge("b", "a")])
    created = ["b", "a", "edge:b|a|DEPENDS_ON"]
    assert answer == {"created": created, "merged": [], "conflicts": []}
    assert version(tx) == 1
    said = SAID
    assert call(tx, "read_main_graph") == {
        "nodes": [
            node("a", hypothetical=True, provenance=[said]),
            node("b", hypothetical=False, provenance=[said]),
        ],
        "edges": [edge("b", "a", provenance=[said])],
    }


def test_again_changes_nothing(tx: Connection) -> None:
    sent = ([node("a"), node("b")], [edge("a", "b")])
    merge(tx, *sent)
    before = tables(tx)
    merged = ["a", "b", "edge:a|b|DEPENDS_ON"]
    assert merge(tx, *sent) == {"created": [], "merged": merged, "conflicts": []}
    assert tables(tx) == before, "nor is there a new version"


@pytest.mark.parametrize("arguments", [{}, {"nodes": "[]", "edges": "[]"}, {"nodes": None}])
def test_nothing_is_no_version(tx: Connection, arguments: dict[str, Any]) -> None:
    answer = call(tx, "merge_hypothesis", **arguments)
    assert answer == {"created": [], "merged": [], "conflicts": []}
    assert version(tx) == 0


def test_conflicts_are_told_and_change_nothing(tx: Connection) -> None:
    merge(tx, [node("a", hypothetical=True), node("b", hypothetical=True)])
    before = tables(tx)
    more = {"hypothetical": False, "provenance": [OTHER]}
    sent = [
        node("a", type="MECHANISM", label="another", **more),
        node("b", label="A label", **more),
    ]
    answer = merge(tx, sent)
    assert answer == {
        "created": [],
        "merged": [],
        "conflicts": [
            {"id": "a", "field": "label", "existing": "a label", "proposed": "another"},
            {"id": "a", "field": "type", "existing": "SERVICE", "proposed": "MECHANISM"},
            {"id": "b", "field": "label", "existing": "a label", "proposed": "A label"},
        ],
    }
    assert tables(tx) == before


def test_an_id_twice_in_one_message(tx: Connection) -> None:
    twice = [
        node("a", hypothetical=True, label="one"),
        node("a", hypothetical=False, label="two", provenance=[OTHER]),
        node("a", hypothetical=True, label="two"),
    ]
    answer = merge(tx, twice, [edge("a", "b"), edge("a", "b", provenance=[OTHER, SAID])])
    assert answer == {
        "created": ["a", "edge:a|b|DEPENDS_ON"],
        "merged": [],
        "conflicts": [{"id": "a", "field": "label", "existing": "one", "proposed": "two"}],
    }
    found = stored(tx, "a")
    assert (found["label"], found["hypothetical"]) == ("one", True)
    assert found["provenance"] == [SAID]
    assert merge(tx, twice)["merged"] == ["a"]
    assert version(tx) == 1


def test_one_of_several_in_a_message_is_a_conflict(tx: Connection) -> None:
    merge(tx, [node("a", hypothetical=True)])
    sent = [node("a", label="two"), node("a", provenance=[OTHER]), node("b"), node("b", label="x")]
    answer = merge(tx, sent)
    assert (answer["created"], answer["merged"]) == (["b"], ["a"])
    assert [one["id"] for one in answer["conflicts"]] == ["a", "b"]
    assert stored(tx, "a")["provenance"] == [SAID, OTHER]
    assert stored(tx, "a")["hypothetical"] is False


def test_a_node_costs_the_same_in_a_large_graph(tx: Connection) -> None:
    """Also before its tables are analyzed, which only happens by and by."""
    names = [f"n{number}" for number in range(3000)]
    merge(tx, [node(one) for one in names], [edge("n0", one) for one in names[1:]])
    read = (
        "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) "
        "from pg_stat_xact_user_tables where schemaname = 'cmbs_store' and relname ~ '^graph_'"
    )
    ((before,),) = tx.execute(read.encode()).fetchall()
    merge(tx, [node("n1", provenance=[OTHER])], [edge("n0", "n1", provenance=[OTHER])])
    merge(tx, [node("new")], [edge("n0", "new")])
    ((after,),) = tx.execute(read.encode()).fetchall()
    assert after - before < 60


def test_hypothetical_is_and(tx: Connection) -> None:
    merge(tx, [node("a", hypothetical=True), node("b", hypothetical=True), node("c")])
    merge(tx, [node("a", hypothetical=True), node("b"), node("c", hypothetical=True)])
    assert [stored(tx, i)["hypothetical"] for i in "abc"] == [True, False, False]
    assert version(tx) == 2
    merge(tx, [node("b", hypothetical=True)])
    assert stored(tx, "b")["hypothetical"] is False
    assert version(tx) == 2
    merge(tx, [node("b")])
    assert version(tx) == 2, "it was not hypothetical any more"


def test_provenance_is_a_set_by_source_and_trigger(tx: Connection) -> None:
    merge(tx, [node("a")], [edge("a", "b")])
    others = [OTHER, OTHER | {"trigger": "span 2", "timestamp": None}, SAID]
    merge(tx, [node("a", provenance=others)], [edge("a", "b", provenance=others)])
    # The same at another time is the same, and the first time stands.
    at = {"timestamp": "2030-01-01T00:00:00Z"}
    later = [OTHER | at, SAID | at]
    merge(tx, [node("a", provenance=later)], [edge("a", "b", provenance=later)])
    expected = [SAID, OTHER, SAID | OTHER | {"trigger": "span 2"}]
    del expected[2]["timestamp"]
    assert stored(tx, "a")["provenance"] == expected
    assert call(tx, "read_main_graph")["edges"][0]["provenance"] == expected
    assert version(tx) == 2


@pytest.mark.parametrize("shared", ["source", "trigger"])
def test_provenance_that_shares_a_part_with_the_first(tx: Connection, shared: str) -> None:
    other = OTHER | {shared: SAID[shared]}
    merge(tx, [node("a")], [edge("a", "b")])
    merge(tx, [node("a", provenance=[other])], [edge("a", "b", provenance=[other])])
    for one in (stored(tx, "a"), call(tx, "read_main_graph")["edges"][0]):
        assert one["provenance"] == [SAID, other]
    assert version(tx) == 2


def test_an_edge_is_its_ends_and_its_type(tx: Connection) -> None:
    kinds = ["DEPENDS_ON", "PROPAGATES_TO", "MANIFESTS_AS"]
    edges = [edge(*ends, kind) for ends in ("ab", "ba") for kind in kinds]
    merge(tx, [], edges)
    assert graph(tx) == (
        [],
        sorted(edge_id(*ends, kind) for ends in ("ab", "ba") for kind in kinds),
    )
    merge(tx, [node("a"), node("b")])
    assert merge(tx, [], edges)["created"] == []


@pytest.mark.parametrize("kind", ["SERVICE", "DEPENDENCY", "INFRASTRUCTURE", "MECHANISM"])
def test_types_of_nodes(tx: Connection, kind: str) -> None:
    merge(tx, [node("a", type=kind)])
    assert stored(tx, "a")["type"] == kind


@pytest.mark.parametrize("node_id", ["|", "%", "%7C", "%25", "a|b", "EDGE:x", "edge", " ", '"\\\n'])
def test_ids_are_opaque(tx: Connection, node_id: str) -> None:
    answer = merge(tx, [node(node_id)], [edge(node_id, "z"), edge("z", node_id)])
    assert answer["created"] == [node_id, edge_id(node_id, "z"), edge_id("z", node_id)]
    assert stored(tx, node_id)["id"] == node_id
    ends = [(e["source"], e["target"]) for e in call(tx, "read_main_graph")["edges"]]
    assert sorted(ends) == sorted([(node_id, "z"), ("z", node_id)])


def test_what_would_be_one_id_without_escapes(tx: Connection) -> None:
    pairs = [("a|b", "c"), ("a", "b|c"), ("a%7Cb", "c"), ("a", "b%7Cc")]
    created = merge(tx, [], [edge(*ends) for ends in pairs])["created"]
    assert len(set(created)) == 4
    assert created == [edge_id(*ends) for ends in pairs]


def test_the_longest_ids_there_are(tx: Connection) -> None:
    """Of text that does not compress, as an index has to hold all of a key."""
    rows = tx.execute(
        "select substr(string_agg(md5(k::text || n::text), '' order by n), 1, 512) "
        "from generate_series(1, 4) as k, generate_series(1, 16) as n group by k"
    )
    one, other, source, trigger = (row[0] for row in rows)
    said = [SAID, {"source": source, "trigger": trigger}]
    sent = ([node(one, provenance=said)], [edge(one, other, "PROPAGATES_TO", provenance=said)])
    tenant = caller(tx, "ann", "agent", tenant="t" * 64)
    assert merge(tx, *sent, credential=tenant)["created"][0] == one
    assert len(call(tx, "read_main_graph", credential=tenant)["edges"][0]["provenance"]) == 2


FAULTS: list[tuple[str, object]] = [
    *(("id", bad) for bad in ("", None, 1, [], ["a"], {}, True, "x" * 513, "ä" * 257)),
    *(("id", bad) for bad in ("edge:", "edge:a|b|DEPENDS_ON")),
    *(("type", bad) for bad in ("", None, 1, "service", "UNSPECIFIED", "NODE_TYPE_SERVICE", [])),
    *(("label", bad) for bad in ("", None, 1, ["a"], "x" * 4097)),
    *(("hypothetical", bad) for bad in (None, 0, "true", [])),
    *(("unknown", bad) for bad in (None, 1)),
]
PROVENANCE: list[object] = [
    *(None, [], {}, "s", SAID, [None], [[]], ["s"], [[SAID]], [SAID, {}], [SAID | {"by": 1}]),
    *([{"source": "s"}], [{"trigger": "t"}], [SAID | {"source": ""}], [SAID | {"trigger": ""}]),
    *([SAID | {"source": 1}], [SAID | {"trigger": None}], [SAID | {"source": "x" * 513}]),
    *([SAID | {"timestamp": bad}] for bad in (1, "", "now", "infinity", "2026-01-01", [])),
    *([SAID | {"timestamp": f"{bad}T00:00:00Z"}] for bad in ("2026-02-30", "0000-01-01")),
    [SAID | {"timestamp": "2026-01-01T00:00:00"}],
]
EDGE_FAULTS: list[tuple[str, object]] = [
    *((end, bad) for end in ("source", "target") for bad in ("", None, 1, ["a"], "edge:x")),
    *((end, "x" * 513) for end in ("source", "target")),
    *(("type", bad) for bad in ("", None, 1, "UNSPECIFIED", "EDGE_TYPE_DEPENDS_ON", "SERVICE")),
    *(("unknown", 1), ("id", "edge:a|b|DEPENDS_ON"), ("source", "b")),
]


def check_refused(connection: Connection, nodes: object, edges: object = ()) -> None:
    """Together with good ones, which are refused with them; nothing of all that is written."""
    sent = {"nodes": Json(nodes), "edges": Json(edges)}
    error = refused(connection, psycopg.Error, "merge_hypothesis", **sent)
    assert error.sqlstate == "MB201" or str(error.sqlstate).startswith("22"), error


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault[0]}={fault[1]!r:.20}")
def test_a_bad_node(tx: Connection, fault: tuple[str, object]) -> None:
    bad = node("z", **{fault[0]: fault[1]}) if fault[0] != "id" else node(fault[1])
    check_refused(tx, [node("a"), bad], [edge("a", "b")])


@pytest.mark.parametrize("member", ["id", "type", "label", "provenance"])
def test_a_node_without(tx: Connection, member: str) -> None:
    bad = node("z")
    del bad[member]
    check_refused(tx, [node("a"), bad])


@pytest.mark.parametrize("said", PROVENANCE, ids=lambda said: f"{said!r:.60}")
def test_bad_provenance(tx: Connection, said: object) -> None:
    check_refused(tx, [node("a"), node("z", provenance=said)])
    check_refused(tx, [node("a")], [edge("a", "b"), edge("a", "c", provenance=said)])


@pytest.mark.parametrize("fault", EDGE_FAULTS, ids=lambda fault: f"{fault[0]}={fault[1]!r:.20}")
def test_a_bad_edge(tx: Connection, fault: tuple[str, object]) -> None:
    check_refused(tx, [node("a")], [edge("a", "b"), edge("a", "b") | {fault[0]: fault[1]}])


@pytest.mark.parametrize("member", ["source", "target", "type", "provenance"])
def test_an_edge_without(tx: Connection, member: str) -> None:
    bad = edge("a", "b")
    del bad[member]
    check_refused(tx, [node("a")], [bad])


@pytest.mark.parametrize("value", [None, 1, "a", {}, [[]], [None], [1], ["id"], [[node("a")]]])
def test_what_is_no_list_of_objects(tx: Connection, value: object) -> None:
    check_refused(tx, value, [edge("a", "b")])
    check_refused(tx, [node("a")], value)


@pytest.mark.parametrize("text", UNSPEAKABLE)
def test_what_no_text_can_hold(tx: Connection, text: str) -> None:
    good: Sent = node("a")
    for member in ("id", "label"):
        sent = json.dumps([good, good | {member: "?"}]).replace('"?"', text)
        error = refused(tx, psycopg.DataError, "merge_hypothesis", nodes=sent)
        assert error.sqlstate.startswith("22")


def test_the_first_that_is_wrong_is_named(tx: Connection) -> None:
    sent = {"nodes": Json([node("a"), node("b"), node("c", label=""), node("")])}
    error = refused(tx, errors.InvalidRequest, "merge_hypothesis", **sent)
    assert error.details["member"] == "nodes[2]"
    assert "label" in error.details["problem"]


@pytest.mark.nightly
@pytest.mark.slow("the largest graph there may be")
def test_the_most_there_may_be(tx: Connection) -> None:
    most = [node(f"n{number}") for number in range(100_000)]
    refused(tx, errors.PayloadTooLarge, "merge_hypothesis", nodes=Json([*most, node("z")]))
    assert len(merge(tx, [*most[1:], node(LONG)])["created"]) == 100_000


def test_by_agents_and_encoders(tx: Connection) -> None:
    for role in ("agent", "encoder"):
        assert merge(tx, [node(role)], credential=caller(tx, role, role))["created"] == [role]
    for role in ("tool", "policy", "approver", "auditor", "admin"):
        sent = {"nodes": Json([node("z")]), "credential": caller(tx, role, role)}
        refused(tx, errors.Forbidden, "merge_hypothesis", **sent)


def test_every_tenant_has_its_graph(tx: Connection) -> None:
    here, there = (caller(tx, "ann", "agent", tenant=tenant) for tenant in (None, "other"))
    merge(tx, [node("a"), node("b")], credential=here)
    answer = merge(tx, [node("a", label="theirs")], credential=there)
    assert (answer["created"], answer["conflicts"]) == (["a"], [])
    assert stored(tx, "a")["label"] == "a label"
    assert version(tx) == 1
