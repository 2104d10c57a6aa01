"""cmbs_store.edge_id and cmbs_store.with_dead_edges: ids of edges, and which go with their ends."""

from urllib.parse import unquote
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.beliefs import Connection, Session
from tests.support.pair import ids
from tests.tee.graphs import begin, edge, edge_id, merge, node, seed
from tests.tee.incidents import session_of

AB, BC, CD = (edge_id(*ends) for ends in ("ab", "bc", "cd"))
PROPERTY = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def named(connection: Connection, source: str, target: str, kind: str) -> str:
    row = connection.execute(
        "select cmbs_store.edge_id(%s, %s, %s)", [source, target, kind]
    ).fetchone()
    assert row
    return str(row[0])


def with_dead_edges(connection: Connection, session_id: UUID, *eliminated: str) -> list[str]:
    row = connection.execute(
        "select cmbs_store.with_dead_edges(s, %s) from cmbs_store.session as s "
        "where s.session_id = %s",
        [list(eliminated), session_id],
    ).fetchone()
    assert row
    return list(row[0])


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("a", "b", "edge:a|b|DEPENDS_ON"),
        ("a|b", "c", "edge:a%7Cb|c|DEPENDS_ON"),
        ("a", "b|c", "edge:a|b%7Cc|DEPENDS_ON"),
        ("100%", "%7C", "edge:100%25|%257C|DEPENDS_ON"),
        ("||", "%%", "edge:%7C%7C|%25%25|DEPENDS_ON"),
        ("a b/ä:\\n", '"', 'edge:a b/ä:\\n|"|DEPENDS_ON'),
    ],
)
def test_its_id(tx: Connection, source: str, target: str, expected: str) -> None:
    assert named(tx, source, target, "DEPENDS_ON") == expected


@PROPERTY
@given(source=ids | st.text("|%27C5", min_size=1), target=ids | st.text("|%27C5", min_size=1))
def test_its_parts_can_be_read_from_it(tx: Connection, source: str, target: str) -> None:
    name = named(tx, source, target, "MANIFESTS_AS")
    assert name == edge_id(source, target, "MANIFESTS_AS")
    first, second, kind = name.removeprefix("edge:").split("|")
    assert kind == "MANIFESTS_AS"
    assert "%" not in first.replace("%25", "").replace("%7C", "")
    plain = [part.replace("%7C", "|").replace("%25", "%") for part in (first, second)]
    assert plain == [source, target]
    if source.isascii() and "%" in source:
        assert unquote(first) == source, "as any other percent-encoding"


def test_the_edges_of_a_session(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    session_id = session_of(tx, edges=True).id
    assert with_dead_edges(tx, session_id) == []
    assert with_dead_edges(tx, session_id, "z", "edge:z|a|DEPENDS_ON") == [
        "z",
        "edge:z|a|DEPENDS_ON",
    ]
    assert with_dead_edges(tx, session_id, "b") == ["b", AB, BC]
    assert with_dead_edges(tx, session_id, "c", "a", "b") == ["c", "a", "b", AB, BC, CD]
    assert with_dead_edges(tx, session_id, BC, "b") == [BC, "b", AB], "each once"
    assert with_dead_edges(tx, session_id, BC) == [BC]


def test_both_ways_and_of_every_type(tx: Connection) -> None:
    kinds = ["DEPENDS_ON", "MANIFESTS_AS", "PROPAGATES_TO"]
    edges = [edge(*ends, kind) for ends in ("ab", "ba") for kind in kinds]
    merge(tx, [node("a"), node("b")], edges)
    begin(tx)
    expected = sorted(edge_id(*ends, kind) for ends in ("ab", "ba") for kind in kinds)
    session_id = session_of(tx, edges=True).id
    for gone in (["a"], ["b"], ["a", "b"]):
        assert with_dead_edges(tx, session_id, *gone) == [*gone, *expected]


def test_those_of_its_universe_alone(tx: Connection) -> None:
    seed(tx)
    begin(tx)
    begin(tx, "part", *"ab")
    merge(tx, [], [edge("a", "c")])
    for session, expected in (
        (session_of(tx, edges=True), [AB]),
        (session_of(tx), []),
        (session_of(tx, "part", edges=True), [AB]),
        (Session(tx, ["a", "b"]), []),
    ):
        assert with_dead_edges(tx, session.id, "a") == ["a", *expected]
