"""Pictures of incidents: what is marked, where it is drawn, and that no id breaks out of them."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmbs.tee.convert import EdgeKey, edge_id
from cmbs.tee.dot import as_dot
from cmbs.tee.layout import lay_out
from cmbs.tee.picture import Edge, Node, Picture, as_text
from cmbs.tee.svg import as_svg
from tests.support.sizes import size

SVG = "{http://www.w3.org/2000/svg}"
GONE = {
    "source_id": "tool://dig",
    "trigger": "dig shop",
    "occurred_at": None,
    "recorded_at": datetime(2026, 11, 19, 9, 30, tzinfo=UTC),
    "actor": "ann",
}
HOSTILE = [
    '"><script>alert(1)</script>',
    "two\nlines\r",
    "\u202eback\u202c\u200b",
    "slash\\",
    'x", shape="none"]; n9 [label="y',
    "\x1b[31m\x07\x9b\x85",
    "&amp;&#34;<!--]]>-->",
    "edge|%7C%",
    "javascript:alert(1)",
    "\ufffe\uffff",
    " padded ",
]


def picture(
    nodes: Iterable[str], edges: Iterable[tuple[str, str]] = (), gone: Iterable[str] = ()
) -> Picture:
    found = {id_: Node(id_, "SERVICE", id_, False, []) for id_ in nodes}
    keys = [EdgeKey(a, b, "DEPENDS_ON") for a, b in edges]
    return Picture(
        *("inc-1", "2026-11-19T09:00:00.000000Z", "v3"),
        found,
        [Edge(key, []) for key in keys],
        {id_: dict(GONE) for id_ in gone},
    )


@pytest.fixture
def incident() -> Picture:
    """The shop needs names and a database; names are ruled out, and the way to a third."""
    found = picture(
        ["db", "dns", "queue", "shop"],
        [("shop", "db"), ("shop", "dns"), ("shop", "queue")],
        ["dns", edge_id(EdgeKey("shop", "queue", "DEPENDS_ON")), "ghost"],
    )
    said = {"source": "cmdb", "trigger": "import", "timestamp": "2026-11-18T07:49:06.000000Z"}
    found.nodes["queue"] = Node("queue", "MECHANISM", "Full queue", True, [said])
    return found


def test_text_tells_what_lives_and_who_ruled_out_the_rest(incident: Picture) -> None:
    by = "by tool://dig on dig shop, 2026-11-19 09:30 (recorded by ann)"
    assert "\n".join(as_text(incident)) == (
        "incident   inc-1\n"
        "began      2026-11-19 09:00, pinned to v3\n"
        "universe   4 nodes, 3 edges\n"
        "lives      3 nodes, 1 edge\n"
        "ruled out  1 node, 1 edge\n"
        "cut off    1 edge, of which an end is ruled out\n"
        "\n"
        "lives\n"
        "  db  SERVICE\n"
        "  queue  MECHANISM  Full queue  hypothetical\n"
        "  shop  SERVICE\n"
        "    DEPENDS_ON db\n"
        "\n"
        "ruled out\n"
        f"  dns  SERVICE  {by}\n"
        f"  shop DEPENDS_ON queue  {by}\n"
        "\n"
        "cut off\n"
        "  shop DEPENDS_ON dns\n"
        "\n"
        "ruled out, and not of its universe\n"
        f"  ghost  {by}"
    )


def test_dot_marks_what_is_ruled_out(incident: Picture) -> None:
    lines = list(as_dot(incident))
    by = "by tool://dig on dig shop, 2026-11-19 09:30 (recorded by ann)"
    assert lines[4:] == [
        '  edge [fontname="sans-serif", fontsize=9];',
        '  n1 [label="db\\nSERVICE", style="rounded", tooltip="db  SERVICE"];',
        '  n2 [label="dns\\nSERVICE, ruled out", style="rounded,filled", '
        f'tooltip="dns  SERVICE\\nruled out {by}", '
        "color=gray60, fontcolor=gray50, fillcolor=gray93];",
        '  n3 [label="Full queue\\nMECHANISM", style="rounded,dashed", '
        'tooltip="queue  MECHANISM  Full queue  hypothetical\\n'
        'said by cmdb on import, 2026-11-18 07:49"];',
        '  n4 [label="shop\\nSERVICE", style="rounded", tooltip="shop  SERVICE"];',
        '  n4 -> n1 [label="DEPENDS_ON", tooltip="shop DEPENDS_ON db"];',
        '  n4 -> n2 [label="DEPENDS_ON", '
        'tooltip="shop DEPENDS_ON dns\\ncut off, as dns is ruled out", '
        "style=dashed, color=gray60];",
        f'  n4 -> n3 [label="DEPENDS_ON", tooltip="shop DEPENDS_ON queue\\nruled out {by}", '
        "style=dashed, color=gray60, fontcolor=gray50, arrowhead=tee];",
        "}",
    ]


def test_svg_marks_what_is_ruled_out(incident: Picture) -> None:
    drawn = ET.fromstring("\n".join(as_svg(incident)))
    marks = {}
    for group in drawn.iter(f"{SVG}g"):
        hint = str(group.findtext(f"{SVG}title")).splitlines()
        paths = group.findall(f"{SVG}path")
        is_cut = bool(paths) and paths[0].get("class") == "cut"
        marks[hint[0]] = (group.get("class"), is_cut, len(paths), len(hint))
    assert marks == {
        "db  SERVICE": ("", False, 0, 1),
        "dns  SERVICE": ("gone", False, 0, 2),
        "queue  MECHANISM  Full queue  hypothetical": ("hypothetical", False, 0, 2),
        "shop  SERVICE": ("", False, 0, 1),
        "shop DEPENDS_ON db": ("edge", False, 1, 1),
        "shop DEPENDS_ON dns": ("edge", True, 1, 2),
        "shop DEPENDS_ON queue": ("edge", True, 2, 2),
    }
    assert drawn.findtext(f"{SVG}title") == "inc-1, pinned to v3: 3 of 4 nodes live"


def all_hostile() -> Picture:
    ids = sorted(HOSTILE)
    keys = [EdgeKey(a, b, "DEPENDS_ON") for a, b in pairwise(ids)]
    said = {"source": HOSTILE[0], "trigger": HOSTILE[1], "timestamp": None}
    gone = {**GONE, "source_id": HOSTILE[4], "trigger": HOSTILE[5], "actor": HOSTILE[2]}
    return Picture(
        *(HOSTILE[0] + HOSTILE[5], "2026-11-19T09:00:00.000000Z", "v3"),
        {id_: Node(id_, "MECHANISM", id_[::-1] + id_, True, [said]) for id_ in ids},
        [Edge(key, [said]) for key in keys],
        dict.fromkeys([*ids[::2], edge_id(keys[0]), edge_id(keys[3]), "gh\x1bost"], gone),
    )


def test_no_id_breaks_out_of_text() -> None:
    lines = list(as_text(all_hostile()))
    assert all(line.isprintable() for line in lines)
    assert len(lines) == len(list(as_text(_tame(all_hostile()))))
    assert any(r"\u001b[31m" in line for line in lines)


def test_no_id_breaks_out_of_dot() -> None:
    lines = list(as_dot(all_hostile()))
    assert all(line.isprintable() for line in lines)
    # What Graphviz takes for text is left out: what is then left is as of ids that mean no harm.
    rest = [re.sub(r'"(?:\\.|[^"\\])*"', "TEXT", line) for line in lines]
    tame = [re.sub(r'"[^"]*"', "TEXT", line) for line in as_dot(_tame(all_hostile()))]
    assert rest == tame
    assert not re.search(r"&(?!amp;)", "\n".join(lines))


def test_the_legend_ends_where_the_picture_does(incident: Picture) -> None:
    drawn = ET.fromstring("\n".join(as_svg(incident)))
    width, height = float(drawn.get("width", 0)), float(drawn.get("height", 0))
    legend = drawn.findall(f"{SVG}text[@class='small']")
    assert [text.text for text in legend][-1] == "cut off, or ruled out (x)"
    for text in legend:
        # Letters of nine pixels are at most six wide on average.
        assert float(text.get("x", 0)) + 6 * len(text.text or "") <= width, text.text
        assert float(text.get("y", 0)) < height - 10


def test_no_id_breaks_out_of_svg() -> None:
    text = "\n".join(as_svg(all_hostile()))
    assert text.replace("\n", "").isprintable()
    drawn, tame = (ET.fromstring(one) for one in (text, "\n".join(as_svg(_tame(all_hostile())))))
    assert [_shape(one) for one in drawn.iter()] == [_shape(one) for one in tame.iter()]
    names = {one.tag.removeprefix(SVG) for one in drawn.iter()}
    assert names == {"svg", "title", "style", "defs", "marker", "path", "rect", "text", "g"}
    # Nothing is fetched: all that is named by an address is in the file.
    assert set(re.findall(r"url\(([^)]*)\)", text)) <= {"#CUT", "#DEPENDS_ON"}
    assert not re.search(r"href|@import|\son\w+=", re.sub(r">[^<]*<", "><", text))
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def _shape(element: ET.Element) -> tuple[str, list[str]]:
    return element.tag, sorted(element.attrib)


def _tame(found: Picture) -> Picture:
    """The same with ids that mean nothing to anybody, and sort alike."""
    names = {id_: f"n{no:02}" for no, id_ in enumerate(found.nodes)}
    keys = {
        edge.key: EdgeKey(names[edge.key.source], names[edge.key.target], edge.key.type)
        for edge in found.edges
    }
    more = {edge_id(key): edge_id(tame) for key, tame in keys.items()}
    said = [{"source": "s", "trigger": "t", "timestamp": None}]
    return Picture(
        *("inc", found.created_at, found.anchor),
        {names[id_]: Node(names[id_], "MECHANISM", "label", True, said) for id_ in found.nodes},
        [Edge(keys[edge.key], said) for edge in found.edges],
        {(names | more).get(id_, "ghost"): GONE for id_ in found.gone},
    )


def test_of_an_empty_universe_there_is_a_picture() -> None:
    empty = picture([])
    assert "universe   0 nodes, 0 edges" in as_text(empty)
    assert list(as_dot(empty))[-1] == "}"
    assert ET.fromstring("\n".join(as_svg(empty))).get("width") == "640"


IDS = [f"n{no}" for no in range(12)]
_EDGES = st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)), max_size=40)


@settings(max_examples=size(60, 200), deadline=None)
@given(edges=_EDGES)
def test_nodes_do_not_cover_each_other(edges: list[tuple[str, str]]) -> None:
    found = lay_out(IDS, edges)
    assert found == lay_out(IDS, reversed(edges))
    assert found.places.keys() == set(IDS)
    pairs = {pair for pair in edges if pair[0] != pair[1]}
    assert found.bends.keys() == pairs
    columns: dict[float, list[float]] = {}
    for column, row in found.places.values():
        columns.setdefault(column, []).append(row)
    for rows in columns.values():
        assert min(rows) >= 0
        assert all(b - a > 0.999 for a, b in pairwise(sorted(rows)))
    for source, target in pairs:
        start, *bends, end = (
            found.places[source],
            *found.bends[source, target],
            found.places[target],
        )
        step = 1 if start[0] < end[0] else -1
        assert start[0] != end[0]
        assert [bend[0] for bend in bends] == [*_between(start[0], end[0], step)]


def _between(start: float, end: float, step: int) -> Iterable[float]:
    return map(float, range(int(start) + step, int(end), step))


def test_edges_lead_to_the_right_unless_they_close_a_cycle() -> None:
    found = lay_out([*"abcdex"], [(a, b) for a, b in ("ab", "bc", "cd", "da", "ad", "de", "xe")])
    assert [found.places[one][0] for one in "abcdex"] == [0, 1, 2, 3, 4, 3]
    bends = found.bends
    assert bends["a", "d"] == bends["d", "a"][::-1] != []


def test_what_no_edge_leads_to_stands_below() -> None:
    found = lay_out([*"abc"], [("a", "c")])
    assert found.places == {"a": (0, 0), "c": (1, 0), "b": (0, 1.5)}


def test_a_long_chain_with_many_short_cuts_is_drawn_all_the_same() -> None:
    """Its edges pass more columns than anybody could follow."""
    ids = [f"n{no:04}" for no in range(2000)]
    edges = [*pairwise(ids), *((ids[no], ids[-1 - no]) for no in range(900))]
    found = lay_out(ids, edges)
    assert found.places[ids[-1]] == (1999, 0)
    assert not any(found.bends.values())


def test_wide_letters_are_cut_as_they_fill_the_box() -> None:
    def told(label: str) -> Any:
        found = picture(["a"])
        found.nodes["a"] = Node("a", "SERVICE", label, False, [])
        drawn = ET.fromstring("\n".join(as_svg(found)))
        return drawn.findtext(f"{SVG}g/{SVG}text")

    assert told("x" * 25) == "x" * 25
    assert told("x" * 26) == "x" * 24 + "…"
    assert told("\u8a9e" * 20) == "\u8a9e" * 11 + "…"
