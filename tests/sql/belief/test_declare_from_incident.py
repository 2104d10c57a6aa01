"""cmbs.declare_session with a universe that is an incident's, and what such a session does."""

import itertools
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import ONTOLOGY, Connection, Session, background
from tests.support.callers import Held, caller
from tests.tee.graphs import (
    begin,
    edge,
    edge_id,
    merge,
    name,
    node,
    refused,
    rule_out,
    rule_out_edges,
    seed,
    tables,
)
from tests.tee.incidents import request, session_of, survivors

AB, BC, CD = (edge_id(*ends) for ends in ("ab", "bc", "cd"))
STRICT = Json({"validate_hypotheses": True})


@pytest.fixture
def incident(tx: Connection) -> Connection:
    seed(tx)
    begin(tx)
    return tx


def payload(session: Session, no: int = 0) -> Any:
    return session.events()[no]["payload"]


def test_its_nodes_are_the_universe(incident: Connection) -> None:
    session = session_of(incident)
    assert survivors(session) == list("abcd")
    assert session.snapshot()["ontology"]["causal_graph_version"] == "v1"
    assert payload(session)["universe_from"] == {"tee_incident": "i"}
    assert payload(session)["n_hypotheses"] == 4
    assert len(session.events()) == 1
    assert session.is_whole()


def test_with_edges(incident: Connection) -> None:
    session = session_of(incident, edges=True)
    assert survivors(session) == [*"abcd", AB, BC, CD]
    assert payload(session)["universe_from"] == {"tee_incident": "i", "edges": True}
    assert session.is_whole()
    assert "edges" not in payload(session_of(incident, edges=False))["universe_from"]


def test_the_version_is_that_of_the_incident(incident: Connection) -> None:
    merge(incident, [node("e")], [edge("a", "e")])
    session = session_of(incident, edges=True, ontology=Json(ONTOLOGY))
    assert session.snapshot()["ontology"] == ONTOLOGY | {"causal_graph_version": "v1"}
    assert survivors(session) == [*"abcd", AB, BC, CD]
    begin(incident, "j")
    assert survivors(session_of(incident, "j")) == list("abcde")


def test_of_a_part_of_the_graph(incident: Connection) -> None:
    begin(incident, "j", *"abc")
    assert survivors(session_of(incident, "j", edges=True)) == [*"abc", AB, BC]
    begin(incident, "k", *"abc", edges=Json([name("b", "c")]))
    assert survivors(session_of(incident, "k", edges=True)) == [*"abc", BC]
    assert survivors(session_of(incident, "k")) == list("abc")


def test_what_is_ruled_out_by_then_is_the_second_event(incident: Connection) -> None:
    rule_out(incident, "b", "z")
    rule_out_edges(incident, name("c", "d"), name("d", "a"))
    session = session_of(incident)
    assert survivors(session) == list("acd")
    with_edges = session_of(incident, edges=True, policy=STRICT)
    assert survivors(with_edges) == list("acd")
    for one, gone in ((session, ["b"]), (with_edges, ["b", AB, BC, CD])):
        assert [event["verb"] for event in one.events()] == ["DECLARE_SESSION", "ELIMINATE"]
        second = payload(one, 1)
        assert (second["source_id"], second["observation_id"]) == ("tee", "i")
        assert sorted(second["eliminated"]) == gone
        assert one.is_whole()
        first = one.events()[0]["event_id"]
        assert one.declared["audit_event_id"] == first, "the declare is the event that declares"
        assert one.declared["snapshot"]["survivors"] == list("acd")


def test_everything_is_ruled_out(incident: Connection) -> None:
    rule_out(incident, *"abcd")
    session = session_of(incident, edges=True)
    assert survivors(session) == []
    assert session.is_whole()


def test_what_is_ruled_out_later_makes_no_difference(incident: Connection) -> None:
    session = session_of(incident)
    rule_out(incident, "b")
    assert survivors(session) == list("abcd")


@pytest.mark.parametrize("edges", [None, True])
def test_again_is_the_same_session(incident: Connection, edges: object) -> None:
    rule_out(incident, "a")
    sent = request(edges=edges, session_id=uuid4(), metadata=Json({"k": 1}), policy=STRICT)
    first = call(incident, "declare_session", **sent)
    rule_out(incident, "b")
    merge(incident, [node("e")], [edge("a", "c")])
    before = tables(incident)
    for version in (None, "v1", "2"):
        bundle = dict(sent["ontology"].obj)
        if version:
            bundle["causal_graph_version"] = version
        again = call(incident, "declare_session", **sent | {"ontology": Json(bundle)})
        assert again["duplicate"] is True
        assert again["audit_event_id"] == first["audit_event_id"]
        assert again["snapshot"] == first["snapshot"]
    assert tables(incident) == before


def test_another_request_under_its_id(incident: Connection) -> None:
    begin(incident, "j")
    session = session_of(incident)
    for other in (
        request("j"),
        request(edges=True),
        request(metadata=Json({"k": 1})),
        request(policy=STRICT),
        {"hypotheses": list("abcd"), "ontology": Json(ONTOLOGY | {"causal_graph_version": "v1"})},
    ):
        refused(incident, errors.Conflict, "declare_session", session_id=session.id, **other)
    plain = Session(incident)
    refused(incident, errors.Conflict, "declare_session", session_id=plain.id, **request())


def test_no_such_incident(incident: Connection) -> None:
    for incident_id in ("nope", "I", "x" * 512):
        sent = request(incident_id, session_id=uuid4())
        error = refused(incident, errors.IncidentNotFound, "declare_session", **sent)
        assert error.details == {"incident_id": incident_id}


