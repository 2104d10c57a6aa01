"""Ten thousand random logs by the real verbs, and what may be done to them: the verifier of files
and `cmbs.verify` share no line, and they must agree on every log.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cmbs import verify
from cmbs.verify.shapes import TIME_FORM, UUID_FORM
from tests.support import corpus, tampering
from tests.support.forger import LOG
from tests.support.tampering import Row
from tests.verify.shipped import shipped

pytestmark = pytest.mark.timeout(300)
COUNT = 10_000
# What a log cannot show: it is good, but the tables beside it are not those it leads to.
STATE = (
    "the tombstones are not those of the log",
    "the obligations or conclusions are not those of the log",
    "the stored mask is not that of the log",
    "the stored session differs from the log",
    "the stored policy as sent is not that of the log",
)
TEXTS = ("verb", "actor", "source_id", "observation_id", "request_id")
EVENTS = (
    "session_id uuid, seq bigint, recorded_at timestamptz, event_id uuid, event_hash text, "
    "verb text, actor text, source_id text, observation_id text, request_id text, record text"
)


@dataclass
class Corpus:
    connection: psycopg.Connection[Any]
    logs: dict[UUID, list[bytes]]


@pytest.fixture(scope="module")
def made(_shared_database: str) -> Iterator[Corpus]:
    with psycopg.connect(_shared_database) as connection:
        sessions = corpus.make(connection, 2026, COUNT)
        yield Corpus(connection, corpus.export(connection, sessions))
        connection.rollback()


class LongWay(verify.Log):
    """Takes the long way for every line."""

    def _feed_plain(self, line: bytes) -> None:
        return None


def replayed(
    session_id: UUID,
    lines: list[bytes],
    met: Counter[str] | None = None,
    kind: type[verify.Log] = verify.Log,
) -> tuple[verify.Log, tuple[int, str] | None]:
    # The database knows whose log it is, and so does who asked for it.
    log = kind(session_id=str(session_id))
    try:
        for line in lines:
            event = log.feed(line)
            if met is not None:
                met[f"{event.verb} {event.payload.get('reason', '')}"] += 1
        log.finish()
    except (verify.Fault, shipped().Fault) as fault:
        return log, (fault.seq, fault.reason)
    return log, None


def in_sql(connection: psycopg.Connection[Any]) -> dict[UUID, tuple[bool, int | None, str]]:
    rows = connection.execute("select session_id, ok, first_bad_seq, reason from cmbs.verify_all()")
    return {session_id: (ok, seq, reason) for session_id, ok, seq, reason in rows}


@pytest.mark.nightly
@pytest.mark.slow("a corpus of random logs")
def test_every_log_is_whole(made: Corpus) -> None:
    met: Counter[str] = Counter()
    verdicts = in_sql(made.connection)
    snapshots = dict(
        made.connection.execute(
            "select i.id, cmbs.query_belief(i.id) from unnest(%s::uuid[]) as i (id)",
            [list(made.logs)],
        ).fetchall()
    )
    for session_id, lines in made.logs.items():
        log, bad = replayed(session_id, lines, met)
        assert bad is None
        assert log.universe
        met["a mask in chunks"] += len(log.universe.ids) > 8192
        assert verdicts[session_id][0]
        mine, theirs = log.snapshot(), snapshots[session_id]
        assert math.isclose(mine.pop("entropy_proxy"), theirs.pop("entropy_proxy"), abs_tol=1e-12)
        assert mine == theirs
    # Two verbs without a reason and twelve reasons, a declare, and the chunks.
    assert len(met) == 3 + 2 + 1 + 2 + 6 + 1
    assert min(met.values()) >= 5


@pytest.mark.nightly
@pytest.mark.slow("a corpus of random logs")
@pytest.mark.parametrize("seed", [1])
def test_both_say_the_same_of_every_tampering(made: Corpus, seed: int) -> None:
    random = Random(seed)
    connection = made.connection
    found: Counter[tuple[str, str]] = Counter()
    ways = {}
    rows = []
    for session_id, lines in made.logs.items():
        way = ways[session_id] = random.choice(tampering.WAYS)
        rows += stored(session_id, way(random, parsed(lines)))
    with connection.transaction(force_rollback=True):
        store(connection, rows)
        logs = corpus.export(connection, made.logs)
        verdicts = in_sql(connection)
    wrong = []
    for session_id, lines in logs.items():
        log, bad = replayed(session_id, lines)
        long, bad_the_long_way = replayed(session_id, lines, kind=LongWay)
        assert bad == bad_the_long_way
        assert log.seq == 0 or log.snapshot() == long.snapshot()
        file, bad_of_the_file = replayed(session_id, lines, kind=shipped().Log)
        assert bad == bad_of_the_file
        assert log.seq == 0 or log.snapshot() == file.snapshot()
        ok, seq, reason = verdicts[session_id]
        way_name = ways[session_id].__name__
        if bad is None and (ok or reason.startswith(STATE)):
            found[way_name, "good"] += 1
        elif bad is not None and not ok and (seq == bad[0] or reason == STATE[-1]):
            found[way_name, "bad"] += 1
        else:
            wrong.append((way_name, bad, seq, reason, session_id))
    assert wrong == []
    # Each way must have broken logs, but for those that cannot.
    for way in tampering.WAYS:
        is_harmless = way in (tampering.untouched, tampering.cut)
        assert (found[way.__name__, "bad"] == 0) == is_harmless, way
    assert sum(found.values()) == COUNT


def parsed(lines: list[bytes]) -> list[Row]:
    members = [json.loads(line) for line in lines]
    return [Row(no, one["event_hash"], one["record"]) for no, one in enumerate(members, 1)]


def stored(session_id: UUID, rows: list[Row]) -> list[dict[str, Any]]:
    """The rows of the table, their columns as the record has them, where a column can hold it."""
    made, used = [], set()
    for seq, event_hash, text in rows:
        row: dict[str, Any] = {"session_id": str(session_id), "seq": seq}
        row |= {"event_hash": event_hash, "record": text, "verb": "", "actor": ""}
        row |= {"event_id": f"00000000-0000-4000-8000-{seq:012x}", "recorded_at": "2026-01-01"}
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            record = None
        record = record if isinstance(record, dict) else {}
        payload = record.get("payload")
        known = record | (payload if isinstance(payload, dict) else {})
        row |= {name: known[name] for name in TEXTS if fits(known.get(name))}
        if fits(ts := known.get("ts")) and TIME_FORM.fullmatch(ts) and is_day(ts):
            row["recorded_at"] = ts
        if fits(event_id := known.get("event_id")) and UUID_FORM.fullmatch(event_id.lower()):
            row["event_id"] = event_id
        # What the unique indexes do not let in; that columns and record differ is found as well.
        keys = {
            ("m", row.get("source_id"), row.get("observation_id")),
            ("r", row.get("request_id")),
        }
        if used & {key for key in keys if key[-1] is not None and key[1] is not None}:
            row |= {"source_id": None, "observation_id": None, "request_id": None}
        used |= keys
        made.append(row)
    return made


def fits(value: Any) -> bool:
    """Whether a column of text can hold it."""
    if not isinstance(value, str) or "\0" in value:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in value)


def is_day(ts: str) -> bool:
    try:
        date.fromisoformat(ts[:10])
    except ValueError:
        return False
    return True


def store(connection: psycopg.Connection[Any], rows: list[dict[str, Any]]) -> None:
    """In place of every log there is, by someone who may switch the triggers off."""
    connection.execute(f"alter table {LOG} disable trigger all".encode())
    connection.execute(f"delete from {LOG}".encode())
    for start in range(0, len(rows), 20_000):
        connection.execute(
            f"insert into {LOG} (session_id, seq, recorded_at, event_id, event_hash, verb, actor, "
            "source_id, observation_id, request_id, record) select r.session_id, r.seq, "
            "r.recorded_at, r.event_id, decode(r.event_hash, 'hex'), r.verb, r.actor, r.source_id, "
            "r.observation_id, r.request_id, r.record "
            f"from json_to_recordset(%s) as r ({EVENTS})".encode(),
            [json.dumps(rows[start : start + 20_000])],
        )
    # After other tests the planner may think that there is next to nothing, and loop within a loop.
    connection.execute(f"analyze {LOG}, cmbs_store.session".encode())
    connection.execute(
        "update cmbs_store.session as s set audit_head_hash = e.event_hash, audit_seq = e.seq, "
        "audit_head_event_id = e.event_id, audit_head_at = e.recorded_at "
        f"from (select distinct on (a.session_id) a.* from {LOG} as a "
        "order by a.session_id, a.seq desc) as e where s.session_id = e.session_id".encode()
    )
