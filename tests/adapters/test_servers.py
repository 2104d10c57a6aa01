"""One adapter plays the same game in this process, over HTTP and in SQL."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs.adapters import (
    BeliefAdapter,
    EliminateMessage,
    ITBenchAdapter,
    ITBenchOracle,
    TwentyQAdapter,
    TwentyQOracle,
    itbench,
    twenty_questions,
)
from cmbs.answers import BeliefSnapshot
from cmbs.belief_server import BeliefServer
from cmbs.database.calls import call
from tests.adapters.playing import ONTOLOGY
from tests.support.web import Client

Send = Callable[[EliminateMessage], BeliefSnapshot]


def in_this_process(hypotheses: Iterable[str]) -> tuple[BeliefSnapshot, Send]:
    server = BeliefServer()
    session, snapshot = server.declare_session(ONTOLOGY, hypotheses)
    return snapshot, lambda message: server.eliminate(session, **message.to_dict()).snapshot


def over_http(web: Client, hypotheses: Iterable[str]) -> tuple[BeliefSnapshot, Send]:
    session = web.declare(*hypotheses, ontology=ONTOLOGY.to_dict())

    def send(message: EliminateMessage) -> BeliefSnapshot:
        answer = web.post(f"{session}/eliminate", json=message.to_dict())
        assert answer.status_code == 200, answer.text
        return BeliefSnapshot.from_dict(answer.json()["snapshot"])

    return BeliefSnapshot.from_dict(web.get(session).json()), send


def in_sql(
    connection: psycopg.Connection[Any], hypotheses: Iterable[str]
) -> tuple[BeliefSnapshot, Send]:
    def say(verb: str, **arguments: object) -> BeliefSnapshot:
        sent = {
            name: Json(value) if isinstance(value, dict) else value
            for name, value in arguments.items()
        }
        return BeliefSnapshot.from_dict(call(connection, verb, **sent)["snapshot"])

    session: UUID = uuid4()
    declared = say(
        "declare_session",
        session_id=session,
        ontology=ONTOLOGY.to_dict(),
        hypotheses=list(hypotheses),
    )
    return declared, lambda message: say("eliminate", session_id=session, **message.to_dict())


def play(
    adapter: BeliefAdapter, answer: Callable[[str], str], snapshot: BeliefSnapshot, send: Send
) -> list[tuple[str, list[str], str | None, int]]:
    """What was done, and what was believed after it."""
    course = []
    while actions := adapter.list_actions(snapshot):
        context = adapter.apply_action(actions[0].action_id, snapshot)
        for message in adapter.observe(context, answer(context.action_id)):
            snapshot = send(message)
            course.append(
                (
                    message.observation_id,
                    snapshot.survivors,
                    snapshot.survivors_hash,
                    snapshot.n_survivors,
                )
            )
    return course


def questions(name: str) -> tuple[BeliefAdapter, list[str], Callable[[str], Callable[[str], str]]]:
    kit = twenty_questions.load_builtin_kit(name)
    oracle = TwentyQOracle(kit)
    return (
        TwentyQAdapter(kit),
        kit.hypotheses,
        lambda secret: lambda asked: oracle.answer(secret, asked),
    )


def incident(name: str) -> tuple[BeliefAdapter, list[str], Callable[[str], Callable[[str], str]]]:
    kit = itbench.load_builtin_kit(name)
    return ITBenchAdapter(kit), kit.hypotheses, lambda cause: ITBenchOracle(kit, cause).answer


@pytest.mark.parametrize(
    ("game", "secrets"),
    [
        (questions("20q_8"), ["cow", "shark", "snake"]),
        (questions("20q_72"), ["gold", "polonium"]),
        (incident("itb_sre_6"), ["disk_full", "bad_deploy"]),
    ],
    ids=["animals", "elements", "incident"],
)
def test_every_server_comes_to_the_same(
    game: Any, secrets: list[str], web: Client, db: psycopg.Connection[Any]
) -> None:
    adapter, hypotheses, oracle = game
    for secret in secrets:
        servers = (
            in_this_process(hypotheses),
            over_http(web, hypotheses),
            in_sql(db, hypotheses),
        )
        here, there, below = (play(adapter, oracle(secret), *server) for server in servers)
        assert here == there == below
        _, survivors, survivors_hash, _ = here[-1]
        assert survivors == [secret]
        assert survivors_hash
        assert len(survivors_hash) == 64


def test_what_a_kit_does_not_know_goes_with_its_answers_everywhere(
    web: Client, db: psycopg.Connection[Any]
) -> None:
    adapter, hypotheses, oracle = questions("20q_4")
    more = [*hypotheses, "unicorn", "Ä/%"]
    here, there, below = (
        play(adapter, oracle("dog"), *server)
        for server in (in_this_process(more), over_http(web, more), in_sql(db, more))
    )
    assert here == there == below
    assert here[-1][1] == ["dog"]


def test_an_adapter_says_the_same_again(web: Client, db: psycopg.Connection[Any]) -> None:
    """A message whose answer was lost is made and sent again, and changes nothing."""
    adapter, hypotheses, _ = questions("20q_8")
    for first, send in (
        in_this_process(hypotheses),
        over_http(web, hypotheses),
        in_sql(db, hypotheses),
    ):
        context = adapter.apply_action("is_mammal", first)
        once, again = (send(*adapter.observe(context, "no")) for _ in range(2))
        assert again == once
        assert once.survivors == ["eagle", "shark", "snake"]
        assert once.audit_head_event_id != first.audit_head_event_id
