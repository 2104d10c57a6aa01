"""Many at a time, each with commits of its own: every id is new once, and all reach one graph."""

import itertools
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from cmbs.database.calls import call
from tests.support.beliefs import Connection
from tests.tee.graphs import (
    Sent,
    begin,
    edge,
    edge_id,
    graph,
    live,
    merge,
    name,
    node,
    rule_out,
    rule_out_edges,
    seed,
    version,
)
from tests.tee.incidents import request

IDS = [f"n{number:02}" for number in range(40)]


def at_once(database: str, n: int, work: Callable[[Connection, int], Any]) -> list[Any]:
    """What each of n returns that begin together, on connections of their own."""
    barrier = threading.Barrier(n)

    def one(no: int) -> Any:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("set statement_timeout = '60s'")
            barrier.wait(30)
            return work(connection, no)

    with ThreadPoolExecutor(n) as workers:
        return list(workers.map(one, range(n)))


def count(answers: Iterable[dict[str, list[str]]], *members: str) -> Counter[str]:
    return Counter(one for answer in answers for member in members for one in answer[member])


def test_tombstones_are_new_once(db: Connection, database: str) -> None:
    pairs = [(IDS[no], IDS[no + 1]) for no in range(39)]
    merge(db, [node(i) for i in IDS[:30]], [edge(*pair) for pair in pairs[:30]])
    begin(db)

    def work(connection: Connection, no: int) -> list[Any]:
        pick, answers = random.Random(no), []
        for trigger in range(12):
            said = {"source_id": f"w{no}", "trigger": str(trigger)}
            answers.append(rule_out(connection, *pick.sample(IDS, 5), **said))
            some = [name(*pair) for pair in pick.sample(pairs, 5)]
            answers.append(rule_out_edges(connection, *some, **said))
        return answers

    answers = [one for told in at_once(database, 6, work) for one in told]
    new, again = count(answers, "applied", "unmatched"), count(answers, "already_tombstoned")
    assert set(new.values()) == {1}, "each id is new in exactly one call"
    assert new.keys() >= again.keys()
    assert sum(new.values()) + sum(again.values()) == 6 * 12 * 10
    assert set(count(answers, "applied")) <= {*IDS[:30], *(edge_id(*p) for p in pairs[:30])}
    found = call(db, "read_tombstones", incident_id="i")
    edges = {edge_id(one["source"], one["target"]) for one in found["edges"]}
    assert {*found["node_ids"], *edges} == set(new)
    # The provenance is that of the call in which it was new.
    rows = db.execute("select source_id, count(*) from cmbs.incident_tombstone group by 1")
    assert sum(n for _, n in rows) == len(new)
    gaps = db.execute(
        "select max(v.event_no) = count(*), max(v.event_no) = max(i.n_events) "
        "from cmbs_store.incident_event as v, cmbs_store.incident as i"
    ).fetchone()
    assert gaps == (True, True)


def test_merges_reach_the_union_of_all(db: Connection, database: str) -> None:
    def work(connection: Connection, no: int) -> list[Any]:
        pick, answers = random.Random(no), []
        for trigger in range(10):
            said = [{"source": f"w{no % 3}", "trigger": str(trigger)}]
            some = pick.sample(IDS, 8)
            nodes = [
                node(i, label=f"of {no % 2}", hypothetical=no > 0, provenance=said) for i in some
            ]
            edges = [edge(one, two, provenance=said) for one, two in zip(some, IDS, strict=False)]
            answers.append(
                (nodes, merge(connection, nodes, [e for e in edges if e["source"] != e["target"]]))
            )
        return answers

    told = [one for answers in at_once(database, 6, work) for one in answers]
    created = count((answer for _, answer in told), "created")
    assert set(created.values()) == {1}, "each is created in exactly one call"
    nodes, edges = graph(db)
    assert {*nodes, *edges} == set(created)
    assert set(count((answer for _, answer in told), "merged")) <= set(created)
    found = {one["id"]: one for one in call(db, "read_main_graph")["nodes"]}
    for node_id, one in found.items():
        # Who gave it another label was not accepted.
        of_it = [n for nodes, _ in told for n in nodes if n["id"] == node_id]
        sent = [n for n in of_it if n["label"] == one["label"]]
        said = {(p["source"], p["trigger"]) for n in sent for p in n["provenance"]}
        assert {(p["source"], p["trigger"]) for p in one["provenance"]} == said
        assert one["hypothetical"] is all(n["hypothetical"] for n in sent)
        assert sent
    versions = db.execute("select array_agg(version order by version) from cmbs.graph_growth")
    assert versions.fetchone() == ([*range(1, version(db) + 1)],), "none is left out"


