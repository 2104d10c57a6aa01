"""cmbs.query_belief"""

import itertools
import math
from datetime import UTC, datetime, timedelta, timezone

import psycopg
import pytest

from cmbs import errors
from tests.support.beliefs import (
    NO_EVENT,
    NOBODY,
    Connection,
    Session,
    declare,
    message,
    refused,
    rich_session,
)


@pytest.mark.cold
def test_as_of_every_event_is_the_snapshot_returned_then(tx: Connection) -> None:
    session, answers = rich_session(tx)
    assert len(answers) == 20
    for answer in answers:
        assert answer["snapshot"] == session.snapshot(as_of=answer["audit_event_id"])
        minimal = session.snapshot(as_of=answer["audit_event_id"], minimal=True)
        assert minimal == {k: v for k, v in answer["snapshot"].items() if k != "survivors"}
    assert session.snapshot() == answers[-1]["snapshot"]


def test_whose_it_is_and_since_when(tx: Connection) -> None:
    session = Session(tx, "ab")
    first = session.snapshot()
    assert first["is_contradicted"] is False
    session.eliminate("a", "b")
    snapshot = session.snapshot()
    declared, eliminated = session.events()
    assert snapshot["owner"] == declared["actor"] == first["owner"]
    assert snapshot["declared_at"] == declared["ts"] == first["audit_head_at"]
    assert snapshot["audit_head_at"] == eliminated["ts"]
    assert (snapshot["is_contradicted"], snapshot["entropy_proxy"]) == (True, 0)
    assert session.snapshot(as_of=declared["event_id"]) == first


def test_a_log_that_lost_its_beginning_can_be_read(tx: Connection) -> None:
    session = Session(tx, "ab")
    session.eliminate("a")
    tx.execute("alter table cmbs_store.audit_event disable trigger all")
    tx.execute("delete from cmbs_store.audit_event where seq = 1")
    assert session.snapshot()["owner"] is None


def test_as_of_inside_a_batch(tx: Connection) -> None:
    session, _ = rich_session(tx)
    (first,) = [e for e in session.events() if e["payload"].get("observation_id") == "m1"]
    snapshot = session.snapshot(as_of=first["event_id"])
    assert "d" not in snapshot["survivors"]
    assert "e" in snapshot["survivors"]
    assert snapshot["survivors_hash"] == first["survivors_after_hash"]
    assert snapshot["audit_head_hash"] == first["event_hash"]
    assert snapshot["terminated"] is False


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 8, 9, 1000, 8193])
def test_the_entropy_proxy(tx: Connection, n: int) -> None:
    snapshot = declare(tx, [str(i) for i in range(n)], minimal=True)["snapshot"]
    assert snapshot["entropy_proxy"] == pytest.approx(math.log2(n), rel=0, abs=1e-12)


def test_reading_changes_nothing(tx: Connection) -> None:
    session = Session(tx)
    assert session.snapshot() == session.snapshot()
    assert len(session.events()) == 1


def test_refused(tx: Connection) -> None:
    session = Session(tx)
    other = declare(tx)["audit_event_id"]
    for unknown in (other, NO_EVENT):
        session.refuses(errors.EventNotFound, "query_belief", as_of=unknown)
    refused(tx, errors.SessionNotFound, "query_belief", session_id=NOBODY)
    refused(tx, errors.InvalidRequest, "query_belief", session_id=None)


def test_as_of_a_time_is_as_of_the_last_event_until_then(tx: Connection) -> None:
    session, _ = rich_session(tx)
    events = session.events()
    for event, following in itertools.pairwise(events):
        expected = session.snapshot(as_of=event["event_id"])
        if event["ts"] < following["ts"]:
            assert session.snapshot(as_of_time=event["ts"]) == expected
        just_before = datetime.fromisoformat(following["ts"]) - timedelta(microseconds=1)
        if just_before >= datetime.fromisoformat(event["ts"]):
            assert session.snapshot(as_of_time=just_before) == expected
    for late in (events[-1]["ts"], "2400-01-01T00:00:00Z", "infinity", "294276-12-31T23:59:59Z"):
        assert session.snapshot(as_of_time=late) == session.snapshot()


