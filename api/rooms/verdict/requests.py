"""The bodies of proposals."""

from typing import Annotated

from msgspec import Raw, field

from cmbs.api.shell.request_shapes import ID, UUID_TEXT, AsSent, shown


class StateDelta(AsSent, kw_only=True):
    """A change of the state; a key whose value is null is deleted."""

    kind: Annotated[Raw, shown(enum=["state_delta"])]
    patch: Annotated[
        Raw, shown(type="object", description="Key to the JSON text of a value, or the value.")
    ] = field(default_factory=Raw)
    s_core: Annotated[Raw, shown(type="array", items={"type": "number"}, maxItems=8192)] = field(
        default_factory=Raw
    )


class ToolCall(AsSent, kw_only=True):
    """A call of a registered tool."""

    kind: Annotated[Raw, shown(enum=["tool_call"])]
    tool_id: Annotated[Raw, shown(**ID)]
    args: Annotated[Raw, shown(type="object")] = field(default_factory=Raw)
    artifacts: Annotated[
        Raw, shown(type="object", description="What constraints may look at: name to JSON.")
    ] = field(default_factory=Raw)
    intent_summary: Annotated[Raw, shown(type="string", maxLength=4096)] = field(
        default_factory=Raw
    )


class Propose(AsSent, kw_only=True):
    state_snapshot_id: Annotated[
        Raw, shown(**UUID_TEXT, description="The head of the session that the proposer knows.")
    ]
    provenance: Annotated[
        Raw, shown(type="object", description="Who says so: `source`, and more as needed.")
    ]
    items: Annotated[
        Raw,
        shown(
            type="array",
            minItems=1,
            maxItems=100,
            items={
                "anyOf": [
                    {"$ref": "#/components/schemas/StateDelta"},
                    {"$ref": "#/components/schemas/ToolCall"},
                ]
            },
        ),
    ]
    capability_token: Annotated[
        Raw, shown(type="string", description="The secret of a capability token.")
    ] = field(default_factory=Raw)
    idempotency_key: Annotated[
        Raw, shown(**ID, description="That of the header `Idempotency-Key`, if both are sent.")
    ] = field(default_factory=Raw)
    atomic: Annotated[
        Raw, shown(type="boolean", description="All items or none; true, if left out.")
    ] = field(default_factory=Raw)
    mode: Annotated[
        Raw, shown(enum=["enforce", "dry_run"], description="A dry run changes nothing.")
    ] = field(default_factory=Raw)


class Resume(Propose, kw_only=True):
    """The items again, as they were proposed; the rest may stand there and is not looked at."""

    state_snapshot_id: Annotated[Raw, shown(type="string", format="uuid")] = field(
        default_factory=Raw
    )
    provenance: Annotated[Raw, shown(type="object")] = field(default_factory=Raw)
