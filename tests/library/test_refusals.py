"""Every error of the server inside a process, what its details say, and which check comes first."""

from typing import Any

import pytest

from cmbs.belief_server import BeliefServer
from tests.library.kit import (
    BATCH,
    ELIMINATE,
    EXIT,
    FORCE,
    GATES,
    IDS,
    NO_ID,
    ONTOLOGY,
    VERBS,
    WAIVE,
    Call,
    Provider,
    declared,
    ready,
    refused,
    send,
    state,
    verb_name,
)

# Beside those of their own, what every verb is refused for; in the order of the checks.
WRONG: dict[str, dict[str, Any]] = {
    "eliminate": {"observation_id": ""},
    "eliminate_batch": {"messages": []},
    "enter_obligation": {"min_total_eliminations": -1},
    "request_exit": {"obligation_id": ""},
    "waive_obligation": {"reason": ""},
    "declare_conclusion": {"conclusion_id": ""},
    "request_termination": {"context": []},
}


def terminated(server: BeliefServer, call: Call, **more: Any) -> str:
    """A session that has recorded the call, and ended then."""
    session_id = ready(server, call)
    send(server, session_id, call, **more)
    active = server.query_belief(session_id).active_obligation_id
    if active:
        server.waive_obligation(session_id, active, "over")
    assert server.request_termination(session_id, FORCE).approved is True
    return session_id


def identity(call: Call) -> dict[str, Any]:
    return {"request_id": "r"} if call in GATES else {}


@pytest.mark.parametrize("session_id", [NO_ID, "nowhere", "", "\ud800", "x" * 100_000])
@pytest.mark.parametrize("call", VERBS, ids=verb_name)
def test_an_unknown_session(server: BeliefServer, call: Call, session_id: str) -> None:
    sent = refused("SESSION_NOT_FOUND", send, server, session_id, call, expected_head=NO_ID)
    assert sent == {"session_id": session_id}
    for read in (server.query_belief, server.audit_trace):
        assert refused("SESSION_NOT_FOUND", read, session_id) == {"session_id": session_id}


@pytest.mark.parametrize("call", VERBS, ids=verb_name)
def test_a_terminated_session(server: BeliefServer, call: Call) -> None:
    session_id = declared(server)
    server.request_termination(session_id, FORCE)
    before = state(server, session_id)
    details = refused("SESSION_TERMINATED", send, server, session_id, call)
    assert {name: details[name] for name in details if name != "index"} == {
        "session_id": session_id
    }
    assert state(server, session_id) == before


@pytest.mark.parametrize("call", VERBS, ids=verb_name)
def test_the_expected_head(server: BeliefServer, call: Call) -> None:
    session_id = ready(server, call)
    stale = server.query_belief(session_id).audit_head_event_id
    head = server.eliminate(session_id, "before", "1", []).event_id
    for other in (stale, NO_ID, "nothing"):
        details = refused("CONFLICT", send, server, session_id, call, expected_head=other)
        assert details["expected_head"] == other
        assert details["audit_head_event_id"] == head
    assert send(server, session_id, call, expected_head=head.upper()).duplicate is False


@pytest.mark.parametrize("call", VERBS, ids=verb_name)
def test_the_order_of_checks(server: BeliefServer, call: Call) -> None:
    name, sent = call
    about = identity(call)
    session_id = terminated(server, call, **about)
    stale: dict[str, Any] = {"expected_head": NO_ID}
    wrong = (name, sent | WRONG[name])
    refused("INVALID_REQUEST", send, server, NO_ID, wrong, **stale)
    refused("INVALID_REQUEST", send, server, session_id, wrong, **stale)
    refused("SESSION_NOT_FOUND", send, server, NO_ID, call, **about, **stale)
    assert send(server, session_id, call, **about, **stale).duplicate is True
    other = (name, sent | {"observation_id": "9"}) if call is ELIMINATE else call
    if call is BATCH:
        message = {"source_id": "s", "observation_id": "9", "eliminated": ["b"]}
        other = (name, {"messages": [message]})
    assert "expected_head" in refused("CONFLICT", send, server, session_id, other, **stale)
    refused("SESSION_TERMINATED", send, server, session_id, other)


def test_what_the_verb_itself_asks_comes_last() -> None:
    server = BeliefServer(validate_hypotheses=True)
    session_id = declared(server)
    unknown = (session_id, "s", "1", ["nowhere"])
    refused("CONFLICT", server.eliminate, *unknown, expected_head=NO_ID)
    refused("INVALID_HYPOTHESIS_ID", server.eliminate, *unknown)
    refused("CONFLICT", server.request_exit, session_id, "o", expected_head=NO_ID)
    refused("OBLIGATION_NOT_FOUND", server.request_exit, session_id, "o")
    server.request_termination(session_id, FORCE)
    refused("SESSION_TERMINATED", server.eliminate, *unknown)
    refused("SESSION_TERMINATED", server.request_exit, session_id, "o")


