"""What a value must be, and which members an object must have."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from cmbs.verify.text import MIB, Number, canonical

DAY_MS = 86_400_000
HASH_FORM = re.compile("[0-9a-f]{64}")
UUID_FORM = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME_FORM = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z"
)
# What members an object must have, and what each of them must be.
Rules = dict[str, Callable[[Any], bool]]


def is_text(value: Any, least: int, most: int) -> bool:
    return type(value) is str and least <= len(value.encode()) <= most


def is_id(value: Any) -> bool:
    return is_text(value, 1, 512)


def is_ids(value: Any) -> bool:
    return type(value) is list and all(map(is_id, value))


def is_hash(value: Any) -> bool:
    return type(value) is str and bool(HASH_FORM.fullmatch(value))


def is_uuid(value: Any) -> bool:
    return type(value) is str and bool(UUID_FORM.fullmatch(value))


def is_object(value: Any) -> bool:
    return type(value) is dict


def is_free_object(value: Any) -> bool:
    """An object that the caller filled as he liked, within the limits of every verb."""
    return (
        type(value) is dict
        and _is_within_limits(value, 1)
        and (not value or len(canonical(value).encode()) <= MIB)
    )


def _is_within_limits(value: Any, depth: int) -> bool:
    if isinstance(value, dict | list) and not isinstance(value, Number):
        inside = value.values() if isinstance(value, dict) else value
        return (
            depth <= 128
            and not (isinstance(value, dict) and "$redactable" in value)
            and all(_is_within_limits(one, depth + 1) for one in inside)
        )
    if isinstance(value, Number):
        whole, _, part = canonical(value).lstrip("-").partition(".")
        return len(whole) <= 1000 and len(part) <= 1000
    return True


def is_flag(value: Any) -> bool:
    return type(value) is bool


def is_number(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def is_moment(value: Any) -> bool:
    try:
        return type(value) is str and bool(
            TIME_FORM.fullmatch(value) and date.fromisoformat(value[:10])
        )
    except ValueError:
        return False


def has_members(value: Any, rules: Rules) -> bool:
    """Whether it is an object with exactly these members; those with a ? may be left out."""
    if type(value) is not dict:
        return False
    needed = [name for name in rules if not name.endswith("?")]
    return all(name in value for name in needed) and all(
        (rule := rules.get(name) or rules.get(name + "?")) is not None and rule(one)
        for name, one in value.items()
    )


def is_within(now: str, until: str, most_ms: int) -> bool:
    """Whether one moment is later than another, by so much at most."""
    between = datetime.fromisoformat(until[:-1]) - datetime.fromisoformat(now[:-1])
    return timedelta(0) < between <= timedelta(milliseconds=most_ms)
