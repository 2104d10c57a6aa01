"""The bodies of requests about interrupts and the webhook."""

from typing import Annotated

from msgspec import Struct

from cmbs.api.shell.request_shapes import (
    WITHOUT_NUL,
    Comment,
    Message,
    Notes,
    shown,
)


class ResolveInterrupt(Message, kw_only=True):
    resolution: Annotated[str, shown(enum=["approve", "decline", "cancel"])]
    comment: Comment | None = None
    notes: Notes | None = None


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
