"""The picture of an incident as SVG that stands for itself: no scripts, nothing from elsewhere."""

import unicodedata
from collections.abc import Iterator
from html import escape

from cmbs.common.words import printable
from cmbs.tee.convert import edge_id
from cmbs.tee.layout import Layout, Point, lay_out
from cmbs.tee.picture import Edge, Node, Picture, edge_hint, node_hint

# So much a browser still draws, and nobody would find anything in it.
MOST_NODES, MOST_EDGES = 2000, 10_000
_WIDTH, _HEIGHT = 176, 38
_COLUMN, _ROW = 270, 56
_LEFT, _TOP = 20, 60
_LETTERS = 25
_PARALLEL = 7
_NODE_COLORS = {
    "SERVICE": "#dbe9f6",
    "DEPENDENCY": "#e3f1dc",
    "INFRASTRUCTURE": "#f7ead3",
    "MECHANISM": "#eadff2",
}
_EDGE_COLORS = {"DEPENDS_ON": "#3b6ea5", "PROPAGATES_TO": "#b3502a", "MANIFESTS_AS": "#6a4b9c"}
_GREY = "#9a9a9a"
_STYLE = f"""\
text {{ font: 12px sans-serif; fill: #222; }}
.small {{ font-size: 9px; fill: #555; }}
.title {{ font-size: 15px; }}
rect {{ stroke: #555; fill: #fff; }}
path {{ fill: none; stroke-width: 1.4; }}
.hypothetical rect {{ stroke-dasharray: 5 3; }}
.gone rect {{ fill: #f3f3f3; stroke: {_GREY}; }}
.gone text {{ fill: #777; text-decoration: line-through; }}
.cut {{ stroke: {_GREY}; stroke-dasharray: 4 4; }}
"""


def as_svg(picture: Picture) -> Iterator[str]:
    """The lines of the file."""
    layout = lay_out(list(picture.nodes), [edge.key[:2] for edge in picture.edges])
    columns = [column for column, _ in layout.places.values()]
    rows = [row for points in [layout.places.values(), *layout.bends.values()] for _, row in points]
    width = max(_LEFT * 2 + max(columns, default=0) * _COLUMN + _WIDTH, 640)
    height = _TOP + max(rows, default=0) * _ROW + _HEIGHT + 86
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img">'
    )
    yield f"<title>{_escaped(picture.title())}</title>"
    yield f"<style>{_STYLE}</style>"
    yield "<defs>"
    for name, color in {**_EDGE_COLORS, "CUT": _GREY}.items():
        yield (
            f'<marker id="{name}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
            f'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" style="fill: {color}"/></marker>'
        )
    yield "</defs>"
    yield '<rect width="100%" height="100%" style="stroke: none"/>'
    yield f'<text class="title" x="{_LEFT}" y="30">{_escaped(_clipped(picture.title(), 90))}</text>'
    drawn: dict[frozenset[str], int] = {}
    # What lives is drawn over what does not.
    for edge in sorted(picture.edges, key=lambda one: picture.edge_lives(one.key)):
        ends = frozenset(edge.key[:2])
        yield _edge(picture, edge, layout, drawn.get(ends, 0))
        drawn[ends] = drawn.get(ends, 0) + 1
    for node in picture.nodes.values():
        yield _node(picture, node, layout.places[node.id])
    yield from _legend(height - 46)
    yield "</svg>"


def _node(picture: Picture, node: Node, at: Point) -> str:
    x, y = _LEFT + at[0] * _COLUMN, _TOP + at[1] * _ROW
    is_gone = not picture.lives(node.id)
    classes = " ".join(["hypothetical"] * node.hypothetical + ["gone"] * is_gone)
    fill = "" if is_gone else f' style="fill: {_NODE_COLORS.get(node.type, "#fff")}"'
    small = node.type.lower() + ", hypothetical" * node.hypothetical
    middle = x + _WIDTH / 2
    return (
        f'<g class="{classes}"><title>{_lines(node_hint(picture, node))}</title>'
        f'<rect x="{x:g}" y="{y:.1f}" width="{_WIDTH}" height="{_HEIGHT}" rx="5"{fill}/>'
        f'<text x="{middle:g}" y="{y + 17:.1f}" text-anchor="middle">'
        f"{_escaped(_clipped(node.label, _LETTERS))}</text>"
        f'<text class="small" x="{middle:g}" y="{y + 30:.1f}" text-anchor="middle">'
        f"{_escaped(small)}</text></g>"
    )


