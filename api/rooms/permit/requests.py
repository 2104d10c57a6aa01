"""The bodies of requests about permits."""

from typing import Annotated

from msgspec import Raw, field

from cmbs.api.shell.request_shapes import FreeObject, Message, Notes, shown


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
