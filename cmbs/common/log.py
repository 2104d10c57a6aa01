"""What operators read: one JSON object a line on stderr, or its text on a terminal."""

import asyncio
import logging
import re
import sys
from datetime import UTC, datetime

import msgspec

_PAUSE = 0.1


def line(event: str, level: str = "info", **members: object) -> str:
    """A line of the log; no member may hold anything of a body, or a secret."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00")
    found = {"ts": f"{now}Z", "level": level, "event": event, **members}
    text = msgspec.json.encode(found).decode()
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(letter: str) -> str:
    """Of JSON in a line: what a name may hold and a terminal obeys, or takes for the line's end."""
    if letter.isprintable():
        return letter
    return re.sub("....", r"\\u\g<0>", letter.encode("utf-16-be").hex())


class Lines(logging.Formatter):
    """Lines of others become objects as well; what an exception says may be of a request."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if not record.name.startswith("cmbs"):
            error = record.exc_info[0] if record.exc_info else None
            name = error.__name__ if error else None
            level = record.levelname.lower()
            text = line(record.name, level, message=text, error=name)
        return _for_people(text) if sys.stderr.isatty() else text


def _for_people(text: str) -> str:
    members = msgspec.json.decode(text)
    begin = f"{members.pop('ts')[11:-1]} {members.pop('level'):7} {members.pop('event')}"
    rest = (f"{key}={value}" for key, value in members.items() if value is not None)
    return "".join(map(_printable, " ".join([begin, *rest])))


class Joined(logging.Handler):
    """Writes what came within a tenth of a second at once: one system call and not hundreds."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(_PAUSE, self.flush)

    def flush(self) -> None:
        lines, self._lines = self._lines, []
        if lines:
            sys.stderr.write("\n".join(lines) + "\n")
            sys.stderr.flush()
