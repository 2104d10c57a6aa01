"""Causal graphs as GraphML, which other tools draw and write."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, NamedTuple

from cmbs.common.words import shown
from cmbs.tee.graphs import Graph, GraphError, Item, checked, parsed

_HOME = "http://graphml.graphdrawing.org/xmlns"
_NAMES = {
    "node": ("type", "label", "hypothetical", "provenance"),
    "edge": ("type", "provenance"),
}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
# All that can stand before a DOCTYPE; one that comes later is no XML.
_PROLOG = re.compile(r"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_FOREIGN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_KEY = '<key id="{0}_{1}" for="{0}" attr.name="{1}" attr.type="{2}"/>'


class _Key(NamedTuple):
    """A kind of data: what it is about, its name, and its value where there is none."""

    domains: tuple[str, ...]
    name: str | None
    default: str | None


def from_graphml(text: str, origin: Mapping[str, str]) -> Graph:
    """The graph of a GraphML file; `origin` is the provenance of what has none."""
    before = _PROLOG.match(text)
    if text.startswith("<!DOCTYPE", before.end() if before else 0):
        raise GraphError("must not have a DOCTYPE, which no GraphML needs, nor entities of its own")
    try:
        # Bytes, as it was decoded before: no encoding that it declares counts.
        root = ET.fromstring(text.encode(), ET.XMLParser(encoding="utf-8"))
    except ET.ParseError as error:
        raise GraphError(f"is no XML: {error}") from None
    if _local(root) != "graphml":
        raise GraphError("must hold the element graphml")
    keys = _keys(root)
    graphs = [one for one in root if _local(one) == "graph"]
    if len(graphs) != 1:
        raise GraphError(f"must hold one graph, and holds {len(graphs)}")
    found: dict[str, list[Item]] = {"nodes": [], "edges": []}
    if graphs[0].get("edgedefault") != "directed":
        raise GraphError(
            'must hold a directed graph (edgedefault="directed"): an edge says what acts on what'
        )
    for element in graphs[0]:
        name = _local(element)
        if name in _NAMES:
            where = f"is no graph: {name}s[{len(found[name + 's'])}]"
            found[name + "s"].append(_item(element, name, keys, where))
        elif name == "hyperedge":
            raise GraphError("has a hyperedge: an edge leads from one node to one other")
    return checked(found, origin)


def to_graphml(graph: Graph) -> Iterator[str]:
    """The lines of a GraphML file, of which each holds one node or one edge."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<graphml xmlns="{_HOME}">'
    for domain, names in _NAMES.items():
        for name in names:
            yield _KEY.format(domain, name, "boolean" if name == "hypothetical" else "string")
    yield '<graph edgedefault="directed">'
    for node in graph.nodes:
        yield f"<node id={_quoted(node['id'])}>{_data(node, 'node')}</node>"
    for edge in graph.edges:
        ends = f"source={_quoted(edge['source'])} target={_quoted(edge['target'])}"
        yield f"<edge {ends}>{_data(edge, 'edge')}</edge>"
    yield "</graph>"
    yield "</graphml>"


def _data(item: Item, domain: str) -> str:
    return "".join(
        f'<data key="{domain}_{name}">{_escaped(_as_text(item[name]))}</data>'
        for name in _NAMES[domain]
    )


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    if foreign := _FOREIGN.search(text):
        raise GraphError(
            f"GraphML cannot hold U+{ord(foreign[0]):04X}, which is in {shown(text)}: "
            "use --format json"
        )
    text = escape(text)
    if text.isprintable():
        return text
    # Line ends and tabs would be read as spaces, and a terminal would obey some of the others.
    return "".join(c if c.isprintable() else f"&#x{ord(c):X};" for c in text)


def _local(element: ET.Element) -> str:
    """The name of an element of GraphML; that of another one is nobody's."""
    home, is_named, name = str(element.tag).rpartition("}")
    return name if not is_named or home[1:].startswith(_HOME) else ""


def _keys(root: ET.Element) -> dict[str, _Key]:
    keys: dict[str, _Key] = {}
    for element in root:
        if _local(element) != "key":
            continue
        id_, domain = element.get("id", ""), element.get("for", "all")
        if id_ in keys:
            raise GraphError(f"declares the key {shown(id_)} twice")
        key = _Key(
            tuple(_NAMES) if domain == "all" else (domain,),
            element.get("attr.name"),
            next((one.text or "" for one in element if _local(one) == "default"), None),
        )
        for other in keys.values():
            both = [one for one in key.domains if one in other.domains and one in _NAMES]
            if any(key.name == other.name and key.name in _NAMES[one] for one in both):
                raise GraphError(f"declares two keys with the name {key.name} for {both[0]}s")
        keys[id_] = key
    return keys


def _item(element: ET.Element, domain: str, keys: Mapping[str, _Key], where: str) -> Item:
    """A node or an edge as it stands in JSON."""
    found: dict[str, str] = {}
    seen = set()
    for child in element:
        name = _local(child)
        if name == "graph":
            raise GraphError(f"{where} holds a graph: nested graphs cannot be read")
        if name != "data":
            continue
        id_ = child.get("key", "")
        if id_ not in keys or domain not in keys[id_].domains:
            raise GraphError(f"{where} has data of the key {shown(id_)}, not declared for {domain}")
        if id_ in seen:
            raise GraphError(f"{where} has data of the key {shown(id_)} twice")
        seen.add(id_)
        attribute = keys[id_].name
        if attribute in _NAMES[domain]:
            if len(child):
                raise GraphError(f"{where} {attribute} must be text")
            found[str(attribute)] = child.text or ""
    for key in keys.values():
        if domain in key.domains and key.name in _NAMES[domain] and key.default is not None:
            found.setdefault(str(key.name), key.default)
    return _as_node(element, found, where) if domain == "node" else _as_edge(element, found, where)


def _as_node(element: ET.Element, found: Mapping[str, str], where: str) -> Item:
    hypothetical = found.get("hypothetical", "").strip().lower() or "false"
    if hypothetical not in _TRUTH:
        raise GraphError(f"{where} hypothetical must be true or false")
    return {
        "id": element.get("id"),
        "type": found.get("type", "").strip() or "SERVICE",
        "label": found.get("label") or element.get("id"),
        "hypothetical": _TRUTH[hypothetical],
        "provenance": _provenance(found, where),
    }


def _as_edge(element: ET.Element, found: Mapping[str, str], where: str) -> Item:
    if element.get("directed", "true") != "true":
        raise GraphError(f"{where} is not directed: an edge says what acts on what")
    return {
        "source": element.get("source"),
        "target": element.get("target"),
        "type": found.get("type", "").strip() or "DEPENDS_ON",
        "provenance": _provenance(found, where),
    }


def _provenance(found: Mapping[str, str], where: str) -> Any:
    text = found.get("provenance", "").strip()
    try:
        return parsed(text) if text else None
    except GraphError as error:
        raise GraphError(f"{where} provenance {error}") from None
