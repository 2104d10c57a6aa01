"""What `cmbs status` and `cmbs verify` find and how they tell it."""

import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import psycopg
from psycopg_pool import ConnectionPool
from sqlalchemy import Engine, create_engine, func, literal, select
from sqlalchemy.pool import NullPool

from cmbs import calls, errors, tables

# Results are kept in order, so at most this many wait for a slow one before them.
_BLOCK = 500


def status(url: str, revision: str, address: str | None) -> int:
    with psycopg.connect(url) as connection:
        info = connection.info
        major = info.server_version // 10000
        print(f"database  {info.dbname} on {info.host} as {info.user}, PostgreSQL {major}")
    counted = select(
        func.count(),
        func.count().filter(tables.session.c.terminated),
        func.coalesce(func.sum(tables.session.c.audit_seq), 0),
    )
    with _engine(url).connect() as connection_:
        sessions, terminated, events = connection_.execute(counted).one()
    print(f"schema    revision {revision}")
    if address:
        print(f"address   {address}")
    print(f"sessions  {sessions}, {terminated} of them terminated")
    print(f"events    {events}")
    return 0


def verify(url: str, wanted: Sequence[UUID], jobs: int) -> int:
    """Check the chains of these sessions, or of all; 0 when each is whole and there was one."""
    # A session whose row is gone is asked for all the same: its log may still be there.
    sizes = dict.fromkeys(wanted, 0) | _sizes(url, wanted)
    progress = _Progress(len(sizes), sum(sizes.values()))
    broken = 0
    for session_id, found in _checked(url, list(sizes), jobs):
        is_whole = found is not None and found["ok"]
        broken += not is_whole
        progress.advance(sizes[session_id], _line(session_id, found), is_news=not is_whole)
    progress.end(broken)
    return 1 if broken or not sizes else 0


def _line(session_id: UUID, found: dict[str, Any] | None) -> str:
    if found is None:
        return f"BROKEN  {session_id}  there is no such session"
    if found["ok"]:
        return f"ok      {session_id}  {found['rows_checked']} rows  {found['head_hash']}"
    bad = found["first_bad"]
    return f"BROKEN  {session_id}  event {bad['seq']}: {bad['reason']}"


def _engine(url: str) -> Engine:
    # libpq reads more forms of an address than SQLAlchemy does.
    return create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool
    )


def _sizes(url: str, wanted: Sequence[UUID]) -> dict[UUID, int]:
    """How many events each session has, also where its row, or every event, is gone."""
    session, event = tables.session.c, tables.audit_event.c
    declared = select(session.session_id, literal(0).label("n"))
    logged = select(event.session_id, func.count().label("n")).group_by(event.session_id)
    if wanted:
        declared = declared.where(session.session_id.in_(wanted))
        logged = logged.where(event.session_id.in_(wanted))
    with _engine(url).connect() as connection:
        return {
            row.session_id: row.n
            for listed in (declared, logged)
            for row in connection.execute(listed)
        }


def _checked(
    url: str, sessions: Sequence[UUID], jobs: int
) -> Iterator[tuple[UUID, dict[str, Any] | None]]:
    """Each session with what was found; None where there is none."""
    if not sessions:
        return
    autocommit = {"autocommit": True}
    with (
        ConnectionPool(url, min_size=jobs, max_size=jobs, kwargs=autocommit, open=True) as pool,
        ThreadPoolExecutor(jobs) as workers,
    ):

        def check(session_id: UUID) -> dict[str, Any] | None:
            with pool.connection() as connection:
                try:
                    return calls.verify(connection, session_id)
                except errors.SessionNotFound:
                    return None

        try:
            for start in range(0, len(sessions), _BLOCK):
                block = sessions[start : start + _BLOCK]
                yield from zip(block, workers.map(check, block), strict=True)
        finally:
            workers.shutdown(wait=False, cancel_futures=True)


class _Progress:
    """A bar on a terminal, where only broken sessions get a line; elsewhere each session does."""

    _WIDTH = 24

    def __init__(self, sessions: int, rows: int) -> None:
        self._sessions, self._rows = sessions, rows
        self._done_sessions = self._done_rows = 0
        self._began = time.monotonic()
        self._drawn = 0.0
        self._has_bar = sys.stderr.isatty()
        self._is_brief = self._has_bar and sys.stdout.isatty()

    def advance(self, rows: int, line: str, *, is_news: bool) -> None:
        self._done_sessions += 1
        self._done_rows += rows
        if is_news or not self._is_brief:
            self.say(line)
        # Drawing for every small session would cost more than checking it.
        if self._has_bar and time.monotonic() - self._drawn > 0.1:
            self._draw()

    def say(self, line: str) -> None:
        self._clear()
        print(line, flush=True)

    def end(self, broken: int) -> None:
        self._clear()
        seconds = time.monotonic() - self._began
        if self._sessions == 0:
            print("there is no session to check")
            return
        print(
            f"checked {self._sessions} sessions, {self._rows} rows in {seconds:.1f} s: "
            + (f"{broken} broken" if broken else "every chain is whole")
        )

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        part = self._done_rows / self._rows if self._rows else 1.0
        rate = self._done_rows / max(self._drawn - self._began, 0.001)
        left = (self._rows - self._done_rows) / rate if rate else 0.0
        bar = "#" * round(part * self._WIDTH)
        sys.stderr.write(
            f"\r\033[K[{bar:<{self._WIDTH}}] {part:4.0%}  "
            f"{self._done_sessions}/{self._sessions} sessions  {rate:,.0f} rows/s  "
            f"{int(left) // 60}:{int(left) % 60:02d} left"
        )
        sys.stderr.flush()

    def _clear(self) -> None:
        if self._has_bar:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
