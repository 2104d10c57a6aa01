"""What every verb of the server inside a process answers and records."""

import pickle
from copy import deepcopy
from typing import Any
from uuid import UUID

import pytest

from cmbs.adapters.types import EliminateMessage
from cmbs.answers import (
    AuditEntry,
    Batch,
    BeliefSnapshot,
    Decision,
    Declared,
    Eliminated,
    Entered,
    OntologyBundle,
    SessionPolicy,
)
from cmbs.belief_server import BeliefServer
from tests.library.kit import (
    BATCH,
    CONCLUDE,
    ELIMINATE,
    ENTER,
    EXIT,
    FORCE,
    IDS,
    NO_ID,
    ONTOLOGY,
    TERMINATE,
    VERBS,
    WAIVE,
    Call,
    declared,
    lines_of,
    play,
    ready,
    refused,
    send,
    verb_name,
    verified,
)

KINDS = [(ENTER, Entered), (EXIT, Decision), (WAIVE, Decision), (CONCLUDE, Decision)]
KINDS += [(TERMINATE, Decision), (ELIMINATE, Eliminated), (BATCH, Batch)]
PAYLOADS: dict[str, set[str]] = {
    "DECLARE_SESSION": {"ontology", "universe_digest", "n_hypotheses", "policy", "hypotheses"},
    "ELIMINATE": {"source_id", "observation_id", "eliminated", "justification"},
    "ENTER_OBLIGATION": {"obligation_id", "min_total_eliminations"},
    "REQUEST_EXIT": {"obligation_id", "context", "approved", "reason"},
    "WAIVE_OBLIGATION": {"obligation_id", "waive_reason", "approved", "reason"},
    "DECLARE_CONCLUSION": {"conclusion_id", "context", "accepted", "reason"},
    "REQUEST_TERMINATION": {"context", "approved", "reason"},
}


def test_declare_answers_the_session_and_its_snapshot(server: BeliefServer) -> None:
    answer = server.declare_session(ONTOLOGY, ["b", "a", "b"], {"k": 1}, notes="n")
    assert isinstance(answer, Declared)
    session_id, snapshot = answer
    assert (answer.session_id, answer.snapshot) == (session_id, snapshot)
    assert answer.duplicate is False
    assert str(UUID(session_id)) == session_id == snapshot.session_id
    assert (snapshot.survivors, snapshot.n_survivors, snapshot.n_hypotheses) == (["a", "b"], 2, 2)
    assert (snapshot.terminated, snapshot.active_obligation_id) == (False, None)
    assert (snapshot.ontology, snapshot.audit_seq) == (ONTOLOGY, 1)
    assert snapshot.policy == SessionPolicy(allow_forced_termination=True)
    (first,) = server.audit_trace(session_id)
    assert (first.payload["metadata"], first.notes) == ({"k": 1}, "n")
    assert first.payload["hypotheses"] == ["a", "b"]


def test_eliminate_answers_what_was_applied_and_what_was_not(
    server: BeliefServer, session_id: str
) -> None:
    answer = server.eliminate(session_id, "s", "1", ["d", "nowhere", "a", "d"])
    applied, ignored, snapshot, event_id = answer
    assert (applied, ignored) == (["a", "d"], ["nowhere"])
    assert (snapshot.survivors, event_id) == (["b", "c"], snapshot.audit_head_event_id)
    assert (answer.applied, answer.ignored) == (applied, ignored)
    assert (answer.snapshot, answer.event_id) == (snapshot, event_id)
    second = server.eliminate(session_id, "s", "2", ["a", "b"])
    assert second[:2] == (["b"], ["a"])
    recorded = server.audit_trace(session_id)[1]
    assert recorded.payload["eliminated"] == ["d", "nowhere", "a", "d"], "as it was sent"
    assert recorded.payload["justification"] == {}
    assert recorded.delta == {"eliminated": ["a", "d"]}


def test_an_elimination_of_nothing_is_recorded(server: BeliefServer, session_id: str) -> None:
    applied, ignored, snapshot, _ = server.eliminate(session_id, "s", "1", [])
    assert (applied, ignored, snapshot.audit_seq) == ([], [], 2)


