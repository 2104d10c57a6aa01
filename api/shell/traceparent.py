"""The trace that a request belongs to, as its caller names it (W3C Trace Context)."""

import re
from collections.abc import Iterable
from typing import NamedTuple

_VALUE = re.compile(rb"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


class Parent(NamedTuple):
    """The span of the caller, in hex, and whether the caller records it."""

    trace_id: str
    span_id: str
    is_sampled: bool


def parent_of(headers: Iterable[tuple[bytes, bytes]]) -> Parent | None:
    """The caller's span; None if the header is missing, malformed or sent more than once."""
    values = [value for name, value in headers if name == b"traceparent"]
    found = _VALUE.fullmatch(values[0].strip(b" \t")) if len(values) == 1 else None
    if not found:
        return None
    version, trace_id, span_id, flags, rest = found.groups()
    # Later versions may have more at the end; version ff does not exist.
    if version == b"ff" or (version == b"00" and rest):
        return None
    if not trace_id.strip(b"0") or not span_id.strip(b"0"):
        return None
    return Parent(trace_id.decode(), span_id.decode(), bool(int(flags, 16) & 1))
