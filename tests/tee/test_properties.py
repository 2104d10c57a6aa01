"""Any sequence of merges, incidents and tombstones against a model of the rules, and what follows
from the rules: order and grouping make no difference, and no live view ever grows.
"""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from psycopg.types.json import Json

from cmbs.database.calls import call
from tests.support.beliefs import Connection, message
from tests.support.sizes import size
from tests.tee.graphs import (
    Name,
    Sent,
    begin,
    edge_id,
    merge,
    name,
    rule_out,
    rule_out_edges,
    tables,
    version,
)
from tests.tee.incidents import session_of, survivors
from tests.tee.model import DELTAS, EDGE, INCIDENTS, NAMES, NODE, NODES, Model, name_of, shown

QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
MACHINE = settings(
    max_examples=size(15, 60), stateful_step_count=25, deadline=None, suppress_health_check=QUIET
)
PROPERTY = settings(max_examples=size(20, 60), deadline=None, suppress_health_check=QUIET)


class Incidents(RuleBasedStateMachine):
    """Calls in a transaction that is rolled back after every run."""

    connection: Connection

    def __init__(self) -> None:
        super().__init__()
        self.undo = self.connection.transaction(force_rollback=True)
        self.undo.__enter__()
        self.model = Model()
        self.last: tuple[list[Sent], list[Sent]] = ([], [])
        self.seen: dict[str, tuple[set[str], set[Name]]] = {}

    def teardown(self) -> None:
        self.undo.__exit__(None, None, None)

    @rule(delta=DELTAS)
    def merge(self, delta: tuple[list[Sent], list[Sent]]) -> None:
        self.last = delta
        expected = self.model.merge(*delta)
        answer = merge(self.connection, *delta)
        conflicts = [tuple(one.values()) for one in answer["conflicts"]]
        assert len(conflicts) == len(set(conflicts))
        assert answer | {"conflicts": set(conflicts)} == expected
        assert version(self.connection) == self.model.version

    @precondition(lambda self: self.model.version > 0)
    @rule()
    def merge_again(self) -> None:
        before = tables(self.connection)
        assert merge(self.connection, *self.last)["created"] == []
        assert tables(self.connection) == before

    @rule(incident_id=INCIDENTS, data=st.data(), part=st.sampled_from(["all", "nodes", "edges"]))
    def begin(self, incident_id: str, data: st.DataObject, part: str) -> None:
        known = self.model.incidents.get(incident_id)
        if known:
            answer = begin(self.connection, incident_id)
            assert (answer["created"], answer["universe_anchor"]) == (False, f"v{known.version}")
            return
        nodes: list[str] | None = None
        edges: list[Name] | None = None
        sent: dict[str, object] = {}
        if part != "all":
            some = sorted(self.model.nodes)
            nodes = data.draw(st.lists(st.sampled_from(some), unique=True) if some else st.just([]))
            sent["node_ids"] = nodes
        if part == "edges" and nodes is not None:
            there = sorted(e for e in self.model.edges if e[0] in nodes and e[1] in nodes)
            edges = data.draw(st.lists(st.sampled_from(there)) if there else st.just([]))
            sent["edges"] = Json([name(*one) for one in edges])
        made = self.model.begin(incident_id, nodes, edges)
        answer = begin(self.connection, incident_id, **sent)
        assert (answer["created"], answer["universe_anchor"]) == (True, f"v{made.version}")

    @precondition(lambda self: self.model.incidents)
    @rule(incident_id=INCIDENTS, ids=st.lists(NODES, min_size=1, max_size=4))
    def rule_out(self, incident_id: str, ids: list[str]) -> None:
        if incident_id in self.model.incidents:
            expected = self.model.rule_out(incident_id, ids)
            assert rule_out(self.connection, *ids, incident_id=incident_id) == expected

    @precondition(lambda self: self.model.incidents)
    @rule(incident_id=INCIDENTS, names=st.lists(NAMES, min_size=1, max_size=4))
    def rule_out_edges(self, incident_id: str, names: list[Name]) -> None:
        if incident_id in self.model.incidents:
            expected = self.model.rule_out_edges(incident_id, names)
            sent = [name(*one) for one in names]
            assert rule_out_edges(self.connection, *sent, incident_id=incident_id) == expected

    @invariant()
    def the_graph_is_that_of_the_model(self) -> None:
        nodes, edges = shown(call(self.connection, "read_main_graph"))
        now = self.model.version
        assert nodes == {one: found.at(now) for one, found in self.model.nodes.items()}
        assert edges == {one: found.at(now) for one, found in self.model.edges.items()}

    @invariant()
    def live_views_are_those_of_the_model(self) -> None:
        for incident_id, incident in self.model.incidents.items():
            nodes, edges = shown(call(self.connection, "read_live_view", incident_id=incident_id))
            alive = incident.live()
            assert ({*nodes}, {*edges}) == alive
            assert nodes == {n: self.model.nodes[n].at(incident.version) for n in alive[0]}
            assert edges == {e: self.model.edges[e].at(incident.version) for e in alive[1]}
            self._never_grows(incident_id, alive)
            found = call(self.connection, "read_tombstones", incident_id=incident_id)
            assert found["node_ids"] == sorted(incident.gone_nodes)
            assert [name_of(one) for one in found["edges"]] == sorted(incident.gone_edges)
            self._views_say_the_same(incident_id, alive)

    def _never_grows(self, incident_id: str, alive: tuple[set[str], set[Name]]) -> None:
        before = self.seen.get(incident_id, alive)
        assert alive[0] <= before[0]
        assert alive[1] <= before[1]
        self.seen[incident_id] = alive

    def _views_say_the_same(self, incident_id: str, alive: tuple[set[str], set[Name]]) -> None:
        query = "select node_id from cmbs.live_node where incident_id = %s"
        nodes = self.connection.execute(query, [incident_id]).fetchall()
        query = "select source, target, type from cmbs.live_edge where incident_id = %s"
        edges = self.connection.execute(query, [incident_id]).fetchall()
        assert sorted(nodes) == sorted((one,) for one in alive[0])
        assert sorted(edges) == sorted(alive[1])


