"""How answers look: fields, tables and lines; with colour on a terminal, plain anywhere else.

What is said is a sequence of parts: a line is a text, a field a pair of a label and a text, and a
table has headers. What a terminal could obey is made printable by whoever says it.
"""

import sys
from collections.abc import Iterable, Sequence
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
        *("dead", "rolled_back", "out of reach"),
    ),
    "yellow": (
        *("ask", "defer", "executing", "expired", "issued", "note", "pending", "stuck"),
        *("superseded", "waiting", "warning"),
    ),
    "dim": ("cancelled", "consumed", "declined", "disabled", "ended", "none", "revoked"),
}
_STYLE_OF = {word: style for style, words in _STYLES.items() for word in words}
_STYLE_OF["terminated"] = "dim"
# Between columns.
_GAP = 2
# A space at which no line is broken.
_FIXED = "\u00a0"
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
    console = _console(to or sys.stdout)
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

    is_terminal = to.isatty()
    # A pipe has no edge at which to break a line.
    width = None if is_terminal else 100_000
    return Console(file=to, highlight=False, markup=False, emoji=False, width=width)


def _print(console: "Console", found: "RenderableType") -> None:
    with console.capture() as captured:
        console.print(found)
    # Cells are filled up with spaces to the right, which nobody sees and diffs do.
    for line in captured.get().splitlines():
        console.file.write(f"{line.rstrip()}\n")


def _grid(fields: Iterable[tuple[str, str]]) -> "RenderableType":
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in fields:
        grid.add_row(Text(name, style="bold"), _coloured(value))
    return grid


def _print_table(console: "Console", found: Table) -> None:
    """The table; where not even its words fit side by side, its rows one after the other."""
    columns: list[Sequence[str]] = [*zip(*found.rows, strict=True)]
    if not console.is_terminal:
        _print(console, _table(found.headers, columns, console.width))
        return
    columns = [*map(_short_ids, columns)]
    for times in (_whole_times, _relative_times):
        tried = [*map(times, columns)]
        if sum(_least(found.headers, tried)) <= console.width:
            _print(console, _table(found.headers, tried, console.width))
            return
    for number, row in enumerate(zip(*columns, strict=True)):
        if number:
            console.print()
        _print(console, _grid(zip(found.headers, row, strict=True)))


def _least(headers: Sequence[str], columns: Sequence[Sequence[str]]) -> list[int]:
    """How wide each column is at least, if no word is broken."""
    return [
        max(len(word) for text in (header, *cells) for word in text.split(" ")) + _GAP
        for header, cells in zip(headers, columns, strict=True)
    ]


def _table(
    headers: Sequence[str], columns: Sequence[Sequence[str]], width: int
) -> "RenderableType":
    from rich.table import Table as RichTable
    from rich.text import Text

    # rich takes from the widest first, and breaks words before it breaks lines.
    least = _least(headers, columns)
    whole = [max(map(len, (h, *cells))) + _GAP for h, cells in zip(headers, columns, strict=True)]
    spare, wanted = max(width - sum(least), 0), max(sum(whole) - sum(least), 1)
    table = RichTable(box=None, padding=(0, _GAP, 0, 0), header_style="bold")
    for header, few, many in zip(headers, least, whole, strict=True):
        fitted = min(many, few + spare * (many - few) // wanted)
        table.add_column(Text(header), width=fitted - _GAP)
    for row in zip(*columns, strict=True):
        table.add_row(*map(_coloured, row))
    return table


def _short_ids(cells: Sequence[str]) -> Sequence[str]:
    return shortened(cells) if all(isinstance(cell, Id) for cell in cells) else cells


def _whole_times(cells: Sequence[str]) -> Sequence[str]:
    """Times that break nowhere but between what is exact and what is relative."""
    halves = (
        cell.partition(" (") if isinstance(cell, Moment) else (cell, "", "") for cell in cells
    )
    return [
        f"{exact.replace(' ', _FIXED)}{between}{relative.replace(' ', _FIXED)}"
        if between
        else exact
        for exact, between, relative in halves
    ]


def _relative_times(cells: Sequence[str]) -> Sequence[str]:
    return [
        cell.partition(" (")[2].removesuffix(")") if isinstance(cell, Moment) else cell
        for cell in cells
    ]


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
