"""What is lost on the way is sent again, and applied once."""

import contextlib
import inspect
import json
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import pytest

from cmbs.client import AsyncClient, ChainBroken, Client, flow
from cmbs.client.flow import Conversation, Pause, Reply, Send, Tries
from cmbs.client.request import get
from cmbs.errors import Conflict, Internal, RateLimited, Unavailable
from tests.client.between import Answered, Asked, Cutter, Front, cutting, fronting
from tests.client.conftest import Connect
from tests.client.liar import Behind
from tests.client.test_methods import BUNDLE, CAUSES, declare
from tests.support.served import Served, running
from tests.support.servers import reachable_folder, until
from tests.support.sizes import size


@pytest.fixture
def cutter(site: SimpleNamespace) -> Iterator[Cutter]:
    with cutting(site.address) as proxy:
        yield proxy


@pytest.fixture
def front(site: SimpleNamespace) -> Iterator[Front]:
    with fronting(site.address) as front:
        yield front


MESSAGE = {"source_id": "a", "observation_id": "1", "eliminated": ["dns"]}
MESSAGES: dict[str, Callable[[Any, str], Any]] = {
    "eliminate": lambda client, session: client.eliminate(session, **MESSAGE),
    "eliminate_batch": lambda client, session: client.eliminate_batch(session, [MESSAGE]),
    "enter_obligation": lambda client, session: client.enter_obligation(session, "next", 1),
    "request_exit": lambda client, session: client.request_exit(session, "o"),
    "waive_obligation": lambda client, session: client.waive_obligation(session, "o", "r"),
    "declare_conclusion": lambda client, session: client.declare_conclusion(session, "c"),
    "request_termination": lambda client, session: client.request_termination(session),
}


@pytest.mark.parametrize("verify", [True, pytest.param(False, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("verb", MESSAGES)
def test_a_message_whose_answer_is_lost_is_applied_once(
    connect: Connect, cutter: Cutter, verb: str, verify: bool
) -> None:
    client = connect(cutter.address, verify=verify)
    session = declare(client)
    if verb in ("request_exit", "waive_obligation"):
        client.enter_obligation(session, "o", 0)
    n_events = len(client.audit_trace(session))
    cutter.cuts += [0, 20]
    answer = MESSAGES[verb](client, session)
    assert cutter.n_cut == 2
    assert answer.duplicate is True
    (event,) = client.audit_trace(session)[n_events:]
    assert answer.event_id == event.event_id
    assert answer.snapshot == client.query_belief(session)
    if verb == "eliminate":
        assert answer.applied == event.delta["eliminated"] == ["dns"]
    if hasattr(answer, "approved"):
        approved = event.payload.get("approved", event.payload.get("accepted"))
        assert (answer.approved, answer.reason) == (approved, event.payload["reason"])


def test_so_is_a_declare_and_a_space(connect: Connect, cutter: Cutter) -> None:
    client = connect(cutter.address)
    cutter.cuts += [0]
    session, snapshot = answer = client.declare_session(BUNDLE, CAUSES)
    assert answer.duplicate is True
    assert client.query_belief(session) == snapshot
    cutter.cuts += [0]
    assert client.register_space(session, "v1", CAUSES).duplicate is True
    assert cutter.n_cut == 2


def test_reads_are_sent_again(connect: Connect, cutter: Cutter) -> None:
    client = connect(cutter.address)
    session = declare(client)
    cutter.cuts += [0, 100]
    assert client.query_belief(session).n_survivors == 4
    cutter.cuts += [0]
    assert session in {one.session_id for one in client.list_sessions()}
    assert cutter.n_cut == 3


def test_it_is_tried_so_often_and_no_more(connect: Connect, cutter: Cutter) -> None:
    session = declare(connect(cutter.address))
    client = connect(cutter.address, retries=1)
    cutter.cuts += [0] * 9
    with pytest.raises(Unavailable) as caught:
        client.eliminate(session, **MESSAGE)
    assert cutter.n_cut == 2
    assert "RemoteProtocolError" in caught.value.details["problem"]
    cutter.cuts.clear()
    assert client.eliminate(session, **MESSAGE).duplicate is True


def error(code: str, details: Any = None) -> bytes:
    return b'{"error": {"code": "%s", "message": "m", "details": %s}}' % (
        code.encode(),
        b"null" if details is None else details,
    )


PAGE = b"<html>no</html>"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (429, error("RATE_LIMITED")),
        (500, error("INTERNAL")),
        (500, PAGE),
        (502, PAGE),
        (503, error("UNAVAILABLE")),
        (504, PAGE),
    ],
)
def test_what_may_pass_is_waited_out(
    connect: Connect, front: Front, status: int, body: bytes
) -> None:
    client = connect(front.address)
    session = declare(client)
    front.asked.clear()
    left = [Answered(status, body)] * 2
    front.lie = lambda asked, behind: left.pop() if left else behind(asked)
    assert client.eliminate(session, **MESSAGE).applied == ["dns"]
    first, second, third = front.asked
    assert first.path == second.path == third.path
    assert first.body == second.body == third.body


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, error("RATE_LIMITED"), RateLimited),
        (500, error("INTERNAL", b'{"request_id": "r"}'), Internal),
        (502, PAGE, Unavailable),
        (503, error("UNAVAILABLE"), Unavailable),
    ],
)
def test_what_does_not_pass_is_raised(
    connect: Connect, front: Front, status: int, body: bytes, kind: type[Exception]
) -> None:
    client = connect(front.address, retries=1)
    front.lie = lambda asked, behind: Answered(status, body, {"Retry-After": "0"})
    with pytest.raises(kind):
        client.request_termination("s")
    assert len(front.asked) == 2
    keys = {asked.headers["Idempotency-Key"] for asked in front.asked}
    assert len(keys) == 1, "it is the same message"


