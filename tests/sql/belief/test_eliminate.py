"""cmbs.eliminate"""

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.sql.log.test_vectors import set_clock
from tests.support.beliefs import (
    NO_EVENT,
    NOBODY,
    Connection,
    Session,
    background,
    message,
    refused,
)


@pytest.mark.cold
def test_survivors_lose_what_was_asked_for(tx: Connection) -> None:
    session = Session(tx, "abcde")
    answer = session.eliminate("d", "b", "unknown", "b")
    assert answer["applied_eliminated"] == ["b", "d"]
    assert answer["ignored_eliminated"] == ["unknown"]
    assert answer["duplicate"] is False
    assert answer["snapshot"]["survivors"] == ["a", "c", "e"]
    assert answer["snapshot"] == session.snapshot()
    answer = session.eliminate("b", "c", "zz", "unknown")
    assert answer["applied_eliminated"] == ["c"]
    assert answer["ignored_eliminated"] == ["b", "unknown", "zz"]
    assert session.is_whole()


@pytest.mark.parametrize("ids", [[], ["unknown"], ["gone"]])
def test_nothing_applied_is_still_audited(tx: Connection, ids: list[str]) -> None:
    session = Session(tx, ["a", "gone"])
    session.eliminate("gone")
    before = session.snapshot()
    answer = session.eliminate(*ids)
    assert (answer["applied_eliminated"], answer["ignored_eliminated"]) == ([], ids)
    after = answer["snapshot"]
    assert after["survivors_hash"] == before["survivors_hash"]
    assert after["audit_seq"] == before["audit_seq"] + 1
    assert session.last_event()["delta"] == {"eliminated": []}


def test_down_to_none(tx: Connection) -> None:
    session = Session(tx, "ab")
    assert session.eliminate("a", "b")["snapshot"]["entropy_proxy"] == 0
    assert session.snapshot()["survivors"] == []
    assert session.eliminate("a")["applied_eliminated"] == []


def test_as_sent_is_what_is_recorded(tx: Connection) -> None:
    session = Session(tx)
    session.eliminate("c", "x", "c", "a", justification=Json({"k": [1, {"l": None}]}), notes="n")
    event = session.last_event()
    assert event["payload"]["eliminated"] == ["c", "x", "c", "a"]
    assert event["payload"]["justification"] == {"k": [1, {"l": None}]}
    assert event["delta"]["eliminated"] == ["a", "c"]
    assert event["notes"] == "n"


@pytest.mark.parametrize("again", [["b", "x", "a"], ["a", "b", "b", "x", "a"]])
def test_repeated(tx: Connection, again: list[str]) -> None:
    session = Session(tx)
    first = session.eliminate("a", "b", "x", observation_id="same")
    session.eliminate("c")
    second = session.eliminate(
        *again,
        observation_id="same",
        justification=Json({"other": 1}),
        notes="other",
        expected_head=NO_EVENT,
    )
    assert second == {**first, "duplicate": True, "snapshot": session.snapshot()}
    assert len(session.events()) == 3


def test_repeated_after_termination(tx: Connection) -> None:
    session = Session(tx, "ab")
    first = session.eliminate("a", observation_id="same")
    session.terminate()
    second = session.eliminate("a", observation_id="same", expected_head=NO_EVENT)
    assert second["duplicate"] is True
    assert second["audit_event_id"] == first["audit_event_id"]
    assert second["snapshot"]["terminated"] is True


@pytest.mark.parametrize("other", [[], ["a"], ["a", "b", "c"], ["A", "b"]])
def test_the_same_observation_with_other_content(tx: Connection, other: list[str]) -> None:
    session = Session(tx)
    first = session.eliminate("a", "b", observation_id="same")
    error = session.refuses(
        errors.Conflict,
        "eliminate",
        source_id="source",
        observation_id="same",
        eliminated=other,
    )
    assert error.details["audit_event_id"] == first["audit_event_id"]


def test_an_identity_is_two_columns(tx: Connection) -> None:
    session = Session(tx)
    names = [("a", "b"), ("b", "a"), ("a", "B"), ("ab", "c"), ("a", "bc"), ("a:", "b"), ("a", ":b")]
    for source, observation in names:
        answer = session.eliminate("a", source_id=source, observation_id=observation)
        assert answer["duplicate"] is False
    assert Session(tx).eliminate(source_id="a", observation_id="b")["duplicate"] is False


def test_unknown_ids_where_they_are_refused(tx: Connection) -> None:
    session = Session(tx, policy=Json({"validate_hypotheses": True}))
    unknown = [f"u{i:03}" for i in range(150, 0, -1)]
    error = session.refuses(
        errors.InvalidHypothesisId,
        "eliminate",
        source_id="s",
        observation_id="o",
        eliminated=["a", *unknown, "u001"],
    )
    assert error.details["invalid"] == sorted(unknown)[:100]
    answer = session.eliminate("a", "a", source_id="s", observation_id="o")
    assert answer["applied_eliminated"] == ["a"], "the refused message left no trace"
    assert session.eliminate("a")["ignored_eliminated"] == ["a"], "gone is not unknown"


