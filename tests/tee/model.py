"""The rules of the causal graph in a few lines of Python, to compare the kernel with, and what may
be sent to both.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from tests.tee.graphs import Name, Sent, edge_id, name

# Few, so that what is merged and what is ruled out often meet.
IDS = ["a", "ä", "|", "%7C"]
NODES = st.sampled_from(IDS)
SAID = st.fixed_dictionaries(
    {"source": st.sampled_from(["s", "t"]), "trigger": st.sampled_from(["1", "2", "ä|"])},
    optional={"timestamp": st.sampled_from([None, "2026-01-02T03:04:05Z"])},
)
PROVENANCE = st.lists(SAID, min_size=1, max_size=3)
NODE = st.fixed_dictionaries(
    {
        "id": NODES,
        "type": st.sampled_from(["SERVICE", "MECHANISM"]),
        "label": st.sampled_from(["one", "two"]),
        "provenance": PROVENANCE,
    },
    optional={"hypothetical": st.booleans()},
)
NAMES: st.SearchStrategy[Name] = st.tuples(
    NODES, NODES, st.sampled_from(["DEPENDS_ON", "PROPAGATES_TO"])
).filter(lambda ends: ends[0] != ends[1])
EDGE = st.builds(lambda ends, said: name(*ends) | {"provenance": said}, NAMES, PROVENANCE)
DELTAS = st.tuples(st.lists(NODE, max_size=5), st.lists(EDGE, max_size=6))
INCIDENTS = st.sampled_from(["i", "j", "k"])

Said = tuple[str, str]


@dataclass
class Node:
    version: int
    type: str
    label: str
    hypothetical: bool
    confirmed_at: int | None = None
    said: dict[Said, int] = field(default_factory=dict)

    def at(self, version: int) -> tuple[Any, ...]:
        """What it was at a version of the graph."""
        confirmed = self.confirmed_at is not None and self.confirmed_at <= version
        said = frozenset(one for one, since in self.said.items() if since <= version)
        return self.type, self.label, self.hypothetical and not confirmed, said


@dataclass
class Edge:
    version: int
    said: dict[Said, int] = field(default_factory=dict)

    def at(self, version: int) -> frozenset[Said]:
        return frozenset(one for one, since in self.said.items() if since <= version)


@dataclass
class Incident:
    version: int
    nodes: set[str]
    edges: set[Name]
    is_asked: tuple[frozenset[str], frozenset[Name] | None] | None
    gone_nodes: set[str] = field(default_factory=set)
    gone_edges: set[Name] = field(default_factory=set)

    def live(self) -> tuple[set[str], set[Name]]:
        nodes = self.nodes - self.gone_nodes
        edges = {e for e in self.edges - self.gone_edges if e[0] in nodes and e[1] in nodes}
        return nodes, edges


def name_of(sent: Sent) -> Name:
    return sent["source"], sent["target"], sent["type"]


def said_by(sent: Sent) -> list[Said]:
    return [(one["source"], one["trigger"]) for one in sent["provenance"]]


class Model:
    def __init__(self) -> None:
        self.version = 0
        self.nodes: dict[str, Node] = {}
        self.edges: dict[Name, Edge] = {}
        self.incidents: dict[str, Incident] = {}

    def merge(self, nodes: Iterable[Sent], edges: Iterable[Sent]) -> dict[str, Any]:
        """The answer: what is new, what was there, and what is said otherwise."""
        at, is_changed = self.version + 1, False
        sent: dict[str, None] = {}
        created: list[str] = []
        conflicts = set()
        for one in nodes:
            found = self.nodes.get(one["id"])
            hypothetical = one.get("hypothetical", False)
            if found is None:
                found = Node(at, one["type"], one["label"], hypothetical)
                self.nodes[one["id"]] = found
                created.append(one["id"])
                is_changed = True
            otherwise = [
                (one["id"], member, getattr(found, member), one[member])
                for member in ("type", "label")
                if getattr(found, member) != one[member]
            ]
            conflicts.update(otherwise)
            if otherwise:
                continue
            sent[one["id"]] = None
            if found.hypothetical and found.confirmed_at is None and not hypothetical:
                found.confirmed_at = at
                is_changed = True
            is_changed |= _add(found.said, said_by(one), at)
        for one in edges:
            name = name_of(one)
            sent[edge_id(*name)] = None
            if name not in self.edges:
                self.edges[name] = Edge(at)
                created.append(edge_id(*name))
                is_changed = True
            is_changed |= _add(self.edges[name].said, said_by(one), at)
        self.version += is_changed
        merged = [one for one in sent if one not in created]
        return {"created": created, "merged": merged, "conflicts": conflicts}

    def begin(
        self, incident_id: str, nodes: Iterable[str] | None, edges: Iterable[Name] | None
    ) -> Incident:
        known = self.nodes.keys() if nodes is None else nodes
        between = {e for e in self.edges if e[0] in known and e[1] in known}
        asked = None
        if nodes is not None:
            asked = frozenset(nodes), None if edges is None else frozenset(edges)
        universe = between if edges is None else set(edges)
        incident = Incident(self.version, set(known), universe, asked)
        self.incidents[incident_id] = incident
        return incident

    def rule_out(self, incident_id: str, ids: Iterable[str]) -> dict[str, list[str]]:
        gone = self.incidents[incident_id].gone_nodes
        return _outcome(sorted(set(ids)), gone, self.nodes.keys(), lambda one: one)

    def rule_out_edges(self, incident_id: str, names: Iterable[Name]) -> dict[str, list[str]]:
        gone = self.incidents[incident_id].gone_edges
        return _outcome(sorted(set(names)), gone, self.edges.keys(), lambda one: edge_id(*one))


def _add(there: dict[Said, int], said: Iterable[Said], at: int) -> bool:
    before = len(there)
    for one in said:
        there.setdefault(one, at)
    return len(there) > before


def _outcome(sent: list[Any], gone: set[Any], graph: Any, shown: Any) -> dict[str, list[str]]:
    new = [one for one in sent if one not in gone]
    answer = {
        "applied": [shown(one) for one in new if one in graph],
        "already_tombstoned": sorted(shown(one) for one in sent if one in gone),
        "unmatched": [shown(one) for one in new if one not in graph],
    }
    gone.update(new)
    return answer


def shown(found: Any) -> tuple[dict[str, Any], dict[Name, Any]]:
    """A graph that was read, as the model says it; nothing of it may be said twice."""
    nodes = {
        one["id"]: (one["type"], one["label"], one["hypothetical"], frozenset(said_by(one)))
        for one in found["nodes"]
    }
    edges = {name_of(one): frozenset(said_by(one)) for one in found["edges"]}
    for one in found["nodes"] + found["edges"]:
        assert len(said_by(one)) == len(set(said_by(one)))
    assert (len(nodes), len(edges)) == (len(found["nodes"]), len(found["edges"]))
    return nodes, edges
