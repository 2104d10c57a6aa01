"""Writing sessions into one file that is checked without a database: a bundle."""

import contextlib
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import sqlalchemy as sa

from cmbs.common.failure import CommandError, UsageError, WrongError
from cmbs.common.newfile import new_file
from cmbs.database import connections, tables

# Bounds what is in memory: of a log so many events, and one more than so many bytes of records.
_PAGE, _PAGE_BYTES = 5000, 8 << 20
# Whoever verifies the file keeps its manifest in memory, and takes none longer than this makes.
_MOST = 500_000
# Where the content of each kind lies, in the order of the file.
_FOLDERS = {"policy": "policies", "schema": "schemas", "tool": "tools"}
_README = """\
# A bundle of CMBS sessions

Each file in `sessions/` is the log of one session: a line is one event, with the exact text that
was recorded and its SHA-256. Each file in `universes/` is the sorted list of hypotheses that
sessions started from; its SHA-256 is its name. `manifest.json` names every file with its size and
digest, and the head of every log.

To check all of it without a database, with nothing but Python 3.11, take `verify.py` from CMBS
(`python -m cmbs.verify.build verify.py` writes it; get CMBS from somebody whom you trust more than
the sender of this file) and run

    python verify.py THIS-FILE.zip

It recomputes every hash, every elimination and every decision, and says where the first one is
that does not follow. A log whose end was cut off before it came here looks whole: compare the
heads in `manifest.json` with those that were written down elsewhere.
"""
# Only where there are some: sessions without arbitration are written as they always were.
_README_OF_CONTENTS = """
Decisions of these sessions were taken by the policies in `policies/`, and rest on the JSON Schemas
in `schemas/` and the definitions of tools in `tools/`, each under its SHA-256. `verify.py` checks
that they are what the logs name, and everything around a decision that holds under any policy. It
evaluates none: import the file with `cmbs import`, and `cmbs verify` takes each decision again.
"""


class _Session(NamedTuple):
    session_id: UUID
    universe_digest: str
    audit_seq: int
    audit_head_event_id: UUID
    audit_head_hash: str
    policy_as_sent: Any


class _Content(NamedTuple):
    kind: str
    digest: str
    session_id: str


class Exported(NamedTuple):
    """What was written."""

    n_sessions: int
    n_events: int
    n_bytes: int


def export(
    url: str,
    wanted: Sequence[UUID],
    path: Path,
    overwrite: bool,
    progress: Callable[[int, int], None],
) -> Exported:
    """Write these sessions, or all, as they are at this moment; `progress` hears of each page."""
    with new_file(path, overwrite) as scratch, connections.engine(url).connect() as connection:
        # One snapshot for all of it, however long it takes.
        connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        sessions = _sessions(connection, wanted)
        total = sum(session.audit_seq for session in sessions)
        contents = _contents(connection, wanted)
        with _Writer(scratch, _README + _README_OF_CONTENTS * bool(contents)) as writer:
            for digest, session_id in _universes(sessions).items():
                writer.universe(digest, _hypotheses(connection, session_id))
            for content in contents:
                writer.content(content, _text(connection, content))
            entries = [
                _exported(connection, writer, one, lambda n: progress(n, total)) for one in sessions
            ]
            writer.manifest(entries)
        size = scratch.stat().st_size
    return Exported(len(entries), sum(entry["n_events"] for entry in entries), size)


def _sessions(connection: sa.Connection, wanted: Sequence[UUID]) -> list[_Session]:
    """In the order of the file: a reader keeps one universe at a time."""
    view = tables.session.c
    listed = sa.select(*[view[name] for name in _Session._fields])
    if wanted:
        listed = listed.where(view.session_id.in_(wanted))
    listed = listed.order_by(view.universe_digest, view.session_id)
    found = [_Session(*row) for row in connection.execute(listed)]
    if missing := set(wanted) - {session.session_id for session in found}:
        raise UsageError(f"there is no session {min(missing)}")
    if not found:
        raise UsageError("there is no session to export")
    if len(found) > _MOST:
        raise CommandError(f"a file holds {_MOST} sessions at most, and these are {len(found)}")
    return found


def _exported(
    connection: sa.Connection,
    writer: "_Writer",
    session: _Session,
    advance: Callable[[int], None],
) -> dict[str, Any]:
    with writer.member(f"sessions/{session.session_id}.ndjson") as member:
        for page in _pages(connection, session.session_id):
            member.write(
                "".join(
                    f'{{"event_hash": "{event_hash}", "record": '
                    f"{json.dumps(record, ensure_ascii=False)}}}\n"
                    for _, event_hash, record in page
                ).encode()
            )
            advance(len(page))
    # As the session has it: if the end of the log is missing, whoever verifies the file sees it.
    return {
        "session_id": str(session.session_id),
        "n_events": session.audit_seq,
        "head_event_id": str(session.audit_head_event_id),
        "head_hash": session.audit_head_hash,
        "universe_digest": session.universe_digest,
        "policy_as_sent": session.policy_as_sent,
    }


