"""The body of a request about capability tokens."""

from typing import Annotated
from uuid import UUID

from msgspec import Raw, field

from cmbs.api.shell.request_shapes import NAME, TEXTS, TIME, AsSent, shown


class IssueToken(AsSent, kw_only=True):
    """What a token lets its holder do; with a `parent`, it is a narrower one of that."""

    holder: Annotated[Raw, shown(**NAME, description="The principal who may use it.")]
    tools: Annotated[Raw, shown(**TEXTS, description="Ids of tools; none by default.")] = field(
        default_factory=Raw
    )
    capabilities: Annotated[Raw, shown(**TEXTS, description="Authorities of tools.")] = field(
        default_factory=Raw
    )
    state_prefixes: Annotated[
        Raw, shown(**TEXTS, description="Beginnings of keys that it may write, such as `goal.`")
    ] = field(default_factory=Raw)
    resource_roots: Annotated[
        Raw, shown(**TEXTS, description="Absolute paths and hosts that calls may name.")
    ] = field(default_factory=Raw)
    budgets: Annotated[
        Raw, shown(type="object", description="Unit to whole number; what is absent is 0.")
    ] = field(default_factory=Raw)
    valid_from: Annotated[Raw, shown(**TIME)] = field(default_factory=Raw)
    expires_at: Annotated[
        Raw, shown(**TIME, description="Needed without a parent, whose end is the default.")
    ] = field(default_factory=Raw)
    approval_requirement: Annotated[Raw, shown(enum=["none", "required"])] = field(
        default_factory=Raw
    )
    parent: Annotated[UUID, shown(description="A token that the caller holds.")] | None = None
