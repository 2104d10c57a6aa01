"""cmbs.merge_node_tombstones: each id is new once, whoever asks, and nothing comes back."""

from typing import Any

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, background
from tests.support.callers import caller
from tests.tee.graphs import (
    Sent,
    begin,
    edge,
    edge_id,
    live,
    merge,
    node,
    outcome,
    refused,
    rule_out,
    seed,
    tables,
)

AT = "2026-01-02T03:04:05Z"


@pytest.fixture
def incident(tx: Connection) -> Connection:
    seed(tx)
    begin(tx)
    return tx


def recorded(connection: Connection) -> list[Any]:
    return connection.execute(
        "select id, matched, source_id, trigger from cmbs.incident_tombstone order by id"
    ).fetchall()


def test_what_is_new(incident: Connection) -> None:
    assert rule_out(incident, "c", "a") == outcome(applied="ac")
    assert live(incident) == (["b", "d"], [])
    assert recorded(incident) == [("a", True, "s", "t"), ("c", True, "s", "t")]


def test_again_changes_nothing(incident: Connection) -> None:
    rule_out(incident, "a", "z")
    before = tables(incident)
    again = rule_out(incident, "z", "a", source_id="another", trigger="one")
    assert again == outcome(already="az")
    assert tables(incident) == before, "who ruled it out first did"


def test_some_of_each(incident: Connection) -> None:
    rule_out(incident, "a", "z")
    answer = rule_out(incident, *"ybaz", source_id="s2", trigger="t2")
    assert answer == outcome(applied="b", already="az", unmatched="y")
    assert recorded(incident)[1:3] == [("b", True, "s2", "t2"), ("y", False, "s2", "t2")]


def test_an_id_twice_in_one_message(incident: Connection) -> None:
    assert rule_out(incident, *"abaab") == outcome(applied="ab")
    assert rule_out(incident, *"zz") == outcome(unmatched="z")


def test_what_is_added_later_stays_hidden(incident: Connection) -> None:
    assert rule_out(incident, "z") == outcome(unmatched="z")
    merge(incident, [node("z")], [edge("a", "z")])
    assert live(incident)[0] == list("abcd")
    assert rule_out(incident, "z") == outcome(already="z")
    begin(incident, "j")
    assert live(incident, "j") == (
        list("abcdz"),
        sorted(edge_id(*ends) for ends in ("ab", "az", "bc", "cd")),
    )


def test_the_graph_of_now_is_asked_and_not_that_of_the_incident(incident: Connection) -> None:
    merge(incident, [node("z")])
    assert rule_out(incident, "z") == outcome(applied="z")
    assert live(incident)[0] == list("abcd")


def test_outside_of_the_universe(incident: Connection) -> None:
    begin(incident, "j", "a", "b")
    assert rule_out(incident, "d", incident_id="j") == outcome(applied="d")
    assert live(incident, "j") == (["a", "b"], [edge_id("a", "b")])


def test_of_one_incident_alone(incident: Connection) -> None:
    begin(incident, "j")
    rule_out(incident, "a")
    assert rule_out(incident, "a", incident_id="j") == outcome(applied="a")
    assert live(incident, "j")[0] == list("bcd")


def test_edges_of_other_incidents_keep_their_ends(incident: Connection) -> None:
    begin(incident, "j")
    rule_out(incident, "b")
    assert live(incident)[1] == [edge_id("c", "d")]
    assert live(incident, "j")[1] == [edge_id(*ends) for ends in ("ab", "bc", "cd")]


def test_when_it_was(incident: Connection) -> None:
    rule_out(incident, "a", occurred_at=AT)
    rule_out(incident, "b")
    found = incident.execute(
        "select occurred_at = %s::timestamptz, recorded_at is not null, actor = session_user "
        "from cmbs.incident_tombstone order by id",
        [AT],
    ).fetchall()
    assert found == [(True, True, True), (None, True, True)]


@pytest.mark.parametrize("at", ["infinity", "-infinity", "10000-01-01T00:00:00Z"])
def test_when_it_cannot_have_been(incident: Connection, at: str) -> None:
    """As of provenance in the graph: no answer could say a time like that."""
    sent = {"incident_id": "i", "node_ids": ["a"], "source_id": "s", "trigger": "t"}
    refused(incident, errors.InvalidRequest, "merge_node_tombstones", **sent | {"occurred_at": at})


