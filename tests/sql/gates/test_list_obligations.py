"""cmbs.list_obligations"""

import pytest

from cmbs import errors
from tests.support.beliefs import NOBODY, Connection, Session, refused


@pytest.mark.cold
def test_every_state(tx: Connection) -> None:
    session = Session(tx, "abcde")
    assert session("list_obligations") == {"obligations": []}
    entered = [session.enter("o", 1)]
    session.eliminate("a", "b")
    ended = [session.exit("o")]
    session.eliminate("c")
    entered.append(session.enter("p", 100))
    session.exit("p")
    ended.append(session.waive("p"))
    entered.append(session.enter("o", 2))
    session.eliminate("d")
    session.exit("o")
    expected = [("o", "exited", 1, 2), ("p", "waived", 100, 0), ("o", "active", 2, 1)]
    found = session("list_obligations")["obligations"]
    assert [
        (o["obligation_id"], o["state"], o["min_total_eliminations"], o["counted"]) for o in found
    ] == expected
    assert [o["entered_event_id"] for o in found] == [e["audit_event_id"] for e in entered]
    assert [o["ended_event_id"] for o in found] == [*(e["audit_event_id"] for e in ended), None]


def test_refused(tx: Connection) -> None:
    refused(tx, errors.SessionNotFound, "list_obligations", session_id=NOBODY)
    refused(tx, errors.InvalidRequest, "list_obligations", session_id=None)
