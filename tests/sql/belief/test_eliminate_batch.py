"""cmbs.eliminate_batch"""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import (
    NO_EVENT,
    NOBODY,
    Connection,
    Session,
    background,
    call,
    message,
    refused,
)
from tests.support.sizes import size


@pytest.mark.cold
def test_one_event_per_message_in_order(tx: Connection) -> None:
    session = Session(tx, "abcdef")
    answer = session.batch(
        message("a", "x", observation_id="1", justification={"n": 1}),
        message("a", "b", observation_id="2", notes="noted"),
        message(observation_id="3", justification=None, notes=None),
    )
    events = session.events()[1:]
    assert [result["audit_event_id"] for result in answer["results"]] == [
        event["event_id"] for event in events
    ]
    assert [result["applied_eliminated"] for result in answer["results"]] == [["a"], ["b"], []]
    assert [result["ignored_eliminated"] for result in answer["results"]] == [["x"], ["a"], []]
    assert [event["payload"]["justification"] for event in events] == [{"n": 1}, {}, {}]
    assert [event.get("notes") for event in events] == [None, "noted", None]
    assert answer["duplicate"] is False
    assert answer["snapshot"] == session.snapshot()
    assert answer["snapshot"]["survivors"] == list("cdef")
    assert session.is_whole()


def test_the_same_as_one_by_one(tx: Connection) -> None:
    at_once, singly = Session(tx, "abcdef"), Session(tx, "abcdef")
    messages = [message(*ids, observation_id=ids) for ids in ("ab", "bc", "f")]
    results = at_once.batch(*messages)["results"]
    for sent, result in zip(messages, results, strict=True):
        answer = singly("eliminate", **sent)
        assert {**result, "audit_event_id": 0} == {
            "applied_eliminated": answer["applied_eliminated"],
            "ignored_eliminated": answer["ignored_eliminated"],
            "duplicate": False,
            "audit_event_id": 0,
        }
    assert at_once.snapshot()["survivors_hash"] == singly.snapshot()["survivors_hash"]


def test_repeated(tx: Connection) -> None:
    session = Session(tx)
    messages = [message("a", observation_id="1"), message("b", observation_id="2")]
    first = session.batch(*messages)
    again = session.batch(*messages, expected_head=NO_EVENT)
    assert again["duplicate"] is True
    assert [result["duplicate"] for result in again["results"]] == [True, True]
    assert [result["audit_event_id"] for result in again["results"]] == [
        result["audit_event_id"] for result in first["results"]
    ]
    assert len(session.events()) == 3


def test_repeats_inside_are_answered_as_repeats(tx: Connection) -> None:
    session = Session(tx)
    old = session.eliminate("a", observation_id="old")
    answer = session.batch(
        message("a", observation_id="old"),
        message("b", "c", observation_id="new"),
        message("c", "b", observation_id="new"),
        expected_head=old["audit_event_id"],
    )
    assert [result["duplicate"] for result in answer["results"]] == [True, False, True]
    assert answer["results"][0]["audit_event_id"] == old["audit_event_id"]
    assert answer["results"][1]["audit_event_id"] == answer["results"][2]["audit_event_id"]
    assert answer["duplicate"] is False
    assert len(session.events()) == 3


def test_the_head_is_expected_of_the_first_new_message(tx: Connection) -> None:
    session = Session(tx)
    head = session.eliminate("a", observation_id="old")["audit_event_id"]
    session.eliminate("b")
    messages = [message("a", observation_id="old"), message("c", observation_id="new")]
    error = session.refuses(
        errors.HeadMismatch, "eliminate_batch", messages=Json(messages), expected_head=head
    )
    assert error.details["index"] == 1
    head = session.snapshot()["audit_head_event_id"]
    assert session.batch(*messages, expected_head=head)["duplicate"] is False


def test_after_termination(tx: Connection) -> None:
    session = Session(tx, "ab")
    session.batch(message("b", observation_id="old"))
    session.terminate()
    assert session.batch(message("b", observation_id="old"))["duplicate"] is True
    messages = [message("b", observation_id="old"), message("a", observation_id="new")]
    error = session.refuses(errors.SessionTerminated, "eliminate_batch", messages=Json(messages))
    assert error.details["index"] == 1