def _edge(picture: Picture, edge: Edge, layout: Layout, no: int) -> str:
    key, lives = edge.key, picture.edge_lives(edge.key)
    start, end = layout.places[key.source], layout.places[key.target]
    # Of several between the same two each is moved a little, to either side in turn.
    shift = (no + 1) // 2 * _PARALLEL * (-1 if no % 2 else 1)
    to_right = start[0] < end[0]
    points = [_beside(start, to_right)]
    for bend in layout.bends[key.source, key.target]:
        points += [_beside(bend, not to_right), _beside(bend, to_right)]
    points.append(_beside(end, not to_right))
    (x, y), *others = [(x, y + shift) for x, y in points]
    parts = [f"M{x:g} {y:.1f}"]
    for no_, (to_x, to_y) in enumerate(others):
        # Straight past a node, bent between columns.
        if no_ % 2:
            parts.append(f"L{to_x:g} {to_y:.1f}")
        else:
            half = (x + to_x) / 2
            parts.append(f"C{half:g} {y:.1f} {half:g} {to_y:.1f} {to_x:g} {to_y:.1f}")
        x, y = to_x, to_y
    color = _EDGE_COLORS.get(key.type, "#555")
    paint = f'style="stroke: {color}"' if lives else 'class="cut"'
    marker = key.type if lives else "CUT"
    return (
        f'<g class="edge"><title>{_lines(edge_hint(picture, edge))}</title>'
        f'<path d="{"".join(parts)}" {paint} marker-end="url(#{marker})"/>'
        f"{_cross(points, shift) if not picture.lives(edge_id(key)) else ''}</g>"
    )


def _beside(at: Point, to_right: bool) -> Point:
    """Where an edge meets the node at this point."""
    x, y = _LEFT + at[0] * _COLUMN, _TOP + at[1] * _ROW + _HEIGHT / 2
    return (x + _WIDTH if to_right else x), y


def _cross(points: list[Point], shift: int) -> str:
    """The mark of an edge that is ruled out itself."""
    (x, y), (to_x, to_y) = points[0], points[1]
    x, y = (x + to_x) / 2, (y + to_y) / 2 + shift
    lines = f"M{x - 4:g} {y - 4:.1f}l8 8M{x - 4:g} {y + 4:.1f}l8 -8"
    return f'<path d="{lines}" style="stroke: {_GREY}"/>'


def _legend(y: float) -> Iterator[str]:
    x = _LEFT
    for name, color in _NODE_COLORS.items():
        yield f'<rect x="{x}" y="{y - 9:.1f}" width="12" height="12" style="fill: {color}"/>'
        yield f'<text class="small" x="{x + 17}" y="{y:.1f}">{name.lower()}</text>'
        x += 35 + 6 * len(name)
    # In a line of their own, so that the narrowest picture has room for all.
    x, y = _LEFT, y + 18
    for name, color in {**_EDGE_COLORS, "cut off, or ruled out (x)": _GREY}.items():
        yield f'<path d="M{x} {y - 3:.1f}h18" style="stroke: {color}"/>'
        legend = name.lower().replace("_", " ")
        yield f'<text class="small" x="{x + 23}" y="{y:.1f}">{legend}</text>'
        x += 40 + 5 * len(name)


def _clipped(text: str, most: int) -> str:
    """As much of it as fits, of letters of which some are wider than others."""
    kept: list[str] = []
    width = 0
    for c in printable(text):
        width += 2 if unicodedata.east_asian_width(c) in "WF" else 1
        if width > most:
            return "".join(kept[:-1]) + "\N{HORIZONTAL ELLIPSIS}"
        kept.append(c)
    return "".join(kept)


def _lines(hint: list[str]) -> str:
    return "\n".join(map(_escaped, hint))


def _escaped(text: str) -> str:
    return escape(printable(text))