def test_a_refusal_is_not_sent_again(connect: Connect, front: Front) -> None:
    client = connect(front.address)
    session = declare(client)
    client.eliminate(session, **MESSAGE)
    front.asked.clear()
    with pytest.raises(Conflict):
        client.eliminate(session, **MESSAGE | {"eliminated": ["disk_full"]})
    assert len(front.asked) == 1


@pytest.mark.parametrize("status", [200, 204, 206, 302, 400, 404, 412])
def test_what_is_no_answer_of_ours_is_told_so(connect: Connect, front: Front, status: int) -> None:
    client = connect(front.address)
    front.lie = lambda asked, behind: Answered(status, PAGE)
    with pytest.raises(Unavailable) as caught:
        client.query_belief("s")
    begins = "" if status == 204 else "<html>no</html>"
    assert caught.value.details == {"status": status, "begins": begins}
    assert len(front.asked) == 1


@pytest.mark.parametrize("status", [202, 206])
def test_a_part_of_an_answer_is_none(connect: Connect, front: Front, status: int) -> None:
    client = connect(front.address)
    session = declare(client)
    front.lie = lambda asked, behind: Answered(status, behind(asked).body)
    for call in (lambda: client.query_belief(session), lambda: client.audit_trace(session)):
        with pytest.raises(Unavailable):
            call()


def test_what_an_older_client_does_not_know(connect: Connect, front: Front) -> None:
    client = connect(front.address)
    session = declare(client)
    client.enter_obligation(session, "o", 1)
    known = client.query_belief(session)

    def lie(asked: Asked, behind: Behind) -> Answered:
        members = behind(asked).json
        for name in ("ontology", "policy", "active_obligation"):
            members[name] |= {"new": 1}
        return Answered(200, json.dumps(members | {"new": 1}).encode())

    front.lie = lie
    assert client.query_belief(session) == known


def test_a_batch_has_a_result_for_every_message(connect: Connect, front: Front) -> None:
    client = connect(front.address)
    session = declare(client)

    def lie(asked: Asked, behind: Behind) -> Answered:
        members = behind(asked).json
        return Answered(200, json.dumps(members | {"results": members["results"] * 2}).encode())

    front.lie = lie
    with pytest.raises(Unavailable):
        client.eliminate_batch(session, [MESSAGE])


@pytest.mark.parametrize("way", ["the same again", "nothing, and more"])
def test_a_list_without_an_end(connect: Connect, front: Front, way: str) -> None:
    client = connect(front.address)
    declare(client)

    def lie(asked: Asked, behind: Behind) -> Answered:
        front.lie = lambda asked, behind: told
        members = behind(asked).json | {"next_cursor": "x"}
        told = Answered(200, json.dumps(members).encode())
        if way != "the same again":
            told = Answered(200, json.dumps(members | {"sessions": []}).encode())
        return told

    front.lie = lie
    with pytest.raises(Unavailable):
        assert [*client.list_sessions()]
    assert len(front.asked) <= 3


@pytest.mark.parametrize("verify", [False, True], ids=["", "verify"])
@pytest.mark.parametrize("n", [0, 1], ids=["nothing", "the second"])
def test_a_log_that_does_not_begin(
    connect: Connect, front: Front, site: SimpleNamespace, verify: bool, n: int
) -> None:
    honest = connect(site.address)
    session = declare(honest)
    honest.eliminate(session, **MESSAGE)

    def lie(asked: Asked, behind: Behind) -> Answered:
        lines = behind(asked).body.splitlines(keepends=True)
        return Answered(200, b"".join(lines[1 : 1 + n]))

    front.lie = lie
    with pytest.raises(ChainBroken if verify else Unavailable):
        connect(front.address, verify=verify).audit_trace(session)