# A failing run needs its time to shrink to an example that can be read.
@pytest.mark.slow("a search")
@pytest.mark.timeout(400)
def test_any_sequence(tx: Connection) -> None:
    Incidents.connection = tx
    run_state_machine_as_test(Incidents, settings=MACHINE)


@PROPERTY
@given(deltas=st.lists(DELTAS, max_size=5), seed=st.integers(0, 99))
def test_merges_in_any_order_and_grouping(tx: Connection, deltas: Any, seed: int) -> None:
    """The same graph, where nothing is a conflict: what is accepted depends on who was first."""
    deltas = [([n | {"type": "SERVICE", "label": n["id"]} for n in d[0]], d[1]) for d in deltas]
    singles: list[tuple[list[Sent], list[Sent]]] = [([n], []) for delta in deltas for n in delta[0]]
    singles += [([], [e]) for delta in deltas for e in delta[1]]
    whole = ([n for delta in deltas for n in delta[0]], [e for delta in deltas for e in delta[1]])
    random.Random(seed).shuffle(singles)
    graphs = []
    for sent in (deltas, [whole], deltas[::-1], singles, [*deltas, *singles]):
        with tx.transaction(force_rollback=True):
            for delta in sent:
                before = version(tx)
                merge(tx, *delta)
                assert version(tx) - before in (0, 1)
            nodes, edges = shown(call(tx, "read_main_graph"))
            graphs.append((nodes, edges))
    assert all(graph == graphs[0] for graph in graphs)


@PROPERTY
@given(
    delta=DELTAS,
    gone=st.lists(st.lists(NODES, min_size=1) | st.lists(NAMES, min_size=1), max_size=6),
    seed=st.integers(0, 99),
)
def test_tombstones_in_any_order_and_grouping(
    tx: Connection, delta: Any, gone: Any, seed: int
) -> None:
    singles: list[list[Any]] = [[one] for ids in gone for one in ids]
    random.Random(seed).shuffle(singles)
    results = []
    for sent in (gone, gone[::-1], singles, [*gone, *gone]):
        with tx.transaction(force_rollback=True):
            merge(tx, *delta)
            begin(tx)
            answers: list[tuple[str, str]] = []
            for ids in sent:
                answer = tombstone(tx, "i", ids)
                for told in ("applied", "unmatched"):
                    answers += [(told, one) for one in answer[told]]
            found = call(tx, "read_tombstones", incident_id="i")
            results.append((sorted(answers), found, call(tx, "read_live_view", incident_id="i")))
    assert all(result == results[0] for result in results)


def tombstone(connection: Connection, incident_id: str, ids: list[Any]) -> Any:
    """Nodes, or names of edges."""
    if isinstance(ids[0], str):
        return rule_out(connection, *ids, incident_id=incident_id)
    return rule_out_edges(connection, *(name(*one) for one in ids), incident_id=incident_id)


@settings(PROPERTY, max_examples=size(40, 150))
@given(
    delta=st.tuples(st.lists(NODE, min_size=2, max_size=8), st.lists(EDGE, max_size=12)),
    before=st.lists(NODES | NAMES, max_size=3),
    messages=st.lists(st.lists(NODES | NAMES, max_size=4), max_size=5),
    edges=st.booleans(),
    is_batch=st.booleans(),
    part=st.none() | st.sets(NODES, min_size=2),
)
def test_a_session_is_left_with_what_an_incident_is(
    tx: Connection,
    delta: Any,
    before: list[Any],
    messages: Any,
    edges: bool,
    is_batch: bool,
    part: set[str] | None,
) -> None:
    """The eliminations of the one as tombstones of the other."""
    known = {node["id"] for node in delta[0]}
    universe = sorted(known if part is None else known & part)
    if not universe:
        return
    with tx.transaction(force_rollback=True):
        merge(tx, *delta)
        for incident_id in ("i", "j"):
            begin(tx, incident_id, **({} if part is None else {"node_ids": universe}))
            for one in before:
                tombstone(tx, incident_id, [one])
        session = session_of(tx, "i", edges=edges)
        sent = [
            message(
                *(one if isinstance(one, str) else edge_id(*one) for one in ids),
                observation_id=f"m{no}",
            )
            for no, ids in enumerate(messages)
        ]
        if is_batch and sent:
            session.batch(*sent)
        for one in sent:
            # After a batch these are repeats.
            assert session("eliminate", **one)["duplicate"] is is_batch
        for ids in messages:
            for one in ids:
                tombstone(tx, "j", [one])
        nodes, live_edges = shown(call(tx, "read_live_view", incident_id="j"))
        expected = {*nodes} | ({edge_id(*one) for one in live_edges} if edges else set())
        assert survivors(session) == sorted(expected)
        for event in session.events()[1:]:
            said = event["payload"]
            asked = [one for one in sent if one["observation_id"] == said["observation_id"]]
            ids = asked[0]["eliminated"] if asked else []
            added = said["eliminated"][len(ids) :]
            assert said["eliminated"][: len(ids)] == ids, "as it was sent, and edges after it"
            assert len(added) == len(set(added) - set(ids)), "each once"
        assert session.is_whole()
