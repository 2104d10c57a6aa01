"""What `cmbs verify` finds and how it tells it."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from psycopg_pool import ConnectionPool
from sqlalchemy import exc, func, literal, select

from cmbs import errors
from cmbs.cli import page
from cmbs.cli.progress import Progress
from cmbs.common import words
from cmbs.common.words import count, shown
from cmbs.database import calls, connections, tables
from cmbs.deploy import ahead

# Results are kept in order, so at most this many wait for a slow one before them.
_BLOCK = 500
# What PostgreSQL says of pages that it cannot read.
_DAMAGE = (psycopg.InternalError, psycopg.errors.IoError)


class Unreadable(NamedTuple):
    """What PostgreSQL said when it could not read a session."""

    reason: str


Found = dict[str, Any] | Unreadable | None


def verify_identities(url: str, *, as_json: bool = False) -> int:
    """Check the logs of identities, if the login may; how many of them are broken."""
    with connections.connect(url, autocommit=True) as connection:
        try:
            found = calls.call(connection, "verify_identities")
        except (psycopg.errors.InsufficientPrivilege, errors.Forbidden):
            say = page.note if as_json else page.show_line
            say("the logs of identities were not checked: that takes an auditor or admin")
            return 0
        except _DAMAGE as error:
            unread = Unreadable(_cannot_be_read(error))
            page.show_line(
                _as_json("identities", None, unread)
                if as_json
                else page.State(f"BROKEN  logs of identities  {unread.reason}")
            )
            return 1
    for log in found["tenants"]:
        tenant = shown(log["tenant"])
        if as_json:
            print(_as_json("identities", log["tenant"], log))
        elif not log["ok"]:
            bad = log["first_bad"]
            fault = f"event {bad['seq']}: {bad['reason']}"
            page.show_line(page.State(f"BROKEN  identities of {tenant}  {fault}"))
        elif log["rows_checked"]:
            rows = count(log["rows_checked"], "row")
            page.show_line(
                page.State(f"ok      identities of {tenant}  {rows}  {log['head_hash']}")
            )
    return sum(not log["ok"] for log in found["tenants"])


def verify(
    url: str, wanted: Sequence[UUID], jobs: int, *, brief: bool = False, as_json: bool = False
) -> int:
    """Check the chains of these sessions, or of all and of identities; 0 when each is whole and
    there was a session, 2 when one that was asked for is not there."""
    # A session whose row is gone is asked for all the same: its log may still be there.
    listed, unreadable = _sizes(url, wanted)
    for table, unread in unreadable:
        page.show_line(
            _as_json("table", table, unread)
            if as_json
            else page.State(f"BROKEN  table {table}  {unread.reason}")
        )
    sizes = dict.fromkeys(wanted, 0) | listed
    total = sum(sizes.values())
    # Of all sessions on a terminal, only those that are not whole get a line.
    is_brief = not as_json and (brief or (not wanted and sys.stdout.isatty()))
    broken, missing = len(unreadable), 0
    with Progress("rows") as progress:
        for done, (session_id, found) in enumerate(_checked(url, list(sizes), jobs), 1):
            is_whole = isinstance(found, dict) and found["ok"]
            missing += found is None
            broken += not is_whole and found is not None
            if not is_whole or not is_brief:
                progress.say(
                    _as_json("session_id", str(session_id), found)
                    if as_json
                    else page.State(_line(session_id, found))
                )
            progress(sizes[session_id], total, f"{done}/{len(sizes)} sessions")
    broken_logs = 0 if wanted else verify_identities(url, as_json=as_json)
    faults = [f"{broken} broken"] * (broken > 0) + [f"{missing} not there"] * (missing > 0)
    if broken_logs:
        faults.append(f"{count(broken_logs, 'log')} of identities broken")
    later = ahead.found(url)
    if as_json and not sizes:
        page.note("there is no session to check")
    if as_json and later:
        print(words.as_json({"heads_in_future": later}))
    if not as_json:
        for one in later:
            page.show_line(page.State(f"note    {ahead.sentence(one)}"))
        page.show_line(_summary(sizes, progress.seconds, faults))
    if not sizes:
        return 1
    return 1 if broken or broken_logs else 2 if missing else 0


def _summary(sizes: dict[UUID, int], seconds: float, faults: list[str]) -> str:
    if not sizes:
        return ": ".join(["there is no session to check", *faults])
    checked = f"{count(len(sizes), 'session')}, {count(sum(sizes.values()), 'row')}"
    said = ", ".join(faults) or "every chain is whole"
    return f"checked {checked} in {seconds:.1f} s: {said}"


def has_sessions(url: str) -> bool:
    one = select(literal(1)).select_from(tables.session).limit(1)
    with connections.engine(url).connect() as connection:
        return connection.execute(one).first() is not None


def _line(session_id: UUID, found: Found) -> str:
    if found is None:
        return f"none    {session_id}  no such session"
    if isinstance(found, Unreadable):
        return f"BROKEN  {session_id}  {found.reason}"
    if found["ok"]:
        return f"ok      {session_id}  {count(found['rows_checked'], 'row')}  {found['head_hash']}"
    bad = found["first_bad"]
    return f"BROKEN  {session_id}  event {bad['seq']}: {bad['reason']}"


def _as_json(kind: str, name: str | None, found: Found) -> str:
    """The same for programs; `verdict` is ok, broken, unreadable or missing."""
    if found is None:
        said: dict[str, Any] = {"verdict": "missing"}
    elif isinstance(found, Unreadable):
        said = {"verdict": "unreadable", "reason": found.reason}
    elif found["ok"]:
        said = {"verdict": "ok"} | {key: found[key] for key in ("rows_checked", "head_hash")}
    else:
        said = {"verdict": "broken", **found["first_bad"]}
    return words.as_json({kind: name, **said})


def _sizes(
    url: str, wanted: Sequence[UUID]
) -> tuple[dict[UUID, int], list[tuple[str, Unreadable]]]:
    """How many events each session has, also where its row, or every event, is gone; and what of
    the tables could not be read, so that a session may be missing."""
    session, event = tables.session.c, tables.audit_event.c
    declared = select(session.session_id, literal(0).label("n"))
    logged = select(event.session_id, func.count().label("n")).group_by(event.session_id)
    if wanted:
        declared = declared.where(session.session_id.in_(wanted))
        logged = logged.where(event.session_id.in_(wanted))
    found: dict[UUID, int] = {}
    unreadable = []
    for table, listed in (("session", declared), ("audit_event", logged)):
        try:
            with connections.engine(url).connect() as connection:
                found |= {row.session_id: row.n for row in connection.execute(listed)}
        except exc.DBAPIError as error:
            if not isinstance(error.orig, _DAMAGE):
                raise
            unreadable.append((table, Unreadable(_cannot_be_read(error.orig))))
    return found, unreadable


def _cannot_be_read(error: psycopg.Error) -> str:
    return f"PostgreSQL cannot read it: {error.diag.message_primary}"


def _checked(url: str, sessions: Sequence[UUID], jobs: int) -> Iterator[tuple[UUID, Found]]:
    """Each session with what was found; None where there is none."""
    if not sessions:
        return
    settings: Any = {"kwargs": {"autocommit": True}, "configure": connections.isolate}
    with (
        ConnectionPool(url, min_size=jobs, max_size=jobs, open=True, **settings) as pool,
        ThreadPoolExecutor(jobs) as workers,
    ):

        def check(session_id: UUID) -> Found:
            with pool.connection() as connection:
                try:
                    return calls.verify(connection, session_id)
                except errors.SessionNotFound:
                    return None
                except _DAMAGE as error:
                    return Unreadable(_cannot_be_read(error))

        try:
            for start in range(0, len(sessions), _BLOCK):
                block = sessions[start : start + _BLOCK]
                yield from zip(block, workers.map(check, block), strict=True)
        finally:
            workers.shutdown(wait=False, cancel_futures=True)
