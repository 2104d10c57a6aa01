"""Both clients declare sessions from an incident, and hold the answer to the log."""

import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from cmbs.client import ChainBroken, verbs
from cmbs.errors import Conflict, InvalidRequest
from cmbs.kernel.canonical import canonical, parse
from tests.client.between import Answered, Asked, Front, fronting
from tests.client.conftest import Connect
from tests.client.liar import showing
from tests.client.test_methods import BUNDLE
from tests.support.beliefs import ONTOLOGY
from tests.support.tampering import forged
from tests.tee.scene import Graph, edge_id

Edit = Callable[[dict[str, Any]], dict[str, Any]]
VERSIONLESS = {name: of for name, of in ONTOLOGY.items() if name != "causal_graph_version"}


@pytest.fixture
def incident(site: SimpleNamespace) -> str:
    """Of two nodes and an edge, of which nothing is ruled out."""
    return made(site)


@pytest.fixture
def decided(site: SimpleNamespace) -> str:
    """The same with a node ruled out."""
    return made(site, "b")


def made(site: SimpleNamespace, *gone: str) -> str:
    name = str(uuid4())
    with psycopg.connect(site.database, autocommit=True) as owner:
        graph = Graph(owner)
        graph.merge(["a", "b"], [("a", "b")])
        graph.incident(name)
        if gone:
            graph.rule_out(name, *gone)
    return name


def test_declaring_from_an_incident(client: Any, incident: str) -> None:
    session, snapshot = client.declare_session(
        VERSIONLESS, universe_from={"tee_incident": incident}
    )
    assert snapshot.survivors == ["a", "b"]
    assert snapshot.ontology.causal_graph_version.startswith("v")
    (event,) = client.audit_trace(session)
    assert event.payload["universe_from"] == {"tee_incident": incident}


@pytest.mark.parametrize("minimal", [False, True])
def test_what_is_ruled_out_is_gone_from_the_beginning(
    client: Any, decided: str, minimal: bool
) -> None:
    origin = {"tee_incident": decided, "edges": True}
    mine = uuid4()
    session, snapshot = client.declare_session(
        BUNDLE, universe_from=origin, session_id=mine, minimal=minimal
    )
    assert (snapshot.n_survivors, snapshot.audit_seq) == (1, 2)
    declared, ruled_out = client.audit_stream(session)
    assert declared.payload["universe_from"] == origin
    assert ruled_out.delta["eliminated"] == ["b", edge_id("a", "b")]
    assert client.eliminate(session, "s", "o", ["a"]).applied == ["a"]
    again = client.declare_session(BUNDLE, universe_from=origin, session_id=mine)
    assert (again.duplicate, again.snapshot.audit_seq) == (True, 3)
    with pytest.raises(Conflict):
        client.declare_session(
            BUNDLE, universe_from={"tee_incident": decided, "edges": False}, session_id=mine
        )


def test_edges_that_are_not_asked_for_are_not_recorded(client: Any, decided: str) -> None:
    origin = {"tee_incident": decided, "edges": False}
    session, snapshot = client.declare_session(BUNDLE, universe_from=origin)
    assert snapshot.survivors == ["a"]
    declared, _ = client.audit_trace(session)
    assert declared.payload["universe_from"] == {"tee_incident": decided}


def test_hypotheses_beside_it(client: Any, incident: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        client.declare_session(BUNDLE, ["a"], universe_from={"tee_incident": incident})
    assert caught.value.details["member"] == "hypotheses"
    with pytest.raises(InvalidRequest) as caught:
        client.declare_session(VERSIONLESS, ["a"])
    assert caught.value.details["member"] == "ontology.causal_graph_version"


@pytest.fixture
def front(site: SimpleNamespace) -> Iterator[Front]:
    with fronting(site.address) as front:
        yield front


@pytest.fixture
def careful(connect: Connect, front: Front) -> Any:
    return connect(front.address, verify=True)


def broken(client: Any, incident: str, **origin: Any) -> tuple[int, str]:
    with pytest.raises(ChainBroken) as caught:
        client.declare_session(BUNDLE, universe_from={"tee_incident": incident, **origin})
    return caught.value.seq, caught.value.reason


UNSAID = "the event does not say what was sent"


def payload(**members: Any) -> Edit:
    def edit(record: dict[str, Any]) -> dict[str, Any]:
        return record | {"payload": record["payload"] | members}

    return edit


@pytest.mark.parametrize(
    ("at", "edit"),
    [
        (0, payload(universe_from={"tee_incident": "other"})),
        (0, payload(universe_from={})),
        (0, payload(ontology=ONTOLOGY | {"causal_graph_ref": "other"})),
        (1, payload(source_id="agent")),
        (1, payload(observation_id="other")),
        (1, lambda record: record | {"verb": "DECLARE_CONCLUSION"}),
        (1, lambda record: record | {"delta": {"eliminated": []}}),
    ],
)
def test_another_log_is_shown(
    careful: Any, front: Front, decided: str, at: int, edit: Edit
) -> None:
    front.lie = showing(lambda rows: forged(rows, at, edit))
    assert broken(careful, decided) == (at + 1, UNSAID)


@pytest.mark.parametrize(
    ("more", "is_told"),
    [
        ([], True),
        ([edge_id("a", "b")], True),
        ([edge_id("x", "a", "MANIFESTS_AS"), edge_id("a", "x")], True),
        ([edge_id("x", "y")], False),
        ([edge_id("a", "x"), "b"], False),
        (["a|x"], False),
        (["edge:"], False),
        ([edge_id("x", "y", "a")], False),
    ],
    ids=str,
)
def test_what_goes_with_a_node(more: list[str], is_told: bool) -> None:
    assert verbs._is_of({"a"}, {"a", *more}) is is_told
    assert not verbs._is_of({"a", "z"}, {"a", *more})
    odd = "a|%"
    assert verbs._is_of({odd}, {odd, edge_id("x", odd), edge_id(odd, "x|")})
    assert not verbs._is_of({odd}, {odd, "edge:a|%|DEPENDS_ON"})


def test_something_else_is_declared(careful: Any, front: Front, incident: str) -> None:
    for other in ({"tee_incident": incident, "edges": True}, None):

        def lie(asked: Asked, behind: Any, other: Any = other) -> Answered:
            if asked.method == "POST":
                body = json.loads(asked.body) | {"universe_from": other}
                body |= {} if other else {"hypotheses": ["a", "b"]}
                asked.body = json.dumps(body).encode()
            return behind(asked)

        front.lie = lie
        assert broken(careful, incident) == (1, UNSAID)


def test_an_incident_that_nobody_asked_for(careful: Any, front: Front, incident: str) -> None:
    def lie(asked: Asked, behind: Any) -> Answered:
        if asked.method == "POST":
            body = json.loads(asked.body) | {"universe_from": {"tee_incident": incident}}
            del body["hypotheses"]
            asked.body = json.dumps(body).encode()
        return behind(asked)

    front.lie = lie
    with pytest.raises(ChainBroken):
        careful.declare_session(BUNDLE, ["a", "b"])


def test_more_was_eliminated_than_is_told(careful: Any, front: Front, decided: str) -> None:
    def lie(asked: Asked, behind: Any) -> Answered:
        told = behind(asked)
        if asked.method == "POST":
            members = parse(told.body.decode())
            members["snapshot"] |= {"n_survivors": 2, "survivors": ["a", "b"]}
            return Answered(told.status, canonical(members).encode())
        return told

    front.lie = lie
    assert broken(careful, decided) == (2, UNSAID)