def test_a_conflict_undoes_all(tx: Connection) -> None:
    session = Session(tx)
    old = session.eliminate("a", observation_id="old")
    messages = [message("b", observation_id="new"), message("c", observation_id="old")]
    error = session.refuses(errors.Conflict, "eliminate_batch", messages=Json(messages))
    assert error.details["index"] == 1
    assert error.details["audit_event_id"] == old["audit_event_id"]
    inside = [message("b", observation_id="new"), message("c", observation_id="new")]
    error = session.refuses(errors.Conflict, "eliminate_batch", messages=Json(inside))
    assert error.details["index"] == 1
    assert "audit_event_id" not in error.details, "that event is undone with the batch"


def test_an_unknown_id_undoes_all(tx: Connection) -> None:
    session = Session(tx, policy=Json({"validate_hypotheses": True}))
    messages = [message("a", observation_id="1"), message("b", "zz", observation_id="2")]
    error = session.refuses(errors.InvalidHypothesisId, "eliminate_batch", messages=Json(messages))
    assert (error.details["index"], error.details["invalid"]) == (1, ["zz"])


WRONG: list[Any] = [
    None,
    "text",
    [],
    {},
    message("a", unknown=1),
    message("a", source_id=None),
    message("a", source_id=1),
    message("a", source_id=""),
    message("a", observation_id=None),
    message("a", observation_id={}),
    message("a", eliminated=None),
    message("a", eliminated="a"),
    message("a", eliminated=["a", None]),
    message("a", eliminated=["a", 1]),
    message("a", eliminated=["a", ""]),
    message("a", eliminated=[["a"]]),
    message("a", eliminated={"a": 1}),
    message("a", justification=[]),
    message("a", justification="x"),
    message("a", justification={"$redactable": 1}),
    message("a", notes=1),
    message("a", session_id=str(NOBODY)),
    message("a", session_id=1),
    message("a" * 513),
    {"observation_id": "o", "eliminated": []},
    {"source_id": "o", "eliminated": []},
    {"source_id": "o", "observation_id": "o"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: str(wrong)[:60])
def test_a_malformed_message(tx: Connection, wrong: Any) -> None:
    session = Session(tx)
    error = session.refuses(
        errors.InvalidRequest, "eliminate_batch", messages=Json([message("a"), wrong])
    )
    assert error.details["index"] == 1


@pytest.mark.parametrize("messages", [None, Json(None), Json({}), Json([]), Json("x")], ids=str)
def test_not_a_list_of_messages(tx: Connection, messages: object) -> None:
    session = Session(tx)
    error = session.refuses(errors.InvalidRequest, "eliminate_batch", messages=messages)
    assert error.details["member"] == "messages"


def test_a_message_may_name_its_session(tx: Connection) -> None:
    session = Session(tx)
    for name in (str(session.id), str(session.id).upper()):
        answer = session.batch(message("a", observation_id=name, session_id=name))
        assert answer["duplicate"] is False


def test_a_thousand_messages_and_one_more(tx: Connection) -> None:
    session = Session(tx, [f"{i:04}" for i in range(1001)])
    messages = [message(f"{i:04}", observation_id=str(i)) for i in range(1001)]
    session.refuses(errors.PayloadTooLarge, "eliminate_batch", messages=Json(messages))
    answer = session.batch(*messages[:1000], minimal=True)
    assert len(answer["results"]) == 1000
    assert answer["snapshot"]["n_survivors"] == 1
    assert "survivors" not in answer["snapshot"]
    assert session.is_whole()


def test_no_session(tx: Connection) -> None:
    refused(
        tx,
        errors.SessionNotFound,
        "eliminate_batch",
        session_id=uuid4(),
        messages=Json([message("a")]),
    )


# Every member is there, and as long as it may be.
FULL = message("a", observation_id="full", justification={"n": [[1e5]]}, notes="\n" * 4096)


@pytest.mark.parametrize("size", [4, 8192, 8193, 20_000])
@pytest.mark.parametrize("full", [[], [FULL]], ids=["plain", "full"])
def test_what_a_message_finds_is_what_those_before_it_left(
    tx: Connection, size: int, full: list[dict[str, Any]]
) -> None:
    ids = [f"{number:05}" for number in range(size)]
    first, last = ids[0], ids[-1]
    session = Session(tx, ids)
    answer = session.batch(
        message(last, first, first, observation_id="1"),
        message(first, "zz", observation_id="2"),
        message(observation_id="3"),
        *full,
        message("zz", ids[1], last, ids[1], "zz", observation_id="4"),
        minimal=True,
    )
    told = [
        (result["applied_eliminated"], result["ignored_eliminated"]) for result in answer["results"]
    ]
    assert told[:3] == [([first, last], []), ([], [first, "zz"]), ([], [])]
    assert told[-1] == ([ids[1]], [last, "zz"])
    assert answer["snapshot"]["n_survivors"] == size - 3
    sent = [event["payload"]["eliminated"] for event in session.events()[1:]]
    assert sent[0] == [last, first, first]
    assert sent[-1] == ["zz", ids[1], last, ids[1], "zz"]
    assert session.is_whole()


def test_the_same_observation_of_two_sources(tx: Connection) -> None:
    answer = Session(tx).batch(
        message("a", source_id="1"), message("b", source_id="2"), message("a", source_id="1")
    )
    assert [result["duplicate"] for result in answer["results"]] == [False, False, True]


@pytest.mark.parametrize("size", [4, 9000])
def test_messages_that_name_nothing(tx: Connection, size: int) -> None:
    session = Session(tx, [str(number) for number in range(size)])
    for no in range(3):
        answer = session.batch(message(observation_id=f"{no}"), message(observation_id=f"{no}b"))
        assert answer["snapshot"]["n_survivors"] == size
        assert session.is_whole()


def test_a_batch_that_begins_with_repeats(tx: Connection) -> None:
    session = Session(tx, "abcdef")
    old = session.eliminate("a", "zz", observation_id="old")
    answer = session.batch(
        message("zz", "a", observation_id="old"),
        message("a", "zz", "a", observation_id="old"),
        message("b", "a", observation_id="new"),
        message("a", "b", observation_id="new", justification={"other": 1}, notes="other"),
        message("zz", "a", observation_id="old"),
    )
    assert answer["results"][2] == {
        "applied_eliminated": ["b"],
        "ignored_eliminated": ["a"],
        "audit_event_id": session.last_event()["event_id"],
        "duplicate": False,
    }
    assert answer["results"][3] == {**answer["results"][2], "duplicate": True}
    for at in (0, 1, 4):
        assert answer["results"][at] == {
            "applied_eliminated": ["a"],
            "ignored_eliminated": ["zz"],
            "audit_event_id": old["audit_event_id"],
            "duplicate": True,
        }
    assert answer["audit_event_id"] == old["audit_event_id"], "that of the last message"
    assert (answer["duplicate"], len(session.events())) == (False, 3)
    assert session.is_whole()


@pytest.mark.parametrize("other", [["b"], ["a", "b"], []])
def test_a_repeat_inside_with_other_content(tx: Connection, other: list[str]) -> None:
    session = Session(tx)
    messages = [message(observation_id="1"), message("a", observation_id="2")]
    messages.append(message(*other, observation_id="2"))
    error = session.refuses(errors.Conflict, "eliminate_batch", messages=Json(messages))
    assert error.details == {"index": 2, "source_id": "source", "observation_id": "2"}


def test_the_first_message_that_is_wrong_is_named(tx: Connection) -> None:
    session = Session(tx, policy=Json({"validate_hypotheses": True}))
    old = session.eliminate("a", observation_id="old")["audit_event_id"]
    conflict, unknown = message("b", observation_id="old"), message("zz", "c", observation_id="1")
    inside = [message("b", observation_id="2"), message("c", observation_id="2")]
    for messages, wrong, details in (
        ([unknown, conflict], errors.InvalidHypothesisId, {"invalid": ["zz"], "n_invalid": 1}),
        ([conflict, unknown], errors.Conflict, {"audit_event_id": old}),
        ([*inside, unknown], errors.Conflict, {"observation_id": "2"}),
        ([inside[0], unknown, inside[1]], errors.InvalidHypothesisId, {"n_invalid": 1}),
    ):
        error = session.refuses(wrong, "eliminate_batch", messages=Json(messages))
        assert error.details["index"] == (1 if messages[0] == inside[0] else 0)
        assert details.items() <= error.details.items()
    malformed = [conflict, unknown, {}]
    error = session.refuses(errors.InvalidRequest, "eliminate_batch", messages=Json(malformed))
    assert error.details["index"] == 2


def test_unknown_ids_are_told_of_one_message_only(tx: Connection) -> None:
    session = Session(tx, policy=Json({"validate_hypotheses": True}))
    messages = [
        message("a", "b", observation_id="1"),
        message("y", "b", "x", "x", observation_id="2"),
        message("z", observation_id="3"),
    ]
    error = session.refuses(errors.InvalidHypothesisId, "eliminate_batch", messages=Json(messages))
    assert error.details == {"index": 1, "invalid": ["x", "y"], "n_invalid": 2}


def test_repeats_have_their_answers_whatever_the_session_is(tx: Connection) -> None:
    session = Session(tx, "ab", policy=Json({"validate_hypotheses": True}))
    messages = [message("b", observation_id=str(no)) for no in range(3)]
    first = session.batch(*messages, messages[0])
    session.terminate()
    again = session.batch(*messages[::-1], expected_head=NO_EVENT)
    assert again["duplicate"] is True
    assert [result["audit_event_id"] for result in again["results"]] == [
        result["audit_event_id"] for result in first["results"][2::-1]
    ]
    assert again["snapshot"] == session.snapshot()
    new = [*messages, message("b", observation_id="new")]
    error = session.refuses(
        errors.HeadMismatch, "eliminate_batch", messages=Json(new), expected_head=NO_EVENT
    )
    assert error.details["index"] == 3
    error = session.refuses(errors.SessionTerminated, "eliminate_batch", messages=Json(new))
    assert error.details["index"] == 3


@pytest.mark.parametrize(
    "text",
    [
        r"""{"source_id": "s\u0000", "observation_id": "o", "eliminated": []}""",
        r"""{"source_id": "s", "observation_id": "o", "eliminated": ["\ud800"]}""",
        r"""{"source_id": "s", "observation_id": "o", "eliminated": [], "notes": "\u0000"}""",
        r"""{"source_id": "s", "observation_id": "o", "eliminated": [1e200000]}""",
        r"""{"source_id": "s", "source_id": "s", "observation_id": "o", "eliminated": []}""",
        r"""{"source_id": "s", "notes": null, "observation_id": "o", "eliminated": [],
            "not\u0065s": null}""",
        r"""{"source_id": "s", "observation_id": "o", "eliminated": [],
            "justification": {"a": {"b": 1, "b": 1}}}""",
        r"""{"source_id": "s", "observation_id": "o", "eliminated": [],
            "session_id": 12345678901234567890123456789012}""",
    ],
)
def test_what_cannot_be_kept_is_named(tx: Connection, text: str) -> None:
    good = json.dumps(message("a"))
    error = Session(tx).refuses(
        errors.InvalidRequest, "eliminate_batch", messages=f"[{good}, {text}, {good}]"
    )
    assert error.details["index"] == 1


def test_records_beyond_what_an_array_of_them_holds(tx: Connection) -> None:
    """Short numbers that are long when they are printed: 18 MiB of records, written in parts."""
    session = Session(tx, "abcd")
    number = ", ".join(["1e999"] * 1000)
    text = (
        '{"source_id": "s", "observation_id": "%s", "eliminated": ["%s"], '
        f'"justification": {{"n": [{number}]}}}}'
    )
    messages = ", ".join(text % (no, "abcd"[no % 4]) for no in range(19))
    answer = session("eliminate_batch", messages=f"[{messages}, {text % (0, 'a')}]", minimal=True)
    assert [result["duplicate"] for result in answer["results"]] == [False] * 19 + [True]
    assert answer["snapshot"]["audit_seq"] == 20
    assert session.is_whole()


IDS = ["a", "b", "c", "d", "\u00e4", 'q"\\\n', "\U0001f600", "unknown", "other"]
sent_messages = st.lists(
    st.fixed_dictionaries(
        {
            "source_id": st.sampled_from(["s", "t/\u00e4"]),
            "observation_id": st.sampled_from(["1", "2", "3", "4", 'five"']),
            "eliminated": st.lists(st.sampled_from(IDS), max_size=4),
        },
        optional={
            "justification": st.sampled_from([None, {}, {"b": 1.50, "a": [None, {"x": 'y"'}]}]),
            "notes": st.sampled_from([None, "", "n\u00f6te"]),
        },
    ),
    min_size=1,
    max_size=8,
)
# What two sessions cannot have in common.
OWN = re.compile(r'"(ts|event_id|session_id|prev_event_hash)": "[^"]*"')


@settings(
    max_examples=size(20, 60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(sent=sent_messages, old=sent_messages, size=st.sampled_from([1, 3, 9000]))
def test_a_batch_is_its_messages_sent_singly(
    tx: Connection, sent: list[dict[str, Any]], old: list[dict[str, Any]], size: int
) -> None:
    ids = [*IDS[:-2], *map(str, range(size))]
    Session(tx, ids)  # and the universe stays, for the other examples
    with tx.transaction(force_rollback=True):
        at_once, singly = Session(tx, ids), Session(tx, ids)
        for session in (at_once, singly):
            _send_singly(session, old)
        expected, conflicts = _send_singly(singly, sent)
        if conflicts:
            error = at_once.refuses(errors.Conflict, "eliminate_batch", messages=Json(sent))
            assert error.details["index"] == conflicts[0]
            return
        answer = at_once.batch(*sent)
        assert [_outcome(result) for result in answer["results"]] == expected
        assert answer["duplicate"] == all(one["duplicate"] for one in expected)
        assert answer["snapshot"] == at_once.snapshot()
        assert _records(at_once) == _records(singly)
        for session in (at_once, singly):
            assert session.is_whole()


def _records(session: Session) -> list[tuple[str, ...]]:
    rows = session.connection.execute(
        "select e.record, e.verb, e.actor, e.source_id, e.observation_id, t.ids::text "
        "from cmbs_store.audit_event as e left join lateral ("
        "select array_agg(t.hypothesis_id order by t.hypothesis_id) as ids "
        "from cmbs_store.tombstone as t where t.session_id = e.session_id and t.seq = e.seq"
        ") as t on true where e.session_id = %s order by e.seq",
        [session.id],
    )
    return [(OWN.sub("", record), *rest) for record, *rest in rows]


def _outcome(answer: dict[str, Any]) -> dict[str, Any]:
    """What an answer tells, with the event by its place in the log."""
    members = ("applied_eliminated", "ignored_eliminated", "duplicate")
    return {name: answer[name] for name in members} | {
        "seq": UUID(answer["audit_event_id"]).int & 0xFFFFFFFFFFFF
    }


def _send_singly(
    session: Session, sent: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[int]]:
    """The outcomes, and which messages were refused for they conflict."""
    answers, conflicts = [], []
    for index, one in enumerate(sent):
        justification = json.dumps(one.get("justification"))
        arguments = {**one, "justification": None if justification == "null" else justification}
        try:
            with session.connection.transaction():
                answers.append(_outcome(session("eliminate", **arguments)))
        except errors.Conflict:
            conflicts.append(index)
    return answers, conflicts


def test_batches_that_overlap_at_the_same_time(database: str) -> None:
    """Every message is recorded once, by whichever batch came first; ids are won once."""
    with psycopg.connect(database, autocommit=True) as connection:
        session = Session(connection, [str(number) for number in range(9000)])

        def send(client: int) -> list[dict[str, Any]]:
            with psycopg.connect(database, autocommit=True) as own:
                answers = []
                for first in range(0, 40, 5):
                    numbers = range(first, first + 10)
                    answers += call(
                        own,
                        "eliminate_batch",
                        session_id=session.id,
                        messages=Json(
                            [
                                message(str(no), str(no + 1), observation_id=str(no))
                                for no in (numbers if client % 2 else reversed(numbers))
                            ]
                        ),
                        minimal=True,
                    )["results"]
                return answers

        with ThreadPoolExecutor(8) as clients:
            answers = [one for found in clients.map(send, range(8)) for one in found]
        new = [one for one in answers if not one["duplicate"]]
        assert len(new) == 45
        assert len({one["audit_event_id"] for one in answers}) == 45
        assert sorted(int(one) for each in new for one in each["applied_eliminated"]) == [
            *range(46)
        ]
        assert session.snapshot()["audit_seq"] == 46
        assert session.is_whole()


def test_a_batch_waits_its_turn(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first)
        first.commit()
        session.batch(message("a", observation_id="1"), message("b", observation_id="2"))
        late = calls.call(
            "eliminate_batch",
            session_id=session.id,
            messages=Json([message("b", observation_id="2"), message("c", observation_id="3")]),
        )
        calls.wait_until_blocked()
        first.commit()
        assert [result["duplicate"] for result in late.result()["results"]] == [True, False]
        assert session.snapshot()["survivors"] == ["d"]
        assert session.is_whole()


@pytest.mark.nightly
def test_repeats_of_a_long_message_read_it_once(db: Connection) -> None:
    """A thousand of them took longer than any statement may."""
    session = Session(db, "abc")
    session.eliminate(*["a"] * 1_000_000, source_id="source", observation_id="long")
    db.execute("set statement_timeout = '20s'")
    again = [message(*"a" * (1 + n % 3), observation_id="long") for n in range(999)]
    answer = session.batch(*again)
    assert [one["duplicate"] for one in answer["results"]] == [True] * 999
    assert {tuple(one["applied_eliminated"]) for one in answer["results"]} == {("a",)}
    again.append(message("b", observation_id="long"))
    session.refuses(errors.Conflict, "eliminate_batch", messages=Json(again))
