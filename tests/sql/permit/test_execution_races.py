"""Permits, approvals and tokens under 32 clients, and under kill -9: nothing is used twice."""

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs.database.calls import call
from cmbs.deploy import embedded, migrate
from cmbs.errors import BeliefError
from tests.sql.verdict.scene import ALLOWED, GRANT, Scene, delta, deny, op, told, tool_call, value
from tests.support.beliefs import Connection
from tests.support.callers import caller
from tests.support.servers import kill, reachable_folder

N_CLIENTS = 32
PACK = GRANT | {
    "constraint.ask": deny("A", on_fail="ask"),
    "constraint.waits": deny("B", when=op("missing", "fact.go"), on_fail="defer"),
}
Do = Callable[[psycopg.Connection[Any], int], Any]


@pytest.fixture
def clients(database: str) -> Iterator[list[psycopg.Connection[Any]]]:
    connections = [psycopg.connect(database, autocommit=True) for _ in range(N_CLIENTS)]
    yield connections
    for connection in connections:
        connection.close()


def race(clients: list[psycopg.Connection[Any]], do: Do) -> list[Any]:
    """What every client was told that did the same at the same moment: answer or reason code."""
    ready = threading.Barrier(N_CLIENTS, timeout=60)

    def one(number: int) -> Any:
        ready.wait()
        try:
            return do(clients[number], number)
        except BeliefError as error:
            return json.loads(str(error.diag.message_detail)).get("reason_code", error.sqlstate)

    with ThreadPoolExecutor(N_CLIENTS) as workers:
        return list(workers.map(one, range(N_CLIENTS)))


def winners(told_of: list[Any]) -> list[Any]:
    return [answer for answer in told_of if not isinstance(answer, str)]


def test_a_permit_is_begun_once(db: Connection, clients: list[psycopg.Connection[Any]]) -> None:
    scene = Scene(db, GRANT)
    for _ in range(5):
        permit = scene.propose(tool_call("A"))["items"][0]["permit_id"]
        who = {"session_id": scene.id, "credential": scene.agent, "permit_id": permit}
        began = race(clients, lambda c, _, who=who: call(c, "begin_execution", **who))  # type: ignore[misc]
        assert len(winners(began)) == 1
        assert Counter(map(str, began))["PERMIT_USED"] == N_CLIENTS - 1
        ended = race(
            clients,
            lambda c, n, who=who: call(  # type: ignore[misc]
                c, "complete_execution", outcome="ok", result=Json({"n": n % 2}), **who
            ),
        )
        assert sum(not answer["duplicate"] for answer in winners(ended)) == 1
        # Whoever says the same is told so, whoever says something else is refused.
        assert len(winners(ended)) == N_CLIENTS // 2
        assert ended.count("PERMIT_COMPLETED") == N_CLIENTS // 2
    assert scene.left() == 995
    assert scene.is_whole()


def test_a_question_is_answered_once_and_its_approval_used_once(
    db: Connection, clients: list[psycopg.Connection[Any]]
) -> None:
    scene = Scene(db, PACK)
    approvers = [caller(db, f"approver {n}", "approver") for n in range(N_CLIENTS)]
    for turn in range(5):
        asked = scene.propose(tool_call("A", {"turn": turn}))
        question = {"session_id": scene.id, "interrupt_id": asked["items"][0]["interrupt_id"]}
        answered = race(
            clients,
            lambda c, n, sent=question: call(  # type: ignore[misc]
                c,
                "resolve_interrupt",
                resolution=("approve", "decline")[n % 2],
                credential=approvers[n],
                **sent,
            ),
        )
        assert len(winners(answered)) == 1
        assert answered.count("APPROVAL_RESOLVED") == N_CLIENTS - 1
        items = Json({"items": [tool_call("A", {"turn": turn})]})
        sent = {"session_id": scene.id, "proposal_id": asked["proposal_id"], "proposal": items}
        resumed = race(
            clients,
            lambda c, _, sent=sent: call(c, "resume", credential=scene.agent, **sent),  # type: ignore[misc]
        )
        if winners(answered)[0]["status"] == "approved":
            (answer,) = winners(resumed)
            assert told(answer) == ALLOWED
            assert resumed.count("APPROVAL_CONSUMED") == N_CLIENTS - 1
        else:
            assert set(resumed) == {"APPROVAL_DECLINED"}
    assert scene.is_whole()


