"""The views of the causal graph, of incidents and of the mirror: what the verbs answer."""

from datetime import UTC, datetime
from typing import Any

import pytest
from psycopg.rows import dict_row
from psycopg.types.json import Json

from cmbs.database.calls import call
from tests.support.beliefs import Connection, Session
from tests.support.callers import caller
from tests.tee.scene import Graph, Tee, edge_id, names, node, rich_tee, said, set_mirror

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, UTC)
A_B, B_C = edge_id("a", "b"), edge_id("b", "c", "PROPAGATES_TO")
A_ODD, A_LATER = edge_id("a", "o|d%", "MANIFESTS_AS"), edge_id("a", "later")


@pytest.fixture
def tee(tx: Connection) -> Tee:
    """In a graph of default's, beside another tenant's with the same names."""
    rich_tee(tx, credential=caller(tx, "other", "agent", tenant="other"), mark="other ")
    Graph(tx, credential=caller(tx, "same", "agent", tenant="same")).merge(["a", "b"], [("a", "b")])
    set_mirror(tx)
    return rich_tee(tx)


def rows(tee: Tee, view: str, order: str, where: str = "true") -> list[dict[str, Any]]:
    query = f"select * from cmbs.{view} where {where} order by {order}"
    with tee.graph.connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query.encode()).fetchall()


def by(name: str, timestamp: str | None = None) -> dict[str, Any]:
    return said(name, "trigger") | {"timestamp": timestamp}