@pytest.mark.nightly
def test_a_hundred_thousand_of_them(incident: Connection) -> None:
    ids = [f"n{number}" for number in range(100_000)]
    sent = {"incident_id": "i", "source_id": "s", "trigger": "t"}
    for too_many in (ids, ids[:10_001]):
        refused(
            incident,
            errors.PayloadTooLarge,
            "merge_node_tombstones",
            **sent | {"node_ids": too_many},
        )
    for first in range(0, 100_000, 10_000):
        answer = rule_out(incident, *ids[first : first + 10_000])
        assert len(answer["unmatched"]) == 10_000
    assert rule_out(incident, *ids[:10_000]) == outcome() | {
        "already_tombstoned": sorted(ids[:10_000])
    }


FAULTS: list[tuple[str, object]] = [
    *(("incident_id", bad) for bad in ("", None, "x" * 513)),
    *(("node_ids", bad) for bad in ([], None, [""], ["a", None], ["x" * 513], ["edge:a|b|X"])),
    *(("node_ids", bad) for bad in ([["a"], ["b"]], ["a", "edge:"])),
    *((said, bad) for said in ("source_id", "trigger") for bad in ("", None, "x" * 513)),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault[0]}={fault[1]!r:.20}")
def test_a_bad_request(incident: Connection, fault: tuple[str, object]) -> None:
    sent: Sent = {"incident_id": "i", "node_ids": ["a"], "source_id": "s", "trigger": "t"}
    sent[fault[0]] = fault[1]
    error = refused(incident, errors.InvalidRequest, "merge_node_tombstones", **sent)
    assert error.details["member"] == fault[0]


def test_the_longest(incident: Connection) -> None:
    longest = "ä" * 256
    begin(incident, longest)
    answer = rule_out(incident, longest, incident_id=longest, source_id=longest, trigger=longest)
    assert answer["unmatched"] == [longest]


def test_no_such_incident(incident: Connection) -> None:
    sent = {"node_ids": ["a"], "source_id": "s", "trigger": "t"}
    error = refused(
        incident, errors.IncidentNotFound, "merge_node_tombstones", incident_id="nope", **sent
    )
    assert error.details == {"incident_id": "nope"}
    stranger = caller(incident, "eve", "agent", tenant="other")
    refused(
        incident,
        errors.IncidentNotFound,
        "merge_node_tombstones",
        incident_id="i",
        **sent | {"credential": stranger},
    )


def test_who_may_and_for_which_source(incident: Connection) -> None:
    sent = {"incident_id": "i", "source_id": "s", "trigger": "t"}
    for role, node_id in (("agent", "a"), ("encoder", "b"), ("tool", "c")):
        credential = caller(incident, role, role, prefixes=["enc-"])
        own = {"node_ids": [node_id], "credential": credential}
        refused(incident, errors.Forbidden, "merge_node_tombstones", **sent | own)
        answer = rule_out(incident, node_id, source_id="enc-1", credential=credential)
        assert answer == outcome(applied=node_id)
    for role in ("policy", "approver", "auditor", "admin"):
        own = {"node_ids": ["d"], "credential": caller(incident, role, role)}
        refused(incident, errors.Forbidden, "merge_node_tombstones", **sent | own)


def test_two_at_a_time(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection, background(database) as others:
        seed(connection)
        begin(connection)
        begin(connection, "j")
        sent = {"source_id": "other", "trigger": "t", "node_ids": ["b", "c"]}
        with connection.transaction():
            assert rule_out(connection, "a", "b") == outcome(applied="ab")
            waiting = others.call("merge_node_tombstones", incident_id="i", **sent)
            others.wait_until_blocked()
            free = others.call("merge_node_tombstones", incident_id="j", **sent)
            assert free.result() == outcome(applied="bc"), "of another incident nobody waits"
            assert call(connection, "read_tombstones", incident_id="i")["node_ids"] == ["a", "b"]
        assert waiting.result() == outcome(applied="c", already="b")
        with connection.transaction(force_rollback=True):
            rule_out(connection, "d")
            waiting = others.call(
                "merge_node_tombstones", incident_id="i", **sent | {"node_ids": ["d"]}
            )
            others.wait_until_blocked()
        assert waiting.result() == outcome(applied="d")
        numbers = connection.execute(
            "select array_agg(event_no order by event_no) from cmbs_store.incident_event "
            "where incident_id = 'i'"
        ).fetchone()
        assert numbers == ([1, 2, 3],)
