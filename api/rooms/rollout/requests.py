"""The bodies of requests that bring a policy into force."""

from typing import Annotated

from msgspec import Raw, Struct, field

from cmbs.api.rooms.policy.requests import Entries, Pack, Version
from cmbs.api.shell.request_shapes import WITHOUT_NUL, AsSent, Comment, Message, Notes, shown


class Shadow(Struct, forbid_unknown_fields=True, kw_only=True):
    """A policy pack that is asked beside the one in force; what it says is recorded and nothing
    else."""

    pack: Annotated[str, shown(minLength=1, maxLength=128, pattern=WITHOUT_NUL)]
    version: Annotated[int, shown(minimum=1, maximum=999_999_999)]


class Arbitration(Struct, forbid_unknown_fields=True, kw_only=True):
    """The policy pack that decides what is proposed in a session."""

    pack: Annotated[str, shown(minLength=1, maxLength=128, pattern=WITHOUT_NUL)]
    version: Annotated[int, shown(minimum=1, maximum=999_999_999)]
    shadow: Shadow | None = None


class ApplyPolicy(Message, kw_only=True):
    pack: Pack
    version: Version
    shadow: Annotated[Raw, shown(**{"$ref": "#/components/schemas/Shadow"})] = field(
        default_factory=Raw
    )
    notes: Notes | None = None


class Fixture(AsSent, kw_only=True):
    """An item and what must become of it, given a state."""

    item: Annotated[
        Raw, shown(type="object", description="As in a proposal, or a claim of kind `claim`.")
    ]
    expect: Annotated[
        Raw, shown(type="object", description="Any of decision, disposition and reason_code.")
    ]
    name: Annotated[Raw, shown(type="string")] = field(default_factory=Raw)
    given: Annotated[Raw, shown(type="object", description="Key to value.")] = field(
        default_factory=Raw
    )
    tool: Annotated[Raw, shown(type="object", description="The definition of its tool.")] = field(
        default_factory=Raw
    )


_Fixtures = Annotated[
    Raw,
    shown(
        type="array",
        maxItems=1000,
        items={"$ref": "#/components/schemas/Fixture"},
        description="What the pack must decide; it is published only if it does.",
    ),
]


class PublishPolicy(Struct, forbid_unknown_fields=True, kw_only=True):
    entries: Entries
    fixtures: _Fixtures = field(default_factory=Raw)


class RunFixtures(Struct, forbid_unknown_fields=True, kw_only=True):
    """Those of the pack, if none are sent."""

    fixtures: _Fixtures = field(default_factory=Raw)


class SetMode(Message, kw_only=True):
    mode: Annotated[str, shown(enum=["boost", "normal", "eco", "thermal", "offline_safe"])]
    reason: Comment | None = None
    notes: Notes | None = None
