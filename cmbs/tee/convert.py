"""What goes between messages of the wire and the JSON of verbs."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import unquote

import msgspec

from cmbs.tee import wire

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = -62135596800, 253402300799
_SECOND = 1_000_000_000
# What our servers take of tombstones in a message, and others by default of bytes, by far.
_IDS, _BYTES = 10_000, 2**20
# Nodes or edges that are objects at a time, while a graph is written.
_AT_ONCE = 1000

_NODE_NUMBERS = {name: number for number, name in wire.NODE_TYPES.items()}
_EDGE_NUMBERS = {name: number for number, name in wire.EDGE_TYPES.items()}


class NoTime(Exception):
    """A timestamp out of bounds."""


class EdgeKey(NamedTuple):
    """What an edge is: its ends and its type, without the prefix that the wire gives it."""

    source: str
    target: str
    type: str


def edge_id(edge: EdgeKey) -> str:
    """The id of an edge, where ids of hypotheses are expected."""
    ends = (part.replace("%", "%25").replace("|", "%7C") for part in edge[:2])
    return f"edge:{'|'.join(ends)}|{edge.type}"


def edge_of(hypothesis_id: str) -> EdgeKey | None:
    """The edge that has this id; None if it is no such id."""
    parts = hypothesis_id.removeprefix("edge:").split("|")
    if not hypothesis_id.startswith("edge:") or len(parts) != 3:
        return None
    edge = EdgeKey(unquote(parts[0]), unquote(parts[1]), parts[2])
    is_one = edge.type in _EDGE_NUMBERS and edge_id(edge) == hypothesis_id
    return edge if is_one and edge.source and edge.target else None


def edges_of(ids: Iterable[str]) -> dict[str, EdgeKey]:
    """Those of the ids that are of edges."""
    return {one: edge for one in ids if (edge := edge_of(one))}


def edges_named(ids: Iterable[str], edges: dict[str, EdgeKey]) -> Iterator[str]:
    """Those of the edges that a Tee means: ours names them by their ids, others as
    `source->target:<number of the type>`.
    """
    all_ids = {*ids}
    for one, edge in edges.items():
        if one in all_ids or f"{edge.source}->{edge.target}:{_EDGE_NUMBERS[edge.type]}" in all_ids:
            yield one


def incident_request(
    incident_id: str, nodes: Iterable[str], edges: Iterable[EdgeKey], *, is_exact: bool
) -> Any:
    request = wire.message("CreateIncidentRequest")(
        incident_id=incident_id, node_ids=nodes, is_exact=is_exact
    )
    _fill_entries(request.edge_entries, edges)
    return request


def tombstone_requests(
    incident_id: str, nodes: Iterable[str], edges: dict[str, EdgeKey], provenance: Any
) -> Iterator[tuple[str, Any]]:
    """The calls that rule nodes and edges out, in as many messages as they need."""
    for ids in _parts(nodes):
        yield (
            "MergeNodeTombstones",
            wire.message("NodeTombstoneRequest")(
                incident_id=incident_id, node_ids=ids, provenance=provenance
            ),
        )
    for ids in _parts(edges):
        request = wire.message("EdgeTombstoneRequest")(
            incident_id=incident_id, provenance=provenance
        )
        _fill_entries(request.entries, [edges[one] for one in ids])
        yield "MergeEdgeTombstones", request


def _parts(ids: Iterable[str]) -> Iterator[list[str]]:
    """Ids for as many messages as they need: no server need take more in one than this."""
    part: list[str] = []
    size = 0
    for one in sorted(ids):
        size += len(one.encode()) + 8
        if part and (len(part) == _IDS or size > _BYTES):
            yield part
            part, size = [], len(one.encode()) + 8
        part.append(one)
    if part:
        yield part


def delta_arguments(delta: Any) -> dict[str, str]:
    """The arguments of merge_hypothesis."""
    nodes = [
        {
            "id": node.id,
            "type": _name(wire.NODE_TYPES, node.type),
            "label": node.label,
            "hypothetical": node.hypothetical,
            "provenance": [_provenance(one) for one in node.provenance],
        }
        for node in delta.nodes
    ]
    edges = [
        _edge(edge) | {"provenance": [_provenance(one) for one in edge.provenance]}
        for edge in delta.edges
    ]
    return {"nodes": _json(nodes), "edges": _json(edges)}


def edges_argument(entries: Iterable[Any]) -> str:
    return _json([_edge(entry) for entry in entries])


def timestamp_text(timestamp: Any) -> str:
    """The time as verbs take it, to the microsecond; raises NoTime for what is none."""
    if not (_FIRST <= timestamp.seconds <= _LAST and 0 <= timestamp.nanos < _SECOND):
        raise NoTime("a timestamp must be of the years 1 to 9999, its nanos below a billion")
    past = timedelta(seconds=timestamp.seconds, microseconds=timestamp.nanos // 1000)
    return (_EPOCH + past).isoformat(timespec="microseconds").replace("+00:00", "Z")


def fill_graph(graph: Any, answer: Any) -> Any:
    """A CausalGraph, or a HypothesisDelta, of what read_live_view and read_main_graph answer."""
    for found in answer["nodes"]:
        node = graph.nodes.add(
            id=found["id"],
            type=_NODE_NUMBERS[found["type"]],
            label=found["label"],
            hypothetical=found["hypothetical"],
        )
        _fill_provenance(node, found["provenance"])
    for found in answer["edges"]:
        edge = graph.edges.add(**_entry(found))
        _fill_provenance(edge, found["provenance"])
    return graph


class _Parts(msgspec.Struct):
    """What read_live_view and read_main_graph answer, taken apart no further than is needed."""

    nodes: list[msgspec.Raw]
    edges: list[msgspec.Raw]
    next: str | None = None


_PARTS = msgspec.json.Decoder(_Parts)


def graph_parts(answer: bytes) -> Iterator[bytes]:
    """The bytes of a CausalGraph, part by part: repeated fields that follow one another add up."""
    found = _PARTS.decode(answer)
    for kind, rows in (("nodes", found.nodes), ("edges", found.edges)):
        for start in range(0, len(rows), _AT_ONCE):
            part: dict[str, Any] = {"nodes": [], "edges": []}
            part[kind] = [msgspec.json.decode(row) for row in rows[start : start + _AT_ONCE]]
            yield fill_graph(wire.message("CausalGraph")(), part).SerializeToString()
    if found.next:
        yield wire.message("CausalGraph")(next_page_token=found.next).SerializeToString()


def fill_tombstones(tombstones: Any, answer: Any) -> Any:
    tombstones.node_ids.extend(answer["node_ids"])
    for found in answer["edges"]:
        tombstones.edge_entries.add(**_entry(found))
    return tombstones


def _fill_entries(entries: Any, edges: Iterable[EdgeKey]) -> None:
    for edge in edges:
        entries.add(**_entry(edge._asdict()))


def entry_id(entry: Any) -> str:
    """The id of the edge that an EdgeTombstoneEntry, or an Edge, names."""
    return edge_id(EdgeKey(entry.source, entry.target, _name(wire.EDGE_TYPES, entry.type)))


def conflict_values(found: dict[str, str]) -> dict[str, str]:
    """The members of a MergeConflict; types are told by their names on the wire."""
    prefix = wire.NODE_PREFIX if found["field"] == "type" else ""
    return {
        "id": found["id"],
        "field": found["field"],
        "existing_value": prefix + found["existing"],
        "proposed_value": prefix + found["proposed"],
    }


def fill_time(timestamp: Any, text: str) -> None:
    past = datetime.fromisoformat(text) - _EPOCH
    timestamp.seconds = past.days * 86400 + past.seconds
    timestamp.nanos = past.microseconds * 1000


def _entry(found: dict[str, str]) -> dict[str, Any]:
    return {
        "source": found["source"],
        "target": found["target"],
        "type": _EDGE_NUMBERS[found["type"]],
    }


def _edge(edge: Any) -> dict[str, Any]:
    return {
        "source": edge.source,
        "target": edge.target,
        "type": _name(wire.EDGE_TYPES, edge.type),
    }


def _provenance(one: Any) -> dict[str, str | None]:
    at = timestamp_text(one.timestamp) if one.HasField("timestamp") else None
    return {"source": one.source, "trigger": one.trigger, "timestamp": at}


def _fill_provenance(of: Any, found: Iterable[dict[str, Any]]) -> None:
    for said in found:
        one = of.provenance.add(source=said["source"], trigger=said["trigger"])
        if said.get("timestamp"):
            fill_time(one.timestamp, said["timestamp"])


def _name(names: dict[int, str], number: int) -> str:
    # What no version of the proto knows is refused by the verb, by its number.
    return names.get(number, str(number))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
