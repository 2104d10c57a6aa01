"""Sessions whose universe has edges: an elimination of a node names the edges that go with it."""

from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, Session, message
from tests.support.callers import caller
from tests.tee.graphs import begin, edge, edge_id, merge, node, rule_out, seed
from tests.tee.incidents import session_of, survivors

AB, BC, CD = (edge_id(*ends) for ends in ("ab", "bc", "cd"))
STRICT = Json({"validate_hypotheses": True})


@pytest.fixture
def incident(tx: Connection) -> Connection:
    seed(tx)
    begin(tx)
    return tx


def payload(session: Session, no: int) -> Any:
    return session.events()[no]["payload"]


def test_eliminating_a_node_lists_its_edges(incident: Connection) -> None:
    session = session_of(incident, edges=True, policy=STRICT)
    answer = session.eliminate("b")
    assert sorted(answer["applied_eliminated"]) == ["b", AB, BC]
    assert sorted(payload(session, 1)["eliminated"]) == ["b", AB, BC]
    assert survivors(session) == ["a", "c", "d", CD]
    # BC is gone already; both ends of CD go, and it is listed once; an edge goes by itself as well.
    answer = session.eliminate("c", "d", CD)
    assert sorted(payload(session, 2)["eliminated"]) == ["c", "d", BC, CD]
    assert sorted(answer["applied_eliminated"]) == ["c", "d", CD]
    assert answer["ignored_eliminated"] == [BC]
    assert session.is_whole()


def test_an_edge_leaves_its_ends(incident: Connection) -> None:
    session = session_of(incident, edges=True)
    assert session.eliminate(BC)["applied_eliminated"] == [BC]
    assert payload(session, 1)["eliminated"] == [BC]
    assert survivors(session) == [*"abcd", AB, CD]


def test_no_edges_where_they_are_no_hypotheses(incident: Connection) -> None:
    session = session_of(incident)
    session.eliminate("b", AB)
    assert payload(session, 1)["eliminated"] == ["b", AB], "as it was sent, and nothing more"
    strict = session_of(incident, policy=STRICT)
    strict.refuses(
        errors.InvalidHypothesisId,
        "eliminate",
        source_id="s",
        observation_id="o",
        eliminated=["b", AB],
    )


def test_no_edges_of_a_session_of_its_own(incident: Connection) -> None:
    session = Session(incident, ["a", "b", AB])
    session.eliminate("a")
    assert survivors(session) == ["b", AB], "it was not declared from the incident"


def test_edges_that_are_merged_later_are_not_listed(incident: Connection) -> None:
    session = session_of(incident, edges=True)
    merge(incident, [node("e")], [edge("a", "c"), edge("b", "e"), edge("a", "b", "MANIFESTS_AS")])
    session.eliminate("a")
    assert sorted(payload(session, 1)["eliminated"]) == ["a", AB]


def test_repeats(incident: Connection) -> None:
    session = session_of(incident, edges=True, policy=STRICT)
    first = session.eliminate("b", observation_id="o")
    merge(incident, [], [edge("b", "d")])
    rule_out(incident, "c")
    again = session.eliminate("b", observation_id="o")
    assert again["duplicate"] is True
    assert again["applied_eliminated"] == first["applied_eliminated"]
    assert session.eliminate("b", AB, observation_id="o")["duplicate"] is True
    session.refuses(
        errors.Conflict, "eliminate", source_id="source", observation_id="o", eliminated=["c"]
    )
    (repeated,) = session.batch(message("b", observation_id="o"))["results"]
    assert repeated["duplicate"] is True
    assert len(session.events()) == 2


def test_in_batches(incident: Connection) -> None:
    session = session_of(incident, edges=True, policy=STRICT)
    messages = [message("a", observation_id="1"), message("b", CD, observation_id="2")]
    one, two, three = session.batch(*messages, messages[0])["results"]
    assert sorted(one["applied_eliminated"]) == ["a", AB]
    assert sorted(two["applied_eliminated"]) == ["b", BC, CD]
    assert two["ignored_eliminated"] == [AB]
    assert three["duplicate"] is True
    listed = [sorted(payload(session, no)["eliminated"]) for no in (1, 2)]
    assert listed == [["a", AB], ["b", AB, BC, CD]]
    assert session.batch(*messages)["duplicate"] is True
    assert session.eliminate("a", observation_id="1", source_id="source")["duplicate"] is True
    assert session.is_whole()


def test_in_chunks(tx: Connection) -> None:
    ids = [f"n{number:05}" for number in range(6000)]
    merge(tx, [node(i) for i in ids], [edge(ids[0], i) for i in ids[1:]])
    begin(tx)
    session = session_of(tx, edges=True)
    session.eliminate(*ids[1:4], minimal=True)
    assert len(survivors(session)) == 11_999 - 6
    session.batch(message(ids[4], observation_id="m"), minimal=True)
    session.eliminate(ids[0], minimal=True)
    assert survivors(session) == ids[5:]
    assert session.is_whole()


def test_it_is_taken_over_by_a_database_without_the_graph(incident: Connection) -> None:
    """What an elimination rules out is what it would have where the session was declared."""
    with incident.transaction(force_rollback=True):
        session = session_of(incident, edges=True)
        session.eliminate("a", observation_id="o")
        ids = [*"abcd", AB, BC, CD]
        found = incident.execute(
            "select string_agg(record, e'\\n' order by seq) from cmbs_store.audit_event "
            "where session_id = %s",
            [session.id],
        ).fetchone()
    there = {"tenant": "other", "credential": caller(incident, "eve", "agent", tenant="other")}
    assert found
    call(incident, "register_universe", hypotheses=ids)
    sent = {"session_id": session.id, "records": found[0], "tenant": "other"}
    call(incident, "import_events", **sent)
    assert call(incident, "verify", session_id=session.id)["ok"] is True
    imported = {"session_id": session.id, "credential": there["credential"]}
    message_of = {"source_id": "source", "observation_id": "o", "eliminated": ["a"]}
    again = call(incident, "eliminate", **imported, **message_of)
    assert again["duplicate"] is True
    answer = call(
        incident,
        "eliminate",
        **imported,
        **message_of | {"observation_id": "p", "eliminated": ["c"]},
    )
    assert answer["snapshot"]["survivors"] == ["b", "d"]
