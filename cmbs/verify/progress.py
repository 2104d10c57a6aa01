"""How far it is, for somebody who waits at a terminal."""

import sys
import time

from cmbs.verify.bundle import Bundle
from cmbs.verify.files import is_bundle, open_file
from cmbs.verify.text import MIB


class Progress:
    """On a terminal: how far it is, how fast, and the time left."""

    def __init__(self, path: str) -> None:
        self._done, self._total, self._began, self._drawn = 0, 0, time.monotonic(), 0.0
        self._is_shown = sys.stderr.isatty()
        if self._is_shown and is_bundle(path):
            with Bundle(path) as bundle:
                self._total = bundle.n_events
        elif self._is_shown:
            with open_file(path) as file:
                self._total = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(MIB), b""))

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def advance(self, count: int) -> None:
        self._done += count
        if self._is_shown and self.seconds - self._drawn > 0.1:
            self._drawn = self.seconds
            rate = self._done / self.seconds
            left = int(max(self._total - self._done, 0) / max(rate, 1))
            sys.stderr.write(
                f"\r\033[K{min(self._done / max(self._total, 1), 1):4.0%}  {rate:,.0f} rows/s  "
                f"{left // 60}:{left % 60:02d} left"
            )
            sys.stderr.flush()

    def clear(self) -> None:
        if self._is_shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
