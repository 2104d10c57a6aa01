"""The bodies of requests about policy packs."""

from typing import Annotated

from msgspec import Meta, Raw, Struct

from cmbs.api.shell.request_shapes import NAME, WITHOUT_NUL, shown

Pack = Annotated[str, shown(**NAME, description="The name of a policy pack.")]


Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]


Entries = Annotated[
    Raw,
    shown(
        type="object",
        description="`policy.*` and `constraint.*`: each an object, or the JSON text of one.",
    ),
]


class LintPolicy(Struct, forbid_unknown_fields=True, kw_only=True):
    entries: Entries


class HaltPolicy(Struct, forbid_unknown_fields=True, kw_only=True):
    is_halted: bool
    reason: Annotated[str, shown(minLength=1, maxLength=512, pattern=WITHOUT_NUL)]