def instants(provenance: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With times that are the same however they are written."""
    return [
        one | {"timestamp": one["timestamp"] and datetime.fromisoformat(one["timestamp"])}
        for one in provenance
    ]


def test_graph_node(tee: Tee) -> None:
    found = rows(tee, "graph_node", "node_id", "tenant = 'default'")
    for row in found:
        row["provenance"] = instants(row["provenance"])
    first, second, third = (by(name) for name in ("first", "second", "third"))
    timed = first | {"timestamp": AT}
    expected = [
        # It was hypothetical until somebody said otherwise; type and label are the first ones.
        ("a", "SERVICE", "A", False, [timed, second], 1),
        ("b", "DEPENDENCY", "b", False, [first, third], 1),
        ("c", "INFRASTRUCTURE", "c", True, [first], 1),
        ("later", "SERVICE", "later", False, [second], 2),
        ("o|d%", "MECHANISM", "o|d%", False, [first, second], 1),
    ]
    members = ("node_id", "type", "label", "hypothetical", "provenance", "version")
    assert [tuple(row[name] for name in members) for row in found] == expected
    ((same,),) = tee.graph.connection.execute(
        "select count(*) from cmbs.graph_node where tenant = 'same'"
    ).fetchall()
    assert same == 2


def test_graph_edge(tee: Tee) -> None:
    found = rows(tee, "graph_edge", "source, target", "tenant = 'default'")
    for row in found:
        row["provenance"] = instants(row["provenance"])
    first, second, third = (by(name) for name in ("first", "second", "third"))
    members = ("source", "target", "type", "provenance", "version")
    assert [tuple(row[name] for name in members) for row in found] == [
        ("a", "b", "DEPENDS_ON", [first | {"timestamp": AT}, third], 1),
        # Its end was no node yet when it was merged.
        ("a", "later", "DEPENDS_ON", [first], 1),
        ("a", "o|d%", "MANIFESTS_AS", [first], 1),
        ("b", "c", "PROPAGATES_TO", [first], 1),
        ("c", "a", "DEPENDS_ON", [second], 2),
    ]


def test_graph_growth(tee: Tee) -> None:
    tee.graph.merge([node("a", label="A")])
    tee.graph.merge([node("a", label="A", by=said("first", "trigger"))])
    found = rows(tee, "graph_growth", "tenant, version", "tenant in ('default', 'same')")
    members = ("tenant", "version", "n_new_nodes", "n_new_edges", "n_nodes", "n_edges")
    assert [tuple(row[name] for name in members) for row in found] == [
        ("default", 1, 4, 4, 4, 4),
        ("default", 2, 1, 1, 5, 5),
        # Who merged it again added provenance alone; who did so once more added nothing.
        ("default", 3, 0, 0, 5, 5),
        ("same", 1, 2, 1, 2, 1),
    ]
    assert [row["merged_by"] for row in found] == ["postgres"] * 3 + ["same"]
    assert found[0]["merged_at"] < found[1]["merged_at"] < found[2]["merged_at"]


def test_incident(tee: Tee) -> None:
    found = rows(tee, "incident", "incident_id", "tenant = 'default'")
    members = ("incident_id", "universe_anchor", "is_subset", "created_by")
    counted = ("n_node_tombstones", "n_edge_tombstones")
    assert [tuple(row[name] for name in (*members, *counted)) for row in found] == [
        ("all", "v1", False, "postgres", 2, 2),
        ("listed", "v1", True, "postgres", 1, 0),
        ("nodes", "v1", True, "postgres", 2, 0),
    ]
    for row in found:
        told = tee.graph("read_incident", incident_id=row["incident_id"])
        assert told["universe_anchor"] == row["universe_anchor"]
        assert datetime.fromisoformat(told["created_at"]) == row["created_at"]
        assert len(told["tombstones"]["node_ids"]) == row["n_node_tombstones"]
        assert len(told["tombstones"]["edges"]) == row["n_edge_tombstones"]


def test_incident_tombstone(tee: Tee) -> None:
    found = rows(tee, "incident_tombstone", "incident_id, kind, id", "incident_id !~ '^other'")
    members = ("incident_id", "kind", "id", "matched")
    never = edge_id("b", "o|d%")
    assert [tuple(row[name] for name in members) for row in found] == [
        ("all", "edge", A_B, True),
        ("all", "edge", never, False),
        ("all", "node", "c", True),
        ("all", "node", "unknown", False),
        ("listed", "node", "c", True),
        ("nodes", "node", "b", True),
        ("nodes", "node", "c", True),
    ]
    assert never == "edge:b|o%7Cd%25|DEPENDS_ON"
    told = {(row["source_id"], row["trigger"], row["actor"]) for row in found}
    assert told == {("tool", "observation", "postgres")}
    assert [row["occurred_at"] for row in found] == [None, None, AT, AT, None, None, None]
    assert found[2]["recorded_at"] < found[0]["recorded_at"] < found[4]["recorded_at"]
    # What somebody else rules out again stays as it was.
    tee.graph.rule_out("all", "c", source_id="somebody else")
    assert rows(tee, "incident_tombstone", "1, 2, 3", "incident_id !~ '^other'") == found


def test_most_tombstoned(tee: Tee) -> None:
    found = rows(tee, "most_tombstoned", "n_incidents desc, kind, id", "tenant = 'default'")
    told = [(row["kind"], row["id"], row["n_incidents"]) for row in found]
    assert told == [
        ("node", "c", 3),
        ("edge", A_B, 1),
        ("edge", edge_id("b", "o|d%"), 1),
        ("node", "b", 1),
        ("node", "unknown", 1),
    ]
    assert [row["share"] for row in found] == pytest.approx([1, *[1 / 3] * 4])
    last = "select max(recorded_at) from cmbs.incident_tombstone where incident_id = 'listed'"
    assert [(found[0]["last_at"],)] == tee.graph.connection.execute(last.encode()).fetchall()
    # An incident that has ruled out nothing is one of all.
    tee.graph.incident("another")
    first, *_ = rows(tee, "most_tombstoned", "n_incidents desc, kind, id", "tenant = 'default'")
    assert first["share"] == pytest.approx(3 / 4)


LIVE = {
    "all": ({"a", "b", "o|d%"}, {A_ODD}),
    "nodes": ({"a", "o|d%"}, {A_ODD}),
    "listed": ({"a", "b"}, {A_B}),
}


@pytest.mark.parametrize("incident_id", LIVE)
def test_live_node_and_live_edge(tee: Tee, incident_id: str) -> None:
    def shown() -> tuple[set[str], set[str]]:
        where = f"incident_id = '{incident_id}'"
        edges = rows(tee, "live_edge", "source, target, type", where)
        return (
            {row["node_id"] for row in rows(tee, "live_node", "node_id", where)},
            {edge_id(row["source"], row["target"], row["type"]) for row in edges},
        )

    assert shown() == LIVE[incident_id] == tee.graph.live(incident_id)
    tee.graph.rule_out(incident_id, "a")
    assert shown() == tee.graph.live(incident_id) == (LIVE[incident_id][0] - {"a"}, set())


def test_a_live_view_is_as_it_was_when_the_incident_began(tee: Tee) -> None:
    """Of what was said after that it knows nothing, not even that a node is certain."""
    tee.graph.incident("after")
    found = {
        (row["incident_id"], row["node_id"]): (row["type"], row["label"], row["hypothetical"])
        for row in rows(tee, "live_node", "1", "incident_id in ('all', 'after')")
    }
    assert found["all", "a"] == ("SERVICE", "A", True)
    assert found["after", "a"] == ("SERVICE", "A", False)
    assert ("all", "later") not in found
    assert found["after", "later"] == ("SERVICE", "later", False)
    assert found["after", "c"] == ("INFRASTRUCTURE", "c", True)
    assert found["all", "b"] == found["after", "b"] == ("DEPENDENCY", "b", False)
    for incident_id in ("all", "after"):
        told = tee.graph("read_live_view", incident_id=incident_id)["nodes"]
        assert {(one["id"], one["hypothetical"]) for one in told} == {
            (name, hypothetical)
            for (incident, name), (_, _, hypothetical) in found.items()
            if incident == incident_id
        }
    edges = rows(tee, "live_edge", "source, target", "incident_id = 'after'")
    assert {(row["source"], row["target"]) for row in edges} == {
        *(("a", "b"), ("a", "later"), ("a", "o|d%"), ("b", "c"), ("c", "a")),
    }


def test_tombstones_of_what_comes_later(tee: Tee) -> None:
    """Ruled out before it was there, it never shows."""
    tee.graph.merge(["unknown"])
    tee.graph.incident("after")
    tee.graph.rule_out("after", "never", "unknown")
    where = "incident_id in ('all', 'after') and node_id = 'unknown'"
    assert rows(tee, "live_node", "1", where) == []
    (row,) = rows(tee, "incident_tombstone", "1", "incident_id = 'after' and id = 'unknown'")
    assert row["matched"] is True


def test_session(tee: Tee) -> None:
    (row,) = rows(tee, "session", "1", f"session_id = '{tee.session.id}'")
    assert (row["tee_incident"], row["mirrored"]) == ("listed", True)
    assert (row["causal_graph_version"], row["n_hypotheses"], row["n_survivors"]) == ("v1", 4, 3)
    # From an incident of the other tenant's, before a mirror was set.
    (other,) = rows(tee, "session", "1", "tenant = 'other'")
    assert (other["tee_incident"], other["mirrored"]) == ("other listed", False)
    alone = Session(tee.graph.connection)
    (row,) = rows(tee, "session", "1", f"session_id = '{alone.id}'")
    assert (row["tee_incident"], row["mirrored"]) == (None, True)


def test_tee_message(tee: Tee) -> None:
    connection = tee.graph.connection
    session = tee.session
    session.eliminate("a")
    session.eliminate("nothing")
    session.conclude()
    found = rows(tee, "tee_message", "seq", f"session_id = '{session.id}'")
    # The declare, what the incident had ruled out by then, and what was eliminated.
    assert [row["seq"] for row in found] == [1, 2, 3]
    events = session.events()
    for row, event in zip(found, events, strict=False):
        assert row["created_at"] == row["next_at"] == datetime.fromisoformat(event["ts"])
        assert (row["tenant"], row["state"], row["n_attempts"]) == ("default", "pending", 0)
        assert (row["last_error"], row["delivered_at"]) == (None, None)
        assert row["lag_seconds"] > 0
    assert events[2]["delta"]["eliminated"] == ["a", A_B]
    (taken,) = call(connection, "take_mirror")["sessions"]
    assert [one["seq"] for one in taken["messages"]] == [1, 2, 3]
    told = {"session_id": session.id, "seq": 1, "error": "no such node", "is_refused": True}
    assert call(connection, "settle_mirror", **told)["state"] == "dead"
    delivered, dead, waiting = rows(tee, "tee_message", "seq", f"session_id = '{session.id}'")
    assert (delivered["state"], delivered["next_at"], dead["state"]) == ("delivered", None, "dead")
    assert (dead["last_error"], dead["n_attempts"], dead["next_at"]) == ("no such node", 1, None)
    lag = (delivered["delivered_at"] - delivered["created_at"]).total_seconds()
    assert float(delivered["lag_seconds"]) == pytest.approx(lag, rel=0, abs=1e-6)
    assert waiting["next_at"] == waiting["created_at"], "it waits for the one before it"
    status = call(connection, "read_mirror")
    assert (status["n_pending"], status["n_dead"], status["n_sessions"]) == (1, 1, 1)


def test_a_universe_of_edges_alone_has_no_live_edge(tx: Connection) -> None:
    """Edges are listed with both their ends, or the incident is refused."""
    graph = Graph(tx)
    graph.merge(["a", "b"], [("a", "b"), ("b", "a")])
    graph.incident("k", node_ids=["a", "b"], edges=Json([]))
    query = "select count(*) from cmbs.live_edge where incident_id = 'k'"
    assert tx.execute(query.encode()).fetchall() == [(0,)]
    assert graph.live("k") == ({"a", "b"}, set())
    listed = Json([names(("b", "a", "DEPENDS_ON"))])
    graph.incident("l", node_ids=["a", "b"], edges=listed)
    query = "select source, target from cmbs.live_edge where incident_id = 'l'"
    assert tx.execute(query.encode()).fetchall() == [("b", "a")]
    assert graph.live("l") == ({"a", "b"}, {edge_id("b", "a")})
