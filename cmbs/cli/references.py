"""Ids as people type them: whole, by a beginning that no other has, `last`, or events by seq."""

import argparse
import contextlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from cmbs.common.failure import UsageError

LAST = "last"
_BEGINNING = re.compile(r"[0-9a-fA-F-]{1,36}")
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
        if text != LAST and not _BEGINNING.fullmatch(text):
            by_seq = " or its seq," if _has_seq(kind) else ""
            raise argparse.ArgumentTypeError(
                f"{text!r} is no id: give the id of the {kind},{by_seq} the beginning of the id, "
                f"or {LAST}"
            )
        return Reference(kind, text.lower())

    return read


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
        if not Path(text).exists() and (text == LAST or _BEGINNING.fullmatch(text)):
            return Reference("session", text.lower())
        if not Path(text).exists():
            raise argparse.ArgumentTypeError(f"{text} is neither a session's id nor a file")
    return Path(text)


def resolve(options: argparse.Namespace, url: str) -> None:
    """Put ids in the place of references, that of the session first: others belong to it."""
    for name in sorted(vars(options), key=lambda name: name != "session"):
        value = getattr(options, name)
        if isinstance(value, Reference):
            if value.kind == "question" and options.session is None:
                # Looked for among all that are pending.
                continue
            setattr(options, name, found(value, options, url))
        elif isinstance(value, list) and any(isinstance(one, Reference) for one in value):
            setattr(
                options,
                name,
                [found(one, options, url) if isinstance(one, Reference) else one for one in value],
            )


def found(wanted: Reference, options: argparse.Namespace, url: str) -> UUID:
    """The one id that is meant."""
    # A whole id needs no look at the views, and so none of what this loads.
    import sqlalchemy as sa
    from sqlalchemy.exc import ProgrammingError

    from cmbs.database import connections, tables

    view_name, column, order = _KINDS[wanted.kind]
    view = getattr(tables, view_name)
    ids: Any = view.c[column]
    if wanted.kind == "capability":
        ids = sa.cast(view.c.payload["token_id"].astext, sa.Uuid)
    query = sa.select(ids)
    if wanted.kind == "capability":
        query = query.where(view.c.verb == "TOKEN_ISSUE")
    if wanted.kind not in ("session", "token"):
        query = query.where(view.c.session_id == options.session)
    if wanted.text == LAST:
        query = query.order_by(view.c[order].desc(), ids.desc()).limit(1)
    elif _has_seq(wanted.kind) and wanted.text.isdecimal():
        # Of a number that no log can reach there is no event, either.
        query = query.where(view.c.seq == min(int(wanted.text), _MOST_SEQ))
    else:
        least, most = _ends(wanted.text)
        query = query.where(ids.between(least, most)).limit(_SOME)
    try:
        with connections.engine(url).connect() as connection:
            rows = connection.scalars(query).all()
    except ProgrammingError as error:
        raise UsageError(
            f"this login does not read the views, where a {wanted.kind} is looked up: give its "
            "whole id"
        ) from error
    return _only(wanted, rows)


def _only(wanted: Reference, ids: Any) -> UUID:
    if len(ids) == 1:
        one: UUID = ids[0]
        return one
    if ids:
        first = ", ".join(str(one)[:13] for one in ids[:3])
        raise UsageError(
            f"the id of more than one {wanted.kind} begins with {wanted.text}: {first}"
            f"{', ...' if len(ids) == _SOME else ''}; give more of it"
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


def _ends(beginning: str) -> tuple[UUID, UUID]:
    """The first and the last id that begin so."""
    digits = beginning.replace("-", "")[:_DIGITS]
    return UUID(digits.ljust(_DIGITS, "0")), UUID(digits.ljust(_DIGITS, "f"))
