"""A session taken over from its log: as it was, and going on."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cmbs.answers import AuditEntry
from cmbs.audit_log import FileAuditLog, restore_all
from cmbs.belief_server import BeliefServer
from cmbs.spi.elimination_store import RecoveredState
from tests.library.kit import (
    BATCH,
    CONCLUDE,
    ELIMINATE,
    FORCE,
    GATES,
    IDS,
    NO_ID,
    ONTOLOGY,
    VERBS,
    Call,
    Provider,
    Sink,
    Store,
    check,
    core_of,
    declared,
    lines_of,
    play,
    ready,
    refused,
    send,
    state,
    told_by,
    verb_name,
    verified,
)


def taken_over(server: BeliefServer, session_id: str, **more: Any) -> BeliefServer:
    other = BeliefServer(**more)
    other.restore_session(session_id, told_by(server, session_id), server.audit_trace(session_id))
    return other


def through_lines(entries: list[AuditEntry]) -> list[AuditEntry]:
    return [
        AuditEntry.from_record(entry.record(), entry.event_hash, entry.payload.get("hypotheses"))
        for entry in entries
    ]


def test_a_session_is_as_it_was(server: BeliefServer, session_id: str) -> None:
    play(server, session_id)
    other = taken_over(server, session_id)
    assert state(other, session_id) == state(server, session_id)
    check(other, session_id)
    entries = through_lines(server.audit_trace(session_id))
    again = BeliefServer()
    again.restore_session(session_id.upper(), told_by(server, session_id), entries)
    assert state(again, session_id) == state(server, session_id)


@pytest.mark.parametrize("n", range(1, 17))
def test_a_session_is_as_it_was_after_any_of_its_events(n: int) -> None:
    server, sink = BeliefServer(), Sink()
    session_id = declared(server)
    play(server, session_id)
    entries = server.audit_trace(session_id)
    assert len(entries) == 16
    gone = frozenset(one for entry in entries[:n] for one in entry.delta["eliminated"])
    told = RecoveredState(frozenset(IDS), gone, frozenset(IDS) - gone)
    other = BeliefServer(audit_log=sink)
    other.restore_session(session_id, told, entries[:n])
    assert other.audit_trace(session_id) == entries[:n]
    check(other, session_id)
    if n < 16:
        other.eliminate(session_id, "new", "1", IDS)
        assert other.audit_trace(session_id) == [*entries[:n], *sink.entries]
        check(other, session_id)


def test_old_and_new_events_are_one_log(server: BeliefServer, session_id: str) -> None:
    server.eliminate(session_id, "s", "1", ["a"])
    sink = Sink()
    other = taken_over(server, session_id, audit_log=sink, actor="agent://b")
    assert sink.calls == [], "what is restored is there already"
    other.declare_conclusion(session_id, "c")
    other.eliminate(session_id, "s", "2", ["b"])
    assert [entry.seq for entry in sink.entries] == [3, 4]
    assert {entry.actor for entry in sink.entries} == {"agent://b"}
    whole = [*server.audit_trace(session_id), *sink.entries]
    assert other.audit_trace(session_id) == whole
    verified(lines_of(whole), other.query_belief(session_id))
    third = taken_over(other, session_id)
    assert state(third, session_id) == state(other, session_id)


def test_time_goes_on_from_the_log() -> None:
    server = BeliefServer(clock=lambda: 100.0)
    session_id = declared(server)
    other = taken_over(server, session_id, clock=lambda: 50.0)
    other.declare_conclusion(session_id, "c")
    assert [entry.ts for entry in other.audit_trace(session_id)] == [100.0, 100.0]
    check(other, session_id)


@pytest.mark.parametrize("call", VERBS, ids=verb_name)
def test_repeats_are_answered_as_before(server: BeliefServer, call: Call) -> None:
    about: dict[str, Any] = {"request_id": "r"} if call in GATES else {}
    session_id = ready(server, call)
    send(server, session_id, call, **about)
    expected = send(server, session_id, call, **about)
    other = taken_over(server, session_id)
    before = state(other, session_id)
    again = send(other, session_id, call, **about)
    assert (again, again.duplicate) == (expected, True)
    assert state(other, session_id) == before
    if call in (ELIMINATE, BATCH, CONCLUDE):
        name = {"eliminate": {"eliminated": ["d"]}, "declare_conclusion": {"conclusion_id": "d"}}
        message = BATCH[1]["messages"][0] | {"eliminated": ["d"]}
        changed = name.get(call[0], {"messages": [message]})
        details = refused("CONFLICT", send, other, session_id, call, **about | changed)
        assert "audit_event_id" in details


def test_the_obligation_goes_on_counting(server: BeliefServer, session_id: str) -> None:
    server.enter_obligation(session_id, "o", 2)
    server.eliminate(session_id, "s", "1", ["a"])
    other = taken_over(server, session_id)
    assert other.query_belief(session_id).active_obligation_id == "o"
    assert other.request_exit(session_id, "o").approved is False
    other.eliminate(session_id, "s", "2", ["b"])
    assert other.request_exit(session_id, "o").approved is True
    refused("OBLIGATION_NOT_FOUND", other.request_exit, session_id, "o")


def test_accepted_conclusions_go_on_counting(server: BeliefServer) -> None:
    session_id = declared(server, ["a"], policy={"stability_window": 2})
    server.declare_conclusion(session_id, "c")
    server.enter_obligation(session_id, "o", 0)
    server.declare_conclusion(session_id, "other")
    server.request_exit(session_id, "o")
    other = taken_over(server, session_id)
    assert other.request_termination(session_id)[:2] == (False, "conclusion not stable")
    other.declare_conclusion(session_id, "c")
    assert other.request_termination(session_id)[:2] == (True, "approved")


def test_the_end_stays_the_end(server: BeliefServer, session_id: str) -> None:
    server.request_termination(session_id, FORCE)
    other = taken_over(server, session_id)
    assert core_of(other, session_id).is_terminated is True
    refused("SESSION_TERMINATED", other.declare_conclusion, session_id, "c")


@pytest.mark.parametrize("policy", [None, {}, {"stability_window": 1}])
def test_a_declare_that_comes_again(policy: Any) -> None:
    request: dict[str, Any] = {"policy": policy, "metadata": {"k": 1}, "session_id": NO_ID}
    server = BeliefServer()
    server.declare_session(ONTOLOGY, IDS, **request)
    other = taken_over(server, NO_ID)
    assert other.declare_session(ONTOLOGY, IDS, **request).duplicate is True
    for change in ({"policy": {"stability_window": 9}}, {"metadata": None}, {"metadata": {}}):
        refused("CONFLICT", other.declare_session, ONTOLOGY, IDS, **request | change)


def test_the_store_is_not_written_to() -> None:
    store = Store()
    server = BeliefServer(store=store)
    session_id = declared(server)
    play(server, session_id)
    other = BeliefServer(store=store)
    store.fails = True
    told = list(store.told)
    other.restore_session(session_id, store.recover(session_id), server.audit_trace(session_id))
    assert state(other, session_id) == state(server, session_id)
    assert store.told == told


# Errors


def test_a_session_that_is_there_already(server: BeliefServer, session_id: str) -> None:
    before = state(server, session_id)
    told, entries = told_by(server, session_id), server.audit_trace(session_id)
    for known in (session_id, session_id.upper()):
        details = refused("CONFLICT", server.restore_session, known, told, entries)
        assert details == {"session_id": session_id}
    refused("CONFLICT", server.restore_session, session_id, told, [])
    assert state(server, session_id) == before


@pytest.mark.parametrize("start", [1, 5, 15])
def test_a_log_without_its_beginning(start: int) -> None:
    server, other = BeliefServer(), BeliefServer()
    session_id = declared(server)
    play(server, session_id)
    entries = server.audit_trace(session_id)[start:]
    told = told_by(server, session_id)
    refused("INVALID_REQUEST", other.restore_session, session_id, told, entries)
    refused("SESSION_NOT_FOUND", other.query_belief, session_id)


@pytest.mark.parametrize("field", ONTOLOGY.to_dict())
@pytest.mark.parametrize("value", [None, ""])
def test_an_ontology_without_a_field(
    server: BeliefServer, session_id: str, field: str, value: Any
) -> None:
    (first,) = server.audit_trace(session_id)
    if value is None:
        del first.payload["ontology"][field]
    else:
        first.payload["ontology"][field] = value
    told, other = told_by(server, session_id), BeliefServer()
    refused("INVALID_REQUEST", other.restore_session, session_id, told, [first])
    del first.payload["ontology"]
    refused("INVALID_REQUEST", other.restore_session, session_id, told, [first])


@pytest.mark.parametrize(
    "change",
    [
        {"survivors": frozenset("bcd")},
        {"survivors": frozenset()},
        {"survivors": frozenset("ab")},
        {"hypothesis_ids": frozenset("abc")},
        {"hypothesis_ids": frozenset("abcde")},
        {"hypothesis_ids": frozenset()},
    ],
)
def test_a_store_that_says_otherwise(
    server: BeliefServer, session_id: str, change: dict[str, frozenset[str]]
) -> None:
    server.eliminate(session_id, "s", "1", ["a", "b"])
    told, entries = replace(told_by(server, session_id), **change), server.audit_trace(session_id)
    other = BeliefServer()
    refused("CONFLICT", other.restore_session, session_id, told, entries)
    refused("SESSION_NOT_FOUND", other.query_belief, session_id)
    other.restore_session(session_id, told_by(server, session_id), entries)


def test_what_a_provider_said_is_not_restored() -> None:
    server = BeliefServer(belief_provider=Provider())
    session_id = declared(server)
    server.apply_probe(session_id, "low", "a")
    refused("CONFLICT", taken_over, server, session_id)


# All of a log


def test_every_session_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "audit.ndjson"
    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        sessions = [declared(server, [*IDS, str(no)]) for no in range(20)]
        for session_id in sessions:
            play(server, session_id)
    with FileAuditLog(path) as log:
        other = BeliefServer(audit_log=log)
        assert restore_all(other, None, log) == sessions
        for session_id in sessions:
            assert state(other, session_id) == state(server, session_id)
        refused("CONFLICT", restore_all, other, None, log)


def test_a_session_that_cannot_be_restored_keeps_no_other_from_it(tmp_path: Path) -> None:
    path = tmp_path / "audit.ndjson"
    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        sessions = [declared(server, metadata={"no": no}) for no in range(4)]
    lines = path.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace('\\"no\\": 1', '\\"no\\": 9')
    lines[2] = lines[2].replace('\\"ts\\": \\"', '\\"ts\\": \\"x')
    path.write_text("".join(lines))
    other = BeliefServer()
    with FileAuditLog(path) as log:
        refused("CONFLICT", restore_all, other, None, log)
    for no in (0, 3):
        assert state(other, sessions[no]) == state(server, sessions[no])
    for no in (1, 2):
        refused("SESSION_NOT_FOUND", other.query_belief, sessions[no])


def test_entries_that_leave_their_session_out_are_restored() -> None:
    server = BeliefServer()
    session_id = declared(server)
    play(server, session_id)
    entries = [replace(entry, session_id="") for entry in server.audit_trace(session_id)]
    after = BeliefServer()
    after.restore_session(session_id, told_by(server, session_id), entries)
    assert after.query_belief(session_id) == server.query_belief(session_id)
    assert after.audit_trace(session_id) == server.audit_trace(session_id)


def test_a_session_restored_from_elsewhere_goes_on_in_the_file(tmp_path: Path) -> None:
    server = BeliefServer()
    session_id = declared(server)
    play(server, session_id)
    entries = server.audit_trace(session_id)
    told = told_by(server, session_id)
    for n_there in (0, 2, len(entries)):
        with FileAuditLog(tmp_path / f"{n_there}.ndjson") as log:
            log.extend(entries[:n_there])
            after = BeliefServer(audit_log=log)
            after.restore_session(session_id, told, entries)
            assert log.entries(session_id) == entries
            declared(after)
    with FileAuditLog(tmp_path / "other.ndjson") as log:
        other = BeliefServer(audit_log=log)
        declared(other, session_id=session_id)
        with pytest.raises(ValueError, match="has another log of session"):
            BeliefServer(audit_log=log).restore_session(session_id, told, entries)
