"""cmbs.verify_all"""

import pytest

from tests.support.beliefs import Connection, Session, rich_session


@pytest.mark.cold
def test_none(tx: Connection) -> None:
    assert tx.execute("select * from cmbs.verify_all()").fetchall() == []


def test_one_row_each(tx: Connection) -> None:
    sessions = [Session(tx), rich_session(tx)[0], Session(tx, "x")]
    found = tx.execute(
        "select session_id, ok, rows_checked, first_bad_seq, reason from cmbs.verify_all()"
    ).fetchall()
    assert sorted(found) == sorted(
        (session.id, True, session.snapshot()["audit_seq"], None, None) for session in sessions
    )
