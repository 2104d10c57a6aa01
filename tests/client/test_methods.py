"""Every method of both clients, against a server on a socket."""

import inspect
from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from cmbs.answers import AuditEntry, BeliefSnapshot, Eliminated, OntologyBundle, SessionPolicy
from cmbs.client import AsyncClient, Client
from cmbs.errors import (
    EventNotFound,
    HeadMismatch,
    InvalidHypothesisId,
    ObligationNotFound,
    SessionNotFound,
    SpaceNotFound,
)
from cmbs.kernel.canonical import canonical, hash_text
from tests.client.conftest import Connect
from tests.support.beliefs import NO_EVENT, ONTOLOGY

BUNDLE = OntologyBundle(**ONTOLOGY)
CAUSES = ["bad_deploy", "disk_full", "dns", "pool_exhausted"]


@pytest.fixture(params=[False, True], ids=["", "verify"])
def client(connect: Connect, site: SimpleNamespace, request: pytest.FixtureRequest) -> Any:
    return connect(site.address, verify=request.param)


def declare(client: Any, *hypotheses: str, **more: Any) -> str:
    session: str = client.declare_session(BUNDLE, hypotheses or CAUSES, **more).session_id
    return session


def test_declaring(client: Any) -> None:
    session, snapshot = told = client.declare_session(BUNDLE, CAUSES, {"who": "ann"}, notes="n")
    assert UUID(session)
    assert told.duplicate is False
    assert snapshot.ontology == BUNDLE
    assert snapshot.survivors == CAUSES
    assert snapshot.policy == SessionPolicy()
    assert (snapshot.n_survivors, snapshot.entropy_proxy, snapshot.terminated) == (4, 2.0, False)
    (event,) = client.audit_trace(session)
    assert event.payload["metadata"] == {"who": "ann"}
    assert (event.notes, event.verb, event.actor) == ("n", "DECLARE_SESSION", "api")


def test_declaring_again(client: Any) -> None:
    mine = uuid4()
    policy = SessionPolicy(validate_hypotheses=True, stability_window=2)
    first = client.declare_session(ONTOLOGY, set(CAUSES), policy=policy, session_id=mine)
    again = client.declare_session(BUNDLE, CAUSES[::-1], policy=policy, session_id=str(mine))
    assert first.session_id == again.session_id == str(mine)
    assert (first.duplicate, again.duplicate) == (False, True)
    assert again.snapshot == first.snapshot
    assert again.snapshot.policy == policy


def test_declaring_from_a_space(client: Any) -> None:
    name = str(uuid4())
    registered = client.register_space(name, "v1", CAUSES)
    assert (registered.n_hypotheses, registered.duplicate) == (4, False)
    assert registered.universe_digest == hash_text(canonical(CAUSES))
    assert client.register_space(name, "v1", set(CAUSES)).duplicate is True
    space = client.read_space(name, "v1")
    assert (space.hypotheses, space.registered_by) == (CAUSES, "api")
    assert space.registered_at > 1.7e9
    ontology = ONTOLOGY | {"hypothesis_space_id": name, "hypothesis_version": "v1"}
    assert client.declare_session(ontology).snapshot.survivors == CAUSES
    with pytest.raises(SpaceNotFound):
        client.read_space(name, "v2")


def test_eliminating(client: Any) -> None:
    session = declare(client)
    answer = client.eliminate(session, "tool://df", "df", ["disk_full", "gremlins"], {"used": 0.41})
    applied, ignored, snapshot, event_id = answer
    assert (applied, ignored, answer.duplicate) == (["disk_full"], ["gremlins"], False)
    assert snapshot.survivors == ["bad_deploy", "dns", "pool_exhausted"]
    assert snapshot.audit_head_event_id == event_id
    again = client.eliminate(session, "tool://df", "df", {"gremlins", "disk_full"})
    assert tuple(again) == tuple(answer)
    assert again.duplicate is True
    client.eliminate(UUID(session), "tool://dig", "dig", iter(["dns"]), notes="at noon")
    later = client.eliminate(session, "tool://df", "df", ["disk_full", "gremlins"])
    assert (later.applied, later.event_id) == (["disk_full"], event_id)
    assert later.snapshot.n_survivors == 2
    assert [event.verb for event in client.audit_trace(session)][1:] == ["ELIMINATE"] * 2


def test_a_request_id_of_an_observation_is_passed_over(client: Any) -> None:
    session = declare(client)
    first = client.eliminate(session, "s", "o", ["dns"], request_id="r")
    again = client.eliminate(session, "s", "o", ["dns"], request_id="another")
    assert (first.duplicate, again.duplicate) == (False, True)
    assert client.eliminate(session, "s", "p", ["dns"], request_id="r").duplicate is False
    assert client.declare_conclusion(session, "c", request_id="r").duplicate is False
    assert "request_id" not in client.audit_event(session, first.event_id).payload


