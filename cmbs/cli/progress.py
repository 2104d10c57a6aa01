"""How far a long command is: a bar on a terminal, with the rate and the time left."""

import sys
import time
from types import TracebackType
from typing import Any, Self

from cmbs.cli.page import show_line


class Progress:
    """Called with how much more is done, and of how much; on a terminal it draws that."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._began = time.monotonic()
        self._bar: Any = None
        self.has_bar = sys.stderr.isatty()

    def __enter__(self) -> Self:
        if self.has_bar:
            self._bar = _bar(self._unit)
            self._task = self._bar.add_task("", total=None, note="")
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, more: int, total: int, note: str = "") -> None:
        if self._bar:
            self._bar.update(self._task, advance=more, total=total, note=note)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def say(self, line: str) -> None:
        """Print a line of the answer above the bar."""
        if not self._bar or not sys.stdout.isatty():
            show_line(line)
            return
        # Where both are the same terminal, the bar has to make room.
        self._bar.stop()
        show_line(line)
        self._bar.start()


def _bar(unit: str) -> Any:
    # Imported only now: where nobody looks there is nothing to draw.
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(f"{task.finished_speed or task.speed or 0:,.0f} {unit}/s")

    return RichProgress(
        BarColumn(24),
        TextColumn("{task.percentage:>3.0f}%  {task.fields[note]}", markup=False),
        Rate(),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True, highlight=False),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
