"""Sessions that take their universe from an incident of the causal graph."""

from typing import Any
from uuid import uuid4

import psycopg
import pytest

from tests.http.wire import events
from tests.support.web import ONTOLOGY, Client, bearer, refusal, token_of
from tests.tee.scene import Graph, edge_id

WITHOUT_VERSION = {key: of for key, of in ONTOLOGY.items() if key != "causal_graph_version"}


@pytest.fixture
def incident(db: psycopg.Connection[Any]) -> str:
    """Of three nodes in a row, the last of which is ruled out."""
    graph = Graph(db)
    graph.merge(["a", "b", "c"], [("a", "b"), ("b", "c")])
    graph.incident("INC 7/ä")
    graph.rule_out("INC 7/ä", "c")
    graph.merge(["later"])
    return "INC 7/ä"


def declared(client: Client, incident: str, **more: Any) -> Any:
    """The answer of a declare from an incident; `edges` goes into the request for it."""
    asked = {name: more.pop(name) for name in more.keys() & {"edges"}}
    origin = {"tee_incident": incident, **asked}
    body = {"ontology": WITHOUT_VERSION, "universe_from": origin, **more}
    return client.post("/v1/sessions", json=body)


def test_its_nodes_are_the_hypotheses(web: Client, incident: str) -> None:
    answer = declared(web, incident)
    assert answer.status_code == 201
    snapshot = answer.json()["snapshot"]
    assert (snapshot["n_hypotheses"], snapshot["survivors"]) == (3, ["a", "b"])
    assert snapshot["ontology"] == ONTOLOGY | {"causal_graph_version": "v1"}
    first, second = events(web, answer.headers["location"])
    assert first["payload"]["universe_from"] == {"tee_incident": incident}
    assert first["payload"]["hypotheses"] == ["a", "b", "c"]
    assert answer.json()["audit_event_id"] == first["event_id"]
    assert snapshot["audit_head_event_id"] == second["event_id"]
    assert answer.headers["etag"] == f'"{second["event_id"]}"'
    assert second["payload"] == {
        "source_id": "tee",
        "observation_id": incident,
        "eliminated": ["c"],
        "justification": {},
    }


def test_so_are_its_edges_if_they_are_asked_for(web: Client, incident: str) -> None:
    answer = declared(web, incident, edges=True)
    edge = edge_id("a", "b")
    assert answer.json()["snapshot"]["survivors"] == ["a", "b", edge]
    first, second = events(web, answer.headers["location"])
    assert first["payload"]["universe_from"] == {"tee_incident": incident, "edges": True}
    assert second["delta"]["eliminated"] == ["c", edge_id("b", "c")]
    told = web.eliminate(answer.headers["location"], "a")
    assert told["applied_eliminated"] == ["a", edge]
    recorded = events(web, answer.headers["location"])[-1]["payload"]
    assert recorded["eliminated"] == ["a", edge], "what goes with a node is listed"


def test_the_same_again_is_the_same_session(web: Client, incident: str) -> None:
    mine = str(uuid4())
    first = declared(web, incident, session_id=mine, edges=False)
    again = declared(web, incident, session_id=mine)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == {**first.json(), "duplicate": True}
    for more in ({"edges": True}, {"universe_from": None, "hypotheses": ["a", "b", "c"]}):
        body = {"ontology": ONTOLOGY, **more}
        assert refusal(declared(web, incident, session_id=mine, **body))[:2] == (409, "CONFLICT")


def test_null_is_left_out(web: Client) -> None:
    body = {"ontology": ONTOLOGY, "hypotheses": ["a"], "universe_from": None}
    answer = web.post("/v1/sessions", json=body)
    assert answer.json()["snapshot"]["survivors"] == ["a"]
    assert "universe_from" not in events(web, answer.headers["location"])[0]["payload"]


def test_an_incident_that_is_not_there(web: Client) -> None:
    expected = (404, "INCIDENT_NOT_FOUND", {"incident_id": "nowhere"})
    assert refusal(declared(web, "nowhere")) == expected
    assert web.get("/v1/sessions").json()["sessions"] == []


def test_an_incident_of_others_is_not_there_either(
    database: str, db: psycopg.Connection[Any], web: Client, incident: str
) -> None:
    of_others = {"credential": token_of(database, "eve", "agent", tenant="other").digest}
    graph = Graph(db, **of_others)
    graph.merge(["a"])
    graph.incident("theirs")
    mine = bearer(token_of(database, "ann", "agent", tenant="default"))
    for name, code in ((incident, None), ("theirs", "INCIDENT_NOT_FOUND")):
        body = {"ontology": ONTOLOGY, "universe_from": {"tee_incident": name}}
        answer = web.post("/v1/sessions", json=body, headers=mine)
        assert answer.json().get("error", {}).get("code") == code
        assert answer.status_code == (404 if code else 201)


@pytest.mark.parametrize(
    ("body", "details"),
    [
        ({"universe_from": []}, "universe_from"),
        ({"universe_from": "INC"}, "universe_from"),
        ({"universe_from": {}}, "universe_from"),
        ({"universe_from": {"tee_incident": ""}}, "universe_from"),
        ({"universe_from": {"tee_incident": 7}}, "universe_from"),
        ({"universe_from": {"tee_incident": "ä" * 257}}, "universe_from"),
        ({"universe_from": {"tee_incident": "INC", "edges": "yes"}}, "universe_from"),
        ({"universe_from": {"tee_incident": "INC", "edges": None}}, "universe_from"),
        ({"universe_from": {"tee_incident": "INC", "nodes": []}}, "universe_from"),
        ({"hypotheses": ["a"]}, "hypotheses"),
        ({"hypotheses": []}, "hypotheses"),
        ({"ontology": {"causal_graph_ref": "r"}}, "ontology.hypothesis_space_id"),
        ({"ontology": 7}, "ontology"),
    ],
    ids=str,
)
def test_what_is_refused(web: Client, incident: str, body: Any, details: str) -> None:
    answer = declared(web, incident, **body)
    status, code, told = refusal(answer)
    assert (status, code, told["member"]) == (400, "INVALID_REQUEST", details)
    assert web.get("/v1/sessions").json()["sessions"] == []


def test_the_version_is_needed_without_an_incident(web: Client) -> None:
    answer = web.post("/v1/sessions", json={"ontology": WITHOUT_VERSION, "hypotheses": ["a"]})
    status, code, told = refusal(answer)
    assert (status, code, told["member"]) == (
        400,
        "INVALID_REQUEST",
        "ontology.causal_graph_version",
    )
