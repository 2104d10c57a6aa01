"""cmbs.diff"""

import itertools
from typing import Any

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

STANDING = ("n_survivors", "entropy_proxy", "survivors_hash", "terminated", "active_obligation")


def compared(session: Session, first: dict[str, Any], last: dict[str, Any], **more: object) -> Any:
    return session("diff", from_event_id=first["event_id"], to_event_id=last["event_id"], **more)


@pytest.mark.cold
def test_every_two_events(tx: Connection) -> None:
    session, _ = rich_session(tx)
    events = session.events()
    snapshots = [session.snapshot(as_of=event["event_id"]) for event in events]
    for first, last in itertools.combinations_with_replacement(range(len(events)), 2):
        between = events[first + 1 : last + 1]
        found = compared(session, events[first], events[last])
        assert found == compared(session, events[last], events[first]), "the order is free"
        for member, number in (("from", first), ("to", last)):
            assert found[member] == {
                **{name: events[number][name] for name in ("event_id", "seq", "ts")},
                **{name: snapshots[number][name] for name in STANDING},
            }
        assert found["n_events"] == len(between)
        assert sum(found["verbs"].values()) == len(between)
        for verb, number in found["verbs"].items():
            assert number == sum(event["verb"] == verb for event in between) > 0
        assert found["eliminated"] == [
            {
                "hypothesis_id": hypothesis_id,
                **{name: event[name] for name in ("event_id", "seq", "ts")},
                **{name: event["payload"][name] for name in ("source_id", "observation_id")},
            }
            for event in between
            for hypothesis_id in event["delta"]["eliminated"]
        ]
        assert found["n_eliminated"] == len(found["eliminated"])
        gates = [event for event in between if event["verb"] != "ELIMINATE"]
        assert found["gates"] == [gate(event) for event in gates]
        assert found["n_gates"] == len(gates)


def gate(event: dict[str, Any]) -> dict[str, Any]:
    payload = event["payload"]
    return {
        **{name: event[name] for name in ("event_id", "seq", "ts", "verb")},
        "subject_id": payload.get("obligation_id", payload.get("conclusion_id")),
        "approved": payload.get("approved", payload.get("accepted")),
        "reason": payload.get("reason"),
    }


def test_lists_are_bounded_and_numbers_are_not(tx: Connection) -> None:
    session = Session(tx, [f"h{n:03}" for n in range(300)])
    session.eliminate(*(f"h{n:03}" for n in range(150)))
    for _ in range(120):
        session.conclude()
    first, *_, last = session.events()
    for limit, length in ((None, 100), (1, 1), (1_000, 120)):
        found = compared(session, first, last, limit=limit)
        assert (found["n_eliminated"], found["n_gates"], found["n_events"]) == (150, 120, 121)
        assert len(found["gates"]) == length
        assert len(found["eliminated"]) == min(150, limit or 100)


def test_messages_of_arbitration_are_no_gates(tx: Connection) -> None:
    session = Session(tx, "abc")
    session("apply_policy", pack="belief-gated", version=1)
    session("set_mode", mode="eco")
    session.conclude()
    session.eliminate("a")
    first, *_, last = session.events()
    found = compared(session, first, last)
    assert found["verbs"] == {
        "POLICY_APPLY": 1,
        "SET_MODE": 1,
        "DECLARE_CONCLUSION": 1,
        "ELIMINATE": 1,
    }
    assert found["n_gates"] == len(found["gates"]) == 1


def test_refused(tx: Connection) -> None:
    session = Session(tx)
    (event,) = session.events()
    known = event["event_id"]
    for unknown in (declare(tx)["audit_event_id"], NO_EVENT):
        for pair in ((known, unknown), (unknown, known)):
            sent = dict(zip(("from_event_id", "to_event_id"), pair, strict=True))
            error = session.refuses(errors.EventNotFound, "diff", **sent)
            assert error.details["event_id"] == str(unknown)
    for pair, member in (
        ((None, known), "from_event_id"),
        ((known, None), "to_event_id"),
        ((None, None), "from_event_id"),
    ):
        sent = dict(zip(("from_event_id", "to_event_id"), pair, strict=True))
        assert session.refuses(errors.InvalidRequest, "diff", **sent).details["member"] == member
    both = {"from_event_id": known, "to_event_id": known}
    for limit in (0, -1, 1_001):
        error = session.refuses(errors.InvalidRequest, "diff", **both, limit=limit)
        assert error.details["member"] == "limit"
    refused(tx, errors.SessionNotFound, "diff", session_id=NOBODY, **both)
    refused(tx, errors.InvalidRequest, "diff", session_id=None, **both)
