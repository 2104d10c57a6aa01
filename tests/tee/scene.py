"""A causal graph, incidents of it, what they have ruled out, and a session that is mirrored."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Json

from cmbs.database.calls import call
from tests.support.beliefs import Connection, Session

ENDPOINT = "tee.example.org:50051"


def said(source: str = "encoder", trigger: str = "trigger", timestamp: str | None = None) -> Any:
    """Who says that something is there, and on what."""
    told = {"source": source, "trigger": trigger}
    return told if timestamp is None else told | {"timestamp": timestamp}


def node(node_id: str, type: str = "SERVICE", *, by: Any = None, **more: object) -> dict[str, Any]:  # noqa: A002
    """A node as it is merged; what it is called is its id, if nothing else is said."""
    named = {"id": node_id, "type": type, "label": node_id, "provenance": [by or said()]}
    return named | more


def edge(
    source: str,
    target: str,
    type: str = "DEPENDS_ON",  # noqa: A002
    *,
    by: Any = None,
    **more: object,
) -> dict[str, Any]:
    """An edge as it is merged."""
    named = {"source": source, "target": target, "type": type, "provenance": [by or said()]}
    return named | more


def edge_id(source: str, target: str, type: str = "DEPENDS_ON") -> str:  # noqa: A002
    """The id of an edge as results and universes have it."""
    parts = [part.replace("%", "%25").replace("|", "%7C") for part in (source, target)]
    return f"edge:{parts[0]}|{parts[1]}|{type}"


class Graph:
    """The causal graph of whoever calls, by its verbs."""

    def __init__(self, connection: Connection, **by: object) -> None:
        self.connection, self.by = connection, by

    def __call__(self, verb: str, **arguments: object) -> Any:
        return call(self.connection, verb, **self.by | arguments)

    def merge(self, nodes: Iterable[Any] = (), edges: Iterable[Any] = (), **more: object) -> Any:
        """Nodes may be told by their ids alone, edges by their ends, or by ends and type."""
        sent = [node(one) if isinstance(one, str) else one for one in nodes]
        drawn = [edge(*one) if isinstance(one, tuple) else one for one in edges]
        return self("merge_hypothesis", nodes=Json(sent), edges=Json(drawn), **more)

    def incident(self, incident_id: str = "incident", **more: object) -> Any:
        return self("create_incident", incident_id=incident_id, **more)

    def rule_out(self, incident_id: str, *node_ids: str, **more: object) -> Any:
        sent = {"source_id": "tool", "trigger": "observation"} | more
        return self(
            "merge_node_tombstones", incident_id=incident_id, node_ids=list(node_ids), **sent
        )

    def rule_out_edges(self, incident_id: str, *edges: tuple[str, str, str], **more: object) -> Any:
        sent = {"source_id": "tool", "trigger": "observation"} | more
        listed = [names(one) for one in edges]
        return self("merge_edge_tombstones", incident_id=incident_id, edges=Json(listed), **sent)

    def live(self, incident_id: str) -> tuple[set[str], set[str]]:
        """The ids of the nodes and of the edges that are left."""
        return ids_of(self("read_live_view", incident_id=incident_id))

    def all(self) -> tuple[set[str], set[str]]:
        return ids_of(self("read_main_graph"))


def names(one: tuple[str, str, str]) -> dict[str, str]:
    """An edge by its name alone."""
    return dict(zip(("source", "target", "type"), one, strict=True))


def ids_of(graph: Any) -> tuple[set[str], set[str]]:
    edges = {edge_id(one["source"], one["target"], one["type"]) for one in graph["edges"]}
    return {one["id"] for one in graph["nodes"]}, edges


def set_mirror(connection: Connection, endpoint: str | None = ENDPOINT) -> Any:
    """For whoever sees every tenant; sessions that are declared from now on are mirrored."""
    return call(connection, "set_mirror", endpoint=endpoint)


@dataclass
class Tee:
    """A graph of two versions and three incidents that are pinned to the first.

    `all` has the whole graph, `nodes` some of its nodes with what is between them, and `listed`
    nodes and one edge. The session is declared from `listed`, and mirrored if a mirror is set.
    """

    graph: Graph
    session: Session
    mark: str

    def id(self, name: str) -> str:
        return f"{self.mark}{name}"


def rich_tee(connection: Connection, mark: str = "", **by: object) -> Tee:
    """One of all that a graph, incidents and tombstones know; every text begins with the mark."""
    graph = Graph(connection, **by)
    a, b, c, odd, later = (f"{mark}{name}" for name in ("a", "b", "c", "o|d%", "later"))
    told = [said(f"{mark}{name}", f"{mark}trigger") for name in ("first", "second", "third")]
    at = told[0] | {"timestamp": "2026-01-02T03:04:05.678901Z"}
    graph.merge(
        [
            node(a, "SERVICE", by=at, hypothetical=True, label=f"{mark}A"),
            node(b, "DEPENDENCY", by=told[0]),
            node(c, "INFRASTRUCTURE", by=told[0], hypothetical=True),
            node(odd, "MECHANISM", by=told[0], provenance=told[:2]),
        ],
        [
            edge(a, b, "DEPENDS_ON", by=at),
            edge(b, c, "PROPAGATES_TO", by=told[0]),
            edge(a, odd, "MANIFESTS_AS", by=told[0]),
            edge(a, later, "DEPENDS_ON", by=told[0]),
        ],
    )
    graph.incident(f"{mark}all")
    graph.incident(f"{mark}nodes", node_ids=[a, b, odd])
    listed = [names((a, b, "DEPENDS_ON"))]
    graph.incident(f"{mark}listed", node_ids=[a, b, c], edges=Json(listed))
    graph.merge(
        [
            node(a, "SERVICE", by=told[1], label=f"{mark}A"),
            node(b, "DEPENDENCY", by=told[2]),
            node(later, by=told[1]),
        ],
        [edge(a, b, by=told[2]), edge(c, a, by=told[1])],
    )
    ruled = {"source_id": f"{mark}tool", "trigger": f"{mark}observation"}
    timed = ruled | {"occurred_at": "2026-01-02T03:04:05.678901Z"}
    graph.rule_out(f"{mark}all", c, f"{mark}unknown", **timed)
    graph.rule_out_edges(f"{mark}all", (a, b, "DEPENDS_ON"), (b, odd, "DEPENDS_ON"), **ruled)
    graph.rule_out(f"{mark}nodes", c, b, **ruled)
    graph.rule_out(f"{mark}listed", c, **ruled)
    universe = {"tee_incident": f"{mark}listed", "edges": True}
    ontology = {"hypothesis_space_id": f"{mark}graph", "hypothesis_version": f"{mark}1"}
    session = Session(
        connection,
        None,
        ontology=Json(ontology | {"causal_graph_ref": f"{mark}tee"}),
        universe_from=Json(universe),
        **by,
    )
    return Tee(graph, session, mark)
