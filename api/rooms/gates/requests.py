"""The bodies of requests about obligations, conclusions and termination."""

from typing import Annotated

from msgspec import Meta, Raw, field

from cmbs.api.shell.request_shapes import WITHOUT_NUL, FreeObject, Id, Message, Notes, shown


class EnterObligation(Message, kw_only=True):
    obligation_id: Id
    min_total_eliminations: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    notes: Notes | None = None


class RequestExit(Message, kw_only=True):
    obligation_id: Id | None = None
    context: FreeObject = field(default_factory=Raw)
    notes: Notes | None = None


class WaiveObligation(Message, kw_only=True):
    obligation_id: Id | None = None
    reason: Annotated[str, shown(minLength=1, maxLength=4096, pattern=WITHOUT_NUL)]
    notes: Notes | None = None


class DeclareConclusion(Message, kw_only=True):
    conclusion_id: Id
    context: FreeObject = field(default_factory=Raw)
    notes: Notes | None = None


class RequestTermination(Message, kw_only=True):
    context: FreeObject = field(default_factory=Raw)
    notes: Notes | None = None
