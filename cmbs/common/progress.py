"""How far a long command is: a bar on a terminal, with the rate and the time left."""

import sys
import time

_WIDTH = 24


class Progress:
    """Counts what is done; lines for the user go through it, so that they and the bar get along."""

    def __init__(self, total: int, unit: str) -> None:
        self._total, self._unit = total, unit
        self._done = 0
        self._began = time.monotonic()
        self._drawn = 0.0
        self.has_bar = sys.stderr.isatty()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def advance(self, count: int, note: str = "") -> None:
        self._done += count
        # Drawing for every small step would cost more than the step.
        if self.has_bar and time.monotonic() - self._drawn > 0.1:
            self._draw(note)

    def say(self, line: str) -> None:
        self.clear()
        print(line, flush=True)

    def clear(self) -> None:
        if self.has_bar:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _draw(self, note: str) -> None:
        self._drawn = time.monotonic()
        part = min(self._done / self._total, 1.0) if self._total else 1.0
        rate = self._done / max(self.seconds, 0.001)
        left = max(self._total - self._done, 0) / rate if rate else 0.0
        bar = "#" * round(part * _WIDTH)
        sys.stderr.write(
            f"\r\033[K[{bar:<{_WIDTH}}] {part:4.0%}  {note}{'  ' if note else ''}"
            f"{rate:,.0f} {self._unit}/s  {int(left) // 60}:{int(left) % 60:02d} left"
        )
        sys.stderr.flush()
