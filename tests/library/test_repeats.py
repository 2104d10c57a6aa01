"""A message that comes again: answered as before, and refused with other content."""

from itertools import permutations
from typing import Any

import pytest

from cmbs.belief_server import BeliefServer
from tests.library.kit import (
    CONCLUDE,
    ELIMINATE,
    ENTER,
    EXIT,
    FORCE,
    GATES,
    IDS,
    NO_ID,
    ONTOLOGY,
    TERMINATE,
    WAIVE,
    Call,
    declared,
    ready,
    refused,
    send,
    state,
    verb_name,
)

# The same verb with another member; and what does not count for the identity.
OTHER: list[tuple[Call, dict[str, Any]]] = [
    (ENTER, {"obligation_id": "q"}),
    (ENTER, {"min_total_eliminations": 2}),
    (EXIT, {"obligation_id": "q"}),
    (WAIVE, {"obligation_id": "q"}),
    (WAIVE, {"reason": "other"}),
    (CONCLUDE, {"conclusion_id": "d"}),
]


def answered(answer: Any) -> Any:
    """An answer without its snapshot, which is that of now."""
    return [value for value in answer if value is not answer.snapshot]


@pytest.mark.parametrize("call", GATES, ids=verb_name)
def test_a_gate_answers_again_what_it_answered(server: BeliefServer, call: Call) -> None:
    session_id = ready(server, call)
    first = send(server, session_id, call, request_id="r", notes="n")
    server.eliminate(session_id, "s", "1", ["a"])
    before = state(server, session_id)
    about = {} if call in (ENTER, WAIVE) else {"context": {"other": 2}}
    again = send(server, session_id, call, request_id="r", notes="other", **about)
    assert (answered(again), again.duplicate) == (answered(first), True)
    assert again.snapshot == server.query_belief(session_id)
    assert state(server, session_id) == before


@pytest.mark.parametrize(("call", "other"), OTHER, ids=verb_name)
def test_a_request_id_with_other_content(
    server: BeliefServer, call: Call, other: dict[str, Any]
) -> None:
    session_id = ready(server, call)
    first = send(server, session_id, call, request_id="r")
    before = state(server, session_id)
    details = refused("CONFLICT", send, server, session_id, call, request_id="r", **other)
    assert details == {"audit_event_id": first.event_id, "request_id": "r"}
    assert state(server, session_id) == before


@pytest.mark.parametrize(("call", "other"), [*permutations(GATES, 2)], ids=verb_name)
def test_a_request_id_of_another_verb(server: BeliefServer, call: Call, other: Call) -> None:
    session_id = ready(server, call)
    first = send(server, session_id, call, request_id="r")
    details = refused("CONFLICT", send, server, session_id, other, request_id="r")
    assert details["audit_event_id"] == first.event_id


@pytest.mark.parametrize("call", GATES, ids=verb_name)
def test_without_a_request_id_a_message_is_always_new(server: BeliefServer, call: Call) -> None:
    session_id = ready(server, call)
    first = send(server, session_id, call)
    if call in (CONCLUDE, TERMINATE):
        again = send(server, session_id, call)
        assert (again.duplicate, again.event_id != first.event_id) == (False, True)
    else:
        refused(
            "CONFLICT" if call is ENTER else "OBLIGATION_NOT_FOUND", send, server, session_id, call
        )


def test_an_observation_is_its_source_and_its_id(server: BeliefServer, session_id: str) -> None:
    for source_id, observation_id in (("a", "b:c"), ("a:b", "c"), ("b:c", "a"), ("a", "b")):
        assert not server.eliminate(session_id, source_id, observation_id, ["a"]).duplicate
    assert server.query_belief(session_id).audit_seq == 5


