"""The bodies of requests about arbitration; see requests.py, whose rules hold here too.

What goes to its verb as one object is passed on as its sender wrote it: here its members are only
known and there once, and the kernel says what is wrong with one.
"""

from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Raw, Struct, field

from .requests import WITHOUT_NUL, Message, Notes, shown

_ID: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 512, "pattern": WITHOUT_NUL}
_NAME = {**_ID, "maxLength": 128}
_TEXTS = {"type": "array", "items": _ID, "maxItems": 1000}
_TIME = {"type": "string", "format": "date-time"}
_UUID = {"type": "string", "format": "uuid"}

_Pack = Annotated[str, shown(**_NAME, description="The name of a policy pack.")]
Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]
_Chunks = Annotated[Raw, shown(**_TEXTS, description="What of the sources supports the claim.")]
_Confirmed = Annotated[
    Raw, shown(**_UUID, description="The event by which an approver confirmed the key and value.")
]
_Confidence = Annotated[
    Raw, shown(type="number", minimum=0, maximum=1, description="Up to 5 digits after the point.")
]
_Lasts = Annotated[
    Raw, shown(type="integer", minimum=1, maximum=31_536_000_000_000, description="Milliseconds.")
]
_Review = Annotated[Raw, shown(**_TIME, description="Unconfirmed, it lives until then.")]
_KIND = {"enum": ["fact", "preference", "decision", "hypothesis", "derived"]}
_Entries = Annotated[
    Raw,
    shown(
        type="object",
        description="`policy.*` and `constraint.*`: each an object, or the JSON text of one.",
    ),
]
_Fixtures = Annotated[
    Raw,
    shown(
        type="array",
        maxItems=1000,
        items={"$ref": "#/components/schemas/Fixture"},
        description="What the pack must decide; it is published only if it does.",
    ),
]


class AsSent(Struct, forbid_unknown_fields=True, kw_only=True):
    """What goes to its verb as it was sent."""


class ApplyPolicy(Message, kw_only=True):
    pack: _Pack
    version: Version
    shadow: Annotated[Raw, shown(**{"$ref": "#/components/schemas/Shadow"})] = field(
        default_factory=Raw
    )
    notes: Notes | None = None


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
    tool_id: Annotated[Raw, shown(**_ID)]
    args: Annotated[Raw, shown(type="object")] = field(default_factory=Raw)
    artifacts: Annotated[
        Raw, shown(type="object", description="What constraints may look at: name to JSON.")
    ] = field(default_factory=Raw)
    intent_summary: Annotated[Raw, shown(type="string", maxLength=4096)] = field(
        default_factory=Raw
    )


class Propose(AsSent, kw_only=True):
    state_snapshot_id: Annotated[
        Raw, shown(**_UUID, description="The head of the session that the proposer knows.")
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
        Raw, shown(**_ID, description="That of the header `Idempotency-Key`, if both are sent.")
    ] = field(default_factory=Raw)
    atomic: Annotated[
        Raw, shown(type="boolean", description="All items or none; true, if left out.")
    ] = field(default_factory=Raw)
    mode: Annotated[
        Raw, shown(enum=["enforce", "dry_run"], description="A dry run changes nothing.")
    ] = field(default_factory=Raw)


class IssueToken(AsSent, kw_only=True):
    """What a token lets its holder do; with a `parent`, it is a narrower one of that."""

    holder: Annotated[Raw, shown(**_NAME, description="The principal who may use it.")]
    tools: Annotated[Raw, shown(**_TEXTS, description="Ids of tools; none by default.")] = field(
        default_factory=Raw
    )
    capabilities: Annotated[Raw, shown(**_TEXTS, description="Authorities of tools.")] = field(
        default_factory=Raw
    )
    state_prefixes: Annotated[
        Raw, shown(**_TEXTS, description="Beginnings of keys that it may write, such as `goal.`")
    ] = field(default_factory=Raw)
    resource_roots: Annotated[
        Raw, shown(**_TEXTS, description="Absolute paths and hosts that calls may name.")
    ] = field(default_factory=Raw)
    budgets: Annotated[
        Raw, shown(type="object", description="Unit to whole number; what is absent is 0.")
    ] = field(default_factory=Raw)
    valid_from: Annotated[Raw, shown(**_TIME)] = field(default_factory=Raw)
    expires_at: Annotated[
        Raw, shown(**_TIME, description="Needed without a parent, whose end is the default.")
    ] = field(default_factory=Raw)
    approval_requirement: Annotated[Raw, shown(enum=["none", "required"])] = field(
        default_factory=Raw
    )
    parent: Annotated[UUID, shown(description="A token that the caller holds.")] | None = None


