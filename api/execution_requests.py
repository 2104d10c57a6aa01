"""The bodies of requests about execution and approval; see requests.py, whose rules hold here."""

from typing import Annotated

from msgspec import Raw, Struct, field

from .arbitration_requests import Propose
from .requests import WITHOUT_NUL, FreeObject, InPath, Message, Notes, shown

_Comment = Annotated[str, shown(maxLength=4096, pattern=WITHOUT_NUL)]


class BeginExecution(Message, kw_only=True):
    notes: Notes | None = None


class CompleteExecution(Message, kw_only=True):
    outcome: Annotated[str, shown(enum=["ok", "error"])]
    result: FreeObject = field(default_factory=Raw)
    usage: Annotated[
        Raw,
        shown(
            type="object",
            additionalProperties={"type": "integer", "minimum": 0, "maximum": 9_999_999_999_999},
            description="Unit to whole number, at least 1 of `max_calls`: what it used up.",
        ),
    ] = field(default_factory=Raw)
    notes: Notes | None = None


class ResolveInterrupt(Message, kw_only=True):
    resolution: Annotated[str, shown(enum=["approve", "decline", "cancel"])]
    comment: _Comment | None = None
    notes: Notes | None = None


class Resume(Propose, kw_only=True):
    """The items again, as they were proposed; the rest may stand there and is not looked at."""

    state_snapshot_id: Annotated[Raw, shown(type="string", format="uuid")] = field(
        default_factory=Raw
    )
    provenance: Annotated[Raw, shown(type="object")] = field(default_factory=Raw)


class SetMode(Message, kw_only=True):
    mode: Annotated[str, shown(enum=["boost", "normal", "eco", "thermal", "offline_safe"])]
    reason: _Comment | None = None
    notes: Notes | None = None


class Sweep(Struct, forbid_unknown_fields=True, kw_only=True):
    """Nothing has to be said."""

    session_id: InPath | None = None


class SetWebhook(Struct, forbid_unknown_fields=True, kw_only=True):
    """To tell nobody any more, the `url` is null; left out it cannot be."""

    url: (
        Annotated[
            str,
            shown(
                maxLength=2048,
                pattern=r"^https?://[^\s\u0000-\u001f\u007f/?#@]+([/?][^\s\u0000-\u001f\u007f#]*)?$",
                description="It is told of questions that open and of answers to them.",
            ),
        ]
        | None
    )
    secret: (
        Annotated[
            str,
            shown(
                minLength=24,
                maxLength=512,
                pattern=WITHOUT_NUL,
                description="Signs what is told, and is never shown. Needed with a `url`.",
            ),
        ]
        | None
    ) = None


WITH_REQUEST_ID = (BeginExecution, CompleteExecution, ResolveInterrupt, Resume, SetMode)