class Sent(NamedTuple):
    """Has what an adapter's message has."""

    source_id: str
    observation_id: str
    eliminated: list[str]
    justification: dict[str, Any]
    verb: str = "ELIMINATE"


def test_a_batch(client: Any) -> None:
    session = declare(client)
    client.eliminate(session, "a", "1", ["dns"])
    messages = [
        {"source_id": "a", "observation_id": "1", "eliminated": ["dns"]},
        Sent("b", "1", ["dns", "disk_full"], {"n": 1}),
        {"source_id": "b", "observation_id": "2", "eliminated": {"x"}, "notes": "n"},
        {"source_id": "b", "observation_id": "3", "eliminated": [], "session_id": UUID(session)},
    ]
    answer = results, snapshot, event_id = client.eliminate_batch(session, messages)
    assert [one.duplicate for one in results] == [True, False, False, False]
    assert [one.applied for one in results] == [["dns"], ["disk_full"], [], []]
    assert [one.ignored for one in results] == [[], ["dns"], ["x"], []]
    assert event_id == results[-1].event_id == snapshot.audit_head_event_id
    assert answer.duplicate is False
    assert client.eliminate_batch(session, messages).duplicate is True
    assert client.audit_event(session, results[1].event_id).payload["justification"] == {"n": 1}


def test_the_gates(client: Any) -> None:
    session = declare(client, policy={"allow_forced_termination": True})
    entered = client.enter_obligation(session, "look", 2, request_id="enter", notes="n")
    assert entered.snapshot.active_obligation.min_total_eliminations == 2
    assert client.enter_obligation(session, "look", 2, request_id="enter").duplicate is True
    denied = client.declare_conclusion(session, "dns", {"sure": Decimal("0.10")})
    assert (denied.approved, denied.reason) == (False, "active obligation blocks conclusion")
    left = client.request_exit(session, "look", {"why": "no"}, request_id="exit")
    assert (left.approved, left.reason) == (False, "minimum eliminations not met")
    assert client.request_exit(session, "look", request_id="exit").event_id == left.event_id
    waived = client.waive_obligation(session, "look", "it is late")
    assert (waived.approved, waived.reason) == (True, "waived")
    assert client.declare_conclusion(session, "dns").approved is True
    refused = client.request_termination(session, request_id="end")
    assert refused.reason == "termination requires a singleton survivor"
    ended = client.request_termination(session, {"force": True})
    assert (ended.approved, ended.reason) == (True, "approved by force")
    assert ended.snapshot.terminated
    (obligation,) = client.list_obligations(session)
    assert (obligation.obligation_id, obligation.state, obligation.counted) == ("look", "waived", 0)
    assert obligation.entered_event_id == entered.event_id
    assert obligation.ended_event_id == waived.event_id
    conclusions = client.list_conclusions(session)
    assert [one.accepted for one in conclusions] == [False, True]
    assert conclusions[0].ts == client.audit_event(session, denied.event_id).ts


def test_every_gate_message_has_an_identity(client: Any) -> None:
    session = declare(client)
    client.enter_obligation(session, "o", 0)
    client.request_exit(session, "o")
    client.enter_obligation(session, "o", 0)
    client.waive_obligation(session, "o", "r")
    client.declare_conclusion(session, "c")
    client.request_termination(session)
    keys = [event.payload["request_id"] for event in client.audit_trace(session)[1:]]
    assert len({UUID(key) for key in keys}) == 6


def test_the_belief_now_and_then(client: Any) -> None:
    session = declare(client)
    first = client.eliminate(session, "a", "1", ["dns"])
    client.eliminate(session, "a", "2", ["disk_full"])
    now = client.query_belief(session)
    assert (now.survivors, now.audit_seq) == (["bad_deploy", "pool_exhausted"], 3)
    assert client.query_belief(session, first.event_id) == first.snapshot
    assert client.query_belief(session, as_of=UUID(first.event_id)).audit_seq == 2
    moment = datetime.fromtimestamp(0, UTC) + timedelta(
        microseconds=round(client.audit_event(session, first.event_id).ts * 1e6)
    )
    assert client.query_belief(session, as_of=moment) == first.snapshot
    assert client.query_belief(session, moment.isoformat()) == first.snapshot
    with pytest.raises(EventNotFound):
        client.query_belief(session, as_of=NO_EVENT)