@pytest.mark.parametrize("n_events", [1, 2, 3, 4, 7, 8, 9])
def test_of_events_at_one_time_the_last_counts(tx: Connection, n_events: int) -> None:
    """A clock that ticks once an hour, or stands still."""
    session, at = Session(tx, ["a"]), []
    tx.execute("create table public.ticks as select 0 as n")
    tx.execute("grant select on public.ticks to public")
    tx.execute(
        "create or replace function cmbs_store.clock() returns timestamptz language sql volatile "
        "as $$ select '2400-01-01T00:00:00Z'::timestamptz + n / 2 * '1 h'::interval "
        "from public.ticks $$"
    )
    for _ in range(n_events):
        at.append(session.conclude()["snapshot"]["audit_seq"])
        tx.execute("update public.ticks set n = n + 1")
    for hour in range(0, n_events, 2):
        when = datetime(2400, 1, 1, hour // 2, tzinfo=UTC)
        last = at[min(hour + 1, n_events - 1)]
        for later in (0, 59):
            found = session.snapshot(as_of_time=when + timedelta(minutes=later))
            assert found["audit_seq"] == last
        assert session.snapshot(as_of_time=when - timedelta(minutes=1))["audit_seq"] == at[hour] - 1


def test_a_time_is_a_point_whatever_zone_it_is_told_in(tx: Connection) -> None:
    session = Session(tx)
    session.eliminate("a")
    at = datetime.fromisoformat(session.events()[1]["ts"])
    tx.execute("set TimeZone = 'Asia/Kathmandu'")
    for zone in (timedelta(hours=14), timedelta(hours=-11), timedelta(hours=5, minutes=45)):
        told = at.astimezone(timezone(zone)).isoformat()
        assert session.snapshot(as_of_time=told)["audit_seq"] == 2


def test_before_the_declare_there_was_nothing(tx: Connection) -> None:
    session = Session(tx)
    declared = session.events()[0]["ts"]
    just_before = datetime.fromisoformat(declared) - timedelta(microseconds=1)
    for early in (just_before, "-infinity", "0044-03-15 12:00:00Z BC", "1970-01-01T00:00:00Z"):
        error = session.refuses(errors.EventNotFound, "query_belief", as_of_time=early)
        assert error.details == {"session_id": str(session.id), "declared_at": declared}
    refused(tx, errors.SessionNotFound, "query_belief", session_id=NOBODY, as_of_time=declared)


@pytest.mark.parametrize(
    "time", ["", "x", "noon", "294277-01-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-02-30Z"]
)
def test_what_is_no_time(tx: Connection, time: str) -> None:
    error = Session(tx).refuses(psycopg.Error, "query_belief", as_of_time=time)
    assert errors.classify(error) == ("INVALID_REQUEST", 400)


def test_an_event_or_a_time(tx: Connection) -> None:
    session = Session(tx)
    both = {"as_of": NO_EVENT, "as_of_time": "infinity"}
    error = session.refuses(errors.InvalidRequest, "query_belief", **both)
    assert error.details["member"] == "as_of_time"


def test_an_event_is_found_without_reading_the_log(db: Connection) -> None:
    session = Session(db, ["a"])
    n_events = 5000
    for start in range(0, n_events, 1000):
        session.batch(*(message("x", observation_id=str(start + n)) for n in range(1000)))
    middle = session("audit_trace", limit=n_events // 2)["events"][-1]
    key = "'cmbs_store.audit_event_seq_pk'::regclass"
    read = f"select pg_stat_get_xact_tuples_returned({key})".encode()
    with db.transaction():
        (before,) = db.execute(read).fetchone() or (0,)
        found = session.snapshot(as_of_time=middle["ts"])
        (after,) = db.execute(read).fetchone() or (0,)
    assert found["audit_seq"] >= n_events // 2
    assert 0 < after - before < 40, "a probe for every doubling of the log, and a few more"