def test_the_same_set_is_the_same_content(server: BeliefServer, session_id: str) -> None:
    first = server.eliminate(session_id, "s", "1", ["b", "a", "x", "b"])
    server.eliminate(session_id, "t", "1", ["c"])
    before = state(server, session_id)
    again = server.eliminate(
        session_id, "s", "1", {"x", "a", "b"}, {"other": 1}, notes="n", expected_head=NO_ID
    )
    assert (answered(again), again.duplicate) == ([["a", "b"], ["x"], first.event_id], True)
    assert again.snapshot.survivors == ["d"]
    assert state(server, session_id) == before
    for other in (["a", "b"], [], ["a", "b", "x", "c"]):
        details = refused("CONFLICT", server.eliminate, session_id, "s", "1", other)
        assert details["audit_event_id"] == first.event_id
        assert (details["source_id"], details["observation_id"]) == ("s", "1")
    assert state(server, session_id) == before


def test_repeats_are_answered_after_the_end(server: BeliefServer, session_id: str) -> None:
    eliminated = send(server, session_id, ELIMINATE)
    ended = server.request_termination(session_id, FORCE, request_id="end")
    assert answered(server.request_termination(session_id, request_id="end")) == answered(ended)
    again = send(server, session_id, ELIMINATE)
    assert (answered(again), again.duplicate) == (answered(eliminated), True)
    assert again.snapshot.terminated is True
    batch = [dict(ELIMINATE[1])]
    assert server.eliminate_batch(session_id, batch).duplicate is True
    batch += [{"source_id": "s", "observation_id": "new", "eliminated": []}]
    details = refused("SESSION_TERMINATED", server.eliminate_batch, session_id, batch)
    assert details["index"] == 1


def test_a_batch_of_some_repeats_is_none(server: BeliefServer, session_id: str) -> None:
    recorded = send(server, session_id, ELIMINATE)
    new = {"source_id": "s", "observation_id": "new", "eliminated": ["b"]}
    answer = server.eliminate_batch(session_id, [dict(ELIMINATE[1]), new])
    assert [one.duplicate for one in answer.results] == [True, False]
    assert answer.results[0].event_id == recorded.event_id
    assert (answer.duplicate, answer.snapshot.audit_seq) == (False, 3)


def test_repeats_belong_to_their_session(server: BeliefServer, session_id: str) -> None:
    other = declared(server)
    for call in (ELIMINATE, CONCLUDE):
        about = {"request_id": "r"} if call is CONCLUDE else {}
        assert send(server, session_id, call, **about).duplicate is False
        assert send(server, other, call, **about).duplicate is False


# DECLARE_SESSION

REQUEST: dict[str, Any] = {
    "ontology": ONTOLOGY,
    "hypotheses": IDS,
    "metadata": {"k": 1},
    "policy": {"stability_window": 1},
    "session_id": NO_ID,
}


@pytest.mark.parametrize(
    "same", [{}, {"hypotheses": ["d", "c", "b", "a", "a"]}, {"notes": "n"}, {"metadata": {"k": 1}}]
)
def test_a_declare_of_the_same_request(server: BeliefServer, same: dict[str, Any]) -> None:
    server.declare_session(**REQUEST)
    server.eliminate(NO_ID, "s", "1", ["a"])
    before = state(server, NO_ID)
    again = server.declare_session(**REQUEST | same)
    assert (again.session_id, again.duplicate) == (NO_ID, True)
    assert again.snapshot == server.query_belief(NO_ID)
    assert state(server, NO_ID) == before


@pytest.mark.parametrize(
    "other",
    [
        {"hypotheses": ["a"]},
        {"metadata": None},
        {"metadata": {}},
        {"metadata": {"k": 1.0}},
        {"policy": None},
        {"policy": {}},
        {"policy": {"stability_window": 1, "validate_hypotheses": False}},
        {"ontology": ONTOLOGY.to_dict() | {"causal_graph_ref": "other"}},
    ],
    ids=str,
)
def test_a_declare_of_another_request(server: BeliefServer, other: dict[str, Any]) -> None:
    first = server.declare_session(**REQUEST).snapshot.audit_head_event_id
    before = state(server, NO_ID)
    details = refused("CONFLICT", server.declare_session, **REQUEST | other)
    assert details == {"session_id": NO_ID, "audit_event_id": first}
    assert state(server, NO_ID) == before


def test_without_an_id_every_declare_is_another_session(server: BeliefServer) -> None:
    assert declared(server) != declared(server)