def test_a_batch_answers_for_each_message(server: BeliefServer, session_id: str) -> None:
    sent = [("1", ["a", "b"]), ("2", ["b", "x"]), ("1", ["b", "a"])]
    answer = server.eliminate_batch(
        session_id,
        [
            {"source_id": "s", "observation_id": one, "eliminated": ids, "session_id": session_id}
            for one, ids in sent
        ],
    )
    results, snapshot, event_id = answer
    assert [(one.applied, one.ignored, one.duplicate) for one in results] == [
        (["a", "b"], [], False),
        ([], ["b", "x"], False),
        (["a", "b"], [], True),
    ]
    applied, ignored, first_event_id = results[0]
    assert (applied, ignored, first_event_id) == (["a", "b"], [], results[2].event_id)
    assert (answer.results, answer.duplicate, event_id) == (results, False, first_event_id)
    assert (snapshot.survivors, snapshot.audit_seq) == (["c", "d"], 3)
    assert snapshot.audit_head_event_id == results[1].event_id


@pytest.mark.parametrize(("call", "kind"), KINDS, ids=verb_name)
def test_answers_are_tuples_with_names(server: BeliefServer, call: Call, kind: type) -> None:
    session_id = ready(server, call)
    answer = send(server, session_id, call)
    assert type(answer) is kind
    assert isinstance(answer, tuple)
    assert (answer.duplicate, answer[-1], answer[-2]) == (False, answer.event_id, answer.snapshot)
    assert isinstance(answer.snapshot, BeliefSnapshot)
    assert answer.snapshot == server.query_belief(session_id)
    assert answer.snapshot.audit_head_event_id == answer.event_id
    for copied in (pickle.loads(pickle.dumps(answer)), deepcopy(answer)):
        assert (copied, copied.duplicate) == (answer, False)
    if kind is Decision:
        approved, reason, _, _ = answer
        assert (approved, reason) == (answer.approved, answer.reason)
        assert type(approved) is bool


def test_an_obligation_is_shown_while_it_is_active(server: BeliefServer, session_id: str) -> None:
    snapshot, event_id = server.enter_obligation(session_id, "o", 2)
    assert snapshot.active_obligation_id == "o"
    assert snapshot.active_obligation
    assert snapshot.active_obligation.min_total_eliminations == 2
    seen = server.eliminate(session_id, "s", "1", ["a", "b", "x"]).snapshot.active_obligation
    assert seen
    assert (seen.eliminated_since_entry, seen.satisfiable) == (2, True)
    left = server.request_exit(session_id, "o").snapshot
    assert (left.active_obligation_id, left.active_obligation) == (None, None)
    never = server.enter_obligation(session_id, "o", 3).snapshot.active_obligation
    assert never
    assert (never.eliminated_since_entry, never.satisfiable) == (0, False)
    assert event_id == server.audit_trace(session_id)[1].event_id


def test_every_payload_has_its_members(server: BeliefServer, session_id: str) -> None:
    play(server, session_id)
    met = set()
    for entry in server.audit_trace(session_id):
        assert isinstance(entry, AuditEntry)
        assert entry.payload.keys() - {"request_id"} == PAYLOADS[entry.verb]
        assert ("request_id" in entry.payload) <= (
            entry.verb not in ("DECLARE_SESSION", "ELIMINATE")
        )
        assert entry.delta["eliminated"] == [] or entry.verb == "ELIMINATE"
        met.add(entry.verb)
    assert met == PAYLOADS.keys()


@pytest.mark.parametrize("call", [one for one in VERBS if one is not BATCH], ids=verb_name)
@pytest.mark.parametrize("notes", ["", "n\n\u2028", "é" * 2048])
def test_notes_are_recorded(server: BeliefServer, call: Call, notes: str) -> None:
    session_id = ready(server, call)
    send(server, session_id, call, notes=notes)
    last = server.audit_trace(session_id)[-1]
    assert last.notes == last.to_dict()["notes"] == notes
    assert "notes" not in server.audit_trace(session_id)[0].to_dict()


def test_a_batch_has_notes_and_justifications_of_its_messages(
    server: BeliefServer, session_id: str
) -> None:
    about = {"source_id": "s", "eliminated": []}
    more: list[dict[str, Any]] = [{"notes": "n", "justification": {"k": 1}}, {"notes": None}]
    messages = [about | one | {"observation_id": str(no)} for no, one in enumerate(more)]
    server.eliminate_batch(session_id, iter(messages))
    entries = server.audit_trace(session_id)[1:]
    assert [entry.notes for entry in entries] == ["n", None]
    assert [entry.payload["justification"] for entry in entries] == [{"k": 1}, {}]


