"""The picture of the house as SVG: rooms as boxes by size, and what goes between them as lines."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

_WIDTH = 1200
_LABEL = 120
_FLOOR = 112
_STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2430; }
.small { font-size: 11px; fill: #5b6474; }
.title { font-size: 17px; font-weight: 600; }
.name { font-size: 15px; font-weight: 600; }
.floor { stroke: #d8dce3; }
.box { fill: #f4f6fa; stroke: #8792a6; }
.down { stroke: #3d6fb4; }
.up { stroke: #c0722a; }
path { fill: none; opacity: .55; }
"""


@dataclass(frozen=True)
class Box:
    """A room: how large it is, and what is said below its name."""

    name: str
    n_lines: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Panel:
    """One house: floors from the top down, and how often a room calls another."""

    title: str
    note: str
    floors: list[tuple[str, list[Box]]]
    calls: Mapping[tuple[str, str], int]

    @property
    def height(self) -> int:
        return 70 + _FLOOR * len(self.floors)


@dataclass(frozen=True)
class _Place:
    x: float
    y: float
    width: float
    height: float
    floor: int

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    def towards(self, other: "_Place") -> float:
        """Where a line to another box begins: on the side on which that is."""
        aside = (other.middle - self.middle) / 3 + 9 * (other.floor - self.floor)
        return self.middle + max(min(aside, self.width / 2 - 9), 9 - self.width / 2)


def svg(panels: list[Panel]) -> str:
    parts: list[str] = []
    top = 0
    for panel in panels:
        parts += _panel(panel, top)
        top += panel.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top + 10}" '
        f'role="img" aria-label="The rooms of the house">\n<style>{_STYLE}</style>\n'
        f'<rect width="{_WIDTH}" height="{top + 10}" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _panel(panel: Panel, top: int) -> Iterable[str]:
    yield _text(20, top + 30, panel.title, "title")
    yield _text(20, top + 50, panel.note, "small")
    places = _places(panel, top + 70)
    for no, (label, _) in enumerate(panel.floors):
        y = top + 70 + _FLOOR * no
        yield f'<path class="floor" d="M20 {y}H{_WIDTH - 20}"/>'
        for line, words in enumerate(label.split("\n")):
            yield _text(20, y + 24 + 15 * line, words, "small")
    for (caller, callee), n in sorted(panel.calls.items()):
        yield _line(places[caller], places[callee], n, f"{caller} calls {callee}")
    for _, boxes in panel.floors:
        for box in boxes:
            yield from _box(box, places[box.name])


def _places(panel: Panel, top: int) -> dict[str, _Place]:
    """The area of a box is as large as its room, in all floors alike."""
    found = {}
    for no, (_, boxes) in enumerate(panel.floors):
        widths = [max(round(box.n_lines, -2) ** 0.5 * 3.6, 124) for box in boxes]
        gap = (_WIDTH - _LABEL - 20 - sum(widths)) / (len(boxes) + 1)
        x = _LABEL + gap
        for box, width in zip(boxes, widths, strict=True):
            height = 40 + 14 * len(box.notes)
            found[box.name] = _Place(x, top + _FLOOR * no + 24, width, height, no)
            x += width + gap
    return found


def _box(box: Box, place: _Place) -> Iterable[str]:
    yield (
        f'<rect class="box" x="{place.x:.0f}" y="{place.y}" width="{place.width:.0f}" '
        f'height="{place.height}" rx="5"/>'
    )
    yield _text(place.middle, place.y + 19, box.name, "name", centred=True)
    for no, note in enumerate((f"{round(box.n_lines, -2):,} lines", *box.notes)):
        yield _text(place.middle, place.y + 35 + 14 * no, note, "small", centred=True)


def _line(start: _Place, end: _Place, n: int, title: str) -> str:
    """From a room to one below it; what goes up, or beside, is drawn in another colour."""
    is_down = end.floor > start.floor
    if start.floor == end.floor:
        y = start.y
        lift = y - 18 - min(abs(end.middle - start.middle) / 40, 14)
        x1, x2 = start.towards(end), end.towards(start)
        curve = f"M{x1:.0f} {y}Q{(x1 + x2) / 2:.0f} {lift:.0f} {x2:.0f} {y}"
    else:
        y1 = start.y + (start.height if is_down else 0)
        y2 = end.y + (0 if is_down else end.height)
        half = (y1 + y2) / 2
        x1, x2 = start.towards(end), end.towards(start)
        curve = f"M{x1:.0f} {y1:.0f}C{x1:.0f} {half:.0f} {x2:.0f} {half:.0f} {x2:.0f} {y2:.0f}"
    kind = "down" if is_down else "up"
    # In steps, so that not every commit draws it anew; as sizes are.
    width = 0.8 + n.bit_length() / 2
    return (
        f'<path class="{kind}" stroke-width="{width:.1f}" d="{curve}">'
        f"<title>{escape(title)}</title></path>"
    )


def _text(x: float, y: float, text: str, kind: str, *, centred: bool = False) -> str:
    anchor = ' text-anchor="middle"' if centred else ""
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}"{anchor}>{escape(text)}</text>'