def test_a_token_is_not_spent_beyond_its_budget(
    db: Connection, clients: list[psycopg.Connection[Any]]
) -> None:
    """Reserved, released by errors, reserved again: never more at a time than was granted."""
    scene = Scene(db, GRANT)
    token = scene.issue(budgets={"max_calls": 10})
    committed = threading.Semaphore(0)

    def work(connection: psycopg.Connection[Any], number: int) -> list[str]:
        mine = {"session_id": scene.id, "credential": scene.agent, "minimal": True}
        outcomes = []
        for turn in range(6):
            proposal = {
                "state_snapshot_id": scene.declared_event(),
                "provenance": {"source": "s"},
                "capability_token": token["secret"],
                "idempotency_key": f"{number} {turn}",
                "items": [tool_call("A")],
            }
            snapshot = call(connection, "query_belief", session_id=scene.id, credential=scene.agent)
            proposal["state_snapshot_id"] = snapshot["audit_head_event_id"]
            answer = call(connection, "propose", proposal=Json(proposal), **mine)
            if answer["decision"] != "allow":
                outcomes.append(answer["reason_code"])
                continue
            permit = answer["items"][0]["permit_id"]
            call(connection, "begin_execution", permit_id=permit, **mine)
            outcome = "error" if (number + turn) % 2 else "ok"
            call(connection, "complete_execution", permit_id=permit, outcome=outcome, **mine)
            outcomes.append(outcome)
            if outcome == "ok":
                committed.release()
        return outcomes

    outcomes = [one for part in race(clients, work) for one in part]
    assert set(outcomes) <= {"ok", "error", "BUDGET_EXHAUSTED"}
    assert outcomes.count("ok") == 10 - scene.left(token)
    highest = db.execute(
        "select max(spent), min(spent) from cmbs_store.capability_spending where token_id = %s",
        [token["token_id"]],
    ).fetchone()
    assert highest == (10, 0) or highest == (10, 1)
    assert scene.is_whole()


