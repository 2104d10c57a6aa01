"""Files of causal graphs: what can be read is read, what is no graph is refused, and why."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import given, settings
from hypothesis import strategies as st

from cmbs.tee import wire
from cmbs.tee.graphml import from_graphml, to_graphml
from cmbs.tee.graphs import Graph, GraphError, from_json, in_order, to_json
from tests.support.sizes import size

ORIGIN = {"source": "cmdb", "trigger": "services.json"}
SAID = {"source": "ann", "trigger": "review"}
HEAD = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    '<key id="t" for="all" attr.name="type" attr.type="string"/>'
    '<key id="l" for="node" attr.name="label" attr.type="string"/>'
    '<key id="h" for="node" attr.name="hypothetical" attr.type="boolean"/>'
    '<key id="p" for="all" attr.name="provenance" attr.type="string"/>'
    '<key id="c" for="node" attr.name="color" attr.type="string"/>'
)


def node(id_: Any = "dns", **more: Any) -> dict[str, Any]:
    return {"id": id_, "type": "SERVICE", "label": "Names", **more}


def edge(source: Any = "shop", target: Any = "dns", **more: Any) -> dict[str, Any]:
    return {"source": source, "target": target, "type": "DEPENDS_ON", **more}


def of_json(*nodes: Any, edges: Any = ()) -> Graph:
    return from_json(json.dumps({"nodes": list(nodes), "edges": list(edges)}), ORIGIN)


def graphml(inner: str, head: str = HEAD, directed: str = "directed") -> str:
    return f'{head}<graph edgedefault="{directed}">{inner}</graph></graphml>'


def of_graphml(inner: str) -> Graph:
    return from_graphml(graphml(inner), ORIGIN)


def text_of(write: Callable[[Graph], Any], graph: Graph) -> str:
    return "".join(f"{line}\n" for line in write(graph))


def test_what_has_no_provenance_gets_that_of_the_file() -> None:
    graph = of_json(node(), node("db", provenance=[SAID]), edges=[edge(provenance=[])])
    assert [one["provenance"] for one in graph.nodes] == [[ORIGIN], [SAID]]
    assert graph.edges[0]["provenance"] == [ORIGIN]
    assert graph.nodes[0]["hypothetical"] is False


def test_what_grpcurl_prints_is_read() -> None:
    """Made by the JSON printer of protobuf itself, for all that the mapping lets it write."""
    message = wire.message("CausalGraph")()
    found = message.nodes.add(id="dns", type=1, label="Names", hypothetical=True)
    said = found.provenance.add(source="ann", trigger="review")
    said.timestamp.FromJsonString("2026-11-18T07:49:06.123456789Z")
    message.nodes.add(id="db", type=3, label="Disk")
    message.edges.add(source="dns", target="db", type=2)
    at = "2026-11-18T07:49:06.123456Z"
    for more in (
        {},
        {"use_integers_for_enums": True},
        {"always_print_fields_with_no_presence": True},
    ):
        graph = from_json(json_format.MessageToJson(message, **more), ORIGIN)
        assert graph.nodes == [
            node(hypothetical=True, provenance=[SAID | {"timestamp": at}]),
            node(
                "db", type="INFRASTRUCTURE", label="Disk", hypothetical=False, provenance=[ORIGIN]
            ),
        ]
        assert graph.edges == [edge("dns", "db", type="PROPAGATES_TO", provenance=[ORIGIN])]
    assert from_json("{}", ORIGIN) == from_json('{"nodes": null}', ORIGIN) == Graph([], [])


def test_what_is_written_is_what_protobuf_reads() -> None:
    graph = of_json(node(hypothetical=True), edges=[edge()])
    message = json_format.Parse(text_of(to_json, graph), wire.message("CausalGraph")())
    assert (message.nodes[0].type, message.nodes[0].hypothetical) == (1, True)
    assert (message.edges[0].type, message.edges[0].provenance[0].source) == (1, "cmdb")


@pytest.mark.parametrize(
    ("time", "told"),
    [
        ("2026-11-18T07:49:06Z", "2026-11-18T07:49:06.000000Z"),
        ("2026-11-18T07:49:06.1Z", "2026-11-18T07:49:06.100000Z"),
        ("2026-11-18T07:49:06.123456789+02:00", "2026-11-18T05:49:06.123456Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
    ],
)
def test_times_are_told_in_utc_to_the_microsecond(time: str, told: str) -> None:
    graph = of_json(node(provenance=[SAID | {"timestamp": time}]))
    assert graph.nodes[0]["provenance"][0]["timestamp"] == told


WHERE = "is no graph: nodes[1] "
TEXT = "must be text of 1 to 512 bytes, without NUL"
KNOWN = "SERVICE, DEPENDENCY, INFRASTRUCTURE, MECHANISM"
TIME = "provenance[0] timestamp must be a time such as 2026-11-18T07:49:06Z"


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (7, "must be an object of id, type, label, hypothetical, provenance"),
        (node(colour="red"), "has colour: known are id, type, label, hypothetical, provenance"),
        ({"type": "SERVICE", "label": "x"}, f"id {TEXT}"),
        (node(7), f"id {TEXT}"),
        (node(""), f"id {TEXT}"),
        (node("\0"), f"id {TEXT}"),
        (node("é" * 257), f"id {TEXT}"),
        (node("\ud800"), "id has half of a surrogate pair"),
        (node("edge:a|b|DEPENDS_ON"), "id must not begin with edge:, which ids of edges do"),
        (node(label="x" * 4097), "label must be text of 1 to 4096 bytes, without NUL"),
        (node(label=None), "label must be text of 1 to 4096 bytes, without NUL"),
        (node(type="NODE_TYPE_UNSPECIFIED"), f"type must be one of {KNOWN}"),
        (node(type="DEPENDS_ON"), f"type must be one of {KNOWN}"),
        (node(type=0), f"type must be one of {KNOWN}"),
        (node(type=True), f"type must be one of {KNOWN}"),
        (node(type=99), f"type must be one of {KNOWN}"),
        (node(hypothetical="yes"), "hypothetical must be true or false"),
        (node(provenance=SAID), "provenance must be a list"),
        (node(provenance=["ann"]), "provenance[0] must be an object of source, trigger, timestamp"),
        (node(provenance=[{"source": "ann"}]), f"provenance[0] trigger {TEXT}"),
        (node(provenance=[SAID | {"timestamp": "yesterday"}]), TIME),
        (node(provenance=[SAID | {"timestamp": "2026-11-18T07:49:60Z"}]), TIME),
        (node(provenance=[SAID | {"timestamp": "2026-11-18T07:49:06"}]), TIME),
        (node(provenance=[SAID | {"timestamp": "0001-01-01T00:00:00+01:00"}]), TIME),
        (node(provenance=[SAID | {"timestamp": 5}]), TIME),
    ],
)
def test_a_node_that_is_none_is_refused(wrong: Any, problem: str) -> None:
    with pytest.raises(GraphError) as refused:
        of_json(node("fine"), wrong)
    assert str(refused.value) == WHERE + problem


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (edge(target="shop"), "must not lead from a node to itself"),
        (edge(source="edge:x"), "source must not begin with edge:, which ids of edges do"),
        (edge(target=None), f"target {TEXT}"),
        (edge(type="SERVICE"), "type must be one of DEPENDS_ON, PROPAGATES_TO, MANIFESTS_AS"),
        (edge(label="x"), "has label: known are source, target, type, provenance"),
    ],
)
def test_an_edge_that_is_none_is_refused(wrong: Any, problem: str) -> None:
    with pytest.raises(GraphError) as refused:
        of_json(edges=[wrong])
    assert str(refused.value) == f"is no graph: edges[0] {problem}"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is no JSON: Expecting value at line 1, column 1"),
        ("[1]", "is no graph: it must be an object of nodes, edges"),
        ('{"node": []}', "is no graph: it has node: known are nodes, edges"),
        ('{"nextPageToken": "a"}', "is a page of a live view, and not all of it"),
        ('{"nodes": {}}', "must have a list as its nodes"),
        ('{"nodes": [], "nodes": []}', "has the key nodes twice in one object"),
        ('{"nodes": [{"id": "a", "id": "b"}]}', "has the key id twice in one object"),
        ("[" * 100_000, "is JSON with too long a number, or nested too deeply"),
        ("9" * 5000, "is JSON with too long a number, or nested too deeply"),
    ],
)
def test_json_that_holds_no_graph_is_refused(text: str, problem: str) -> None:
    with pytest.raises(GraphError) as refused:
        from_json(text, ORIGIN)
    assert str(refused.value) == problem


@pytest.mark.parametrize("source", ["", "x" * 513, "\ud800"])
def test_the_provenance_of_the_file_is_checked_too(source: str) -> None:
    with pytest.raises(GraphError, match=r"^needs provenance, whose source "):
        from_json("{}", {"source": source, "trigger": "t"})


def test_graphml_of_another_tool_gets_what_it_does_not_say() -> None:
    graph = of_graphml(
        '<desc>drawn by hand</desc><node id="a b"><data key="c">red</data></node>'
        '<node id="dns"><data key="l"/><data key="h">True</data><port name="p"/></node>'
        '<edge id="e1" source="dns" target="a b"/>'
    )
    empty = {"type": "SERVICE", "provenance": [ORIGIN]}
    assert graph.nodes == [
        {"id": "a b", "label": "a b", "hypothetical": False, **empty},
        {"id": "dns", "label": "dns", "hypothetical": True, **empty},
    ]
    assert graph.edges == [edge("dns", "a b", provenance=[ORIGIN])]


def test_graphml_with_defaults_and_without_a_namespace() -> None:
    text = graphml(
        '<node id="a"/><node id="b"><data key="k">SERVICE</data></node>',
        '<!-- a <!DOCTYPE that is none --><graphml><key id="k" for="node" attr.name="type">'
        "<default>MECHANISM</default></key>",
    )
    assert [one["type"] for one in from_graphml(text, ORIGIN).nodes] == ["MECHANISM", "SERVICE"]


BOMB = (
    '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE graphml [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 40}">' for a, b in pairwise("abcdefghi"))
    + ']><graphml><desc>&i;</desc><graph edgedefault="directed"/></graphml>'
)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is no XML: no element found: line 1, column 0"),
        ("<graphml>", "is no XML: no element found"),
        ("<graph/>", "must hold the element graphml"),
        ('<graphml xmlns="http://example.com/"/>', "must hold the element graphml"),
        ("<graphml/>", "must hold one graph, and holds 0"),
        ("<graphml><graph/><graph/></graphml>", "must hold one graph, and holds 2"),
        (BOMB, "must not have a DOCTYPE, which no GraphML needs, nor entities of its own"),
        (graphml("&x;"), "is no XML: undefined entity: line 1, "),
        (graphml("", directed="undirected"), "must hold a directed graph"),
        ("<graphml><graph/></graphml>", "must hold a directed graph"),
        (graphml('<node id="a" id="b"/>'), "is no XML: duplicate attribute"),
        (graphml("<hyperedge/>"), "has a hyperedge: an edge leads from one node to one other"),
        (
            graphml('<edge source="a" target="b" directed="false"/>'),
            "is no graph: edges[0] is not directed: an edge says what acts on what",
        ),
        (
            graphml('<node id="a"/><node id="b"><graph edgedefault="directed"/></node>'),
            "is no graph: nodes[1] holds a graph: nested graphs cannot be read",
        ),
        (
            graphml('<node id="a"><data key="l">x</data><data key="l">y</data></node>'),
            "is no graph: nodes[0] has data of the key l twice",
        ),
        (
            graphml('<edge source="a" target="b"><data key="l">x</data></edge>'),
            "is no graph: edges[0] has data of the key l, not declared for edge",
        ),
        (
            graphml('<node id="a"><data key="l"><b>x</b></data></node>'),
            "is no graph: nodes[0] label must be text",
        ),
        (graphml("", HEAD + '<key id="t" for="edge"/>'), "declares the key t twice"),
        (
            graphml("", HEAD + '<key id="u" for="edge" attr.name="type"/>'),
            "declares two keys with the name type for edges",
        ),
        (graphml("<node/>"), f"is no graph: nodes[0] id {TEXT}"),
        (
            graphml('<node id="a"><data key="t">microservice</data></node>'),
            f"is no graph: nodes[0] type must be one of {KNOWN}",
        ),
        (
            graphml('<node id="a"><data key="h">perhaps</data></node>'),
            "is no graph: nodes[0] hypothetical must be true or false",
        ),
        (
            graphml('<node id="a"><data key="p">ann</data></node>'),
            "is no graph: nodes[0] provenance is no JSON: Expecting value at line 1, column 1",
        ),
        (
            graphml('<node id="a"><data key="p">{}</data></node>'),
            "is no graph: nodes[0] provenance must be a list",
        ),
    ],
)
def test_graphml_that_holds_no_such_graph_is_refused(text: str, problem: str) -> None:
    with pytest.raises(GraphError) as refused:
        from_graphml(text, ORIGIN)
    assert str(refused.value).startswith(problem)


def test_graphml_nested_a_hundred_thousand_times_over_is_nothing_but_refused() -> None:
    with pytest.raises(GraphError, match="nested graphs cannot be read"):
        of_graphml('<node id="a">' + "<graph>" * 100_000 + "</graph>" * 100_000 + "</node>")


# What a text of PostgreSQL can hold, and of that what XML can.
_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
_HOSTILE = st.sampled_from(
    ['"><script>', "a\nb\r\tc ", " ", "\u202eabc", "]]>", "&amp;<!--", "\x85\x9b31m", "\x1b]0;x\a"]
)
_FOREIGN = {*map(chr, range(32)), "\ufffe", "\uffff"} - set("\t\n\r")
_IDS = (_TEXT | _HOSTILE).filter(
    lambda text: len(text.encode()) <= 512 and not text.startswith("edge:")
)
_SAID = st.lists(
    st.fixed_dictionaries(
        {"source": _IDS, "trigger": _IDS},
        optional={"timestamp": st.just("2026-11-18T07:49:06.000001Z")},
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda one: (one["source"], one["trigger"]),
)
_GRAPHS = st.builds(
    lambda nodes, edges: in_order({"nodes": nodes, "edges": edges}),
    st.lists(
        st.fixed_dictionaries(
            {
                "id": _IDS,
                "type": st.sampled_from(["SERVICE", "MECHANISM"]),
                "label": _IDS,
                "hypothetical": st.booleans(),
                "provenance": _SAID,
            }
        ),
        max_size=4,
    ),
    st.lists(
        st.fixed_dictionaries(
            {
                "source": _IDS,
                "target": _IDS.map(lambda text: text[:200] + "'"),
                "type": st.sampled_from(["DEPENDS_ON", "MANIFESTS_AS"]),
                "provenance": _SAID,
            }
        ).filter(lambda one: one["source"] != one["target"]),
        max_size=4,
    ),
)


@settings(max_examples=size(100, 300), deadline=None)
@given(graph=_GRAPHS)
def test_what_is_written_is_read_back(graph: Graph) -> None:
    text = text_of(to_json, graph)
    assert text.replace("\n", "").isprintable()
    assert from_json(text, ORIGIN) == graph
    # Of provenance, which is JSON in it, GraphML holds every character.
    told = [one["id"] + one["label"] for one in graph.nodes]
    told += [one["source"] + one["target"] for one in graph.edges]
    if _FOREIGN.intersection("".join(told)):
        with pytest.raises(GraphError, match=r"^GraphML cannot hold U\+[0-9A-F]{4}, which is in "):
            text_of(to_graphml, graph)
        return
    text = text_of(to_graphml, graph)
    assert text.replace("\n", "").isprintable()
    assert ET.fromstring(text).tag.endswith("graphml")
    assert from_graphml(text, ORIGIN) == graph
