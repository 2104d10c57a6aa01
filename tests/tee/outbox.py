"""What tests of the mirror share: mirrored sessions, what waits of them, and time that passes."""

from typing import Any

from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.support.beliefs import Connection, Session

NOW = "2090-01-01T00:00:00Z"


def mirrored(connection: Connection, *ids: str, **more: object) -> Session:
    """A session that is mirrored, of which each id was eliminated by a message of its own."""
    call(connection, "set_mirror", endpoint="tee.example:50051")
    session = Session(connection, **more)  # type: ignore[arg-type]
    for hypothesis in ids:
        session.eliminate(hypothesis)
    return session


def take(connection: Connection, **more: object) -> list[dict[str, Any]]:
    taken: list[dict[str, Any]] = call(connection, "take_mirror", **more)["sessions"]
    return taken


def seqs(taken: dict[str, Any]) -> list[int]:
    return [message["seq"] for message in taken["messages"]]


def settle(connection: Connection, session: Session, seq: int, **more: object) -> Any:
    return call(connection, "settle_mirror", session_id=session.id, seq=seq, **more)["state"]


def rows(connection: Connection, session: Session) -> list[tuple[Any, ...]]:
    """The sequence numbers of what was written for a session, and what came of them."""
    return connection.execute(
        "select seq, state from cmbs_store.tee_message where session_id = %s order by seq",
        [session.id],
    ).fetchall()


def waits(connection: Connection, session: Session) -> int:
    """The seconds until the first that was not told is tried, at the clock that stands still."""
    row = connection.execute(
        "select extract(epoch from next_at - cmbs_store.clock())::integer "
        "from cmbs_store.tee_message where session_id = %s and state <> 'delivered' "
        "order by seq limit 1",
        [session.id],
    ).fetchone()
    assert row
    return int(row[0])


def later(connection: Connection, seconds: int) -> None:
    """The clock stands still again, so much later than when it was set to NOW."""
    set_clock(connection, NOW)
    row = connection.execute(
        "select (cmbs_store.clock() + %s * interval '1 second')::text", [seconds]
    ).fetchone()
    assert row
    set_clock(connection, row[0])
