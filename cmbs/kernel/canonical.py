"""The one text that is hashed: what PostgreSQL prints for `jsonb`, and how to read it back."""

import json
from collections.abc import Mapping
from decimal import Decimal
from hashlib import sha256
from json.encoder import encode_basestring
from typing import Any

# What a number of PostgreSQL may have before and after the point.
_MAX_WHOLE, _MAX_PART = 131_072, 16_383
# Python refuses to print or read longer integers itself.
_MAX_PRINTED = 4000


def canonical(value: Any) -> str:
    """The canonical text of a JSON value; ValueError says why it has none.

    A float counts as the digits that Python prints for it, as it would on its way through JSON.
    """
    # By how often they come: most of what is hashed is text.
    if isinstance(value, str):
        return quoted(value)
    if value is None or value is True or value is False:
        return _CONSTANTS[value]
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return _decimal(Decimal(float.__repr__(value)))
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(_members(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(canonical, value)) + "]"
    raise ValueError(f"a value of type {type(value).__name__} is not JSON")


_CONSTANTS = {None: "null", True: "true", False: "false"}


def quoted(text: str) -> str:
    """A string as JSON. A lone surrogate is let through here and found when the text is encoded."""
    if "\0" in text:
        raise ValueError("text must not hold a NUL")
    return encode_basestring(text)


def _members(value: Mapping[Any, Any]) -> list[str]:
    keys = []
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"a key of type {type(key).__name__} is not JSON")
        keys.append((len(raw := encoded(key)), raw, key))
    return [f"{quoted(key)}: {canonical(value[key])}" for _, _, key in sorted(keys)]


def _integer(value: int) -> str:
    is_short = value.bit_length() < 3 * _MAX_PRINTED
    return int.__repr__(value) if is_short else _decimal(Decimal(value))


def _decimal(value: Decimal) -> str:
    """Plain digits, those it was written with; a zero has no sign."""
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError("a number must be finite")
    # Before it is printed: 1e131000 has few characters until then.
    if exponent < -_MAX_PART or (value and value.adjusted() >= _MAX_WHOLE):
        raise ValueError("a number has too many digits")
    if value:
        return format(value, "f")
    return "0." + "0" * -exponent if exponent < 0 else "0"


def encoded(text: str) -> bytes:
    """UTF-8, or ValueError for what has none."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ValueError("text must not hold a lone surrogate") from None


def hash_text(text: str) -> str:
    return sha256(encoded(text)).hexdigest()


def parse(text: str | bytes) -> Any:
    """JSON without loss: `canonical(parse(text))` is the canonical form of the text.

    A number is an int, a float where that has the same digits (0.5), else a Decimal (1.10).
    """
    try:
        return _DECODER.decode(text.decode() if isinstance(text, bytes) else text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except ArithmeticError:
        raise ValueError("a number has too many digits") from None


def _number(digits: str) -> float | Decimal:
    exact, short = Decimal(digits), float(digits)
    is_same = exact.as_tuple() == Decimal(float.__repr__(short)).as_tuple()
    return short if is_same else exact


def _whole(digits: str) -> int | Decimal:
    return int(digits) if len(digits) < _MAX_PRINTED else Decimal(digits)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key may appear once in an object")
    return members


_DECODER = json.JSONDecoder(
    parse_int=_whole, parse_float=_number, parse_constant=_no_constant, object_pairs_hook=_object
)
