"""Long polls: an answer waits for news, and ends with its caller, its token and its server."""

import json
import logging
import socket
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from cmbs.api.rooms.interrupt import answers
from cmbs.api.shell.admission import Terms
from cmbs.database.calls import call
from tests.http.test_identities import has
from tests.http.wire import answered, connected, head, received
from tests.sql.verdict.scene import GRANT, Scene, deny, tool_call
from tests.support.beliefs import Connection
from tests.support.callers import caller
from tests.support.servers import until
from tests.support.sizes import sampled
from tests.support.web import Client, bearer, refusal, serving, token_of

INBOX = "/v1/interrupts"
# An answer that came only because the time is over would come too late for this.
PATIENCE = 30


class Asking(Scene):
    """A session in which every call is a question."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, GRANT | {"constraint.asks": deny("A", on_fail="ask")})

    def ask(self) -> str:
        """The path of a new question."""
        told = self.propose(tool_call("A"))
        return f"/v1/sessions/{self.id}/interrupts/{told['items'][0]['interrupt_id']}"

    def answer(self, question: str, resolution: str = "approve") -> None:
        sent = {"interrupt_id": question[-36:], "resolution": resolution}
        self("resolve_interrupt", self.approver, **sent)


@pytest.fixture
def scene(db: Connection) -> Asking:
    return Asking(db)


@pytest.fixture
def reader(database: str, scene: Asking) -> dict[str, str]:
    return bearer(token_of(database, "reader", "auditor"))


@pytest.fixture
def client(database: str, reader: dict[str, str]) -> Iterator[Client]:
    # One connection, which those who wait do not keep.
    with (
        serving(database, terms=Terms(rate=0), connections=1) as address,
        Client(base_url=address, headers=reader, timeout=PATIENCE) as client,
    ):
        yield client


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


def seen(client: Client, path: str, **query: Any) -> Any:
    shape = answers.Inbox if path == INBOX else answers.WatchedQuestion
    return has(client.get(path, params=query), shape)


def waits(client: Client, answer: Future[Any]) -> bool:
    """Whether an answer is still not there after another was waited for."""
    assert seen(client, INBOX, wait=1, status="superseded")["interrupts"] == []
    return not answer.done()


def test_a_question_is_waited_for_until_it_is_answered(
    client: Client, scene: Asking, threads: ThreadPoolExecutor
) -> None:
    question = scene.ask()
    polls = [threads.submit(seen, client, question, wait=55) for _ in "123"]
    assert all(waits(client, poll) for poll in polls[:1])
    assert not any(poll.done() for poll in polls)
    scene.answer(question)
    assert [poll.result()["status"] for poll in polls] == ["approved"] * 3


@pytest.mark.nightly
@pytest.mark.slow("waits until a long poll is over")
def test_nothing_new_is_said_when_the_time_is_over(client: Client, scene: Asking) -> None:
    question = scene.ask()
    first = seen(client, question)
    assert first["status"] == "pending"
    for query in ({"wait": 0}, {"wait": 1}, {"wait": 1, "resume_id": first["resume_id"]}):
        assert seen(client, question, **query) == first
    page = seen(client, INBOX)
    assert seen(client, INBOX, wait=1, resume_id=page["resume_id"]) == page
    nothing = seen(client, INBOX, wait=1, status="expired")
    assert nothing["interrupts"] == []


def test_whoever_lost_the_connection_misses_nothing(client: Client, scene: Asking) -> None:
    question = scene.ask()
    known = {path: seen(client, path)["resume_id"] for path in (question, INBOX)}
    scene.answer(question, "decline")
    answered = seen(client, question, wait=55, resume_id=known[question])
    assert answered["status"] == "declined"
    assert seen(client, INBOX, wait=55, resume_id=known[INBOX])["interrupts"] == []
    # Who has seen nothing is told at once what there is.
    assert seen(client, question, wait=55) == answered
    assert seen(client, question, wait=55, resume_id="of elsewhere") == answered
    again = seen(client, question, wait=1, resume_id=answered["resume_id"])
    assert again == answered, "what was seen is no news"


@pytest.mark.nightly
def test_an_approval_that_is_used_is_news(
    client: Client, scene: Asking, threads: ThreadPoolExecutor
) -> None:
    question = scene.ask()
    scene.answer(question)
    approved = seen(client, question)
    query = {"wait": 55, "resume_id": approved["resume_id"]}
    poll = threads.submit(seen, client, question, **query)
    assert waits(client, poll)
    again = psycopg.types.json.Json({"items": [tool_call("A")]})
    scene("resume", proposal_id=approved["proposal_id"], proposal=again)
    assert poll.result()["status"] == "consumed"


@pytest.mark.nightly
@pytest.mark.slow("long polls of seconds")
def test_the_inbox_is_waited_for(
    client: Client, scene: Asking, threads: ThreadPoolExecutor
) -> None:
    empty = threads.submit(seen, client, INBOX, wait=55)
    assert waits(client, empty)
    first = scene.ask()
    page = empty.result()
    assert [one["interrupt_id"] for one in page["interrupts"]] == [first[-36:]]
    assert seen(client, INBOX, wait=55) == page, "there is something, so it is told at once"
    more = threads.submit(seen, client, INBOX, wait=55, resume_id=page["resume_id"])
    assert waits(client, more)
    second = scene.ask()
    page = more.result()
    assert [one["interrupt_id"] for one in page["interrupts"]] == [first[-36:], second[-36:]]
    fewer = threads.submit(seen, client, INBOX, wait=55, resume_id=page["resume_id"])
    assert waits(client, fewer)
    scene.answer(first)
    assert [one["interrupt_id"] for one in fewer.result()["interrupts"]] == [second[-36:]]


@pytest.mark.parametrize(
    "wait", sampled(["56", "1.5", "-1", "x", "", "1e1", "9" * 30, "999999999"], 3)
)
def test_nobody_waits_for_longer_than_is_sensible(client: Client, scene: Asking, wait: str) -> None:
    question = scene.ask()
    for path in (question, INBOX):
        status, code, details = refusal(client.get(path, params={"wait": wait}))
        assert (status, code, details["member"]) == (400, "INVALID_REQUEST", "wait")


@pytest.mark.nightly
def test_who_waits_keeps_no_connection(
    client: Client, scene: Asking, threads: ThreadPoolExecutor
) -> None:
    question = scene.ask()
    polls = [threads.submit(seen, client, question, wait=55) for _ in "1234"]
    assert waits(client, polls[0])
    for _ in range(20):
        assert client.get("/readyz").status_code == 200
    assert not any(poll.done() for poll in polls)
    scene.answer(question, "cancel")
    assert {poll.result()["status"] for poll in polls} == {"cancelled"}


def test_a_token_that_is_revoked_waits_no_longer(
    database: str, db: Connection, client: Client, scene: Asking, threads: ThreadPoolExecutor
) -> None:
    question = scene.ask()
    token = token_of(database, "leaver", "auditor")
    poll = threads.submit(client.get, question, params={"wait": 55}, headers=bearer(token))
    assert waits(client, poll)
    admin = caller(db, "admin", "admin", tenant="*")
    ((token_id,),) = db.execute(
        "select t.token_id from cmbs.api_token as t where t.name = 'leaver'"
    ).fetchall()
    call(db, "revoke_token", token_id=token_id, credential=admin)
    assert refusal(poll.result())[:2] == (401, "UNAUTHENTICATED")


class Access:
    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    def lines(self) -> list[Any]:
        """Of the questions that were asked for alone."""
        told = [json.loads(r.message) for r in self._caplog.records if r.name == "cmbs.access"]
        return [line for line in told if "{interrupt_id" in (line["route"] or "")]


@pytest.fixture
def access(caplog: pytest.LogCaptureFixture) -> Access:
    caplog.set_level(logging.INFO, "cmbs.access")
    return Access(caplog)


@pytest.mark.nightly
def test_a_poll_is_one_request(
    database: str, scene: Asking, reader: dict[str, str], access: Access
) -> None:
    question = scene.ask()
    # At such a rate whoever asked twice within a second would be sent away.
    terms = Terms(rate=1)
    with serving(database, terms=terms) as address, Client(headers=reader) as client:
        has(client.get(f"{address}{question}?wait=3"), answers.WatchedQuestion)
        until(access.lines)
        (line,) = access.lines()
    assert line["status"] == 200
    assert line["ms"] >= 3000


def test_nobody_is_waited_for_who_has_gone(
    client: Client, scene: Asking, reader: dict[str, str], access: Access
) -> None:
    question = scene.ask()
    headers = [f"{name}: {told}" for name, told in reader.items()]
    with connected(str(client.base_url).rstrip("/")) as connection:
        connection.sendall(head("GET", f"{question}?wait=55", *headers, close=False))
        assert waits(client, Future())
        assert access.lines() == []
    until(access.lines)


def test_who_sends_no_more_is_answered(
    client: Client, scene: Asking, reader: dict[str, str]
) -> None:
    question = scene.ask()
    headers = [f"{name}: {told}" for name, told in reader.items()]
    with connected(str(client.base_url).rstrip("/")) as connection:
        connection.sendall(head("GET", f"{question}?wait=55", *headers, close=False))
        assert waits(client, Future())
        connection.shutdown(socket.SHUT_WR)
        status, _, body = answered(received(connection))
    assert (status, json.loads(body)["status"]) == (200, "pending")


@pytest.mark.nightly
def test_a_server_that_stops_answers_who_waits(
    database: str, scene: Asking, reader: dict[str, str], threads: ThreadPoolExecutor
) -> None:
    question = scene.ask()
    with Client(headers=reader, timeout=PATIENCE) as client:
        with serving(database, terms=Terms(rate=0)) as address:
            client.base_url = address
            poll = threads.submit(seen, client, question, wait=55)
            inbox = threads.submit(seen, client, INBOX, wait=55, status="declined")
            assert waits(client, poll)
        assert poll.result()["status"] == "pending"
        assert inbox.result()["interrupts"] == []
