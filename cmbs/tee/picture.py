"""An incident with the graph that it is pinned to, and what it has ruled out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from psycopg.errors import InsufficientPrivilege
from sqlalchemy.exc import DBAPIError

from cmbs.common import words
from cmbs.common.words import count, minute, shown
from cmbs.database import tables
from cmbs.database.verbs import Verbs
from cmbs.tee.convert import EdgeKey, edge_id, edge_of

Row = dict[str, Any]


class Node(NamedTuple):
    id: str
    type: str
    label: str
    hypothetical: bool
    provenance: list[Row]


class Edge(NamedTuple):
    key: EdgeKey
    provenance: list[Row]


@dataclass(frozen=True)
class Picture:
    """The universe of an incident; `gone` has who ruled out each id, also ids that are not of it.

    It is not whole for a login that sees no views: it lacks who ruled out what, and edges that are
    cut off because an end is ruled out.
    """

    incident_id: str
    created_at: str
    anchor: str
    nodes: dict[str, Node]
    edges: list[Edge]
    gone: dict[str, Row]
    is_whole: bool = True

    def lives(self, id_: str) -> bool:
        return id_ not in self.gone

    def edge_lives(self, key: EdgeKey) -> bool:
        return all(map(self.lives, (edge_id(key), key.source, key.target)))

    def strays(self) -> list[str]:
        """What is ruled out and is not of the universe."""
        known = self.nodes.keys() | {edge_id(edge.key) for edge in self.edges}
        return sorted(self.gone.keys() - known)

    def title(self) -> str:
        n_live = sum(map(self.lives, self.nodes))
        nodes = count(len(self.nodes), "node")
        return f"{shown(self.incident_id)}, pinned to {self.anchor}: {n_live} of {nodes} live"


def read(verbs: Verbs, incident_id: str) -> Picture:
    """What there is to be seen of an incident."""
    found = words.read(verbs("read_incident", incident_id=incident_id))
    live = words.read(verbs("read_live_view", incident_id=incident_id))
    universe, anchor = set(found["universe"]), found["universe_anchor"]
    nodes, edges = _graph(verbs, incident_id, int(anchor[1:]))
    # Read last: tombstones are never taken back, so all that was read before lives or is in these.
    gone = _tombstones(verbs, incident_id)
    nodes = [one for one in nodes if one["id"] in universe] + live["nodes"]
    known = {one["id"]: Node(**one) for one in nodes}
    unknown = {
        id_: Node(id_, "", id_, False, [])
        for id_ in universe - known.keys()
        if not id_.startswith("edge:")
    }
    if edges is None:
        there = {_key(one): Edge(_key(one), one["provenance"]) for one in live["edges"]}
        named = [edge_of(id_) for id_ in (universe | gone.keys()) if id_.startswith("edge:")]
        for key in named:
            if key and universe.issuperset(key[:2]):
                there.setdefault(key, Edge(key, []))
    else:
        there = {
            _key(one): Edge(_key(one), one["provenance"])
            for one in edges
            if one["source"] in universe and one["target"] in universe
        }
    picture = Picture(
        incident_id,
        found["created_at"],
        anchor,
        dict(sorted((known | unknown).items())),
        [there[key] for key in sorted(there)],
        gone,
        edges is not None,
    )
    return _without_unlisted(picture, universe, {_key(one) for one in live["edges"]})


def _without_unlisted(picture: Picture, universe: set[str], live: set[EdgeKey]) -> Picture:
    """Without edges that the incident left out of its universe, if it listed them."""
    is_listed = any(id_.startswith("edge:") for id_ in universe) or any(
        picture.edge_lives(edge.key) and edge.key not in live for edge in picture.edges
    )
    if is_listed:
        picture.edges[:] = [edge for edge in picture.edges if edge_id(edge.key) in universe]
    return picture


def _key(row: Row) -> EdgeKey:
    return EdgeKey(row["source"], row["target"], row["type"])


def _graph(verbs: Verbs, incident_id: str, version: int) -> tuple[list[Row], list[Row] | None]:
    """The graph as it was, in its tenant; edges only for a login that sees the views."""
    incident, node, edge = tables.incident.c, tables.graph_node.c, tables.graph_edge.c
    tenant = sa.select(incident.tenant).where(incident.incident_id == incident_id)
    of_nodes = sa.select(
        node.node_id.label("id"), node.type, node.label, node.hypothetical, node.provenance
    ).where(node.tenant == tenant.scalar_subquery(), node.version <= version)
    of_edges = sa.select(edge.source, edge.target, edge.type, edge.provenance).where(
        edge.tenant == tenant.scalar_subquery(), edge.version <= version
    )
    nodes, edges = _rows_if_allowed(verbs, of_nodes), _rows_if_allowed(verbs, of_edges)
    if nodes is None:
        return words.read(verbs("read_main_graph"))["nodes"], None
    return nodes, edges


def _tombstones(verbs: Verbs, incident_id: str) -> dict[str, Row]:
    view = tables.incident_tombstone
    rows = _rows_if_allowed(verbs, sa.select(view).where(view.c.incident_id == incident_id))
    if rows is not None:
        return {row["id"]: row for row in rows}
    found = words.read(verbs("read_tombstones", incident_id=incident_id))
    gone: dict[str, Row] = {id_: {} for id_ in found["node_ids"]}
    return gone | {edge_id(_key(one)): {} for one in found["edges"]}


def _rows_if_allowed(verbs: Verbs, query: sa.Select[Any]) -> list[Row] | None:
    try:
        return verbs.rows(query)
    except DBAPIError as error:
        if isinstance(error.orig, InsufficientPrivilege):
            return None
        raise


def as_text(picture: Picture) -> Iterator[str]:
    """What lives, and what is ruled out, by whom and on what."""
    live = [one for one in picture.nodes.values() if picture.lives(one.id)]
    dead = [one for one in picture.nodes.values() if not picture.lives(one.id)]
    ruled_out = [one.key for one in picture.edges if not picture.lives(edge_id(one.key))]
    cut = [
        one.key
        for one in picture.edges
        if picture.lives(edge_id(one.key)) and not picture.edge_lives(one.key)
    ]
    n_live = len(picture.edges) - len(ruled_out) - len(cut)
    yield f"incident   {shown(picture.incident_id)}"
    yield f"began      {minute(picture.created_at)}, pinned to {picture.anchor}"
    yield f"universe   {_counted(len(picture.nodes), len(picture.edges))}"
    yield f"lives      {_counted(len(live), n_live)}"
    yield f"ruled out  {_counted(len(dead), len(ruled_out))}"
    if cut:
        yield f"cut off    {count(len(cut), 'edge')}, of which an end is ruled out"
    yield from _section("lives", _living(picture, live))
    gone = [f"{_named(one)}{_why(picture.gone[one.id])}" for one in dead]
    gone += [f"{_arrow(key)}{_why(picture.gone[edge_id(key)])}" for key in ruled_out]
    yield from _section("ruled out", gone)
    yield from _section("cut off", map(_arrow, cut))
    strays = picture.strays()
    beside = (f"{shown(id_)}{_why(picture.gone[id_])}" for id_ in strays)
    yield from _section("ruled out, and not of its universe", beside)


def _counted(n_nodes: int, n_edges: int) -> str:
    return f"{count(n_nodes, 'node')}, {count(n_edges, 'edge')}"


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    for no, line in enumerate(lines):
        if no == 0:
            yield ""
            yield title
        yield f"  {line}"


def _living(picture: Picture, nodes: list[Node]) -> Iterator[str]:
    leaving: dict[str, list[EdgeKey]] = {}
    for edge in picture.edges:
        if picture.edge_lives(edge.key):
            leaving.setdefault(edge.key.source, []).append(edge.key)
    for node in nodes:
        yield _named(node)
        yield from (f"  {key.type} {shown(key.target)}" for key in leaving.get(node.id, ()))


def _named(node: Node) -> str:
    label = "" if node.label == node.id else f"{shown(node.label)}"
    parts = [shown(node.id), node.type, label, "hypothetical" * node.hypothetical]
    return "  ".join(filter(None, parts))


def _arrow(key: EdgeKey) -> str:
    return f"{shown(key.source)} {key.type} {shown(key.target)}"


def _why(gone: Row) -> str:
    return f"  {why(gone)}" if gone else ""


def why(gone: Row) -> str:
    """Who ruled it out, on what, and when; nothing if that may not be seen."""
    if not gone:
        return ""
    at: datetime = gone["occurred_at"] or gone["recorded_at"]
    return (
        f"by {shown(gone['source_id'])} on {shown(gone['trigger'])}, "
        f"{at.astimezone(UTC):%Y-%m-%d %H:%M} (recorded by {shown(gone['actor'])})"
    )


def hint(name: str, provenance: list[Row], gone: Row | None, end: str | None = None) -> list[str]:
    """The lines that are shown to who points at a node or an edge."""
    lines = [name]
    if gone is not None:
        lines.append(f"ruled out {why(gone)}".rstrip())
    elif end is not None:
        lines.append(f"cut off, as {shown(end)} is ruled out")
    for said in provenance:
        at = f", {minute(said['timestamp'])}" if said.get("timestamp") else ""
        lines.append(f"said by {shown(said['source'])} on {shown(said['trigger'])}{at}")
    return lines


def node_hint(picture: Picture, node: Node) -> list[str]:
    return hint(_named(node), node.provenance, picture.gone.get(node.id))


def edge_hint(picture: Picture, edge: Edge) -> list[str]:
    end = next((one for one in edge.key[:2] if not picture.lives(one)), None)
    return hint(_arrow(edge.key), edge.provenance, picture.gone.get(edge_id(edge.key)), end)