def test_the_trace_goes_on_after_an_event(server: BeliefServer, session_id: str) -> None:
    play(server, session_id)
    entries = server.audit_trace(session_id)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    for no, entry in enumerate(entries, start=1):
        assert server.audit_trace(session_id, entry.event_id) == entries[no:]
        assert server.audit_trace(session_id, since_event_id=entry.event_id.upper()) == entries[no:]
    other = declared(server)
    for unknown in (NO_ID, "nothing", "", server.query_belief(other).audit_head_event_id):
        details = refused("EVENT_NOT_FOUND", server.audit_trace, session_id, unknown)
        assert details == {"session_id": session_id, "event_id": unknown}


def test_a_session_id_may_be_written_in_any_way(server: BeliefServer) -> None:
    chosen = UUID("6F9619FF-8B86-4D01-B42D-00C04FC964FF")
    session_id, _ = server.declare_session(ONTOLOGY, IDS, session_id=chosen)
    assert session_id == str(chosen)
    message = {"source_id": "s", "observation_id": "1", "eliminated": ["a"]}
    for name in (session_id, session_id.upper(), f"{{{session_id}}}", chosen):
        assert server.query_belief(name).session_id == session_id
        assert server.declare_session(ONTOLOGY, IDS, session_id=name).duplicate is True
        sent = [message | {"session_id": other} for other in (session_id, session_id.upper())]
        assert server.eliminate_batch(name, sent).event_id


def test_ids_of_events_and_actor_and_time() -> None:
    random = UUID("9d3c6a52-7b1e-4f08-a1c4-ffffffffffff")
    server = BeliefServer(actor="agent://x", clock=lambda: 1.25, new_id=lambda: random)
    session_id = declared(server)
    server.eliminate(session_id, "s", "1", [])
    assert session_id == str(random)
    first, second = server.audit_trace(session_id)
    assert first.event_id == "9d3c6a52-7b1e-4f08-a1c4-000000000001"
    assert second.event_id == "9d3c6a52-7b1e-4f08-a1c4-000000000002"
    assert (first.actor, first.ts) == ("agent://x", 1.25)
    assert second.to_dict()["ts"] == "1970-01-01T00:00:01.250000Z"


def test_time_does_not_run_backwards() -> None:
    times = iter([5.0, 3.0, 7.0])
    server = BeliefServer(clock=lambda: next(times))
    session_id = declared(server)
    server.request_termination(session_id)
    server.request_termination(session_id, FORCE)
    assert [entry.ts for entry in server.audit_trace(session_id)] == [5.0, 5.0, 7.0]


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, iter], ids=str)
def test_ids_come_in_any_iterable(server: BeliefServer, kind: Any) -> None:
    session_id, snapshot = server.declare_session(ONTOLOGY, kind(IDS))
    assert snapshot.survivors == IDS
    assert server.eliminate(session_id, "s", "1", kind(["b", "a"])).applied == ["a", "b"]


def test_an_empty_list_of_hypotheses_is_a_session(server: BeliefServer) -> None:
    session_id, snapshot = server.declare_session(ONTOLOGY, [])
    assert (snapshot.survivors, snapshot.entropy_proxy) == ([], 0.0)
    assert server.eliminate(session_id, "s", "1", ["a"]).ignored == ["a"]
    assert server.request_termination(session_id).approved is False
    verified(lines_of(server.audit_trace(session_id)), server.query_belief(session_id))


def test_a_program_may_pass_what_it_was_given(server: BeliefServer) -> None:
    """As it may to a client over HTTP."""
    session_id, first = server.declare_session(ONTOLOGY, dict.fromkeys(IDS), policy=SessionPolicy())
    assert first.policy == SessionPolicy(allow_forced_termination=False)
    message = EliminateMessage.create("s", "1", ["a"])
    assert server.eliminate_batch(session_id, [message]).results[0].applied == ["a"]
    heads = [NO_ID, server.query_belief(session_id).audit_head_event_id]
    server.eliminate(session_id, "s", "2", ["b"], expected_head=heads, request_id="passed over")
    server.eliminate(session_id, "s", "3", ["c"], expected_head="*")
    for stale in (heads, [], UUID(heads[1])):
        refused("CONFLICT", server.eliminate, session_id, "s", "4", [], expected_head=stale)
    assert "request_id" not in server.audit_trace(session_id)[2].payload


def test_sessions_over_one_set_share_it(server: BeliefServer) -> None:
    one, other = (server._sessions.of(declared(server)).session for _ in range(2))
    assert one.universe is other.universe


def test_an_ontology_may_be_an_object_of_its_fields(server: BeliefServer) -> None:
    snapshot = server.declare_session(ONTOLOGY.to_dict(), IDS).snapshot  # type: ignore[arg-type]
    assert snapshot.ontology == ONTOLOGY
    assert isinstance(snapshot.ontology, OntologyBundle)