BAD: list[Any] = [
    *({}, [], 1, "i", None, [{"tee_incident": "i"}], {"edges": True}, {"incident": "i"}),
    *({"tee_incident": bad} for bad in ("", None, 1, ["i"], {}, "x" * 513)),
    *({"tee_incident": "i", "edges": bad} for bad in (None, 1, "true", [])),
    {"tee_incident": "i", "other": 1},
]


@pytest.mark.parametrize("asked", BAD, ids=lambda asked: f"{asked!r:.40}")
def test_a_bad_request(incident: Connection, asked: object) -> None:
    sent = request(session_id=uuid4()) | {"universe_from": Json(asked)}
    error = refused(incident, errors.InvalidRequest, "declare_session", **sent)
    assert error.details["member"] == "universe_from"


def test_hypotheses_are_left_out(incident: Connection) -> None:
    for hypotheses in (list("abcd"), []):
        sent = request(session_id=uuid4(), hypotheses=hypotheses)
        error = refused(incident, errors.InvalidRequest, "declare_session", **sent)
        assert error.details["member"] == "hypotheses"


@pytest.mark.parametrize("bundle", [None, Json(None), Json([]), Json({}), Json(1)])
def test_a_bad_ontology(incident: Connection, bundle: object) -> None:
    sent = request(session_id=uuid4(), ontology=bundle)
    refused(incident, errors.InvalidRequest, "declare_session", **sent)


def test_what_is_no_universe_is_said_of_the_incident(incident: Connection) -> None:
    """The caller has sent no hypotheses, and must not: nothing can be wrong with them."""
    begin(incident, "empty", node_ids=[])
    one, other = "x" * 300, "y" * 300
    merge(incident, [node(one), node(other)], [edge(one, other)])
    begin(incident, "long")
    assert len(survivors(session_of(incident, "long"))) == 6
    for sent in (request("empty"), request("long", edges=True)):
        sent["session_id"] = uuid4()
        error = refused(incident, errors.InvalidRequest, "declare_session", **sent)
        assert error.details["member"] == "universe_from"


def test_of_the_tenant_of_the_caller(incident: Connection) -> None:
    stranger = caller(incident, "eve", "agent", tenant="other")
    sent = request(session_id=uuid4(), credential=stranger)
    refused(incident, errors.IncidentNotFound, "declare_session", **sent)
    policy = caller(incident, "pol", "policy")
    assert call(incident, "declare_session", **request(session_id=uuid4(), credential=policy))


@pytest.mark.cold
def test_an_operator_repeats_it_for_another_tenant(tx: Connection) -> None:
    """As with any other declare: it is the session's tenant that counts once it is there."""
    ann = caller(tx, "ann", "agent", tenant="other")
    merge(tx, [node("a")], credential=ann)
    begin(tx, credential=ann)
    root = caller(tx, "root", "agent", tenant="*")
    plain = Held(tx, ann)
    again = call(
        tx,
        "declare_session",
        session_id=plain.id,
        ontology=Json(ONTOLOGY),
        hypotheses=list("abcd"),
        credential=root,
    )
    assert again["duplicate"] is True
    session = Held(tx, ann, None, **request())
    again = call(tx, "declare_session", **request(session_id=session.id, credential=root))
    assert again["duplicate"] is True


@pytest.mark.nightly
@pytest.mark.slow("20,000 nodes")
@pytest.mark.parametrize("edges", [pytest.param(None, marks=pytest.mark.nightly), True])
def test_what_many_have_ruled_out_is_no_work(tx: Connection, edges: object) -> None:
    """Not with the square of their number, which would be minutes, where statistics know of nothing
    yet: those of tables that had been filled and emptied again.
    """
    tx.execute(
        "update pg_class set reltuples = 0, relpages = 1000 "
        "where relnamespace = 'cmbs_store'::regnamespace and relkind in ('r', 'i')"
    )
    ids = [f"n{number:05}" for number in range(40_000)]
    merge(tx, [node(i) for i in ids], [edge(*ends) for ends in itertools.pairwise(ids)])
    begin(tx)
    for first in range(0, 40_000, 10_000):
        rule_out(tx, *ids[first : first + 10_000])
    tx.execute("set local statement_timeout = '15s'")
    session = Session(tx, None, **request(edges=edges, minimal=True))
    assert session.snapshot(minimal=True)["n_survivors"] == 0


def test_two_at_a_time(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection, background(database) as others:
        seed(connection)
        begin(connection)
        sent = request(edges=True, session_id=uuid4())
        with connection.transaction():
            first = call(connection, "declare_session", **sent)
            rule_out(connection, "a")
            waiting = others.call("declare_session", **sent)
            others.wait_until_blocked()
        again = waiting.result()
        assert again["duplicate"] is True
        assert again["audit_event_id"] == first["audit_event_id"]
        found = connection.execute(
            "select count(*) from cmbs.audit_event where session_id = %s", [sent["session_id"]]
        ).fetchone()
        assert found == (1,)


def test_who_declares_waits_for_nobody(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection, background(database) as others:
        seed(connection)
        begin(connection)
        with connection.transaction():
            rule_out(connection, "a")
            merge(connection, [node("z")])
            declared = others.call("declare_session", **request(session_id=uuid4())).result()
        assert declared["snapshot"]["survivors"] == list("abcd")
        assert UUID(declared["session_id"])
