"""What a caller does with what it passed or got does not reach the server."""

from typing import Any

import pytest

from cmbs.answers import AuditEntry, BeliefSnapshot
from cmbs.belief_server import BeliefServer
from tests.library.kit import (
    FORCE,
    IDS,
    NO_ID,
    ONTOLOGY,
    Provider,
    Sink,
    Store,
    check,
    declared,
    play,
    refused,
    state,
)


def spoil(value: Any) -> None:
    """Change whatever can be changed in it."""
    if isinstance(value, dict):
        for one in [*value.values()]:
            spoil(one)
        value.clear()
        value["spoilt"] = True
    elif isinstance(value, list):
        for one in value:
            spoil(one)
        value[:] = ["spoilt"]
    elif isinstance(value, set):
        value.clear()
    elif isinstance(value, tuple):
        for one in value:
            spoil(one)
    elif isinstance(value, AuditEntry | BeliefSnapshot):
        for name, one in [*vars(value).items()]:
            spoil(one)
            setattr(value, name, "spoilt")


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def server(sink: Sink) -> BeliefServer:
    return BeliefServer(store=Store(), audit_log=sink)


def test_what_was_passed(server: BeliefServer) -> None:
    ontology, ids, metadata = ONTOLOGY.to_dict(), [*IDS], {"k": [{"l": 1}]}
    policy: dict[str, Any] = {"stability_window": 1}
    sent: dict[str, Any] = {"ontology": ontology, "hypotheses": ids, "metadata": metadata}
    sent |= {"policy": policy, "session_id": NO_ID}
    server.declare_session(**sent)
    asked, why, context = ["a", "x"], {"k": ["l"]}, {"k": {"l": None}}
    message = {"source_id": "s", "observation_id": "2", "eliminated": ["b"], "justification": why}
    server.eliminate(NO_ID, "s", "1", asked, why)
    server.eliminate_batch(NO_ID, [message])
    server.declare_conclusion(NO_ID, "c", context)
    before = state(server, NO_ID)
    for value in (ontology, ids, metadata, policy, asked, why, message, context):
        spoil(value)
    assert state(server, NO_ID) == before
    sent = {"ontology": ONTOLOGY, "hypotheses": IDS, "metadata": {"k": [{"l": 1}]}}
    sent |= {"policy": {"stability_window": 1}, "session_id": NO_ID}
    assert server.declare_session(**sent).duplicate is True
    assert server.eliminate(NO_ID, "s", "1", ["a", "x"])[:2] == (["a"], ["x"])


def test_what_was_answered(server: BeliefServer, sink: Sink) -> None:
    message = {"source_id": "s", "observation_id": "2", "eliminated": ["b", "x"]}
    session_id = declared(server, metadata={"k": [1]})
    server.enter_obligation(session_id, "o", 0)
    answers: list[Any] = [
        server.eliminate(session_id, "s", "1", ["a", "x"], {"k": [1]}),
        server.eliminate(session_id, "s", "1", ["a", "x"]),
        server.eliminate_batch(session_id, [message, message]),
        server.request_exit(session_id, "o", {"k": [1]}, request_id="r"),
        server.request_exit(session_id, "o", request_id="r"),
    ]
    before = state(server, session_id)
    answers += [server.query_belief(session_id), server.audit_trace(session_id), sink.calls]
    read = server.query_belief(session_id)
    assert read.survivors == ["c", "d"]
    for answer in [*answers, read]:
        spoil(answer)
    assert state(server, session_id) == before
    assert server.eliminate(session_id, "s", "1", ["x", "a"])[:2] == (["a"], ["x"])
    assert server.eliminate(session_id, "s", "3", ["c"]).snapshot.survivors == ["d"]
    check(server, session_id)


def test_what_an_error_says(server: BeliefServer) -> None:
    session_id = declared(server, policy={"validate_hypotheses": True})
    server.enter_obligation(session_id, "o", 0)
    before = state(server, session_id)
    spoil(refused("INVALID_HYPOTHESIS_ID", server.eliminate, session_id, "s", "1", ["x"]))
    spoil(refused("CONFLICT", server.enter_obligation, session_id, "o", 0))
    assert state(server, session_id) == before


def test_what_a_provider_answers_and_is_asked() -> None:
    ids, response = [*IDS], {"a": True}
    server = BeliefServer(belief_provider=Provider(ids))
    session_id = declared(server)
    server.apply_probe(session_id, "rules", response)
    before = state(server, session_id)
    spoil(ids)
    spoil(response)
    assert state(server, session_id) == before


def test_what_was_restored(server: BeliefServer) -> None:
    session_id = declared(server)
    play(server, session_id)
    entries, other = server.audit_trace(session_id), BeliefServer()
    other.restore_session(session_id, server._store.recover(session_id), entries)  # type: ignore[union-attr]
    spoil(entries)
    assert state(other, session_id) == state(server, session_id)


def test_a_snapshot_is_of_its_moment(server: BeliefServer) -> None:
    session_id = declared(server)
    moments = [(server.query_belief(session_id), [*IDS])]
    for one in IDS[:3]:
        snapshot = server.eliminate(session_id, "s", one, [one]).snapshot
        moments.append((snapshot, [*moments[-1][1]][1:]))
    server.request_termination(session_id, FORCE)
    for snapshot, survivors in moments:
        assert (snapshot.n_survivors, snapshot.terminated) == (len(survivors), False)
        assert snapshot.survivors == survivors
