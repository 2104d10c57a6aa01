"""Ids as people type them: whole, by a beginning that no other has, `last`, or events by seq."""

import argparse
import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from cmbs.cli.page import shortened
from cmbs.common.failure import UsageError

LAST = "last"
_BEGINNING = re.compile(r"[0-9a-fA-F][0-9a-fA-F-]{0,35}")
_DIGITS = 32
_MOST_SEQ = 2**63 - 1
# Enough to show what the others are.
_SOME = 4
# What each is called, the view and column that have its ids, and the order in which one is last.
_KINDS = {
    "session": ("session", "session_id", "declared_at"),
    "event": ("audit_event", "event_id", "seq"),
    "proposal": ("decision", "event_id", "seq"),
    "permit": ("permit", "permit_id", "seq"),
    "question": ("interrupt", "interrupt_id", "seq"),
    "token": ("api_token", "token_id", "created_at"),
    # What the event says that made it.
    "capability": ("audit_event", "payload", "seq"),
}


@dataclass(frozen=True)
class Reference:
    """What was typed for an id, until a database says which one it is."""

    kind: str
    text: str


def reference(kind: str) -> Any:
    """Reads an id of this kind: the id itself if it is whole."""

    def read(text: str) -> UUID | Reference:
        with contextlib.suppress(ValueError):
            return UUID(text)
        if text != LAST and not _is_beginning(text):
            by_seq = " or its seq," if _has_seq(kind) else ""
            raise argparse.ArgumentTypeError(
                f"{text!r} is no id: give the id of the {kind},{by_seq} the beginning of the id, "
                f"or {LAST}"
            )
        return Reference(kind, text.lower())

    return read


def _is_beginning(text: str) -> bool:
    return bool(_BEGINNING.fullmatch(text)) and len(text.replace("-", "")) <= _DIGITS


def help_of(kind: str) -> str:
    """What an argument of this kind takes, in its help."""
    by_seq = ", its seq" if _has_seq(kind) else ""
    newest = "declared last" if kind == "session" else "made last"
    return f"id of the {kind}, the beginning of it{by_seq}, or {LAST}: the one that was {newest}"


def session_or_file(text: str) -> UUID | Reference | Path:
    """The file if there is one of that name, else the session."""
    with contextlib.suppress(ValueError):
        return UUID(text)
    # Where nobody may look there may be a file: whoever opens it says what is wrong.
    with contextlib.suppress(OSError):
        if not Path(text).exists():
            if text == LAST or _is_beginning(text):
                return Reference("session", text.lower())
            raise argparse.ArgumentTypeError(f"{text} is neither a session's id nor a file")
    return Path(text)


def resolve(options: argparse.Namespace, url: str) -> None:
    """Put ids in the place of references, that of the session first: others belong to it."""

    def of(value: Any) -> Any:
        is_pending = isinstance(value, Reference) and value.kind == "question"
        # A question without its session is looked for among all that are pending.
        if not isinstance(value, Reference) or (is_pending and options.session is None):
            return value
        return _found(value, getattr(options, "session", None), url)

    for name in sorted(vars(options), key=lambda name: name != "session"):
        value = getattr(options, name)
        found = [*map(of, value)] if isinstance(value, list) else of(value)
        setattr(options, name, found)


def _found(wanted: Reference, session: Any, url: str) -> UUID:
    """The one id that is meant."""
    # A whole id needs no look at the views, and so none of what this loads.
    from sqlalchemy.exc import ProgrammingError

    from cmbs.database import connections

    try:
        with connections.engine(url).connect() as connection:
            return _only(wanted, connection.scalars(_query(wanted, session)).all())
    except ProgrammingError as error:
        raise UsageError(
            f"this login does not read the views, where a {wanted.kind} is looked up: give its "
            "whole id"
        ) from error


def _query(wanted: Reference, session: Any) -> Any:
    import sqlalchemy as sa

    from cmbs.database import tables

    view_name, column, order = _KINDS[wanted.kind]
    view = getattr(tables, view_name)
    ids: Any = view.c[column]
    if wanted.kind == "capability":
        ids = sa.cast(view.c.payload["token_id"].astext, sa.Uuid)
    query = sa.select(ids)
    if wanted.kind == "capability":
        query = query.where(view.c.verb == "TOKEN_ISSUE")
    if wanted.kind not in ("session", "token"):
        query = query.where(view.c.session_id == session)
    if wanted.text == LAST:
        return query.order_by(view.c[order].desc(), ids.desc()).limit(1)
    if _has_seq(wanted.kind) and wanted.text.isdecimal():
        # Of a number that no log can reach there is no event, either.
        return query.where(view.c.seq == min(int(wanted.text), _MOST_SEQ))
    digits = wanted.text.replace("-", "")
    least, most = (UUID(digits.ljust(_DIGITS, end)) for end in "0f")
    return query.where(ids.between(least, most)).order_by(ids).limit(_SOME)


def _only(wanted: Reference, ids: Sequence[UUID]) -> UUID:
    if len(ids) == 1:
        return ids[0]
    if ids:
        some = shortened([str(one) for one in ids])
        raise UsageError(
            f"the id of more than one {wanted.kind} begins with {wanted.text}: "
            f"{', '.join(some[: _SOME - 1])}{', ...' if len(ids) == _SOME else ''}; give more of it"
        )
    if wanted.text == LAST:
        raise UsageError(f"there is no {wanted.kind} yet")
    if _has_seq(wanted.kind) and wanted.text.isdecimal():
        raise UsageError(f"there is no {wanted.kind} with the seq {wanted.text} in the session")
    raise UsageError(f"there is no {wanted.kind} whose id begins with {wanted.text}")


def _has_seq(kind: str) -> bool:
    return kind in ("event", "proposal")


def begins(one: str, text: str) -> bool:
    """Whether an id begins so, with or without its dashes."""
    return one.replace("-", "").startswith(text.replace("-", ""))