class RecordClaim(AsSent, kw_only=True):
    key: Annotated[Raw, shown(**_ID, description="What the claim is about.")]
    kind: Annotated[Raw, shown(**_KIND)]
    value: Annotated[Raw, shown(description="Any JSON.")]
    confidence: _Confidence = field(default_factory=Raw)
    source_chunk_ids: _Chunks = field(default_factory=Raw)
    confirmed_by_event_id: _Confirmed = field(default_factory=Raw)
    ttl_ms: _Lasts = field(default_factory=Raw)
    review_at: _Review = field(default_factory=Raw)
    conflict_state: Annotated[
        Raw,
        shown(enum=["none", "contradictory", "superseded", "quarantined", "pending_review"]),
    ] = field(default_factory=Raw)
    on_unconfirmed: Annotated[
        Raw,
        shown(enum=["refuse", "demote"], description="Demoted, it is recorded as a hypothesis."),
    ] = field(default_factory=Raw)


class PromoteClaim(AsSent, kw_only=True):
    """The evidence that the claim did not have; what is left out is as it was."""

    source_chunk_ids: _Chunks = field(default_factory=Raw)
    confirmed_by_event_id: _Confirmed = field(default_factory=Raw)
    confidence: _Confidence = field(default_factory=Raw)
    kind: Annotated[Raw, shown(**_KIND, description="`fact`, if left out.")] = field(
        default_factory=Raw
    )
    ttl_ms: _Lasts = field(default_factory=Raw)
    review_at: _Review = field(default_factory=Raw)


class ConfirmClaim(Message, kw_only=True):
    value_digest: Annotated[
        str,
        shown(
            pattern="^[0-9a-f]{64}$",
            description="The SHA-256 of the canonical text of the value, as claims are listed.",
        ),
    ]
    comment: Annotated[str, shown(maxLength=4096, pattern=WITHOUT_NUL)] | None = None
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


class PublishPolicy(Struct, forbid_unknown_fields=True, kw_only=True):
    entries: _Entries
    fixtures: _Fixtures = field(default_factory=Raw)


class LintPolicy(Struct, forbid_unknown_fields=True, kw_only=True):
    entries: _Entries


class RunFixtures(Struct, forbid_unknown_fields=True, kw_only=True):
    """Those of the pack, if none are sent."""

    fixtures: _Fixtures = field(default_factory=Raw)


class HaltPolicy(Struct, forbid_unknown_fields=True, kw_only=True):
    is_halted: bool
    reason: Annotated[str, shown(minLength=1, maxLength=512, pattern=WITHOUT_NUL)]


class RegisterTool(AsSent, kw_only=True):
    version: Annotated[
        Raw,
        shown(
            anyOf=[{"type": "string"}, {"type": "number"}],
            description="As its maker calls it; nothing depends on it.",
        ),
    ] = field(default_factory=Raw)
    authorities: Annotated[
        Raw, shown(**_TEXTS, description="What constraints and tokens may name.")
    ] = field(default_factory=Raw)
    mutating: Annotated[
        Raw, shown(type="boolean", description="Whether it changes something; true by default.")
    ] = field(default_factory=Raw)
    effect_class: Annotated[
        Raw,
        shown(
            enum=["none", "local", "network", "external"],
            description="How far it reaches; external by default.",
        ),
    ] = field(default_factory=Raw)
    args_schema: Annotated[
        Raw,
        shown(
            anyOf=[_ID, {"type": "object"}, {"type": "null"}],
            description="The id of a schema that its arguments conform to, or a schema.",
        ),
    ] = field(default_factory=Raw)


class RegisterSchema(Struct):
    """A JSON Schema of 2020-12, of the keywords that are checked; others are refused."""


# What sessions are told as it was sent; with the messages it is what has a request id.
AS_SENT = (Propose, IssueToken, RecordClaim, PromoteClaim)
WITH_REQUEST_ID = (ApplyPolicy, ConfirmClaim, *AS_SENT)
