"""How answers look: fields, tables and lines; with colour on a terminal, plain anywhere else.

What is said is a sequence of parts: a line is a text, a field a pair of a label and a text, and a
table has headers. What a terminal could obey is made printable by whoever says it.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_STYLES = {
    "green": ("allow", "approved", "committed", "enabled", "healthy", "ok", "open", "valid"),
    "bold red": (
        *("BROKEN", "FAILED", "HALTED", "broken", "deny", "denied", "error", "refused"),
        "dead",
    ),
    "yellow": (
        *("ask", "defer", "executing", "expired", "issued", "note", "pending", "stuck"),
        *("superseded", "waiting", "warning"),
    ),
    "dim": (
        *("cancelled", "consumed", "declined", "disabled", "ended", "none", "revoked"),
        "terminated",
    ),
}
_STYLE_OF = {word: style for style, words in _STYLES.items() for word in words}
# Between columns.
_GAP = 2
_NARROWEST = 20
# An id on a terminal has so many characters, or as many as tell it from the others.
_SHORT = 8
_UNITS = ((86400 * 365.25, "year"), (86400, "day"), (3600, "h"), (60, "min"), (1, "s"))


class State(str):
    """A text that begins with a state or a decision, which has a colour on a terminal."""


class Moment(str):
    """A time, exact and relative."""


class Id(str):
    """An id or a hash in a table: on a terminal its beginning, which commands take for an id."""


@dataclass(frozen=True)
class Table:
    """Rows under their headers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]


Part = str | tuple[str, str] | Table


def show(parts: Iterable[Part], to: TextIO | None = None) -> None:
    """Print the parts, fields that follow one another in one column."""
    to = to or sys.stdout
    if not to.isatty():
        _show_plain(parts, to)
        return
    console = _console(to)
    for is_field, found in groupby(parts, lambda part: isinstance(part, tuple)):
        if is_field:
            fields: Any = [*found]
            _print(console, _grid(fields))
            continue
        for part in found:
            if isinstance(part, Table):
                _print_table(console, part)
            elif isinstance(part, str):
                console.print(_coloured(part), soft_wrap=True)


def show_line(line: str) -> None:
    """Print a line of many, at once: whoever waits sees it."""
    if sys.stdout.isatty():
        _console(sys.stdout).print(_coloured(line), soft_wrap=True)
    else:
        print(line, flush=True)


def note(sentence: str) -> None:
    """Tell whoever runs the command something that is not its answer."""
    print(f"cmbs: {sentence}", file=sys.stderr, flush=True)


def when(time: str | datetime | None, now: datetime | None = None) -> str:
    """A time to the minute in UTC, and how long ago that was: `2026-11-20 14:03 (3 min ago)`."""
    if time is None:
        return "never"
    at = datetime.fromisoformat(time) if isinstance(time, str) else time
    return Moment(f"{at.astimezone(UTC):%Y-%m-%d %H:%M} ({_ago(at, now or datetime.now(UTC))})")