@pytest.mark.parametrize("body", [b"{}", b"[]", b"null", b'{"session_id": 1}', b"\xff", b""])
def test_nor_is_json_of_others(connect: Connect, front: Front, body: bytes) -> None:
    client = connect(front.address, retries=1)
    front.lie = lambda asked, behind: Answered(200, body)
    for name in ("query_belief", "request_termination", "explain", "list_obligations", "verify"):
        with pytest.raises(Unavailable):
            getattr(client, name)("s")
    with pytest.raises(Unavailable):
        next(client.list_sessions())
    with pytest.raises(Unavailable):
        client.audit_trace("s")


def test_a_server_that_is_not_there(connect: Connect) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable, match="cannot be reached") as caught:
            connect(f"http://127.0.0.1:{port}", retries=1).healthz()
    assert "ConnectError" in caught.value.details["problem"]


def test_a_server_that_never_answers(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = connect(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.1, retries=1)
        with pytest.raises(Unavailable) as caught:
            client.healthz()
        assert "ReadTimeout" in caught.value.details["problem"]
        first, second = silent.accept(), silent.accept()
        first[0].close()
        second[0].close()


def pauses(retries: int, retry_after: str = "") -> list[float]:
    """How long it would wait each time, until it gives up."""
    tries, found = Tries(retries), []
    failure = Unavailable.answered("m")
    with contextlib.suppress(Unavailable):
        while True:
            for step in tries.pause(failure, retry_after):
                assert isinstance(step, Pause)
                found.append(step.seconds)
    return found


def test_pauses_grow_and_end() -> None:
    assert pauses(0) == []
    many = pauses(12)
    assert len(many) == 12
    assert 0.07 < many[0] < 0.13
    assert many[0] < many[2] < many[4]
    assert all(one <= 5 * 1.25 for one in many)
    assert pauses(3) != pauses(3), "not all come at once"


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_an_ordinary_restart_is_waited_out(kind: type) -> None:
    waited = pauses(inspect.signature(kind).parameters["retries"].default)
    assert len(waited) == 8
    assert 12 < sum(waited) < 21


def test_the_server_says_how_long_to_wait_within_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(20):
        assert all(7 <= one < 8 for one in pauses(3, "7")), "it is not undercut"
        assert all(30 <= one < 31 for one in pauses(1, "86400"))
    in_a_while = datetime.now(UTC) + timedelta(seconds=20)
    assert 15 < pauses(1, format_datetime(in_a_while, usegmt=True))[0] < 21
    assert 15 < pauses(1, in_a_while.strftime("%a, %d %b %Y %H:%M:%S -0000"))[0] < 21
    assert 30 <= pauses(1, "Fri, 31 Dec 9999 23:59:59 GMT")[0] < 31
    assert pauses(1, "soon")[0] < 0.13
    assert pauses(2, "Fri, 31 Dec 1999 23:59:59 GMT")[0] < 0.13
    monkeypatch.setattr(flow, "_PATIENCE", 5.0)
    assert pauses(9, "7") == [], "after so long it would be too late"


def test_how_long_to_wait_is_read_from_the_answer() -> None:
    busy = b'{"error": {"code": "UNAVAILABLE", "message": "m", "details": null}}'
    steps = Conversation(1, None).reply(get("/healthz", dict), Tries(1))
    assert isinstance(next(steps), Send)
    pause = steps.send(Reply(503, {"retry-after": "7"}, busy))
    assert isinstance(pause, Pause)
    assert 7 <= pause.seconds < 8
    assert isinstance(next(steps), Send), "and then it is sent again"


@pytest.mark.nightly
@pytest.mark.slow("a server is started twice")
def test_a_server_that_is_killed_and_started_again() -> None:
    """What the client was told, and nothing else, is in the log."""
    with reachable_folder() as folder, running(Served(folder)) as served:
        told, n_messages = list[Any](), size(100, 400)
        with Client(served.address, retries=200, verify=True) as client:
            session = declare(client, "a", "b")

            def send() -> None:
                for n in range(n_messages):
                    told.append(client.eliminate(session, "s", str(n), ["a"]))

            sender = threading.Thread(target=send)
            sender.start()
            until(lambda: len(told) >= 20)
            os.kill(served.pid, signal.SIGKILL)
            assert served.process is not None
            served.process.wait(60)
            served.await_nothing()
            n_before = len(told)
            served.start()
            served.await_ready()
            sender.join(60)
            assert not sender.is_alive()
            assert n_before < len(told) == n_messages, "it was killed in between"
            events = client.audit_trace(session)[1:]
            assert [event.event_id for event in events] == [one.event_id for one in told]
            assert [event.payload["observation_id"] for event in events] == [
                str(n) for n in range(n_messages)
            ]
            assert client.verify(session).ok
