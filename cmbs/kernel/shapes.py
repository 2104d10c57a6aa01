"""What a message to the server in this process may be; everything else is refused unheard.

The limits, the codes and the sentences are those of the database's verbs.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from decimal import Decimal
from itertools import chain, islice
from typing import Any, NoReturn
from uuid import UUID

from cmbs.kernel.answers import BeliefServerError, OntologyBundle, SessionPolicy
from cmbs.kernel.canonical import canonical, encoded

_MAX_ID_BYTES = 64 << 20
_MAX_OBJECT_BYTES = 1 << 20
_MAX_DEPTH = 128
_MAX_DIGITS = 1000
_MAX_NOTES_BYTES = 4096
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MAX_HEADS = 1000
_MAX_WINDOW = 1000
_POLICY = tuple(SessionPolicy.__dataclass_fields__)
_ONTOLOGY = tuple(OntologyBundle.__dataclass_fields__)


def refuse(member: str, problem: str) -> NoReturn:
    details = {"member": member, "problem": problem}
    raise BeliefServerError("INVALID_REQUEST", "The request is not valid.", details)


def refuse_size(member: str, limit: str) -> NoReturn:
    details = {"member": member, "limit": limit}
    raise BeliefServerError("PAYLOAD_TOO_LARGE", "The request is too large.", details)


def text_size(member: str, value: object) -> int:
    """The length of a text in bytes; no database holds a NUL or a lone surrogate."""
    if not isinstance(value, str):
        refuse(member, "must be a string")
    if value.isascii() and "\0" not in value:
        return len(value)
    try:
        size = len(encoded(value))
    except ValueError as error:
        refuse(member, str(error))
    if "\0" in value:
        refuse(member, "text must not hold a NUL")
    return size


def check_id(member: str, value: object, most: int = 512) -> str:
    if not isinstance(value, str) or not 1 <= text_size(member, value) <= most:
        refuse(member, f"must be text of 1 to {most} bytes")
    return value


def check_ids(member: str, values: object, most: int | None = None) -> list[str]:
    """The ids as they were sent; a set has no order and gets that of its ids."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        refuse(member, "must be a list of ids")
    ids = list(values if most is None else islice(values, most + 1))
    if most is not None and len(ids) > most:
        refuse_size(member, f"{most} ids")
    total = 0
    for one in ids:
        size = text_size(member, one) if isinstance(one, str) else 0
        if not 1 <= size <= 512:
            refuse(member, "every id must be text of 1 to 512 bytes")
        total += size
    if total > _MAX_ID_BYTES:
        refuse_size(member, "64 MiB of ids")
    return sorted(ids) if isinstance(values, set | frozenset) else ids


def check_request_id(value: object) -> None:
    if value is not None:
        check_id("request_id", value)


def check_notes(notes: object) -> None:
    if notes is not None and text_size("notes", notes) > _MAX_NOTES_BYTES:
        refuse_size("notes", "4 KiB")


def check_uuid(member: str, value: object) -> str:
    """A uuid in the one form that is recorded."""
    found = uniform_uuid(member, value)
    if not _UUID.fullmatch(found):
        refuse(member, "must be a uuid")
    return found


def uniform_uuid(member: str, value: object) -> str:
    """A uuid in the one form that is recorded; text that is none names nothing, and stays."""
    try:
        return str(value if isinstance(value, UUID) else UUID(_text(member, value)))
    except ValueError:
        return str(value)


def check_head(value: object) -> frozenset[str] | None:
    """The heads of which a caller expects one; text that is no uuid is a head of no session."""
    if value is None or value == "*":
        return None
    several = not isinstance(value, str | bytes | UUID | Mapping) and isinstance(value, Iterable)
    heads = islice(value, _MAX_HEADS) if several and isinstance(value, Iterable) else [value]
    return frozenset(uniform_uuid("expected_head", head) for head in heads)


def _text(member: str, value: object) -> str:
    if not isinstance(value, str):
        refuse(member, "must be a uuid")
    return value


def free_object(member: str, value: object) -> str:
    """The canonical text of an object that is kept and never read; of none that of an empty one."""
    if value is None:
        return "{}"
    if not isinstance(value, Mapping):
        refuse(member, "must be a JSON object")
    return free_value(member, value)