def _ago(at: datetime, now: datetime) -> str:
    seconds = (now - at).total_seconds()
    for size, unit in _UNITS:
        if abs(seconds) >= size:
            # What is to come is as long as it was made: five minutes, not four and something.
            number = round(-seconds / size) if seconds < 0 else int(seconds // size)
            many = "s" * (number > 1 and unit in ("day", "year"))
            return f"in {number} {unit}{many}" if seconds < 0 else f"{number} {unit}{many} ago"
    return "now"


def validity(expires_at: str) -> str:
    """Whether what ends by itself has ended."""
    return "expired" if datetime.fromisoformat(expires_at) <= datetime.now(UTC) else "valid"


def label(name: str) -> str:
    """The name of a state as people read it."""
    return name.replace("_", " ")


def _console(to: TextIO) -> "Console":
    from rich.console import Console

    console = Console(file=to, force_terminal=True, highlight=False, markup=False, emoji=False)
    # Some terminals say that they have no columns.
    console.width = max(console.width, _NARROWEST)
    return console


def _show_plain(parts: Iterable[Part], to: TextIO) -> None:
    """A pipe has no edge, and its reader wants everything."""
    for is_field, found in groupby(parts, lambda part: isinstance(part, tuple)):
        if is_field:
            _write_columns(found, to)
            continue
        for part in found:
            if isinstance(part, Table):
                _write_columns([part.headers, *part.rows], to)
            else:
                to.write(f"{part}\n")


def _write_columns(rows: Iterable[Any], to: TextIO) -> None:
    from rich.cells import cell_len

    listed = [*rows]
    widths = [max(map(cell_len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        cells = (
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        )
        to.write(f"{(' ' * _GAP).join(cells).rstrip()}\n")


def _print(console: "Console", found: "RenderableType") -> None:
    with console.capture() as captured:
        console.print(found)
    # Cells are filled up with spaces to the right, which nobody sees.
    for line in captured.get().splitlines():
        console.file.write(f"{line.rstrip()}\n")


def _grid(fields: Iterable[tuple[str, str]]) -> "RenderableType":
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in fields:
        grid.add_row(Text(name, style="bold"), _coloured(value))
    return grid


def _print_table(console: "Console", found: Table) -> None:
    """The table; where not even its words fit side by side, its rows one after the other."""
    columns = [_short_ids(column) for column in zip(*found.rows, strict=True)]
    whole = _widths(found.headers, columns, _lines)
    for times in (None, _two_lines, _relative):
        tried = columns if times is None else [[*map(times, column)] for column in columns]
        least = _widths(found.headers, tried, _words) if times else whole
        if sum(least) <= console.width:
            most = _widths(found.headers, tried, _lines)
            _print(console, _table(found.headers, tried, _shared(least, most, console.width)))
            return
    for number, row in enumerate(zip(*columns, strict=True)):
        if number:
            console.print()
        _print(console, _grid(zip(found.headers, row, strict=True)))


def _widths(
    headers: Sequence[str],
    columns: Sequence[Sequence[str]],
    pieces: Callable[[str], Sequence[str]],
) -> list[int]:
    """How wide each column is at least, if none of the pieces of its cells is broken."""
    from rich.cells import cell_len

    return [
        max(cell_len(piece) for cell in (header, *cells) for piece in pieces(cell)) + _GAP
        for header, cells in zip(headers, columns, strict=True)
    ]


def _lines(cell: str) -> Sequence[str]:
    return cell.split("\n")


def _words(cell: str) -> Sequence[str]:
    """What is not to be broken: of a time its lines."""
    return _lines(cell) if isinstance(cell, Moment) else cell.split()


def _shared(least: Sequence[int], most: Sequence[int], width: int) -> list[int]:
    """What there is to share, by how much each column wants. rich takes from the widest first, and
    breaks words before it breaks lines."""
    spare, wanted = width - sum(least), max(sum(most) - sum(least), 1)
    return [
        min(many, few + spare * (many - few) // wanted)
        for few, many in zip(least, most, strict=True)
    ]


def _table(
    headers: Sequence[str], columns: Sequence[Sequence[str]], widths: Sequence[int]
) -> "RenderableType":
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(box=None, padding=(0, _GAP, 0, 0), header_style="bold")
    for header, width in zip(headers, widths, strict=True):
        table.add_column(Text(header), width=width - _GAP, overflow="fold")
    for row in zip(*columns, strict=True):
        table.add_row(*map(_coloured, row))
    return table


def _short_ids(cells: Sequence[str]) -> Sequence[str]:
    return shortened(cells) if all(isinstance(cell, Id) for cell in cells) else cells


def _two_lines(cell: str) -> str:
    """A time with its relative half below the exact one."""
    return Moment(cell.replace(" (", "\n(")) if isinstance(cell, Moment) else cell


def _relative(cell: str) -> str:
    return cell.partition(" (")[2].removesuffix(")") if isinstance(cell, Moment) else cell


def shortened(ids: Sequence[str]) -> list[str]:
    """The beginnings of ids, as long as it takes to tell them apart."""
    known, length = {*ids}, _SHORT
    while len({one[:length] for one in known}) < len(known):
        length += 1
    return [one[:length].rstrip("-") for one in ids]


def _coloured(text: str) -> "Text":
    from rich.text import Text

    found = Text(text)
    if isinstance(text, State):
        start = len("would be ") if text.startswith("would be ") else 0
        word = text[start:].split(" ", 1)[0].rstrip(",:;")
        found.stylize(_STYLE_OF.get(word, ""), start, start + len(word))
    return found