def test_opposite_orders_do_not_block_each_other(db: Connection, database: str) -> None:
    """An error of a deadlock would end the work."""
    nodes = [node(i) for i in IDS]
    edges = [edge(one, two) for one, two in zip(IDS, IDS[1:] + IDS[:1], strict=True)]

    def work(connection: Connection, no: int) -> int:
        step = 1 if no % 2 else -1
        for trigger in range(15):
            said = {"provenance": [{"source": f"w{no}", "trigger": str(trigger)}]}
            sent: list[list[Sent]] = [
                [one | said for one in some[::step]] for some in (nodes, edges)
            ]
            if trigger % 2:
                merge(connection, sent[0][:20])
                merge(connection, sent[0][20:], sent[1])
            else:
                merge(connection, *sent)
        return no

    assert at_once(database, 4, work) == [0, 1, 2, 3]
    assert version(db) == 4 * (8 + 2 * 7), "each adds provenance"
    assert len(call(db, "read_main_graph")["nodes"][0]["provenance"]) == 60


def test_the_first_merges_of_all(db: Connection, database: str) -> None:
    def work(connection: Connection, no: int) -> Any:
        return merge(connection, [node("a"), node(f"of {no}")])

    answers = at_once(database, 8, work)
    assert count(answers, "created") == Counter(["a", *(f"of {no}" for no in range(8))])
    assert version(db) == 8


def test_an_incident_begins_once(db: Connection, database: str) -> None:
    seed(db)

    def work(connection: Connection, no: int) -> Any:
        merge(connection, [node(f"more {no}")])
        return begin(connection, "i")

    answers = at_once(database, 6, work)
    assert sorted(answer["created"] for answer in answers) == [False] * 5 + [True]
    assert len({answer["universe_anchor"] for answer in answers}) == 1
    pinned = int(answers[0]["universe_anchor"][1:])
    assert len(live(db)[0]) == 4 + pinned - 1, "all that was there by then, and nothing else"


def test_a_live_view_never_grows(db: Connection, database: str) -> None:
    seed(db, "abcdefgh", "ab bc cd de ef fg gh ha")
    begin(db)

    def work(connection: Connection, no: int) -> list[tuple[list[str], list[str]]]:
        if no == 0:
            for letter in "hgfedcba":
                rule_out(connection, letter)
            return []
        if no == 1:
            for number in range(30):
                merge(connection, [node(f"n{number}"), node("a")], [edge(f"n{number}", "a")])
            return []
        return [live(connection) for _ in range(40)]

    for seen in at_once(database, 4, work):
        for before, after in itertools.pairwise(seen):
            assert set(after[0]) <= set(before[0])
            assert set(after[1]) <= set(before[1])
        for nodes, edges in seen:
            ends = {end for one in edges for end in one.removeprefix("edge:").split("|")[:2]}
            assert ends <= set(nodes), "never an edge without its ends"
    assert live(db) == ([], [])


def test_sessions_of_an_incident_while_it_rules_out(db: Connection, database: str) -> None:
    """Each begins with what was live at one moment, and ends where its log leads."""
    seed(db, "abcdefgh", "ab bc cd de ef fg gh ha")
    begin(db)

    def work(connection: Connection, no: int) -> list[Any]:
        if no == 0:
            for letter in "abcdefgh":
                rule_out(connection, letter)
            return []
        sent = [request(edges=True, session_id=session_id(no, number)) for number in range(8)]
        return [call(connection, "declare_session", **one)["snapshot"] for one in sent]

    snapshots = [one for told in at_once(database, 3, work) for one in told]
    ring = "abcdefgh"
    moments = []
    for n in range(9):
        nodes = ring[n:]
        pairs = [p for p in ("ab", "bc", "cd", "de", "ef", "fg", "gh", "ha") if {*p} <= {*nodes}]
        moments.append(sorted([*nodes, *(edge_id(*pair) for pair in pairs)]))
    assert all(one["survivors"] in moments for one in snapshots)
    assert all(ok for (ok,) in db.execute("select ok from cmbs.verify_all()"))


def session_id(no: int, number: int) -> str:
    return f"00000000-0000-4000-8000-0000000{no:02}{number:03}"


def late(connection: Connection, other: Connection, work: Callable[[Connection], Any]) -> None:
    """The same work, of which another has done it all since the snapshot was taken."""
    with connection.transaction():
        connection.execute("set transaction isolation level repeatable read")
        live(connection)
        work(other)
        work(connection)


def test_whose_snapshot_is_older_is_told_to_try_again(database: str) -> None:
    """Else it would say of what others have ruled out, or merged, since then that it is new."""
    with (
        psycopg.connect(database, autocommit=True) as connection,
        psycopg.connect(database, autocommit=True) as other,
    ):
        seed(connection)
        begin(connection)
        calls: list[Callable[[Connection], Any]] = [
            lambda on: rule_out(on, "a"),
            lambda on: rule_out_edges(on, name("c", "d")),
            lambda on: merge(on, [node("e")]),
            lambda on: call(on, "set_mirror", endpoint="tee:1"),
        ]
        for work in calls:
            with pytest.raises(psycopg.errors.SerializationFailure):
                late(connection, other, work)
        assert rule_out(connection, "a")["already_tombstoned"] == ["a"]
        assert merge(connection, [node("e")])["merged"] == ["e"]
