"""Files of causal graphs: read and checked as a whole, and written.

A graph is as the verbs take and tell it. In JSON it is the mapping that proto3 gives a CausalGraph,
as grpcurl prints it, where types may as well stand without their prefix.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from cmbs.common.words import printable, shown
from cmbs.tee import wire

Item = dict[str, Any]

_ID, _LABEL = 512, 4096
_NODE = ("id", "type", "label", "hypothetical", "provenance")
_EDGE = ("source", "target", "type", "provenance")
_SAID = ("source", "trigger", "timestamp")
_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,9})?"
    r"(Z|[+-][0-9]{2}:[0-9]{2})"
)


class GraphError(ValueError):
    """It is no graph; the text is what a file `is`, `has` or `must`, without its name."""


class Graph(NamedTuple):
    """Nodes and edges, by the names that merge_hypothesis has for their members."""

    nodes: list[Item]
    edges: list[Item]


def from_json(text: str, origin: Mapping[str, str]) -> Graph:
    """The graph of a JSON file; `origin` is the provenance of what has none."""
    return checked(parsed(text), origin)


def parsed(text: str) -> Any:
    """What JSON holds, in which no object has a key twice."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except GraphError:
        raise
    except json.JSONDecodeError as error:
        raise GraphError(
            f"is no JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except (ValueError, RecursionError):
        raise GraphError("is JSON with too long a number, or nested too deeply") from None


def checked(found: Any, origin: Mapping[str, str]) -> Graph:
    """A graph as verbs take it, of what stands in a file."""
    said = [_said(origin, "needs provenance, whose")]
    if isinstance(found, dict) and found.pop("nextPageToken", None):
        raise GraphError("is a page of a live view, and not all of it")
    members = _object(found, ("nodes", "edges"), "is no graph: it")
    return Graph(
        [_node(*one, said) for one in _listed(members.get("nodes"), "nodes")],
        [_edge(*one, said) for one in _listed(members.get("edges"), "edges")],
    )


def to_json(graph: Graph) -> Iterator[str]:
    """The lines of a JSON file, of which each holds one node or one edge."""
    yield '{"nodes": ['
    yield from _lines({**one, "type": wire.NODE_PREFIX + one["type"]} for one in graph.nodes)
    yield '], "edges": ['
    yield from _lines({**one, "type": wire.EDGE_PREFIX + one["type"]} for one in graph.edges)
    yield "]}"


def in_order(answer: Mapping[str, Any]) -> Graph:
    """A graph that a verb told, in the order that its content gives it."""
    nodes = [_ordered(one, _NODE) for one in answer["nodes"]]
    edges = [_ordered(one, _EDGE) for one in answer["edges"]]
    nodes.sort(key=lambda one: str(one["id"]))
    edges.sort(key=lambda one: (one["source"], one["target"], one["type"]))
    return Graph(nodes, edges)


def _ordered(item: Item, names: tuple[str, ...]) -> Item:
    said = sorted(item["provenance"], key=lambda one: (one["source"], one["trigger"]))
    kept = [{name: one[name] for name in _SAID if one.get(name) is not None} for one in said]
    return {name: item[name] for name in names} | {"provenance": kept}


def _lines(items: Iterator[Item]) -> Iterator[str]:
    before: str | None = None
    for item in items:
        if before is not None:
            yield f"{before},"
        # What a terminal would obey stands in strings alone, where it can be escaped.
        before = printable(json.dumps(item, ensure_ascii=False))
    if before is not None:
        yield before


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise GraphError(f"has the key {shown(key)} twice in one object")
        found[key] = value
    return found


def _listed(value: Any, name: str) -> Iterator[tuple[Any, str]]:
    if value is not None and not isinstance(value, list):
        raise GraphError(f"must have a list as its {name}")
    for no, one in enumerate(value or ()):
        yield one, f"is no graph: {name}[{no}]"


def _object(value: Any, names: tuple[str, ...], where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise GraphError(f"{where} must be an object of {', '.join(names)}")
    if unknown := [key for key in value if key not in names]:
        raise GraphError(f"{where} has {shown(unknown[0])}: known are {', '.join(names)}")
    # As proto3 has it, null is as good as absent.
    return {key: one for key, one in value.items() if one is not None}


def _node(value: Any, where: str, origin: list[Item]) -> Item:
    found = _object(value, _NODE, where)
    hypothetical = found.get("hypothetical", False)
    if not isinstance(hypothetical, bool):
        raise GraphError(f"{where} hypothetical must be true or false")
    return {
        "id": _node_id(found, "id", where),
        "type": _type(found, where, wire.NODE_TYPES, wire.NODE_PREFIX),
        "label": _text(found, "label", where, _LABEL),
        "hypothetical": hypothetical,
        "provenance": _provenance(found, where, origin),
    }


def _edge(value: Any, where: str, origin: list[Item]) -> Item:
    found = _object(value, _EDGE, where)
    edge = {
        "source": _node_id(found, "source", where),
        "target": _node_id(found, "target", where),
        "type": _type(found, where, wire.EDGE_TYPES, wire.EDGE_PREFIX),
        "provenance": _provenance(found, where, origin),
    }
    if edge["source"] == edge["target"]:
        raise GraphError(f"{where} must not lead from a node to itself")
    return edge


def _text(found: Mapping[str, Any], name: str, where: str, most: int = _ID) -> str:
    value = found.get(name)
    if isinstance(value, str) and "\0" not in value:
        try:
            if 1 <= len(value.encode()) <= most:
                return value
        except UnicodeError:
            raise GraphError(f"{where} {name} has half of a surrogate pair") from None
    raise GraphError(f"{where} {name} must be text of 1 to {most} bytes, without NUL")


def _node_id(found: Mapping[str, Any], name: str, where: str) -> str:
    id_ = _text(found, name, where)
    if id_.startswith("edge:"):
        raise GraphError(f"{where} {name} must not begin with edge:, which ids of edges do")
    return id_


def _type(found: Mapping[str, Any], where: str, types: dict[int, str], prefix: str) -> str:
    value = found.get("type")
    # Zero says that there is none.
    known = [name for number, name in types.items() if number]
    if type(value) is int:
        value = types.get(value)
    name = value.removeprefix(prefix) if isinstance(value, str) else None
    if name not in known:
        raise GraphError(f"{where} type must be one of {', '.join(known)}")
    return str(name)


def _provenance(found: Mapping[str, Any], where: str, origin: list[Item]) -> list[Item]:
    value = found.get("provenance", [])
    if not isinstance(value, list):
        raise GraphError(f"{where} provenance must be a list")
    return [_said(one, f"{where} provenance[{no}]") for no, one in enumerate(value)] or origin


def _said(value: Any, where: str) -> Item:
    found = _object(value, _SAID, where)
    said: Item = {name: _text(found, name, where) for name in ("source", "trigger")}
    if "timestamp" in found:
        said["timestamp"] = _time(found["timestamp"], where)
    return said


def _time(value: Any, where: str) -> str:
    """The time in UTC, to the microsecond, which is what the database keeps of it."""
    parts = _TIME.fullmatch(value) if isinstance(value, str) else None
    if parts:
        try:
            at = datetime.fromisoformat(f"{parts[1]}{(parts[2] or '.0'):0<7.7}{parts[3]}")
            return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        except (ValueError, OverflowError):
            pass
    raise GraphError(f"{where} timestamp must be a time such as 2026-11-18T07:49:06Z")
