"""The bodies of requests about claims."""

from typing import Annotated

from msgspec import Raw, field

from cmbs.api.shell.request_shapes import (
    ID,
    TEXTS,
    TIME,
    UUID_TEXT,
    WITHOUT_NUL,
    AsSent,
    Message,
    Notes,
    shown,
)

_Chunks = Annotated[Raw, shown(**TEXTS, description="What of the sources supports the claim.")]
_Confirmed = Annotated[
    Raw,
    shown(**UUID_TEXT, description="The event by which an approver confirmed the key and value."),
]
_Confidence = Annotated[
    Raw, shown(type="number", minimum=0, maximum=1, description="Up to 5 digits after the point.")
]
_Lasts = Annotated[
    Raw, shown(type="integer", minimum=1, maximum=31_536_000_000_000, description="Milliseconds.")
]
_Review = Annotated[Raw, shown(**TIME, description="Unconfirmed, it lives until then.")]
_KIND = {"enum": ["fact", "preference", "decision", "hypothesis", "derived"]}


class RecordClaim(AsSent, kw_only=True):
    key: Annotated[Raw, shown(**ID, description="What the claim is about.")]
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