@pytest.mark.parametrize("call", [EXIT, WAIVE], ids=verb_name)
def test_an_obligation_that_is_not_active(server: BeliefServer, call: Call) -> None:
    session_id = declared(server)
    details = refused("OBLIGATION_NOT_FOUND", send, server, session_id, call)
    assert details == {"obligation_id": "o", "active_obligation_id": None}
    server.enter_obligation(session_id, "p", 0)
    before = state(server, session_id)
    details = refused("OBLIGATION_NOT_FOUND", send, server, session_id, call)
    assert details == {"obligation_id": "o", "active_obligation_id": "p"}
    assert state(server, session_id) == before


@pytest.mark.parametrize("again", ["o", "p"])
def test_one_obligation_is_active_at_a_time(server: BeliefServer, again: str) -> None:
    session_id = declared(server)
    server.enter_obligation(session_id, "o", 1)
    server.eliminate(session_id, "s", "1", ["a"])
    before = state(server, session_id)
    details = refused("CONFLICT", server.enter_obligation, session_id, again, 0)
    assert details == {"active_obligation_id": "o"}
    assert state(server, session_id) == before
    assert server.request_exit(session_id, "o").approved is True
    assert server.enter_obligation(session_id, again, 0).snapshot.active_obligation_id == again


@pytest.mark.parametrize("by", ["server", "policy"])
def test_unknown_hypotheses_when_they_are_looked_at(by: str) -> None:
    server = BeliefServer(validate_hypotheses=by == "server")
    policy = {"validate_hypotheses": True} if by == "policy" else None
    session_id = declared(server, policy=policy)
    before = state(server, session_id)
    unknown = [f"{no:03}" for no in range(150)]
    sent = (session_id, "s", "1", [*reversed(unknown), "a", "000"])
    details = refused("INVALID_HYPOTHESIS_ID", server.eliminate, *sent)
    assert details == {"invalid": unknown[:100], "n_invalid": 150}
    assert state(server, session_id) == before
    assert server.eliminate(session_id, "s", "1", ["a"]).applied == ["a"]


def test_a_policy_may_turn_the_look_at_hypotheses_off() -> None:
    server = BeliefServer(validate_hypotheses=True)
    session_id = declared(server, policy={"validate_hypotheses": False})
    assert server.eliminate(session_id, "s", "1", ["nowhere"]).ignored == ["nowhere"]


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_batch_is_refused_as_a_whole(position: int) -> None:
    server = BeliefServer(validate_hypotheses=True)
    session_id = declared(server)
    recorded = server.eliminate(session_id, "s", "recorded", ["a"]).event_id
    before = state(server, session_id)

    def batch(bad: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        messages: list[dict[str, Any]] = [
            {"source_id": "s", "observation_id": str(no), "eliminated": ["b"]} for no in range(3)
        ]
        messages[position] |= bad
        return ("eliminate_batch", {"messages": messages})

    at = {"index": position}
    bad = batch({"eliminated": ["nowhere"]})
    details = refused("INVALID_HYPOTHESIS_ID", send, server, session_id, bad)
    assert details == {"invalid": ["nowhere"], "n_invalid": 1} | at
    bad = batch({"observation_id": "recorded"})
    details = refused("CONFLICT", send, server, session_id, bad)
    names = {"source_id": "s", "observation_id": "recorded", "audit_event_id": recorded}
    assert details == names | at
    for wrong in ({"eliminated": None}, {"unknown": 1}, {"session_id": NO_ID}, {"notes": 1}):
        details = refused("INVALID_REQUEST", send, server, session_id, batch(wrong))
        assert details["index"] == position
    assert state(server, session_id) == before


def test_a_batch_that_contradicts_itself_names_no_event(
    server: BeliefServer, session_id: str
) -> None:
    message = {"source_id": "s", "observation_id": "1", "eliminated": ["a"]}
    sent = [message, message | {"eliminated": ["b"]}]
    details = refused("CONFLICT", server.eliminate_batch, session_id, sent)
    assert details == {"source_id": "s", "observation_id": "1", "index": 1}
    assert server.query_belief(session_id).survivors == IDS


def test_without_a_provider_there_are_no_probes(server: BeliefServer, session_id: str) -> None:
    refused("INVALID_REQUEST", server.apply_probe, NO_ID, "", 1)
    refused("SESSION_NOT_FOUND", server.apply_probe, NO_ID, "low", 1)
    refused("CONFLICT", server.apply_probe, session_id, "low", 1)


def test_hypotheses_are_needed_unless_a_provider_has_them() -> None:
    details = refused("INVALID_REQUEST", BeliefServer().declare_session, ONTOLOGY)
    assert details["member"] == "hypotheses"
    server = BeliefServer(belief_provider=Provider())
    assert server.declare_session(ONTOLOGY).snapshot.survivors == IDS
