"""Texts on a terminal and for programs: nothing moves the cursor or hides."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from cmbs.kernel.canonical import canonical

Object = dict[str, Any]
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff"
# Makes one sign of several; elsewhere it hides itself.
_JOINS = re.compile(f"(?<=[\ufe0f{_EMOJI}])\u200d(?=[{_EMOJI}])")


def read(text: str) -> Object:
    """An answer whose numbers keep their digits."""
    # The encoder takes whole numbers of 64 bits.
    answer: Object = json.loads(
        text, parse_float=Decimal, parse_int=lambda n: int(n) if len(n) < 19 else Decimal(n)
    )
    return answer


def shown(text: str) -> str:
    """An id on a terminal: whatever could move the cursor or hide itself is spelled out."""
    is_plain = printable(text) == text and text == text.strip()
    return text if is_plain else printable(json.dumps(text, ensure_ascii=False))


def printable(text: str) -> str:
    """JSON on a terminal: what cannot be printed stands inside of strings, and may be escaped."""
    return "\u200d".join(
        "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in part)
        for part in _JOINS.split(text)
    )


def as_json(value: Any, default: Callable[[Any], Any] | None = None) -> str:
    """A value for programs, in a line that a terminal may show; members stay in their order."""
    return printable(json.dumps(value, ensure_ascii=False, default=default))


def written(value: Any) -> str:
    """A value on a terminal, as JSON."""
    return printable(canonical(value))


def count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def minute(time: str) -> str:
    """A time to the minute, in UTC, as all times are told."""
    return time[:16].replace("T", " ")
