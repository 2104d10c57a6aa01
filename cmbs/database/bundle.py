"""Taking over the sessions of a bundle: unchanged, verified, all of them or none."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import sqlalchemy as sa

from cmbs import errors, verify
from cmbs.common.failure import RefusedError, UsageError, WrongError
from cmbs.common.words import count
from cmbs.database import calls, connections, tables
from cmbs.database.failures import refusals_as_failures

# Bounds what is in memory of a log, here and in the server.
_PART_EVENTS, _PART_BYTES = 5000, 8 << 20
_KINDS = {"policies": "policy", "schemas": "schema", "tools": "tool"}


@contextlib.contextmanager
def opened(path: Path) -> Iterator[verify.Bundle]:
    try:
        if not verify.is_bundle(path):
            raise UsageError(f"{path} is a log and no bundle, which cmbs export writes")
        with verify.Bundle(path) as found:
            yield found
    except verify.Unreadable as error:
        raise WrongError(f"{path}: {error}; nothing was imported") from error


class Imported(NamedTuple):
    """What was taken over, and how many sessions were here already as they are in the file."""

    n_sessions: int
    n_events: int
    n_known: int

    def as_sentence(self) -> str:
        known = f"; {self.n_known} were here already" if self.n_known else ""
        return (
            f"imported {count(self.n_sessions, 'session')}, {count(self.n_events, 'event')}{known}"
        )


def import_bundle(
    url: str, bundle: verify.Bundle, tenant: str, progress: Callable[[int, int], None]
) -> Imported:
    """Verify the bundle and take over its sessions for a tenant, in one transaction."""
    try:
        with connections.connect(url) as connection, refusals_as_failures():
            return _import(url, connection, bundle, tenant, progress)
    except psycopg.errors.InsufficientPrivilege as error:
        raise RefusedError(
            "only the owner of the database may import: connect as a member of cmbs_owner"
        ) from error


def _import(
    url: str,
    connection: psycopg.Connection[Any],
    bundle: verify.Bundle,
    tenant: str,
    progress: Callable[[int, int], None],
) -> Imported:
    here = _here(url, [UUID(entry["session_id"]) for entry in bundle.sessions])
    imported = events = 0
    universe: verify.Universe | None = None
    for name, folder in bundle.contents.items():
        sent = {"kind": _KINDS[folder], "content": bundle.content(name)}
        calls.call(connection, "import_content", **sent)
    for entry in bundle.sessions:
        session_id = entry["session_id"]
        head, owner = here.get(UUID(session_id), (None, tenant))
        if owner != tenant:
            raise RefusedError(
                f"session {session_id} is left alone, as its id is taken here by a session of the "
                f"tenant {owner}; nothing was imported"
            )
        if head not in (None, entry["head_hash"]):
            raise RefusedError(
                f"session {session_id} is here with another log, or another part of it; "
                "nothing was imported"
            )
        known = bundle.universe(entry["universe_digest"])
        if head is None and known is not universe:
            calls.call(connection, "register_universe", hypotheses=known.ids)
            universe = known
        parts = _parts(bundle, entry, lambda n: progress(n, bundle.n_events))
        if head is not None:
            # Verified all the same: a file is whole or it is refused.
            for _ in parts:
                pass
            continue
        try:
            events += _send(connection, entry, parts, tenant)
        except errors.Conflict as error:
            raise RefusedError(
                f"session {session_id} is left alone, as its id is taken here by a session that "
                "came while the file was read or is not yours to see; nothing was imported"
            ) from error
        imported += 1
    connection.commit()
    return Imported(imported, events, len(bundle.sessions) - imported)


def _parts(
    bundle: verify.Bundle, entry: dict[str, Any], advance: Callable[[int], None]
) -> Iterator[list[str]]:
    """The records of a session in parts, each verified before it is given."""
    log = bundle.log(entry)
    try:
        for part in _batched(bundle.lines(entry), log):
            advance(len(part))
            yield part
        log.finish()
        verify.compare(log, entry)
    except verify.Fault as fault:
        raise WrongError(
            f"session {entry['session_id']} does not verify: event {fault.seq}: {fault.reason}; "
            "nothing was imported"
        ) from fault


def _batched(lines: Iterable[bytes], log: verify.Log) -> Iterator[list[str]]:
    part: list[str] = []
    size = 0
    for line in lines:
        part.append(log.feed(line).record)
        size += len(line)
        if len(part) == _PART_EVENTS or size > _PART_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _send(
    connection: psycopg.Connection[Any],
    entry: dict[str, Any],
    parts: Iterator[list[str]],
    tenant: str,
) -> int:
    """Give the parts to the kernel; while it works on one the next is verified."""
    events = 0
    answer: Future[Any] | None = None
    sent: dict[str, Any] = {"tenant": tenant}
    if entry["policy_as_sent"] is not None:
        sent["policy_as_sent"] = verify.canonical(entry["policy_as_sent"])
    with ThreadPoolExecutor(1) as sender:
        for part in parts:
            if answer:
                answer.result()
            arguments = {"session_id": entry["session_id"], "records": "\n".join(part), **sent}
            answer = sender.submit(calls.call, connection, "import_events", **arguments)
            events += len(part)
            sent = {"tenant": tenant}
        reached = answer.result() if answer else None
    if reached is None or reached["audit_head_hash"] != entry["head_hash"]:
        raise WrongError(f"session {entry['session_id']} has another head than the file says")
    return events


def _here(url: str, wanted: Sequence[UUID]) -> dict[UUID, tuple[str, str]]:
    """The heads and tenants of those sessions that are in the database."""
    session = tables.session.c
    found = {}
    with connections.engine(url).connect() as connection:
        for start in range(0, len(wanted), _PART_EVENTS):
            some = wanted[start : start + _PART_EVENTS]
            listed = sa.select(session.session_id, session.audit_head_hash, session.tenant)
            for row in connection.execute(listed.where(session.session_id.in_(some))):
                found[row.session_id] = (row.audit_head_hash, row.tenant)
    return found