def test_without_survivors(client: Any) -> None:
    session, declared = client.declare_session(BUNDLE, CAUSES, minimal=True)
    answers = [
        declared,
        client.eliminate(session, "a", "1", ["dns"], minimal=True).snapshot,
        client.eliminate_batch(
            session,
            [{"source_id": "a", "observation_id": "2", "eliminated": []}],
            minimal=True,
        ).snapshot,
        client.enter_obligation(session, "o", 0, minimal=True).snapshot,
        client.request_exit(session, "o", minimal=True).snapshot,
        client.enter_obligation(session, "o", 0, minimal=True).snapshot,
        client.waive_obligation(session, "o", "r", minimal=True).snapshot,
        client.declare_conclusion(session, "c", minimal=True).snapshot,
        client.request_termination(session, minimal=True).snapshot,
        client.query_belief(session, minimal=True),
    ]
    assert [one.n_survivors for one in answers] == [4] + [3] * 9
    for snapshot in answers:
        with pytest.raises(AttributeError, match="without survivors"):
            _ = snapshot.survivors


def test_the_log(client: Any) -> None:
    session = declare(client)
    client.eliminate(session, "a", "1", ["dns"], notes="n")
    client.declare_conclusion(session, "c")
    trace = client.audit_trace(session)
    assert [event.seq for event in trace] == [1, 2, 3]
    assert trace[0].payload["hypotheses"] == CAUSES
    assert all(hash_text(event.record()) == event.event_hash for event in trace)
    assert client.audit_trace(UUID(session), trace[0].event_id) == trace[1:]
    assert client.audit_trace(session, UUID(trace[-1].event_id)) == []
    assert [client.audit_event(session, event.event_id) for event in trace] == trace
    assert [*client.audit_stream(session, trace[1].event_id)] == trace[2:]
    assert isinstance(trace[0], AuditEntry)


def test_listing_sessions(client: Any) -> None:
    space = str(uuid4())
    ontology = ONTOLOGY | {"hypothesis_space_id": space}
    made = [client.declare_session(ontology, ["a"]).session_id for _ in range(101)]
    client.request_termination(made[7])
    found = [*client.list_sessions(hypothesis_space_id=space)]
    assert [one.session_id for one in found] == made[::-1]
    assert all(isinstance(one, BeliefSnapshot) and one.n_survivors == 1 for one in found)
    assert [
        one.session_id for one in client.list_sessions(terminated=True, hypothesis_space_id=space)
    ] == [made[7]]
    assert next(iter(client.list_sessions())).session_id == made[-1]


def test_asking_why(client: Any) -> None:
    session = declare(client)
    event_id = client.eliminate(session, "tool://dig", "dig", ["dns"], {"n": 1}).event_id
    assert client.why(session, "disk_full").eliminated_by is None
    why = client.why(session, "dns")
    assert (why.hypothesis_id, why.survives) == ("dns", False)
    by, event = why.eliminated_by, client.audit_event(session, event_id)
    assert (by.event_id, by.seq, by.ts, by.actor) == (event_id, 2, event.ts, "api")
    assert (by.source_id, by.observation_id, by.justification) == ("tool://dig", "dig", {"n": 1})
    with pytest.raises(InvalidHypothesisId) as caught:
        client.why(session, "gremlins")
    assert caught.value.details == {"invalid": ["gremlins"], "n_invalid": 1}


def test_looking_back(client: Any) -> None:
    session = declare(client)
    first = client.eliminate(session, "a", "1", ["dns"])
    second = client.eliminate(session, "b", "1", ["disk_full"])
    explained = client.explain(session, "dns", limit=1)
    assert explained["hypothesis"]["eliminated_by"]["event_id"] == first.event_id
    assert explained["termination"]["missing"][0]["missing"] == 1
    assert len(client.explain(session, limit=1)["eliminations"]["events"]) == 1
    diff = client.diff(session, first.event_id, UUID(second.event_id), limit=9)
    assert (diff["from"]["n_survivors"], diff["to"]["n_survivors"]) == (3, 2)
    assert [one["hypothesis_id"] for one in diff["eliminated"]] == ["disk_full"]
    assert client.whatif(session, "a")["returning"] == ["dns"]
    assert client.whatif(session, without_observation="1", limit=1)["n_returning"] == 2
    with pytest.raises(EventNotFound):
        client.whatif(session, "nobody", "1")