@pytest.mark.slow("32 clients, each with a backend of its own")
def test_whatever_32_clients_do_at_once(
    db: Connection, clients: list[psycopg.Connection[Any]]
) -> None:
    """Every verb at random over one session; in the end each was used once, and verify agrees."""
    scene = Scene(db, PACK | {"policy.permits": {"v": 1, "ttl_ms": 300}})

    def step(connection: psycopg.Connection[Any], generator: random.Random, key: str) -> str:
        mine = {"session_id": scene.id, "minimal": True}
        agent = mine | {"credential": scene.agent}
        do = generator.choice(["propose"] * 3 + ["begin"] * 3 + ["answer", "resume", "sweep"])
        if do == "propose":
            head = call(connection, "query_belief", **agent)["audit_head_event_id"]
            tool = generator.choice("ABRR")
            items: list[Any] = [tool_call(tool, {"n": generator.randint(1, 3)})]
            who, name = scene.agent, "agent"
            if generator.random() < 0.1:
                items, who = [delta({"fact.go": value(1)})], scene.tool
            proposal = {
                "state_snapshot_id": head,
                "provenance": {"source": name},
                "capability_token": scene.tokens[who]["secret"],
                "idempotency_key": key,
                "items": items,
            }
            answer = call(
                connection, "propose", proposal=Json(proposal), **(mine | {"credential": who})
            )
            return str(answer["disposition"])
        if do == "sweep":
            call(connection, "sweep_expired", session_id=scene.id, credential=scene.agent)
            return do
        if do == "begin":
            found = call(
                connection, "list_permits", session_id=scene.id, credential=scene.agent, limit=5
            )
            if not found["permits"]:
                return "nothing"
            permit = generator.choice(found["permits"])["permit_id"]
            call(connection, "begin_execution", permit_id=permit, **agent)
            call(
                connection,
                "complete_execution",
                permit_id=permit,
                outcome=generator.choice(["ok", "error"]),
                **agent,
            )
            return do
        status = "pending" if do == "answer" else "approved"
        listed = {"session_id": scene.id, "credential": scene.agent, "status": status, "limit": 5}
        found = call(connection, "list_interrupts", **listed)["interrupts"]
        if not found:
            return "nothing"
        question = generator.choice(found)
        if do == "answer":
            resolution = generator.choice(["approve", "approve", "decline"])
            sent = mine | {"credential": scene.approver, "resolution": resolution}
            call(connection, "resolve_interrupt", interrupt_id=question["interrupt_id"], **sent)
            return do
        items = Json({"items": [question["action"]]})
        sent = agent | {"proposal_id": question["proposal_id"], "proposal": items}
        return str(call(connection, "resume", **sent)["disposition"])

    def work(connection: psycopg.Connection[Any], number: int) -> Counter[str]:
        generator = random.Random(number)
        done: Counter[str] = Counter()
        for turn in range(15):
            try:
                done[step(connection, generator, f"{number} {turn}")] += 1
            except BeliefError as error:
                detail = json.loads(str(error.diag.message_detail))
                done[detail.get("reason_code", str(error.sqlstate))] += 1
        return done

    done: Counter[str] = sum(race(clients, work), Counter())
    assert {"execute", "ask", "begin", "answer"} <= done.keys(), done
    assert not {code for code in done if code.startswith(("MB2", "MB3"))}, done
    events = scene.session.events()
    for verb, member in (
        ("BEGIN_EXECUTION", "permit_id"),
        ("COMPLETE_EXECUTION", "permit_id"),
        ("RESOLVE_INTERRUPT", "interrupt_id"),
    ):
        named = Counter(e["payload"][member] for e in events if e["verb"] == verb)
        assert set(named.values()) <= {1}
    used = Counter(
        approval["interrupt_id"]
        for event in events
        if event["verb"] == "PROPOSE" and event["payload"]["decision"] == "allow"
        for approval in event["payload"].get("resumes", {}).get("approvals", [])
    )
    assert set(used.values()) <= {1}
    assert scene.is_whole()


@pytest.mark.slow("a server is killed and recovers")
def test_kill_9_between_begin_and_complete() -> None:
    """What is left says that it was begun and no more; it can be completed when all is back."""
    with reachable_folder() as folder, embedded.start(folder / "data") as server:
        migrate.migrate(server.conninfo())
        with psycopg.connect(server.conninfo(), autocommit=True) as connection:
            scene = Scene(connection, GRANT)
            begun, idle = (scene.propose(tool_call("A"))["items"][0]["permit_id"] for _ in range(2))
            scene.begin(begun)
            kill(server)
        server.ensure_running()
        with psycopg.connect(server.conninfo(), autocommit=True) as connection:
            scene.connection = scene.session.connection = connection
            assert scene.last_event()["verb"] == "BEGIN_EXECUTION"
            shown = {
                permit["permit_id"]: (permit["status"], permit["ended"])
                for permit in scene("list_permits")["permits"]
            }
            assert shown == {begun: ("executing", None), idle: ("issued", None)}
            scene.refuses("PERMIT_USED", scene.begin, begun)
            assert scene.left() == 998
            assert scene.is_whole()
            assert scene.complete(begun, "error")["status"] == "rolled_back"
            assert scene.left() == 999
            assert scene.is_whole()
