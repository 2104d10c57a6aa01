"""Many threads on one server: each message is done once, and the log is one chain."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from threading import Barrier, Thread
from typing import Any
from uuid import UUID

import pytest

from cmbs.answers import BeliefServerError
from cmbs.audit_log import FileAuditLog
from cmbs.belief_server import BeliefServer
from tests.library.kit import (
    FORCE,
    IDS,
    NO_ID,
    ONTOLOGY,
    Sink,
    Store,
    check,
    declared,
    told_by,
)

THREADS = 12


@pytest.fixture(autouse=True)
def _switching() -> Iterator[None]:
    """Python changes from thread to thread a thousand times as often as it would."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(usual)


def at_once(work: Callable[[int], Any], n: int = THREADS) -> list[Any]:
    """What each of the threads gave or raised; they begin together."""
    barrier, given = Barrier(n), [None] * n

    def run(no: int) -> None:
        barrier.wait()
        try:
            given[no] = work(no)
        except Exception as error:
            given[no] = error  # type: ignore[call-overload]

    threads = [Thread(target=run, args=(no,)) for no in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return given


def whole(server: BeliefServer, session_id: str) -> None:
    """The log verifies, and leads to the same session when it is replayed."""
    check(server, session_id)
    other = BeliefServer()
    other.restore_session(session_id, told_by(server, session_id), server.audit_trace(session_id))
    assert other.query_belief(session_id) == server.query_belief(session_id)


@pytest.fixture(params=["memory", "file"])
def shared(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    if request.param == "memory":
        yield BeliefServer(store=Store(), audit_log=Sink())
        return
    with FileAuditLog(tmp_path / "audit.ndjson") as log:
        yield BeliefServer(audit_log=log)


def test_each_hypothesis_is_applied_once(shared: BeliefServer) -> None:
    ids = [f"{no:04}" for no in range(600)]
    session_id = declared(shared, ids)

    def work(no: int) -> list[str]:
        applied = []
        for step in range(10):
            asked = ids[step * 60 : step * 60 + 60 + no]
            applied += shared.eliminate(session_id, f"thread {no}", str(step), asked).applied
        return applied

    counted = Counter(one for applied in at_once(work) for one in applied)
    assert counted == Counter(ids)
    snapshot = shared.query_belief(session_id)
    assert (snapshot.survivors, snapshot.audit_seq) == ([], 1 + 10 * THREADS)
    whole(shared, session_id)


def test_one_message_of_many_threads_is_one_event(shared: BeliefServer) -> None:
    session_id = declared(shared)
    message = {"source_id": "s", "observation_id": "2", "eliminated": ["b"]}
    for work in (
        lambda _: shared.eliminate(session_id, "s", "1", ["a"]),
        lambda _: shared.eliminate_batch(session_id, [message]),
        lambda _: shared.declare_conclusion(session_id, "c", request_id="r"),
    ):
        answers = at_once(work)  # type: ignore[arg-type]
        assert len({answer.event_id for answer in answers}) == 1
        assert sorted(answer.duplicate for answer in answers) == [False] + [True] * (THREADS - 1)
    assert shared.query_belief(session_id).audit_seq == 4
    whole(shared, session_id)


def test_one_obligation_is_entered(shared: BeliefServer) -> None:
    session_id = declared(shared)
    answers = at_once(lambda no: shared.enter_obligation(session_id, f"{no}", 0))
    errors = [one for one in answers if isinstance(one, BeliefServerError)]
    assert len(errors) == THREADS - 1
    active = shared.query_belief(session_id).active_obligation_id
    assert {(e.code, e.details["active_obligation_id"]) for e in errors if e.details} == {
        ("CONFLICT", active)
    }
    whole(shared, session_id)


def test_an_expected_head_lets_one_through(shared: BeliefServer) -> None:
    session_id = declared(shared)
    head = shared.query_belief(session_id).audit_head_event_id
    answers = at_once(lambda no: shared.declare_conclusion(session_id, f"{no}", expected_head=head))
    assert sum(not isinstance(one, Exception) for one in answers) == 1
    assert shared.query_belief(session_id).audit_seq == 2


def test_nothing_comes_after_the_end(shared: BeliefServer) -> None:
    session_id = declared(shared, ["a"])

    def work(no: int) -> Any:
        if no == 0:
            return shared.request_termination(session_id, FORCE)
        return [shared.declare_conclusion(session_id, f"{no}") for _ in range(20)]

    at_once(work)
    entries = shared.audit_trace(session_id)
    assert [entry.verb for entry in entries].index("REQUEST_TERMINATION") == len(entries) - 1
    whole(shared, session_id)


def test_one_session_is_declared(shared: BeliefServer) -> None:
    answers = at_once(lambda _: shared.declare_session(ONTOLOGY, IDS, session_id=NO_ID))
    assert sorted(answer.duplicate for answer in answers) == [False] + [True] * (THREADS - 1)
    assert {answer.snapshot.audit_head_event_id for answer in answers} == {
        shared.query_belief(NO_ID).audit_head_event_id
    }
    whole(shared, NO_ID)


def test_of_different_declares_one_wins(shared: BeliefServer) -> None:
    answers = at_once(lambda no: shared.declare_session(ONTOLOGY, [str(no)], session_id=NO_ID))
    won = [one for one in answers if not isinstance(one, Exception)]
    assert [one.snapshot.survivors for one in won] == [shared.query_belief(NO_ID).survivors]
    assert {one.code for one in answers if isinstance(one, BeliefServerError)} == {"CONFLICT"}
    whole(shared, NO_ID)


def test_a_session_is_restored_once(server: BeliefServer, session_id: str) -> None:
    told, entries, again = (
        told_by(server, session_id),
        server.audit_trace(session_id),
        BeliefServer(),
    )
    answers = at_once(lambda _: again.restore_session(session_id, told, entries))
    assert [one for one in answers if one is None] == [None]
    assert {one.code for one in answers if one is not None} == {"CONFLICT"}


def test_sessions_do_not_meet(shared: BeliefServer) -> None:
    ids = [UUID(int=no, version=4) for no in range(THREADS)]

    def work(no: int) -> Any:
        session_id = declared(shared, [f"{no}", "x"], session_id=ids[no])
        for step in range(10):
            shared.eliminate(session_id, "s", f"{step}", [f"{step}"])
        return shared.query_belief(session_id)

    for no, snapshot in enumerate(at_once(work)):
        assert snapshot.session_id == str(ids[no])
        assert snapshot.survivors == (["x"] if no < 10 else [f"{no}", "x"])
        assert snapshot.audit_seq == 11
        whole(shared, str(ids[no]))


def test_readers_see_whole_states(shared: BeliefServer) -> None:
    ids = [f"{no:03}" for no in range(200)]
    session_id = declared(shared, ids)

    def work(no: int) -> Any:
        if no == 0:
            for step, one in enumerate(ids):
                shared.eliminate(session_id, "s", str(step), [one])
            return []
        return [
            (shared.query_belief(session_id), shared.audit_trace(session_id)) for _ in range(15)
        ]

    for snapshot, entries in (pair for pairs in at_once(work, 4) for pair in pairs):
        seq = snapshot.audit_seq
        assert snapshot.survivors == ids[seq - 1 :]
        assert snapshot.n_survivors == len(ids) - seq + 1
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        assert len(entries) >= seq
        assert entries[seq - 1].event_hash == snapshot.audit_head_hash
