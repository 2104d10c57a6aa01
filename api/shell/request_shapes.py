"""What the bodies of requests have in common.

What goes to its verb as one object (`AsSent`) is passed on as its sender wrote it: here its
members are only known and there once, and the kernel says what is wrong with one.
"""

from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Raw, Struct


def shown(**schema: object) -> Meta:
    """For the documentation alone: the kernel checks, and says what was wrong."""
    return Meta(extra_json_schema=schema)


WITHOUT_NUL = "^[^\\u0000]*$"
Id = Annotated[
    str,
    shown(minLength=1, maxLength=512, pattern=WITHOUT_NUL, description="Opaque, 1 to 512 bytes."),
]
Notes = Annotated[
    str,
    shown(maxLength=4096, pattern=WITHOUT_NUL, description="Kept in the audit event, 4 KiB."),
]
FreeObject = Annotated[
    Raw, shown(type="object", description="Kept as it is and never read; up to 1 MiB.")
]
# The path names it as well; here it may be left out.
InPath = Annotated[UUID, shown(description="As in the path, if given.")]


class Message(Struct, forbid_unknown_fields=True, kw_only=True):
    """What every message about a session may hold."""

    session_id: InPath | None = None


ID: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 512, "pattern": WITHOUT_NUL}
NAME = {**ID, "maxLength": 128}
TEXTS = {"type": "array", "items": ID, "maxItems": 1000}
TIME = {"type": "string", "format": "date-time"}
UUID_TEXT = {"type": "string", "format": "uuid"}


class AsSent(Struct, forbid_unknown_fields=True, kw_only=True):
    """What goes to its verb as it was sent."""


Comment = Annotated[str, shown(maxLength=4096, pattern=WITHOUT_NUL)]