def _universes(sessions: Sequence[_Session]) -> dict[str, UUID]:
    """Each universe, with a session that has it."""
    return {session.universe_digest: session.session_id for session in sessions}


def _hypotheses(connection: sa.Connection, session_id: UUID) -> Iterator[str]:
    member = tables.universe_member.c
    listed = (
        sa.select(member.hypothesis_id)
        .where(member.session_id == session_id)
        .order_by(member.hypothesis_id.collate("C"))
    )
    with connection.execution_options(yield_per=_PAGE).execute(listed) as result:
        yield from result.scalars()


def _contents(connection: sa.Connection, wanted: Sequence[UUID]) -> list[_Content]:
    """Every policy, schema and tool that the sessions name, with one that does, in order."""
    view = tables.arbitration_content.c
    first = sa.func.min(sa.cast(view.session_id, sa.Text))
    named = sa.select(view.kind, view.content_hash, first).group_by(view.kind, view.content_hash)
    if wanted:
        named = named.where(view.session_id.in_(wanted))
    return sorted(_Content(*row) for row in connection.execute(named))


def _text(connection: sa.Connection, content: _Content) -> str | None:
    view = tables.arbitration_content.c
    which = (
        view.session_id == UUID(content.session_id),
        view.kind == content.kind,
        view.content_hash == content.digest,
    )
    text: str | None = connection.scalar(sa.select(view.content).where(*which))
    return text


def _pages(connection: sa.Connection, session_id: UUID) -> Iterator[Sequence[Any]]:
    event = tables.audit_event.c
    last = 0
    while True:
        before = sa.func.sum(sa.func.octet_length(event.record)).over(
            order_by=event.seq, rows=(None, -1)
        )
        sized = (
            sa.select(event.seq, event.event_hash, event.record, before.label("before"))
            .where(event.session_id == session_id, event.seq > last)
            .order_by(event.seq)
            .limit(_PAGE)
            .subquery()
        )
        page = (
            sa.select(sized.c.seq, sized.c.event_hash, sized.c.record)
            .where(sa.func.coalesce(sized.c.before, 0) <= _PAGE_BYTES)
            .order_by(sized.c.seq)
        )
        rows = connection.execute(page).all()
        if not rows:
            return
        yield rows
        last = rows[-1].seq


class _Writer:
    """The zip file: its members, written one after the other, with their digests."""

    def __init__(self, file: Path, readme: str) -> None:
        # A stronger compression saves a tenth of the file and takes twice the time.
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self._files: dict[str, dict[str, Any]] = {}
        # The next page is read while this one is compressed.
        self._thread = ThreadPoolExecutor(1)
        with self.member("README.md") as member:
            member.write(readme.encode())

    def __enter__(self) -> "_Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()
        self._zip.close()

    @contextlib.contextmanager
    def member(self, name: str) -> Iterator["_Member"]:
        # The same sessions give the same bytes, so no time of today is in the file.
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        with self._zip.open(info, "w", force_zip64=True) as stream:
            member = _Member(stream, self._thread)
            yield member
            self._files[name] = member.close()

    def universe(self, digest: str, hypotheses: Iterator[str]) -> None:
        with self.member(f"universes/{digest}.json") as member:
            lead = "["
            for page in _batched(hypotheses):
                member.write((lead + json.dumps(page, ensure_ascii=False)[1:-1]).encode())
                lead = ", "
            member.write(b"]")
        self._require(f"universes/{digest}.json", digest, "universe")

    def content(self, content: _Content, text: str | None) -> None:
        name = f"{_FOLDERS[content.kind]}/{content.digest}.json"
        with self.member(name) as member:
            member.write((text or "").encode())
        self._require(name, content.digest, content.kind)

    def _require(self, name: str, digest: str, kind: str) -> None:
        if self._files[name]["sha256"] != digest:
            raise WrongError(
                f"the stored {kind} {digest} is not what it was; cmbs verify names its sessions"
            )

    def manifest(self, entries: list[dict[str, Any]]) -> None:
        manifest = {
            "format": "cmbs-bundle",
            "version": 1,
            "files": self._files,
            "sessions": entries,
        }
        with self.member("manifest.json") as member:
            member.write(json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n")


class _Member:
    def __init__(self, stream: Any, thread: ThreadPoolExecutor) -> None:
        self._stream, self._thread = stream, thread
        self._digest, self._size = hashlib.sha256(), 0
        self._writing: Future[None] | None = None

    def write(self, data: bytes) -> None:
        if self._writing:
            self._writing.result()
        self._size += len(data)
        self._writing = self._thread.submit(self._write, data)

    def _write(self, data: bytes) -> None:
        self._digest.update(data)
        self._stream.write(data)

    def close(self) -> dict[str, Any]:
        if self._writing:
            self._writing.result()
        return {"bytes": self._size, "sha256": self._digest.hexdigest()}


def _batched(hypotheses: Iterator[str]) -> Iterator[list[str]]:
    page: list[str] = []
    for hypothesis in hypotheses:
        page.append(hypothesis)
        if len(page) == _PAGE:
            yield page
            page = []
    if page:
        yield page
