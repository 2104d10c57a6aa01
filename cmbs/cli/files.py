"""Texts of files and of standard input, which hold JSON that is sent as it was written."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cmbs.common.failure import UsageError

if TYPE_CHECKING:
    from msgspec import Raw

    Members = dict[str, Raw]


def sent_text(name: str) -> str:
    """What is in a file, or comes in."""
    try:
        written = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return written.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{named(name)} cannot be read: {error.strerror}") from error
    except UnicodeError:
        raise UsageError(f"{named(name)} must be UTF-8") from None


def members(name: str, text: str) -> "Members":
    """The members of the object in a file, each as it is written there, once."""
    # Most commands read no file.
    import msgspec

    try:
        # Objects as tuples of pairs, which shows what is there twice; numbers need not be any.
        pairs = json.loads(text, object_pairs_hook=tuple, parse_int=str, parse_float=str)
        found = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    except json.JSONDecodeError as error:
        raise no_json(name, error) from None
    except (ValueError, RecursionError):
        raise UsageError(f"{named(name)} must hold a JSON object") from None
    if len(pairs) > len(found):
        raise UsageError(f"{named(name)} has a key twice in its object")
    return found


def no_json(name: str, error: json.JSONDecodeError) -> UsageError:
    where = f"line {error.lineno}, column {error.colno}"
    return UsageError(f"{named(name)} must hold JSON, at {where}: {error.msg}")


def as_text(raw: "Raw") -> str:
    return bytes(raw).decode()


def named(name: str) -> str:
    """A file in a sentence."""
    return "standard input" if name == "-" else name
