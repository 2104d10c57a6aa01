"""A server with a provider: its ids are every universe, and its probes alone eliminate."""

from typing import Any

import pytest

from cmbs.audit_log import recovered_from
from cmbs.belief_server import BeliefServer
from tests.library.kit import (
    BATCH,
    ELIMINATE,
    FORCE,
    IDS,
    NO_ID,
    ONTOLOGY,
    Call,
    Failure,
    Provider,
    Sink,
    Store,
    declared,
    refused,
    send,
    state,
    verb_name,
)


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def server(provider: Provider, store: Store, sink: Sink) -> BeliefServer:
    return BeliefServer(belief_provider=provider, store=store, audit_log=sink)


@pytest.mark.parametrize("hypotheses", [None, [], ["other"], 5])
def test_the_universe_is_that_of_the_provider(server: BeliefServer, hypotheses: Any) -> None:
    assert server.declare_session(ONTOLOGY, hypotheses).snapshot.survivors == IDS


def test_a_probe_eliminates_what_the_provider_says(server: BeliefServer, session_id: str) -> None:
    server.enter_obligation(session_id, "o", 2)
    answer = server.apply_probe(session_id, "low", "b")
    applied, ignored, snapshot, event_id = answer
    assert (applied, ignored, snapshot.survivors) == (["c", "d"], [], ["a", "b"])
    assert (event_id, answer.duplicate) == (snapshot.audit_head_event_id, False)
    assert server.request_exit(session_id, "o").approved is True
    again = server.apply_probe(session_id, "low", "a", source_id="other")
    assert (again.applied, again.snapshot.survivors) == (["b"], ["a"])


def test_a_probe_may_be_asked_again_and_say_nothing(server: BeliefServer, session_id: str) -> None:
    first = server.apply_probe(session_id, "low", "b")
    second = server.apply_probe(session_id, "low", "b")
    assert second[:2] == ([], [])
    assert second.event_id != first.event_id
    spared = server.apply_probe(session_id, "rules", {"a": False})
    assert (spared.applied, spared.snapshot.survivors) == ([], ["a", "b"])


def test_what_a_probe_records(server: BeliefServer, session_id: str, sink: Sink) -> None:
    response = {"c": True, "a": False, "d": True}
    server.apply_probe(session_id, "rules", response, source_id="sensor")
    last = server.audit_trace(session_id)[-1]
    assert last.verb == "APPLY_PROBE"
    assert last.payload == {"probe_id": "rules", "response": response, "source_id": "sensor"}
    assert last.delta == {"eliminated": ["c", "d"]}
    assert sink.entries[-1] == last
    server.apply_probe(session_id, "low", "z")
    assert server.audit_trace(session_id)[-1].payload["source_id"] == "provider"


@pytest.mark.parametrize("call", [ELIMINATE, BATCH], ids=verb_name)
def test_nothing_else_eliminates(server: BeliefServer, session_id: str, call: Call) -> None:
    before = state(server, session_id)
    refused("CONFLICT", send, server, session_id, call)
    refused("SESSION_NOT_FOUND", send, server, NO_ID, call)
    refused("INVALID_REQUEST", send, server, session_id, (call[0], {**call[1], **WRONG[call[0]]}))
    assert state(server, session_id) == before


WRONG: dict[str, dict[str, Any]] = {
    "eliminate": {"eliminated": None},
    "eliminate_batch": {"messages": None},
}


def test_the_store_is_not_used(server: BeliefServer, session_id: str, store: Store) -> None:
    server.apply_probe(session_id, "low", "a")
    assert store.sessions == {}


def test_a_mapping_with_an_unknown_id_changes_nothing(
    server: BeliefServer, session_id: str
) -> None:
    before = state(server, session_id)
    for unknown in ({"a": True, "nowhere": True}, {"nowhere": False}):
        with pytest.raises(ValueError, match="nowhere"):
            server.apply_probe(session_id, "rules", unknown)
    assert state(server, session_id) == before


def test_a_provider_that_raises_changes_nothing(server: BeliefServer, session_id: str) -> None:
    before = state(server, session_id)
    with pytest.raises(TypeError):
        server.apply_probe(session_id, "low", 5)
    assert state(server, session_id) == before
    assert server.apply_probe(session_id, "low", "a").applied == ["b", "c", "d"]


def test_an_audit_log_that_raises_undoes_a_probe(
    server: BeliefServer, session_id: str, sink: Sink
) -> None:
    before = state(server, session_id)
    sink.fails = True
    with pytest.raises(Failure):
        server.apply_probe(session_id, "low", "a")
    assert state(server, session_id) == before
    sink.fails = False
    assert server.apply_probe(session_id, "low", "a").applied == ["b", "c", "d"]


def test_a_provider_is_not_asked_for_what_is_refused(
    server: BeliefServer, session_id: str, provider: Provider
) -> None:
    server.request_termination(session_id, FORCE)
    refused("SESSION_TERMINATED", server.apply_probe, session_id, "low", "a")
    refused("SESSION_TERMINATED", server.apply_probe, session_id, "unknown", "a")
    refused("SESSION_NOT_FOUND", server.apply_probe, NO_ID, "unknown", "a")
    refused("INVALID_REQUEST", server.apply_probe, session_id, "low", float("nan"))
    assert provider.asked == []


def test_the_other_verbs_are_as_ever(server: BeliefServer) -> None:
    session_id = declared(server)
    server.apply_probe(session_id, "low", "a")
    assert server.declare_conclusion(session_id, "a").approved is True
    assert server.request_termination(session_id)[:2] == (True, "approved")


def test_a_probe_with_a_request_id_is_sent_once(
    server: BeliefServer, provider: Provider, session_id: str
) -> None:
    done, again = (
        server.apply_probe(session_id, "low", "b", request_id="r", notes="n") for _ in range(2)
    )
    assert (done.applied, done.duplicate) == (["c", "d"], False)
    assert (again.applied, again.duplicate, again.event_id) == (["c", "d"], True, done.event_id)
    assert provider.asked == [("low", "b")]
    last = server.audit_trace(session_id)[-1]
    assert (last.notes, last.payload["request_id"]) == ("n", "r")
    other = {"request_id": "r"}
    refused("CONFLICT", server.apply_probe, session_id, "low", "a", **other)
    refused("CONFLICT", server.apply_probe, session_id, "low", "b", expected_head=NO_ID)


def test_a_log_is_not_restored_where_a_provider_brings_the_hypotheses(
    server: BeliefServer,
) -> None:
    without = BeliefServer()
    session_id = declared(without)
    entries = without.audit_trace(session_id)
    refused("CONFLICT", server.restore_session, session_id, recovered_from(entries), entries)