def test_a_single_unknown_id_is_enough(tx: Connection) -> None:
    session = Session(tx, policy=Json({"validate_hypotheses": True}))
    sent = {"source_id": "s", "observation_id": "o", "eliminated": ["a", "u"]}
    error = session.refuses(errors.InvalidHypothesisId, "eliminate", **sent)
    assert error.details == {"invalid": ["u"], "n_invalid": 1}


def test_no_event_is_earlier_than_the_one_before(tx: Connection) -> None:
    """Whatever the clock of the machine does: a log whose times go back would not verify."""
    session = Session(tx, "abc")
    for at in ("2400-01-01T00:00:02Z", "2400-01-01T00:00:01Z", "2000-01-01T00:00:00Z"):
        set_clock(tx, at)
        session.eliminate("a")
        session.batch(message("b", observation_id=at))
    told = [event["ts"] for event in session.events()]
    assert told[1:] == ["2400-01-01T00:00:02.000000Z"] * 6
    assert session.is_whole()


def test_the_expected_head(tx: Connection) -> None:
    session = Session(tx)
    head = session.declared["audit_event_id"]
    after = session.eliminate("a", expected_head=head)["audit_event_id"]
    error = session.refuses(
        errors.HeadMismatch,
        "eliminate",
        source_id="s",
        observation_id="o",
        eliminated=["b"],
        expected_head=head,
    )
    assert error.details == {"expected_head": head, "audit_head_event_id": after}


@pytest.mark.parametrize(
    "wrong",
    [
        {"source_id": None},
        {"source_id": ""},
        {"observation_id": None},
        {"observation_id": ""},
        {"eliminated": None},
        {"eliminated": ["a", None]},
        {"eliminated": ["a", ""]},
        {"justification": Json([])},
        {"justification": Json(None)},
        {"session_id": None},
    ],
    ids=str,
)
def test_refused(tx: Connection, wrong: dict[str, object]) -> None:
    sent = {
        "session_id": Session(tx).id,
        "source_id": "s",
        "observation_id": "o",
        "eliminated": ["a"],
        **wrong,
    }
    error = refused(tx, errors.InvalidRequest, "eliminate", **sent)
    assert [error.details["member"]] == list(wrong)


def test_no_session(tx: Connection) -> None:
    error = refused(
        tx,
        errors.SessionNotFound,
        "eliminate",
        session_id=NOBODY,
        source_id="s",
        observation_id="o",
        eliminated=["a"],
    )
    assert error.details == {"session_id": str(NOBODY)}


@pytest.mark.parametrize("n", [8191, 8192, 8193, 20000])
def test_masks_of_one_row_and_of_many(tx: Connection, n: int) -> None:
    ids = [f"{i:05}" for i in range(n)]
    session = Session(tx, ids, minimal=True)
    gone = [ids[0], ids[8190], *ids[8191:8200], ids[n - 1], ids[1]]
    answer = session.eliminate(*gone)
    assert answer["applied_eliminated"] == sorted(set(gone))
    assert answer["snapshot"]["survivors"] == [i for i in ids if i not in gone]
    assert session.is_whole()


def test_the_same_message_twice_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first)
        first.commit()
        mine = session.eliminate("a", "b", observation_id="same")
        sent = {"session_id": session.id, "source_id": "source", "observation_id": "same"}
        theirs = [calls.call("eliminate", eliminated=["b", "a"], **sent) for _ in range(3)]
        other = calls.call("eliminate", eliminated=["c"], **sent)
        calls.wait_until_blocked(4)
        first.commit()
        for answer in theirs:
            assert answer.result() == {**mine, "duplicate": True}
        assert isinstance(other.exception(), errors.Conflict)
        assert len(session.events()) == 2


def test_one_of_two_who_read_the_same_head_is_late(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first)
        first.commit()
        head = session.declared["audit_event_id"]
        session.eliminate("a", expected_head=head)
        late = calls.call(
            "eliminate",
            session_id=session.id,
            source_id="late",
            observation_id="1",
            eliminated=["b"],
            expected_head=head,
        )
        calls.wait_until_blocked()
        first.commit()
        assert isinstance(late.exception(), errors.HeadMismatch)
        assert session.is_whole()


def test_the_later_of_two_builds_on_the_earlier(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first)
        first.commit()
        session.eliminate("a", "b")
        late = calls.call(
            "eliminate",
            session_id=session.id,
            source_id="late",
            observation_id="1",
            eliminated=["b", "c"],
        )
        calls.wait_until_blocked()
        first.commit()
        assert late.result()["applied_eliminated"] == ["c"]
        assert late.result()["ignored_eliminated"] == ["b"]
        assert session.is_whole()


def test_sessions_do_not_wait_for_each_other(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        one, two = Session(first), Session(first)
        first.commit()
        one.eliminate("a")
        free = calls.call(
            "eliminate", session_id=two.id, source_id="s", observation_id="o", eliminated=["a"]
        )
        assert free.result(timeout=30)["applied_eliminated"] == ["a"]
