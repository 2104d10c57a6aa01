"""cmbs.merge_edge_tombstones: as of nodes, by ends and type."""

import json
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import Connection, background
from tests.support.callers import caller
from tests.tee.graphs import (
    UNSPEAKABLE,
    Sent,
    begin,
    edge,
    edge_id,
    live,
    merge,
    name,
    node,
    refused,
    rule_out,
    rule_out_edges,
    seed,
    tables,
)

AB, BC, CD = (edge_id(*ends) for ends in ("ab", "bc", "cd"))


@pytest.fixture
def incident(tx: Connection) -> Connection:
    seed(tx)
    begin(tx)
    return tx


def outcome(*applied: str, already: Any = (), unmatched: Any = ()) -> dict[str, list[str]]:
    return {
        "applied": [*applied],
        "already_tombstoned": [*already],
        "unmatched": [*unmatched],
    }


def test_what_is_new(incident: Connection) -> None:
    assert rule_out_edges(incident, name("b", "c"), name("a", "b")) == outcome(AB, BC)
    assert live(incident) == (list("abcd"), [CD])


def test_an_edge_of_another_type_lives_on(tx: Connection) -> None:
    kinds = ["DEPENDS_ON", "MANIFESTS_AS", "PROPAGATES_TO"]
    edges = [edge(*ends, kind) for ends in ("ab", "ba") for kind in kinds]
    merge(tx, [node("a"), node("b")], edges)
    begin(tx)
    rule_out_edges(tx, name("a", "b", "MANIFESTS_AS"))
    gone = edge_id("a", "b", "MANIFESTS_AS")
    every = sorted(edge_id(*ends, kind) for ends in ("ab", "ba") for kind in kinds)
    assert live(tx) == (["a", "b"], [one for one in every if one != gone])


def test_again_changes_nothing(incident: Connection) -> None:
    rule_out_edges(incident, name("a", "b"), name("b", "a"))
    before = tables(incident)
    sent = [name("b", "a"), name("a", "b")]
    again = rule_out_edges(incident, *sent, source_id="another", trigger="one")
    assert again == outcome(already=[AB, edge_id("b", "a")])
    assert tables(incident) == before


def test_some_of_each(incident: Connection) -> None:
    rule_out_edges(incident, name("a", "b"))
    other = name("a", "b", "PROPAGATES_TO")
    sent = [name("b", "c"), name("a", "b"), other, name("b", "c")]
    assert rule_out_edges(incident, *sent) == outcome(
        BC, already=[AB], unmatched=[edge_id("a", "b", "PROPAGATES_TO")]
    )


def test_what_is_added_later_stays_hidden(incident: Connection) -> None:
    assert rule_out_edges(incident, name("a", "c")) == outcome(unmatched=[edge_id("a", "c")])
    merge(incident, [], [edge("a", "c")])
    assert live(incident)[1] == [AB, BC, CD]
    assert rule_out_edges(incident, name("a", "c")) == outcome(already=[edge_id("a", "c")])


def test_of_an_edge_with_a_dead_end(incident: Connection) -> None:
    rule_out(incident, "a")
    assert rule_out_edges(incident, name("a", "b")) == outcome(AB)
    assert live(incident) == (list("bcd"), [BC, CD])


@pytest.mark.cold
def test_answers_escape(tx: Connection) -> None:
    pairs = [("a|b", "c"), ("a", "b|c"), ("100%", "c"), ("100%25", "c")]
    merge(tx, [node(end) for pair in pairs for end in pair], [edge(*pair) for pair in pairs])
    begin(tx)
    ids = [edge_id(*pair) for pair in pairs]
    assert set(ids) == {
        "edge:a%7Cb|c|DEPENDS_ON",
        "edge:a|b%7Cc|DEPENDS_ON",
        "edge:100%25|c|DEPENDS_ON",
        "edge:100%2525|c|DEPENDS_ON",
    }
    assert rule_out_edges(tx, name(*pairs[0]))["applied"] == ids[:1]
    assert live(tx)[1] == sorted(ids[1:])
    answer = rule_out_edges(tx, *(name(*pair) for pair in pairs))
    assert (sorted(answer["applied"]), answer["already_tombstoned"]) == (sorted(ids[1:]), ids[:1])
    found = tx.execute("select id from cmbs.incident_tombstone where kind = 'edge'").fetchall()
    assert sorted(row[0] for row in found) == sorted(ids)


BAD: list[Any] = [
    *(None, 1, "a", [], {}, name("a", "a"), edge("a", "b"), name("a", "b") | {"id": "x"}),
    *(name("", "b"), name("a", None), name(1, "b"), name(["a"], "b"), name("edge:x", "b")),
    *(name("a", "x" * 513), name("a", "b", ""), name("a", "b", None), name("a", "b", "SERVICE")),
    *({"source": "a", "target": "b"}, {"source": "a", "type": "DEPENDS_ON"}),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad!r:.60}")