def test_what_the_server_found_in_its_log(
    connect: Connect, web: httpx.Client, db: psycopg.Connection[Any]
) -> None:
    client = connect(str(web.base_url))
    session = declare(client)
    client.eliminate(session, "a", "1", ["dns"])
    verified = client.verify(session)
    assert (verified.ok, verified.rows_checked, verified.first_bad) == (True, 2, None)
    assert verified.head_hash == client.query_belief(session).audit_head_hash
    db.execute("alter table cmbs_store.audit_event disable trigger all")
    db.execute("update cmbs_store.audit_event set record = replace(record, 'dns', 'dnt')")
    broken = client.verify(session)
    assert (broken.ok, broken.first_bad.seq) == (False, 2)
    assert broken.first_bad.reason


def test_health(client: Any) -> None:
    assert client.healthz().status == "ok"
    ready = client.readyz()
    assert (ready.status, len(ready.revision) > 0) == ("ready", True)


def test_expected_heads(client: Any) -> None:
    session, snapshot = client.declare_session(BUNDLE, CAUSES)
    first = snapshot.audit_head_event_id
    head = client.eliminate(session, "a", "1", ["dns"], expected_head=first).event_id
    for stale in (first, UUID(first), [first, NO_EVENT], []):
        with pytest.raises(HeadMismatch) as caught:
            client.declare_conclusion(session, "c", expected_head=stale)
        assert caught.value.details["audit_head_event_id"] == head
    calls = [
        lambda head: client.enter_obligation(session, "o", 0, expected_head=head),
        lambda head: client.request_exit(session, "o", expected_head=head),
        lambda head: client.enter_obligation(session, "o", 0, expected_head=head),
        lambda head: client.waive_obligation(session, "o", "r", expected_head=head),
        lambda head: client.declare_conclusion(session, "c", expected_head=head),
        lambda head: client.request_termination(session, expected_head=head),
        lambda head: client.eliminate_batch(
            session,
            [{"source_id": "b", "observation_id": "1", "eliminated": []}],
            expected_head=head,
        ),
    ]
    for call in calls:
        with pytest.raises(HeadMismatch):
            call(first)
        head = call([first, head]).snapshot.audit_head_event_id
    assert client.declare_conclusion(session, "c", expected_head="*").approved is True
    # A repeat is answered, whatever its head.
    assert client.eliminate(session, "a", "1", ["dns"], expected_head=first).duplicate is True


def test_numbers_keep_their_digits(client: Any) -> None:
    exact = {"a": Decimal("1.10"), "b": 10**40, "c": Decimal("0.1234567890123456789012345678901")}
    session = declare(client, metadata=exact)
    event_id = client.eliminate(session, "a", "1", ["dns"], exact | {"f": 0.5}).event_id
    client.declare_conclusion(session, "c", exact)
    declared, eliminated, concluded = client.audit_trace(session)
    assert declared.payload["metadata"] == concluded.payload["context"] == exact
    assert str(declared.payload["metadata"]["a"]) == "1.10"
    assert canonical(eliminated.payload["justification"]) == canonical(exact | {"f": 0.5})
    assert client.audit_event(session, event_id) == eliminated
    assert str(client.why(session, "dns").eliminated_by.justification["a"]) == "1.10"


def test_an_obligation_that_is_not_there(client: Any) -> None:
    session = declare(client)
    with pytest.raises(ObligationNotFound):
        client.request_exit(session, "o")
    with pytest.raises(ObligationNotFound):
        client.waive_obligation(session, "o", "r")
    for nobody in ("", "x", "..", str(NO_EVENT)):
        with pytest.raises(SessionNotFound):
            client.query_belief(nobody)


def test_both_clients_have_the_same_methods() -> None:
    def methods(kind: type) -> dict[str, inspect.Signature]:
        return {
            name: inspect.signature(found)
            for name, found in vars(kind).items()
            if callable(found) and not name.startswith("_")
        }

    waiting, awaiting = methods(Client), methods(AsyncClient)
    assert len(waiting) == 37
    assert waiting.keys() == awaiting.keys()
    for name in waiting.keys() - {"close", "audit_trace"}:
        assert waiting[name].parameters.keys() == awaiting[name].parameters.keys(), name
        assert getattr(Client, name).__doc__ == getattr(AsyncClient, name).__doc__ != None  # noqa: E711
    with Client("http://127.0.0.1") as client:
        signature = inspect.signature(client.eliminate)
    assert [*signature.parameters][:3] == ["session_id", "source_id", "observation_id"]
    assert signature.return_annotation is Eliminated
    assert waiting["audit_stream"].return_annotation == Generator[AuditEntry, None, None]
    assert awaiting["list_sessions"].return_annotation == AsyncGenerator[BeliefSnapshot, None]
    assert inspect.iscoroutinefunction(AsyncClient.eliminate)