def free_value(member: str, value: object) -> str:
    try:
        _least_size(member, value, 1, 0)
        text = canonical(value)
        size = len(encoded(text))
    except ValueError as error:
        refuse(member, str(error))
    if size > _MAX_OBJECT_BYTES:
        refuse_size(member, "1 MiB of canonical text")
    return text


def _least_size(member: str, value: object, depth: int, size: int) -> int:
    """The size so far and that of a value, without most of the punctuation.

    It is known before any text is made: what a value holds many times counts as often, and would
    take the memory as often.
    """
    inside: Iterable[object]
    if isinstance(value, Mapping):
        if "$redactable" in value:
            refuse(member, "the key $redactable is reserved")
        inside = chain.from_iterable(value.items())
    elif isinstance(value, list | tuple):
        inside = value
    elif isinstance(value, str):
        return size + len(value)
    elif isinstance(value, int | Decimal):
        if not _is_sane(value):
            refuse(member, "numbers may have 1,000 digits on either side of the point")
        # A digit has less than four bits.
        return size + (value.bit_length() // 4 if isinstance(value, int) else len(canonical(value)))
    else:
        return size
    if depth > _MAX_DEPTH:
        refuse(member, "may be nested 128 levels deep")
    for one in inside:
        size = _least_size(member, one, depth + 1, size + 1)
        if size > _MAX_OBJECT_BYTES:
            refuse_size(member, "1 MiB of canonical text")
    return size


def _is_sane(value: int | Decimal) -> bool:
    """Looked at before it is printed: 9 kB of 1e131000 are 131 MB then."""
    if isinstance(value, int):
        return value.bit_length() < 3322 or abs(value) < 10**_MAX_DIGITS
    exponent = value.as_tuple().exponent
    # What is no number at all is refused by what prints it.
    if not isinstance(exponent, int):
        return True
    return exponent >= -_MAX_DIGITS and (not value or value.adjusted() < _MAX_DIGITS)


def check_members(member: str, value: Mapping[str, Any], known: Iterable[str]) -> None:
    if unknown := sorted(_named(name) for name in set(value) - set(known)):
        raise BeliefServerError(
            "INVALID_REQUEST",
            "The request has members that are not known.",
            {"member": member, "unknown": unknown[:100]},
        )


def _named(name: object) -> str:
    # Python does not print every number, and nobody reads a long name.
    return name[:100] if isinstance(name, str) else f"a key of type {type(name).__name__}"


def check_ontology(value: object) -> OntologyBundle:
    given = vars(value) if isinstance(value, OntologyBundle) else value
    if not isinstance(given, Mapping):
        refuse("ontology", "must be an OntologyBundle")
    check_members("ontology", given, _ONTOLOGY)
    for name in _ONTOLOGY:
        one = given.get(name)
        if not isinstance(one, str) or not 1 <= text_size(f"ontology.{name}", one) <= 2048:
            refuse(f"ontology.{name}", "must be a string of 1 to 2048 bytes")
    return OntologyBundle(**given)


def check_policy(value: object, validate_hypotheses: bool) -> SessionPolicy:
    """The policy of a session. Whoever says nothing of it may end the session by force."""
    if value is None:
        return SessionPolicy(validate_hypotheses, allow_forced_termination=True)
    if isinstance(value, SessionPolicy):
        value = asdict(value)
    if not isinstance(value, Mapping):
        refuse("policy", "must be a JSON object")
    check_members("policy", value, _POLICY)
    for name in ("validate_hypotheses", "allow_forced_termination"):
        check_flag(f"policy.{name}", value.get(name, False))
    window = value.get("stability_window", 0)
    if type(window) is not int or not 0 <= window <= _MAX_WINDOW:
        refuse("policy.stability_window", "must be a whole number from 0 to 1000")
    return SessionPolicy(**{"validate_hypotheses": validate_hypotheses} | dict(value))


def check_flag(member: str, value: object) -> bool:
    if not isinstance(value, bool):
        refuse(member, "must be true or false")
    return value


def check_count(member: str, value: object) -> None:
    if type(value) is not int or not 0 <= value < 1 << 63:
        refuse(member, "must be a whole number of at least 0")
