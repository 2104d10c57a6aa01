"""A server over a store and an audit log: all three say the same, or the verb changed nothing."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from cmbs.audit_log import recovered_from
from cmbs.belief_server import BeliefServer
from cmbs.spi.elimination_store import EliminationProvenance, EliminationResult
from tests.library.kit import (
    BATCH,
    ELIMINATE,
    GATES,
    IDS,
    NO_ID,
    ONTOLOGY,
    VERBS,
    Call,
    Failure,
    Sink,
    Store,
    check,
    declared,
    play,
    ready,
    refused,
    send,
    state,
    verb_name,
)


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def server(store: Store, sink: Sink) -> BeliefServer:
    return BeliefServer(store=store, audit_log=sink)


@pytest.fixture(params=["store", "sink"])
def failing(request: pytest.FixtureRequest, store: Store, sink: Sink) -> Store | Sink:
    return {"store": store, "sink": sink}[request.param]


def test_the_store_has_what_the_server_believes(
    server: BeliefServer, store: Store, session_id: str
) -> None:
    assert store.get_survivors(session_id) == frozenset(IDS)
    play(server, session_id)
    assert sorted(store.get_survivors(session_id)) == server.query_belief(session_id).survivors
    assert store.told[0] == EliminationProvenance(source_id="s", trigger="1")
    assert [one.trigger for one in store.told] == ["1", "2", "1", "2", "3", "4"]
    check(server, session_id)


def test_the_audit_log_gets_every_event_once(
    server: BeliefServer, sink: Sink, session_id: str
) -> None:
    play(server, session_id)
    assert sink.entries == server.audit_trace(session_id)
    assert [len(entries) for entries in sink.calls].count(3) == 1, "a batch is one call"


def test_the_store_is_asked_for_new_messages_alone(
    server: BeliefServer, store: Store, session_id: str
) -> None:
    for _ in range(3):
        send(server, session_id, ELIMINATE)
        send(server, session_id, BATCH)
    refused("INVALID_REQUEST", server.eliminate, session_id, "", "1", ["a"])
    refused("CONFLICT", server.eliminate, session_id, "s", "1", ["b"])
    refused("CONFLICT", server.eliminate, session_id, "s", "3", ["b"], expected_head=NO_ID)
    assert [one.trigger for one in store.told] == ["1", "2"]


def test_a_repeated_declare_does_not_reach_the_store(server: BeliefServer, store: Store) -> None:
    server.declare_session(ONTOLOGY, IDS, session_id=NO_ID)
    store.fails = True
    assert server.declare_session(ONTOLOGY, IDS, session_id=NO_ID).duplicate is True


# What raises undoes the verb


def test_a_declare_that_fails_leaves_no_session(
    server: BeliefServer, failing: Store | Sink, sink: Sink
) -> None:
    failing.fails = True
    with pytest.raises(Failure):
        server.declare_session(ONTOLOGY, IDS, session_id=NO_ID)
    refused("SESSION_NOT_FOUND", server.query_belief, NO_ID)
    assert sink.calls == []
    failing.fails = False
    assert server.declare_session(ONTOLOGY, IDS, session_id=NO_ID).duplicate is False
    check(server, NO_ID)


@pytest.mark.parametrize("call", [ELIMINATE, BATCH], ids=verb_name)
def test_a_store_that_raises_leaves_everything_as_it_was(
    server: BeliefServer, store: Store, sink: Sink, session_id: str, call: Call
) -> None:
    before, entries = state(server, session_id), sink.entries
    store.fails = True
    with pytest.raises(Failure):
        send(server, session_id, call)
    assert (state(server, session_id), sink.entries) == (before, entries)
    store.fails = False
    answer = send(server, session_id, call)
    done = answer.results[0] if call is BATCH else answer
    assert (len(done.applied), done.ignored, done.duplicate) == (1, [], False)
    check(server, session_id)


@pytest.mark.parametrize("call", VERBS, ids=verb_name)
def test_an_audit_log_that_raises_leaves_everything_as_it_was(
    server: BeliefServer, sink: Sink, call: Call
) -> None:
    session_id = ready(server, call)
    about = {"request_id": "r"} if call in GATES else {}
    before, entries = state(server, session_id), sink.entries
    sink.fails = True
    for _ in range(2):
        with pytest.raises(Failure):
            send(server, session_id, call, **about)
    assert (state(server, session_id), sink.entries) == (before, entries)
    sink.fails = False
    done, again = (send(server, session_id, call, **about) for _ in range(2))
    assert (done.duplicate, again.duplicate) == (False, True)
    if call not in GATES:
        # The store has eliminated it for a verb that failed; this is the first event to say so.
        told = [one.results[0] if call is BATCH else one for one in (done, again)]
        assert [(len(one.applied), one.ignored) for one in told] == [(1, [])] * 2
    assert sink.entries == server.audit_trace(session_id)
    check(server, session_id)


class Interrupted(Store):
    """Fails at the nth elimination, once."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def eliminate(
        self, session_id: str, eliminated: Iterable[str], provenance: EliminationProvenance
    ) -> EliminationResult:
        self.at -= 1
        if self.at == 0:
            raise Failure
        return super().eliminate(session_id, eliminated, provenance)


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_batch_that_a_store_breaks_off_is_not_there(at: int) -> None:
    store, sink = Interrupted(at), Sink()
    server = BeliefServer(store=store, audit_log=sink)
    session_id = declared(server)
    batch = [
        {"source_id": "s", "observation_id": one, "eliminated": [one]} for one in ("a", "b", "c")
    ]
    before = state(server, session_id)
    with pytest.raises(Failure):
        server.eliminate_batch(session_id, batch)
    assert (state(server, session_id), len(sink.calls)) == (before, 1)
    answer = server.eliminate_batch(session_id, batch)
    assert [(one.applied, one.ignored) for one in answer.results] == [
        (["a"], []),
        (["b"], []),
        (["c"], []),
    ]
    assert server.query_belief(session_id).survivors == ["d"]
    assert store.get_survivors(session_id) == {"d"}
    check(server, session_id)


