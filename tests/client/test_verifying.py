"""A client that verifies returns nothing that is not in one chain with what it has seen."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from cmbs.answers import SessionPolicy
from cmbs.client import ChainBroken, Client, verbs
from cmbs.client.chain import Head
from cmbs.client.flow import Flow
from cmbs.client.proof import asked
from cmbs.client.sync import _Channel
from cmbs.errors import EventNotFound
from tests.client.between import Answered, Asked, Front, fronting
from tests.client.conftest import Connect
from tests.client.liar import Behind, as_lines, as_row, showing
from tests.client.test_methods import BUNDLE, CAUSES, declare
from tests.support.tampering import Log, Row, forged, linked, renumbered

Edit = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.fixture
def front(site: SimpleNamespace) -> Iterator[Front]:
    with fronting(site.address) as front:
        yield front


@pytest.fixture
def honest(site: SimpleNamespace) -> Iterator[Client]:
    """Another caller, who speaks to the server itself."""
    with Client(site.address) as client:
        yield client


@pytest.fixture
def client(connect: Connect, front: Front) -> Any:
    return connect(front.address, verify=True)


@pytest.fixture
def session(client: Any) -> str:
    """A session of four events, all of which the client has seen."""
    session = declare(client)
    for n in range(3):
        client.eliminate(session, "s", str(n), ["dns"])
    return session


def broken(call: Callable[[], Any]) -> tuple[int, str]:
    with pytest.raises(ChainBroken) as caught:
        call()
    error = caught.value
    assert str(error) == f"session {error.session_id}, event {error.seq}: {error.reason}"
    return error.seq, error.reason


def other_source(record: dict[str, Any]) -> dict[str, Any]:
    return record | {"payload": record["payload"] | {"source_id": "forged"}}


CALLS: dict[str, Callable[[Any, str], Any]] = {
    "eliminate": lambda client, session: client.eliminate(session, "s", "new", ["dns"]),
    "batch": lambda client, session: client.eliminate_batch(
        session,
        [{"source_id": "s", "observation_id": f"new {n}", "eliminated": []} for n in (1, 2)],
    ),
    "gate": lambda client, session: client.declare_conclusion(session, "c"),
    "trace": lambda client, session: client.audit_trace(session),
    "stream": lambda client, session: [*client.audit_stream(session)],
    "repeat": lambda client, session: client.eliminate(session, "s", "0", ["dns"]),
}


@pytest.mark.parametrize("call", CALLS)
def test_an_honest_server(client: Any, session: str, call: str, honest: Client) -> None:
    honest.eliminate(session, "other", "1", ["disk_full"])
    CALLS[call](client, session)
    honest.eliminate(session, "other", "2", ["disk_full"])
    CALLS[call](client, session)
    assert client.audit_trace(session) == honest.audit_trace(session)


@pytest.mark.parametrize("at", [0, 1, 3], ids=["first", "second", "last"])
@pytest.mark.parametrize("call", CALLS)
def test_history_is_rewritten_between_two_calls(
    client: Any, front: Front, session: str, connect: Connect, call: str, at: int
) -> None:
    edit = (lambda record: record | {"notes": "forged"}) if at == 0 else other_source
    front.lie = showing(lambda rows: forged(rows, at, edit))
    seq, reason = broken(lambda: CALLS[call](client, session))
    assert 1 <= seq <= 6, reason
    # The lie is a whole chain, and whoever comes for the first time must take it for one.
    other = connect(front.address, verify=True)
    if call != "repeat" or at != 1:
        CALLS[call](other, session)
    # And what the client knows is still what it knew.
    front.lie = None
    CALLS[call](client, session)


def test_old_events_are_held_to_it_too(client: Any, front: Front, session: str) -> None:
    declared, second, third, fourth = client.audit_trace(session)
    front.lie = showing(lambda rows: forged(rows, 1, other_source))
    for event in (declared, second, third, fourth):
        assert broken(lambda event=event: client.audit_event(session, event.event_id))[0] == 4
    assert broken(lambda: client.audit_trace(session, second.event_id))[0] == 4
    # What follows the event that is known is nothing, and says nothing.
    assert client.audit_trace(session, fourth.event_id) == []
    with pytest.raises(EventNotFound):
        client.audit_event(session, uuid4())


def without(n: int) -> Callable[[Log], Log]:
    return lambda rows: rows[: n - 1] + rows[n:]


@pytest.mark.parametrize("n", [2, 3])
def test_an_event_is_dropped(client: Any, front: Front, session: str, n: int) -> None:
    front.lie = showing(without(n))
    assert broken(lambda: client.audit_trace(session)) == (
        n,
        f"event {n + 1} follows event {n - 1}",
    )
    front.lie = showing(lambda rows: renumbered(without(n)(rows), n - 1))
    assert broken(lambda: client.audit_trace(session))[0] in (2, 3, 4)


def test_the_event_of_the_message_is_dropped(client: Any, front: Front, session: str) -> None:
    front.lie = showing(lambda rows: rows[:-1])
    said = broken(lambda: client.eliminate(session, "s", "new", []))
    assert said == (4, "the log has become shorter")
    front.lie = showing(lambda rows: rows[:3])
    assert broken(lambda: client.eliminate(session, "s", "new", []))[1] == (
        "the log has become shorter"
    )
    assert broken(lambda: client.audit_trace(session)) == (3, "the log ends before its head")
    # Its place is taken by that of somebody else.
    front.lie = None
    client.eliminate(session, "s", "new", [])
    front.lie = showing(lambda rows: renumbered([*rows[:5], *rows[6:]], 5))
    assert broken(lambda: CALLS["batch"](client, session))[1] == "the log has become shorter"
    after = "00000000-0000-4000-8000-000000000063"
    front.lie = answering(audit_event_id=after, duplicate=True)
    assert broken(lambda: CALLS["repeat"](client, session)) == (
        99,
        "the event is after the head of the answer",
    )


def test_another_log_is_shown(client: Any, front: Front, session: str, honest: Client) -> None:
    other = declare(honest)
    front.lie = lambda asked, behind: behind(
        Asked(asked.method, asked.path.replace(session, other), asked.headers, asked.body)
    )
    assert broken(lambda: client.audit_trace(session))[1] == "the event is of another session"
    assert broken(lambda: client.request_termination(session))[1] == (
        "the answer is none to what was sent"
    )


def test_a_session_is_gone(client: Any, front: Front, session: str) -> None:
    other = str(uuid4())

    def lie(asked: Asked, behind: Behind) -> Answered:
        path = asked.path.replace(session, other) if asked.method == "GET" else asked.path
        return behind(Asked(asked.method, path, asked.headers, asked.body))

    front.lie = lie
    assert broken(lambda: client.request_termination(session)) == (5, "the log lacks an event")
    assert broken(lambda: client.audit_trace(session))[1] == "the log lacks an event that was there"


def test_a_log_that_ends_too_early(client: Any, front: Front, session: str) -> None:
    def lie(asked: Asked, behind: Behind) -> Answered:
        return Answered(200, b"") if asked.method == "GET" else behind(asked)

    front.lie = lie
    assert broken(lambda: client.request_termination(session)) == (
        5,
        "the log ends before its head",
    )
    assert broken(lambda: client.audit_trace(session)) == (0, "the log ends before its head")


def of_lines(edit: Callable[[list[dict[str, Any]]], None]) -> Callable[[Asked, Behind], Answered]:
    """A lie about the lines of a log as they are sent."""

    def lie(asked: Asked, behind: Behind) -> Answered:
        told = behind(asked)
        if asked.method == "GET" and "/audit" in asked.path:
            lines = told.lines
            edit(lines)
            return Answered(200, b"".join(json.dumps(one).encode() + b"\n" for one in lines))
        return told

    return lie


def test_a_record_is_changed(client: Any, front: Front, session: str) -> None:
    def edit(lines: list[dict[str, Any]]) -> None:
        lines[-1]["record"] = lines[-1]["record"].replace('"api"', '"eve"')

    front.lie = of_lines(edit)
    for call in ("eliminate", "batch", "trace"):
        assert broken(lambda call=call: CALLS[call](client, session))[1] == (
            "the record does not have this hash"
        )

    def with_hash(lines: list[dict[str, Any]]) -> None:
        edit(lines)
        (row,) = linked([Row(0, "", "x"), as_row(lines[-1])], 1)[1:]
        lines[-1] |= {"event_hash": row.event_hash, "record": row.record}

    front.lie = of_lines(with_hash)
    assert broken(lambda: CALLS["trace"](client, session))[0] >= 4


@pytest.mark.parametrize(
    "record",
    ["x", "{}", "[]", "null", '{"v": 1}', '{"seq": 1, "payload": []}', "[" * 9999 + "]" * 9999],
    ids=lambda record: record[:9],
)
def test_a_record_that_is_none(client: Any, front: Front, session: str, record: str) -> None:
    def edit(lines: list[dict[str, Any]]) -> None:
        (row,) = [Row(0, "", record)]
        lines[0] |= {"record": row.record}

    front.lie = of_lines(edit)
    assert broken(lambda: client.audit_trace(session)) == (1, "the line holds no record")


def test_the_hypotheses_are_changed(client: Any, front: Front, session: str) -> None:
    front.lie = of_lines(lambda lines: lines[0].update(hypotheses=["dns"]))
    said = "the hypotheses are not those that were declared"
    assert broken(lambda: client.audit_trace(session)) == (1, said)
    front.lie = of_lines(lambda lines: lines[0].pop("hypotheses"))
    said = "hypotheses belong to the first line, and no other"
    assert broken(lambda: client.audit_trace(session)) == (1, said)
    front.lie = of_lines(lambda lines: lines[1].update(hypotheses=["dns"]))
    assert broken(lambda: client.audit_trace(session)) == (2, said)


def answering(**members: Any) -> Callable[[Asked, Behind], Answered]:
    """A lie about the answer to a message, and nothing else."""

    def lie(asked: Asked, behind: Behind) -> Answered:
        told = behind(asked)
        if asked.method == "POST":
            return Answered(told.status, json.dumps(told.json | members).encode())
        return told

    return lie


def test_another_event_is_answered(client: Any, front: Front, session: str, honest: Client) -> None:
    events = client.audit_trace(session)
    wrong = "the event does not say what was sent"
    for n, event in enumerate(events, 1):
        front.lie = answering(audit_event_id=event.event_id, duplicate=True)
        said = broken(lambda n=n: client.eliminate(session, "s", f"new {n}", ["dns"]))
        assert said == (n, wrong)
    # Somebody else's, of a moment ago.
    other = honest.eliminate(session, "other", "1", ["dns"]).event_id
    front.lie = answering(audit_event_id=other, duplicate=True)
    assert broken(lambda: client.eliminate(session, "s", "other", ["dns"]))[1] == wrong
    assert broken(lambda: client.request_termination(session))[1] == wrong
    # There is none like it.
    head = honest.query_belief(session).audit_seq + 1
    front.lie = answering(audit_event_id=f"00000000-0000-4000-8000-{head:012x}")
    said = broken(lambda: client.eliminate(session, "s", "none", []))
    assert said == (head, "the event that was answered is not in the log")
    front.lie = answering(audit_event_id="none")
    assert broken(lambda: client.eliminate(session, "s", "no uuid", []))[1] == (
        "the answer names no event"
    )
    front.lie = answering(audit_event_id=str(uuid4()))
    broken(lambda: client.eliminate(session, "s", "random", []))
    front.lie = answering(audit_event_id="00000000-0000-4000-8000-000000000001", duplicate=True)
    said = broken(lambda: client.eliminate(session, "s", "old", []))
    assert said[1] == "the log lacks an event"


def test_an_old_event_is_shown_otherwise(client: Any, front: Front, session: str) -> None:
    _, second, third, _ = client.audit_trace(session)
    repeat = CALLS["repeat"]

    def forging(edit: Callable[[str], str]) -> Callable[[Asked, Behind], Answered]:
        def lie(asked: Asked, behind: Behind) -> Answered:
            told = behind(asked)
            is_event = f"/audit/{second.event_id}" in asked.path
            return Answered(200, edit(told.body.decode()).encode()) if is_event else told

        return lie

    front.lie = forging(lambda text: text.replace('"api"', '"eve"'))
    said = (2, "the record does not have this hash")
    assert broken(lambda: repeat(client, session)) == said
    assert broken(lambda: client.audit_event(session, second.event_id)) == said
    assert broken(lambda: client.audit_trace(session, second.event_id)) == said

    # Event 3, whole and in its place, under an id that says 2.
    other = third.event_id[:-1] + "2"

    def renamed(asked: Asked, behind: Behind) -> Answered:
        asked.path = asked.path.replace(other, third.event_id)
        return answering(audit_event_id=other)(asked, behind)

    front.lie = renamed
    assert broken(lambda: repeat(client, session)) == (2, "the event has another number")


def test_a_batch_is_answered_with_the_events_of_others(
    client: Any, front: Front, session: str
) -> None:
    def permuted(change: Callable[[list[Any]], list[Any]]) -> Callable[[Asked, Behind], Answered]:
        def lie(asked: Asked, behind: Behind) -> Answered:
            told = behind(asked)
            if asked.method == "POST":
                members = told.json
                members["results"] = change(members["results"])
                return Answered(200, json.dumps(members).encode())
            return told

        return lie

    changes: list[Callable[[list[Any]], list[Any]]] = [
        lambda results: results[::-1],
        lambda results: [results[0]] * 2,
        lambda results: [results[0], results[1] | {"duplicate": True}],
        lambda results: [results[0] | {"duplicate": 0}, results[1]],
        lambda results: [results[0] | {"applied_eliminated": ["dns"]}, results[1]],
        lambda results: [results[0] | {"ignored_eliminated": ["dns"]}, results[1]],
    ]
    for n, change in enumerate(changes):
        messages = [
            {"source_id": "s", "observation_id": f"{n}/{one}", "eliminated": []} for one in "ab"
        ]
        front.lie = permuted(change)
        broken(lambda messages=messages: client.eliminate_batch(session, messages))
        front.lie = None
        assert client.eliminate_batch(session, messages).duplicate is True


RECORDED_OTHERWISE: list[tuple[Callable[[Any, str], Any], dict[str, Any]]] = [
    (CALLS["eliminate"], {"source_id": "forged"}),
    (CALLS["eliminate"], {"observation_id": "forged"}),
    (CALLS["eliminate"], {"eliminated": ["dns", "disk_full"]}),
    (CALLS["eliminate"], {"eliminated": []}),
    (
        CALLS["batch"],
        {"messages": [{"source_id": "s", "observation_id": "f", "eliminated": []}] * 2},
    ),
    (CALLS["gate"], {"conclusion_id": "forged"}),
    (lambda client, session: client.enter_obligation(session, "o", 2), {"obligation_id": "f"}),
    (
        lambda client, session: client.enter_obligation(session, "o", 2),
        {"min_total_eliminations": 0},
    ),
    (lambda client, _: declare(client), {"hypotheses": ["dns"]}),
    (lambda client, _: declare(client), {"ontology": BUNDLE.to_dict() | {"causal_graph_ref": "f"}}),
]


@pytest.mark.parametrize(("call", "members"), RECORDED_OTHERWISE)
def test_something_else_is_recorded_than_was_sent(
    client: Any,
    front: Front,
    session: str,
    call: Callable[[Any, str], Any],
    members: dict[str, Any],
) -> None:
    def lie(asked: Asked, behind: Behind) -> Answered:
        if asked.method == "POST":
            asked.body = json.dumps(json.loads(asked.body) | members).encode()
        return behind(asked)

    front.lie = lie
    assert broken(lambda: call(client, session))[1] == "the event does not say what was sent"


@pytest.mark.parametrize("verb", ["exit", "waive"])
def test_the_wrong_obligation_is_left(
    client: Any, front: Front, session: str, honest: Client, verb: str
) -> None:
    honest.enter_obligation(session, "other", 0)

    def lie(asked: Asked, behind: Behind) -> Answered:
        asked.path = asked.path.replace("/mine/", "/other/")
        return behind(asked)

    front.lie = lie
    leave = {
        "exit": lambda: client.request_exit(session, "mine"),
        "waive": lambda: client.waive_obligation(session, "mine", "r"),
    }
    assert broken(leave[verb])[1] == "the event does not say what was sent"


def test_a_message_is_answered_with_another_of_the_same_content(
    client: Any, front: Front, session: str
) -> None:
    """Two conclusions say the same; which of them is this one, its request id says."""
    first = client.declare_conclusion(session, "c").event_id
    front.lie = answering(audit_event_id=first, duplicate=True)
    assert broken(lambda: client.declare_conclusion(session, "c"))[1] == (
        "the event does not say what was sent"
    )


def test_another_session_is_answered(client: Any, front: Front) -> None:
    front.lie = answering(session_id=str(uuid4()))
    assert broken(lambda: declare(client))[1] == "the answer is none to what was sent"


def test_messages_of_long_ago_are_found_again(
    connect: Connect, site: SimpleNamespace, session: str, honest: Client
) -> None:
    messages = [
        {"source_id": "s", "observation_id": str(n), "eliminated": ["dns"]} for n in range(3)
    ]
    for _ in range(20):
        honest.declare_conclusion(session, "c")
    again = connect(site.address, verify=True)
    for message in messages * 2:
        assert again.eliminate(session, **message).duplicate is True
    assert again.eliminate_batch(session, messages).duplicate is True
    assert again.declare_session(BUNDLE, CAUSES, session_id=session).duplicate is True
    mixed = again.eliminate_batch(
        session, [*messages, {"source_id": "s", "observation_id": "new", "eliminated": []}]
    )
    assert [one.duplicate for one in mixed.results] == [True] * 3 + [False]


def test_a_stream_and_what_happens_meanwhile_are_one_chain(
    client: Any, front: Front, session: str, honest: Client
) -> None:
    stream = client.audit_stream(session)
    found = [next(stream), next(stream)]
    honest.eliminate(session, "other", "1", [])
    client.eliminate(session, "s", "meanwhile", [])
    found += stream
    assert found == client.audit_trace(session)
    assert [event.seq for event in found] == [1, 2, 3, 4, 5, 6]


def test_a_stream_of_another_chain_than_the_answers(
    connect: Connect, client: Any, front: Front, session: str
) -> None:
    front.lie = showing(lambda rows: forged(rows, 1, other_source))
    newcomer = connect(front.address, verify=True)
    stream = newcomer.audit_stream(session)
    assert next(stream).seq == 1
    # Meanwhile it is told the truth, which is another chain from event 2 on.
    front.lie = None
    newcomer.eliminate(session, "s", "meanwhile", [])
    with pytest.raises(ChainBroken) as caught:
        assert [*stream]
    assert caught.value.seq == 2


def test_two_ends_of_one_beginning(front: Front, honest: Client, site: SimpleNamespace) -> None:
    """Two calls at once begin at the same head, and are led to different ends."""
    with Client(front.address, verify=True) as client:
        session = declare(client)
        channel = _Channel(client._http)
        front.lie = fork = showing(lambda rows: forged(rows, 1, lambda it: it | {"actor": "eve"}))
        flow = asked(client._conversation, verbs.eliminate(session, "s", "one", []))
        opening = flow.send(channel._do(next(flow)))
        # It has looked up what is known. Before it has read on, another call is through.
        front.lie = None
        client.eliminate(session, "s", "two", [])
        front.lie = fork
        opened = channel._do(opening)
        with pytest.raises(ChainBroken) as caught:
            channel.run(_resumed(flow, opened))
        channel.close()
        assert caught.value.seq == 3
        front.lie = None
        assert client.audit_trace(session) == honest.audit_trace(session)


def _resumed(flow: Flow[Any], told: object) -> Flow[Any]:
    step = flow.send(told)
    while True:
        step = flow.send((yield step))


def test_many_threads_of_one_client(site: SimpleNamespace) -> None:
    with Client(site.address, verify=True) as client:
        session = client.declare_session(
            BUNDLE, CAUSES, policy=SessionPolicy(stability_window=1)
        ).session_id

        def work(who: int) -> list[str]:
            told = [
                client.eliminate(session, str(who), str(n), [CAUSES[n % 4]]).event_id
                for n in range(12)
            ]
            told.append(client.declare_conclusion(session, str(who)).event_id)
            assert client.audit_trace(session, told[0])[-1].seq >= 13
            return told

        with ThreadPoolExecutor(8) as threads:
            told = {one for many in threads.map(work, range(8)) for one in many}
        assert {event.event_id for event in client.audit_trace(session)[1:]} == told
        assert client._conversation.ledger is not None
        assert client._conversation.ledger.head(session) == Head.of(client.audit_trace(session)[-1])


def test_as_many_requests_as_needed_and_no_more(
    client: Any, front: Front, session: str, honest: Client
) -> None:
    def paths(call: Callable[[], Any]) -> list[str]:
        front.asked.clear()
        call()
        return [one.path.partition("?")[0].rpartition("/")[2] for one in front.asked]

    assert paths(lambda: client.eliminate(session, "s", "new", [])) == ["eliminate", "audit"]
    assert front.asked[1].path.endswith("&limit=1")
    for _ in range(5):
        honest.declare_conclusion(session, "c")
    assert paths(lambda: client.request_termination(session)) == ["terminate", "audit"]
    assert front.asked[1].path.endswith("&limit=6")
    assert paths(lambda: client.audit_trace(session)) == ["audit"]
    assert paths(lambda: client.query_belief(session)) == [session]


def test_a_log_of_its_own(front: Front, connect: Connect, session: str) -> None:
    """What the tests call a lie that is told well is one: it passes as a first contact."""
    front.lie = showing(lambda rows: forged(rows, 2, other_source))
    newcomer = connect(front.address, verify=True)
    assert newcomer.audit_trace(session)[2].payload["source_id"] == "forged"
    assert as_lines([], []) == b""


WRONG_ANSWERS: list[dict[str, Any]] = [
    *({"audit_event_id": wrong} for wrong in (None, 5, [], {}, "x")),
    *({"duplicate": wrong} for wrong in (None, 0, "false")),
    {"applied_eliminated": []},
    {"applied_eliminated": None},
    {"ignored_eliminated": ["disk_full"]},
]
WRONG_SNAPSHOTS: list[dict[str, Any]] = [
    *({"audit_seq": wrong} for wrong in (None, "x", [1], 2.0, True, 0, -1)),
    *({"audit_head_event_id": wrong} for wrong in (None, 5, [], {})),
    *({"audit_head_hash": wrong} for wrong in (None, [], "0" * 64)),
    *({"survivors_hash": wrong} for wrong in (None, 5, "0" * 64)),
    *({"n_survivors": wrong} for wrong in (None, 4, "3")),
    {"survivors": ["dns"]},
    {"session_id": None},
]


@pytest.mark.parametrize("members", WRONG_ANSWERS, ids=str)
def test_an_answer_that_is_not_of_its_event(
    client: Any, front: Front, members: dict[str, Any]
) -> None:
    session = declare(client)
    front.lie = answering(**members)
    broken(lambda: client.eliminate(session, "s", "1", ["dns", "gremlins"]))
    front.lie = None
    assert client.eliminate(session, "s", "1", ["dns", "gremlins"]).duplicate is True


@pytest.mark.parametrize("members", WRONG_SNAPSHOTS, ids=str)
def test_a_snapshot_that_is_not_of_the_head(
    client: Any, front: Front, members: dict[str, Any]
) -> None:
    session = declare(client)

    def lie(asked: Asked, behind: Behind) -> Answered:
        told = behind(asked)
        answer = told.json
        if "snapshot" in answer:
            answer["snapshot"] |= members
        elif "survivors" in answer:
            answer |= members
        else:
            return told
        return Answered(200, json.dumps(answer).encode())

    front.lie = lie
    broken(lambda: client.eliminate(session, "s", "1", ["dns"]))
    broken(lambda: client.query_belief(session))


@pytest.mark.parametrize("members", [{"approved": True}, {"approved": 0}, {"reason": "approved"}])
def test_another_decision_is_answered(
    client: Any, front: Front, session: str, members: dict[str, Any]
) -> None:
    front.lie = answering(**members)
    said = broken(lambda: client.request_termination(session))
    assert said == (5, "the answer is not what came of the event")


def test_an_old_event_is_answered_as_new(client: Any, front: Front, session: str) -> None:
    front.lie = answering(duplicate=False)
    for call in (CALLS["repeat"], lambda client, session: declare(client, session_id=session)):
        broken(lambda call=call: call(client, session))


@pytest.mark.parametrize(
    ("members", "sent"),
    [
        ({"policy": {"stability_window": 1}}, {"policy": {"stability_window": 2}}),
        ({"policy": {"allow_forced_termination": True}}, {"policy": SessionPolicy()}),
        ({"metadata": {"who": "eve"}}, {"metadata": {"who": "ann"}}),
        ({"metadata": {"who": "eve"}}, {}),
        ({"notes": "eve"}, {}),
    ],
)
def test_something_else_is_declared(
    client: Any, front: Front, members: dict[str, Any], sent: dict[str, Any]
) -> None:
    def lie(asked: Asked, behind: Behind) -> Answered:
        if asked.method == "POST":
            asked.body = json.dumps(json.loads(asked.body) | members).encode()
        return behind(asked)

    front.lie = lie
    assert broken(lambda: declare(client, **sent)) == (1, "the event does not say what was sent")


def test_what_was_told_beside_is_held_to_what_is_new(
    client: Any, front: Front, session: str
) -> None:
    exact = {"a": Decimal("1.10"), "b": [1e16, -0.0, 10**30]}
    client.eliminate(session, "s", "exact", [], exact, notes="")
    client.declare_conclusion(session, "c", exact, notes="n", request_id="r")
    # The content of a repeat is the same without them.
    assert client.eliminate(session, "s", "exact", [], {"a": 1}, notes="x").duplicate
    assert client.declare_conclusion(session, "c", {}, request_id="r").duplicate
    calls: list[Callable[[str], Any]] = [
        lambda key: client.eliminate(session, "s", key, [], {"a": 1}),
        lambda key: client.declare_conclusion(session, key, {"a": 1}),
        lambda key: client.request_termination(session, {"a": 1}, request_id=key),
    ]
    for members in ({"a": 2}, "eve"):

        def lie(asked: Asked, behind: Behind, other: Any = members) -> Answered:
            if asked.method == "POST":
                sent = json.loads(asked.body)
                name = next(name for name in ("justification", "context") if name in sent)
                name = "notes" if other == "eve" else name
                asked.body = json.dumps(sent | {name: other}).encode()
            return behind(asked)

        front.lie = lie
        for call in calls:
            assert broken(lambda call=call, key=str(members): call(key))[1] == (
                "the event does not say what was sent"
            )


@pytest.mark.parametrize("seq", [0, -1, "2", 2.5, True, None])
def test_an_event_without_a_number(client: Any, front: Front, session: str, seq: Any) -> None:
    second = client.audit_trace(session)[1]
    front.lie = showing(lambda rows: forged(rows, 1, lambda record: record | {"seq": seq}))
    assert broken(lambda: client.audit_trace(session))[1] == "the event has no number"
    assert broken(lambda: client.audit_event(session, second.event_id))[1] == (
        "the event has no number"
    )


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda it: it | {"v": 2}, "the record is of a form that is not known"),
        (
            lambda it: it | {"survivors_before_hash": "0" * 64},
            "the survivors before are not those that were",
        ),
        (
            lambda it: it | {"ts": "1999-01-01T00:00:00.000000Z"},
            "the event is earlier than the one before",
        ),
        (
            lambda it: it | {"event_id": it["event_id"][:-1] + "9"},
            "the id of the event is of another number",
        ),
        (lambda it: it | {"event_id": it["event_id"].upper()[:-1] + "A"}, "the id of the event"),
        (lambda it: it | {"event_id": 3}, "the event has no id"),
    ],
)
def test_an_event_that_no_log_has(
    connect: Connect, front: Front, session: str, edit: Edit, reason: str
) -> None:
    front.lie = showing(lambda rows: forged(rows, 2, edit))
    said = broken(lambda: connect(front.address, verify=True).audit_trace(session))
    assert said[0] == 3
    assert said[1].startswith(reason)


def test_a_belief_of_before(client: Any, front: Front, session: str) -> None:
    old = client.audit_trace(session)[1].event_id
    assert client.query_belief(session, as_of=old).audit_seq == 2
    front.lie = lambda asked, behind: behind(
        Asked(asked.method, f"{asked.path}?as_of={old}", asked.headers, asked.body)
    )
    assert broken(lambda: client.query_belief(session)) == (4, "the log has become shorter")


def test_a_session_id_in_any_form(client: Any) -> None:
    mine = uuid4()
    forms = [mine.hex, str(mine).upper(), f"{{{mine}}}", mine]
    for n, form in enumerate(forms):
        declared = client.declare_session(BUNDLE, CAUSES, session_id=form)
        assert (declared.session_id, declared.duplicate) == (str(mine), n > 0)
        assert client.eliminate(form, "s", str(n), []).duplicate is False
        assert client.query_belief(form).session_id == str(mine)
        events = client.audit_trace(form)
        assert client.audit_event(form, events[-1].event_id.replace("-", "")) == events[-1]
