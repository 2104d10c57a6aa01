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
# An id on a terminal has so many characters, or as many as tell it from the others.
_SHORT = 8
_UNITS = ((86400 * 365.25, "year"), (86400, "day"), (3600, "h"), (60, "min"), (1, "s"))


class State(str):
    """A text that begins with a state or a decision, which has a colour on a terminal."""


class Id(str):
    """An id in a table: on a terminal its beginning, which every command takes for it."""


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
                _print(console, _table(console, part))
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
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} ({_ago(at, now or datetime.now(UTC))})"


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


def _table(console: "Console", found: Table) -> "RenderableType":
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    columns: list[list[str]] = [[*column] for column in zip(*found.rows, strict=True)]
    for number, header in enumerate(found.headers):
        cells = columns[number] if columns else []
        is_short = bool(cells) and all(isinstance(cell, Id) for cell in cells)
        if is_short and console.is_terminal:
            columns[number] = shortened(cells)
        table.add_column(Text(header), no_wrap=is_short, overflow="fold")
    for row in zip(*columns, strict=True):
        table.add_row(*map(_coloured, row))
    return table


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
        word = text.split(" ", 1)[0].rstrip(",:;")
        found.stylize(_STYLE_OF.get(word, ""), 0, len(word))
    return found
