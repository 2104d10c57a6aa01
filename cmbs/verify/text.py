"""JSON as it was written, and its canonical text: what PostgreSQL prints for jsonb."""

import hashlib
import json
import re
from collections.abc import Callable
from json.encoder import encode_basestring
from typing import Any, NamedTuple

MIB = 1 << 20
LONGEST = 256 * MIB
_DEEPEST = 200
# Values in what lists a whole universe or a whole bundle.
MOST_LISTED = 40_000_000
# Values and commas of a record: a message of a million ids, the same in its delta, and the rest.
MOST_VALUES = 6_000_000
_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)0*([0-9]{1,6}))?")
_TOKEN = re.compile(r'[\[{,]|"[^"]*"?')


class Number(NamedTuple):
    """A number that is kept as it was written, because a float would lose its digits."""

    text: str


def canonical(value: Any, depth: int = 0) -> str:
    if depth > _DEEPEST:
        raise ValueError("it is nested too deep")
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("it holds a NUL")
        return encode_basestring(value)
    if isinstance(value, dict):
        pairs = sorted((len(key.encode()), key.encode(), key) for key in value)
        members = (canonical(key) + ": " + canonical(value[key], depth + 1) for _, _, key in pairs)
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([canonical(one, depth + 1) for one in value]) + "]"
    if isinstance(value, Number):
        return _plain_digits(value.text)
    if type(value) is int:
        return str(value)
    return "null" if value is None else "true" if value else "false"


def _plain_digits(text: str) -> str:
    found = _NUMBER.fullmatch(text)
    if not found:
        raise ValueError("it holds a number beyond all limits")
    sign, whole, part, *exponent = found.groups("")
    digits, point = whole + part, len(whole) + int("".join(exponent) or 0)
    if point < 1:
        digits, point = "0" * (1 - point) + digits, 1
    digits = digits.ljust(point, "0")
    whole, part = digits[:point].lstrip("0") or "0", digits[point:]
    if len(whole) > 131_072 or len(part) > 16_383:
        raise ValueError("it holds a number beyond all limits")
    return (sign if digits.strip("0") else "") + whole + ("." + part if part else "")


def digest_of(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def check_length(text: bytes) -> None:
    """With one odd character Python takes four bytes for each of a text, several times over."""
    if len(text) > (LONGEST if text.isascii() else 64 * MIB):
        raise ValueError("it is longer than 256 MiB, or than 64 MiB and not ASCII")


def parse(text: str, most: int = MOST_VALUES, decoder: json.JSONDecoder | None = None) -> Any:
    """JSON without repeated keys, of at most so many values; ValueError says what is wrong."""
    _check_size(text, most)
    try:
        return (decoder or _DECODER).decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"it is not JSON, at {where}: {error.msg}") from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _check_size(text: str, most: int) -> None:
    """A value takes up to fifty times the memory of its text, so a long text must not hold many."""
    if len(text) < 8 * MIB or sum(map(text.count, "[{,")) < most:
        return
    bare = text.replace("\\\\", "").replace('\\"', "")
    if any(count == most for count, _ in enumerate(_TOKEN.finditer(bare))):
        raise ValueError("it holds too many values")


def _without_exponent(text: str) -> Number:
    # A short one of a million digits would take long to write out, only to be refused then.
    if "e" in text or "E" in text:
        raise ValueError("it holds a number with an exponent")
    return Number(text)


def _no_constant(name: str) -> None:
    raise ValueError(f"it holds {name}")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("it holds a key twice")
    return members


def _decoder(number: Callable[[str], Number]) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_int=lambda digits: int(digits) if len(digits) < 20 else Number(digits),
        parse_float=number,
        parse_constant=_no_constant,
        object_pairs_hook=_members,
    )


_DECODER, CANONICAL_DECODER = _decoder(Number), _decoder(_without_exponent)