def test_a_bad_edge(incident: Connection, bad: object) -> None:
    sent = {"incident_id": "i", "source_id": "s", "trigger": "t"}
    edges = Json([name("a", "b"), bad])
    error = refused(
        incident, errors.InvalidRequest, "merge_edge_tombstones", **sent | {"edges": edges}
    )
    assert error.details["member"] == "edges[1]"


@pytest.mark.parametrize("edges", [None, Json(None), Json([]), Json({}), Json(1), Json("a")])
def test_no_edges(incident: Connection, edges: object) -> None:
    sent = {"incident_id": "i", "source_id": "s", "trigger": "t", "edges": edges}
    error = refused(incident, errors.InvalidRequest, "merge_edge_tombstones", **sent)
    assert error.details["member"] == "edges"


@pytest.mark.parametrize("text", UNSPEAKABLE)
def test_what_no_text_can_hold(incident: Connection, text: str) -> None:
    edges = json.dumps([name("a", "?")]).replace('"?"', text)
    sent = {"incident_id": "i", "source_id": "s", "trigger": "t", "edges": edges}
    error = refused(incident, psycopg.DataError, "merge_edge_tombstones", **sent)
    assert error.sqlstate.startswith("22")


@pytest.mark.parametrize(
    "fault",
    [
        *(("incident_id", bad) for bad in ("", None, "x" * 513)),
        *((said, bad) for said in ("source_id", "trigger") for bad in ("", None, "x" * 513)),
    ],
)
def test_a_bad_request(incident: Connection, fault: tuple[str, str | None]) -> None:
    sent: Sent = {"incident_id": "i", "source_id": "s", "trigger": "t"}
    sent |= {"edges": Json([name("a", "b")]), fault[0]: fault[1]}
    error = refused(incident, errors.InvalidRequest, "merge_edge_tombstones", **sent)
    assert error.details["member"] == fault[0]


def test_too_many(incident: Connection) -> None:
    edges = [name("a", f"n{number}") for number in range(10_001)]
    sent = {"incident_id": "i", "source_id": "s", "trigger": "t", "edges": Json(edges)}
    refused(incident, errors.PayloadTooLarge, "merge_edge_tombstones", **sent)
    assert len(rule_out_edges(incident, *edges[1:])["unmatched"]) == 10_000


def test_the_longest(tx: Connection) -> None:
    one, other = "%" * 512, "|" * 512
    merge(tx, [node(one), node(other)], [edge(one, other, "PROPAGATES_TO")])
    begin(tx)
    sent = name(one, other, "PROPAGATES_TO")
    assert rule_out_edges(tx, sent) == outcome(edge_id(one, other, "PROPAGATES_TO"))


def test_no_such_incident(incident: Connection) -> None:
    sent = {"source_id": "s", "trigger": "t", "edges": Json([name("a", "b")])}
    refused(incident, errors.IncidentNotFound, "merge_edge_tombstones", incident_id="j", **sent)
    stranger = {"credential": caller(incident, "eve", "agent", tenant="other")}
    refused(
        incident,
        errors.IncidentNotFound,
        "merge_edge_tombstones",
        incident_id="i",
        **sent | stranger,
    )


def test_who_may_and_for_which_source(incident: Connection) -> None:
    sent = {"incident_id": "i", "edges": Json([name("a", "b")]), "trigger": "t"}
    for role in ("agent", "encoder", "tool"):
        credential = caller(incident, role, role, prefixes=["enc-"])
        own = {"source_id": "other", "credential": credential}
        refused(incident, errors.Forbidden, "merge_edge_tombstones", **sent | own)
        rule_out_edges(incident, name("a", role), source_id="enc-1", credential=credential)
    for role in ("policy", "approver", "auditor", "admin"):
        own = {"source_id": "s", "credential": caller(incident, role, role)}
        refused(incident, errors.Forbidden, "merge_edge_tombstones", **sent | own)


def test_two_at_a_time(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection, background(database) as others:
        seed(connection)
        begin(connection)
        sent = {"incident_id": "i", "source_id": "other", "trigger": "t"}
        with connection.transaction():
            assert rule_out_edges(connection, name("a", "b"), name("b", "c")) == outcome(AB, BC)
            edges = Json([name("c", "d"), name("b", "c")])
            waiting = others.call("merge_edge_tombstones", **sent, edges=edges)
            others.wait_until_blocked()
        assert waiting.result() == outcome(CD, already=[BC])
        found = connection.execute(
            "select id, source_id from cmbs.incident_tombstone order by id"
        ).fetchall()
        assert found == [(AB, "s"), (BC, "s"), (CD, "other")]
        with connection.transaction():
            rule_out(connection, "a")
            waiting = others.call("merge_edge_tombstones", **sent, edges=Json([name("d", "c")]))
            others.wait_until_blocked()
        assert waiting.result()["unmatched"] == [edge_id("d", "c")]