# The answer of the store


class Elsewhere(Store):
    """One in which "a" went by another way."""

    def eliminate(
        self, session_id: str, eliminated: Iterable[str], provenance: EliminationProvenance
    ) -> EliminationResult:
        self.sessions[session_id][1].add("a")
        return super().eliminate(session_id, eliminated, provenance)


def one_by_one(server: BeliefServer, session_id: str) -> Any:
    return server.eliminate(session_id, "s", "1", ["b", "a", "x"])


def in_a_batch(server: BeliefServer, session_id: str) -> Any:
    message = {"source_id": "s", "observation_id": "1", "eliminated": ["b", "a", "x"]}
    return server.eliminate_batch(session_id, [message]).results[0]


@pytest.mark.parametrize("sent", [one_by_one, in_a_batch])
def test_the_answer_of_the_store_is_the_answer(sent: Callable[..., Any]) -> None:
    server = BeliefServer(store=Elsewhere())
    session_id = declared(server)
    first = sent(server, session_id)
    assert (first.applied, first.ignored) == (["b"], ["a", "x"])
    for again in (one_by_one(server, session_id), in_a_batch(server, session_id)):
        assert (again.applied, again.ignored, again.duplicate) == (["b"], ["a", "x"], True)
        again.applied.clear()
        again.ignored.clear()
    assert one_by_one(server, session_id)[:2] == (["b"], ["a", "x"])
    assert server.query_belief(session_id).survivors == ["c", "d"]
    check(server, session_id)


def test_a_session_that_the_store_knows_better_is_not_begun_anew(
    server: BeliefServer, store: Store, session_id: str
) -> None:
    server.eliminate(session_id, "s", "1", ["a"])
    another = BeliefServer(store=store)
    refused("CONFLICT", another.declare_session, ONTOLOGY, IDS, session_id=session_id)
    refused("SESSION_NOT_FOUND", another.query_belief, session_id)


class _Caller(Store):
    """It calls the server about the very session that it is told of."""

    server: BeliefServer
    asks = True

    def eliminate(
        self, session_id: str, eliminated: Iterable[str], provenance: EliminationProvenance
    ) -> EliminationResult:
        assert self.server.query_belief(session_id).survivors == IDS
        if not self.asks:
            self.server.declare_conclusion(session_id, "c")
        return super().eliminate(session_id, eliminated, provenance)


def test_a_store_may_ask_the_server_and_not_change_the_session() -> None:
    store = _Caller()
    store.server = server = BeliefServer(store=store)
    session_id, before = server.declare_session(ONTOLOGY, IDS)
    store.asks = False
    with pytest.raises(RuntimeError, match="must not change the session"):
        server.eliminate(session_id, "s", "1", ["a"])
    assert server.query_belief(session_id) == before
    store.asks = True
    assert server.eliminate(session_id, "s", "1", ["a"]).applied == ["a"]


def test_what_a_failed_verb_left_in_the_store_is_applied_by_whoever_says_so_first(
    server: BeliefServer, sink: Sink, session_id: str
) -> None:
    sink.fails = True
    with pytest.raises(Failure):
        server.eliminate(session_id, "s", "1", ["a", "b"])
    sink.fails = False
    assert server.eliminate(session_id, "t", "1", ["a"]).applied == ["a"]
    done = server.eliminate(session_id, "s", "1", ["a", "b"])
    assert (done.applied, done.ignored) == (["b"], ["a"])
    check(server, session_id)


def test_a_store_that_is_ahead_of_the_log_is_told_apart_and_can_be_left_aside(
    server: BeliefServer, store: Store, sink: Sink, session_id: str
) -> None:
    """As after a crash between the two: the event is not there, the elimination is."""
    store.eliminate(session_id, ["a"], EliminationProvenance("s", "1"))
    ahead = store.recover(session_id)
    after = BeliefServer(store=store)
    details = refused("CONFLICT", after.restore_session, session_id, ahead, sink.entries)
    assert details == {"survive_only_in_store": [], "survive_only_in_log": ["a"]}
    after.restore_session(session_id, recovered_from(sink.entries), sink.entries)
    after.eliminate(session_id, "s", "1", ["a"])
    assert after.query_belief(session_id).survivors == sorted(store.get_survivors(session_id))


def test_sessions_that_do_not_begin_leave_nothing_behind(
    server: BeliefServer, store: Store
) -> None:
    store.fails = True
    for _ in range(20):
        with pytest.raises(Failure):
            server.declare_session(ONTOLOGY, IDS)
    assert server._sessions._beginning == {}
