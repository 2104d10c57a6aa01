"""cmbs.list_conclusions"""

import pytest

from cmbs import errors
from tests.support.beliefs import NOBODY, Connection, Session, refused


@pytest.mark.cold
def test_accepted_or_not(tx: Connection) -> None:
    session = Session(tx)
    assert session("list_conclusions") == {"conclusions": []}
    session.conclude("x")
    session.enter("o", 0)
    session.conclude("y")
    session.exit("o")
    session.conclude("x")
    found = session("list_conclusions")["conclusions"]
    events = [e for e in session.events() if e["verb"] == "DECLARE_CONCLUSION"]
    assert found == [
        {
            "conclusion_id": conclusion_id,
            "accepted": accepted,
            "event_id": event["event_id"],
            "ts": event["ts"],
            "actor": event["actor"],
        }
        for (conclusion_id, accepted), event in zip(
            [("x", True), ("y", False), ("x", True)], events, strict=True
        )
    ]


def test_refused(tx: Connection) -> None:
    refused(tx, errors.SessionNotFound, "list_conclusions", session_id=NOBODY)
    refused(tx, errors.InvalidRequest, "list_conclusions", session_id=None)
