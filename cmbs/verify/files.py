"""Reading files that may be anything."""

import os
import stat
from collections.abc import Callable, Iterator
from typing import IO

from cmbs.verify.errors import Unreadable
from cmbs.verify.text import LONGEST, MIB


def open_file(path: str | os.PathLike[str]) -> IO[bytes]:
    """The file, if it is one: opening a pipe would wait for ever."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        number = os.open(path, flags)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Unreadable(f"the file cannot be opened: {why}") from None
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise Unreadable("this is not a regular file")
    return open(number, "rb")


def split_lines(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The lines without their newlines; each must have one."""
    parts: list[bytes] = []
    length = 0
    while chunk := read(MIB):
        lines = chunk.split(b"\n")
        if len(lines) > 1:
            yield b"".join([*parts, lines[0]])
            yield from lines[1:-1]
            parts, length = [], 0
        parts.append(lines[-1])
        length += len(lines[-1])
        if length > LONGEST:
            raise Unreadable("a line is longer than 256 MiB")
    if length:
        raise Unreadable("the last line is cut off: it does not end in a newline")


def ndjson(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The lines of an exported log."""
    with open_file(path) as file:
        yield from split_lines(file.read)


def is_bundle(path: str | os.PathLike[str]) -> bool:
    with open_file(path) as file:
        start = file.read(16)
    if start.startswith((b'{"events"', b'{"error"')):
        raise Unreadable(
            "this is an answer in JSON and not a log: ask for it with Accept: application/x-ndjson"
        )
    if start[:2] != b"PK" and start[:1] != b"{":
        raise Unreadable("this is neither a log nor a bundle" if start else "the file is empty")
    return start[:2] == b"PK"
