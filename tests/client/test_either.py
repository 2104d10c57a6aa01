"""One program, unchanged on the server of this process and on one over HTTP."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from cmbs.adapters.twenty_questions import TwentyQAdapter, TwentyQOracle, load_builtin_kit
from cmbs.adapters.types import EliminateMessage
from cmbs.answers import AuditEntry, BeliefServerError, BeliefSnapshot, OntologyBundle
from cmbs.belief_server import BeliefServer
from cmbs.errors import BeliefError

ABOUT = OntologyBundle("incident", "v1", "graph://checkout", "v17")
CAUSES = ["bad_deploy", "disk_full", "dns", "pool_exhausted", "\U0001f600"]
# What is another one in every run.
_OF_A_RUN = ("session_id", "event_id", "ts", "event_hash", "prev_event_hash")


def incident(server: Any) -> Iterator[object]:
    """Tells what it was told."""
    declared = session, snapshot = server.declare_session(
        ABOUT, CAUSES, {"n": Decimal("1.10")}, policy={"stability_window": 1}, notes="begin"
    )
    yield declared.duplicate, belief(snapshot)
    again = server.declare_session(
        ABOUT, CAUSES, {"n": Decimal("1.10")}, policy={"stability_window": 1}, session_id=session
    )
    yield again.duplicate, again.session_id == session
    entered = server.enter_obligation(session, "look", 2, request_id="enter")
    yield entered.duplicate, belief(entered.snapshot)
    first = server.eliminate(session, "tool://df", "df", ["disk_full", "gremlins"], {"used": 0.41})
    yield first.applied, first.ignored, first.duplicate, belief(first.snapshot)
    second = server.eliminate(session, "tool://df", "df", ["gremlins", "disk_full"])
    yield second.applied, second.ignored, second.duplicate, second.event_id == first.event_id
    for approved, reason, snapshot, _ in (
        server.declare_conclusion(session, "dns", {"a": [1]}, request_id="c1"),
        server.request_exit(session, "look", request_id="e1"),
        server.request_termination(session, {"force": True}, request_id="t1"),
        server.waive_obligation(session, "look", "late", request_id="w1"),
        server.declare_conclusion(session, "dns", request_id="c2"),
    ):
        yield approved, reason, belief(snapshot)
    messages: list[Any] = [
        EliminateMessage.create("s", "1", ["dns"], {"x": 1}).to_dict(),
        {"source_id": "s", "observation_id": "2", "eliminated": {"dns", "bad_deploy"}},
        {"source_id": "tool://df", "observation_id": "df", "eliminated": ["disk_full", "gremlins"]},
    ]
    results, snapshot, event_id = batch = server.eliminate_batch(session, messages)
    yield [(one.applied, one.ignored, one.duplicate) for one in results], batch.duplicate
    yield belief(snapshot), event_id == results[-1].event_id
    yield belief(server.query_belief(session))
    trace = server.audit_trace(session)
    yield [event(one) for one in trace]
    yield [event(one) for one in server.audit_trace(session, trace[3].event_id)]
    yield [refused(call) for call in refusals(server, session, trace)]
    last = server.eliminate(session, "s", "3", CAUSES[3:4], expected_head=trace[-1].event_id)
    yield server.request_termination(session, request_id="t2")[:2]
    yield refused(lambda: server.declare_conclusion(session, "late"))
    yield server.eliminate(session, "s", "3", CAUSES[3:4]).event_id == last.event_id


def refusals(server: Any, session: str, trace: list[AuditEntry]) -> list[Any]:
    return [
        lambda: server.query_belief("6f9619ff-8b86-4d01-b42d-00c04fc964ff"),
        lambda: server.eliminate(session, "tool://df", "df", ["dns"]),
        lambda: server.eliminate(session, "", "df", ["dns"]),
        lambda: server.eliminate(session, "s", "o", "dns"),
        lambda: server.eliminate(session, "s", "o", [], {"a": float("nan")}),
        lambda: server.request_exit(session, "look"),
        lambda: server.request_exit(session, ""),
        lambda: server.declare_conclusion(session, "c", request_id="t1"),
        lambda: server.declare_conclusion(session, "c", expected_head=trace[0].event_id),
        lambda: server.audit_trace(session, "6f9619ff-8b86-4d01-b42d-00c04fc964ff"),
        lambda: server.declare_session(ABOUT, ["a", "b"], session_id=session),
        lambda: server.declare_conclusion(session, "c", notes="n" * 5000),
    ]


def refused(call: Any) -> object:
    with pytest.raises((BeliefServerError, BeliefError)) as caught:
        call()
    assert isinstance(caught.value.message, str)
    return caught.value.code


def belief(snapshot: BeliefSnapshot) -> dict[str, Any]:
    members = snapshot.to_dict()
    for name in ("session_id", "owner", "declared_at"):
        del members[name]
    for name in ("audit_head_at", "audit_head_event_id", "audit_head_hash"):
        del members[name]
    return members


def event(entry: AuditEntry) -> dict[str, Any]:
    return {name: value for name, value in entry.to_dict().items() if name not in _OF_A_RUN}


def test_an_incident(client: Any) -> None:
    for here, there in zip(incident(BeliefServer()), incident(client), strict=True):
        assert here == there


def play(server: Any, secret: str) -> tuple[list[str], str]:
    kit = load_builtin_kit("20q_8")
    adapter, oracle = TwentyQAdapter(kit), TwentyQOracle(kit)
    session, snapshot = server.declare_session(ABOUT, kit.hypotheses)
    asked = []
    while actions := adapter.list_actions(snapshot):
        asked.append(actions[0].action_id)
        context = adapter.apply_action(asked[-1], snapshot)
        messages = adapter.observe(context, oracle.answer(secret, asked[-1]))
        snapshot = server.eliminate_batch(session, messages).snapshot
    (found,) = snapshot.survivors
    server.declare_conclusion(session, found)
    return asked, server.request_termination(session).reason


def test_a_game(client: Any) -> None:
    """Here the client takes an adapter's messages as they are."""
    assert play(BeliefServer(), "shark") == play(client, "shark")
