"""cmbs.audit_trace"""

import hashlib
import itertools

import pytest

from cmbs import errors
from tests.support.beliefs import (
    NO_EVENT,
    NOBODY,
    Connection,
    Session,
    declare,
    refused,
    rich_session,
)


@pytest.mark.cold
def test_everything_in_order(tx: Connection) -> None:
    session, answers = rich_session(tx)
    trace = session("audit_trace")
    events = trace["events"]
    assert trace["next_since_event_id"] is None
    assert [event["seq"] for event in events] == list(range(1, len(answers) + 2))
    assert {event["session_id"] for event in events} == {str(session.id)}
    assert events[0]["prev_event_hash"] == "0" * 64
    for before, after in itertools.pairwise(events):
        assert after["prev_event_hash"] == before["event_hash"]
        assert after["survivors_before_hash"] == before["survivors_after_hash"]
        assert after["ts"] >= before["ts"]
        assert int(after["event_id"].replace("-", "")[-12:], 16) == after["seq"]


def test_the_text_of_an_event_hashes_to_its_hash(tx: Connection) -> None:
    session, _ = rich_session(tx)
    listed = "select e::text, e ->> 'event_hash' from json_array_elements("
    listed += "cmbs.audit_trace(%s) -> 'events') as e offset 1"
    for text, event_hash in tx.execute(listed.encode(), [session.id]):
        record = text.replace(f', "event_hash": "{event_hash}"', "")
        assert hashlib.sha256(record.encode()).hexdigest() == event_hash


def test_event_1_shows_the_hypotheses(tx: Connection) -> None:
    session = Session(tx, "cab")
    assert session.events()[0]["payload"]["hypotheses"] == ["a", "b", "c"]


@pytest.mark.parametrize("limit", [1, 2, 3, 20, 21, 22, 10000])
def test_pages(tx: Connection, limit: int) -> None:
    session, _ = rich_session(tx)
    everything = session.events()
    found = []
    since = None
    while True:
        page = session("audit_trace", since_event_id=since, limit=limit)
        found += page["events"]
        since = page["next_since_event_id"]
        if since is None:
            break
        assert len(page["events"]) == limit
        assert page["events"][-1]["event_id"] == since
    assert found == everything


def test_the_end_of_an_exact_page(tx: Connection) -> None:
    session = Session(tx)
    last = session.eliminate("a")["audit_event_id"]
    assert session("audit_trace", limit=2)["next_since_event_id"] is None
    after = session("audit_trace", since_event_id=last)
    assert after == {"events": [], "next_since_event_id": None}


def test_refused(tx: Connection) -> None:
    session = Session(tx)
    other = declare(tx)["audit_event_id"]
    for unknown in (other, NO_EVENT, session.id):
        error = session.refuses(errors.EventNotFound, "audit_trace", since_event_id=unknown)
        assert error.details == {"session_id": str(session.id), "event_id": str(unknown)}
    for limit in (0, -1, 10001):
        error = session.refuses(errors.InvalidRequest, "audit_trace", limit=limit)
        assert error.details["member"] == "limit"
    refused(tx, errors.SessionNotFound, "audit_trace", session_id=NOBODY)
    refused(tx, errors.InvalidRequest, "audit_trace", session_id=None)
