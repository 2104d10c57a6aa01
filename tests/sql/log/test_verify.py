"""cmbs.verify"""

import pytest

from cmbs import errors
from tests.support.beliefs import NOBODY, Connection, Session, refused, rich_session


@pytest.mark.cold
def test_a_whole_session(tx: Connection) -> None:
    session, _ = rich_session(tx)
    head = session.snapshot()
    assert session("verify") == {
        "ok": True,
        "rows_checked": head["audit_seq"],
        "head_hash": head["audit_head_hash"],
        "first_bad": None,
    }


def test_after_every_single_event(tx: Connection) -> None:
    session = Session(tx, "ab")
    steps = [
        lambda: None,
        lambda: session.eliminate("x"),
        lambda: session.enter("o", 1),
        lambda: session.exit("o"),
        lambda: session.conclude(),
        lambda: session.eliminate("a"),
        lambda: session.exit("o"),
        lambda: session.conclude(),
        lambda: session.terminate(),
    ]
    for step in steps:
        step()
        assert session.is_whole(), session("verify")


def test_a_session_that_was_never_touched(tx: Connection) -> None:
    assert Session(tx)("verify")["first_bad"] is None


def test_refused(tx: Connection) -> None:
    refused(tx, errors.SessionNotFound, "verify", session_id=NOBODY)
    refused(tx, errors.InvalidRequest, "verify", session_id=None)
