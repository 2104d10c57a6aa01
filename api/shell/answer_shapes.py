"""What answers have in common, for the documentation and for the tests that hold every
answer to it.

No shape of an answer runs when a request is served: answers go out as the database wrote them.
"""

from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Timestamp = Annotated[str, Meta(pattern=r"^[0-9-]{10}T[0-9:]{8}\.[0-9]{6}Z$")]
Count = Annotated[int, Meta(ge=0)]
Object = dict[str, Any]


class Exact(Struct, forbid_unknown_fields=True, kw_only=True):
    """An answer has these members and no others."""


class Head(Exact, kw_only=True):
    """What `Prefer: return=none` leaves of a snapshot."""

    n_survivors: Count
    audit_seq: Count
    audit_head_event_id: UUID


class Recorded(Exact, kw_only=True):
    audit_event_id: UUID
    duplicate: bool


class Reason(Exact, kw_only=True):
    code: str
    message: str
    details: Object | None


class Failure(Exact, kw_only=True):
    error: Reason


AnyJson = Annotated[Any, Meta(extra_json_schema={"description": "Any JSON."})]
