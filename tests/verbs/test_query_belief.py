"""cmbs.query_belief"""

import math

import pytest

from cmbs import errors
from tests.beliefs import NO_EVENT, NOBODY, Connection, Session, declare, refused, rich_session


def test_as_of_every_event_is_the_snapshot_returned_then(tx: Connection) -> None:
    session, answers = rich_session(tx)
    assert len(answers) == 20
    for answer in answers:
        assert answer["snapshot"] == session.snapshot(as_of=answer["audit_event_id"])
        minimal = session.snapshot(as_of=answer["audit_event_id"], minimal=True)
        assert minimal == {k: v for k, v in answer["snapshot"].items() if k != "survivors"}
    assert session.snapshot() == answers[-1]["snapshot"]


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
