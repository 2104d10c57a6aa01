"""The Tee over a socket: what its messages do, and what is no message."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import grpc
import psycopg
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import proto_reflection_descriptor_database as reflected
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmbs.database.calls import call
from cmbs.tee import convert, server, wire
from cmbs.tee.compile import compile_proto
from tests.support.servers import until
from tests.support.sizes import sampled, size
from tests.support.tables import TABLES, of_kind
from tests.support.web import token_of
from tests.tee.serving import SAID, delta, ids_of, say, serving

CODE = grpc.StatusCode
WRITTEN = [table for table in TABLES if table.startswith("graph_")]
WRITTEN += [*of_kind("incident"), "context_universe"]
EDGE = {"source": "a", "target": "b", "type": 1}


@pytest.fixture
def channel(database: str) -> Iterator[grpc.Channel]:
    with serving(database) as address, grpc.insecure_channel(address) as channel:
        yield channel


def written(database: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        query = " union all ".join(
            f"select '{table}', count(*), coalesce(sum(hashtext(t::text)), 0) "
            f"from cmbs_store.{table} as t"
            for table in WRITTEN
        )
        return connection.execute(query.encode()).fetchall()


def refusal(channel: grpc.Channel, name: str, request: Any = None, **members: Any) -> grpc.RpcError:
    with pytest.raises(grpc.RpcError) as caught:
        say(channel, name, request, **members)
    return caught.value


def test_a_life_of_an_incident(channel: grpc.Channel) -> None:
    merged = say(channel, "MergeHypothesis", delta("abc", [("a", "b"), ("b", "c"), ("c", "later")]))
    edges = ["edge:a|b|DEPENDS_ON", "edge:b|c|DEPENDS_ON", "edge:c|later|DEPENDS_ON"]
    assert [*merged.created_ids] == ["a", "b", "c", *edges]
    assert not merged.merged_ids
    again = say(channel, "MergeHypothesis", delta("a", [("a", "b")]))
    assert [*again.merged_ids] == ["a", "edge:a|b|DEPENDS_ON"]
    assert not again.created_ids

    created = say(channel, "CreateIncident", incident_id="i")
    assert (created.incident_id, created.created, created.universe_anchor) == ("i", True, "v1")
    assert not say(channel, "CreateIncident", incident_id="i").created
    say(channel, "MergeHypothesis", delta(["later"]))
    view = say(channel, "GetLiveView", incident_id="i")
    assert ids_of(view) == {"a", "b", "c", *edges[:2]}, "what came later is not of the incident"
    assert [(node.type, node.label, node.hypothetical) for node in view.nodes] == [
        (1, one, False) for one in "abc"
    ]
    (said,) = view.nodes[0].provenance
    assert (said.source, said.trigger) == (SAID["source"], SAID["trigger"])
    assert not said.HasField("timestamp")

    def rule_out(*ids: str) -> tuple[list[str], list[str], list[str]]:
        answer = say(channel, "MergeNodeTombstones", incident_id="i", node_ids=ids, provenance=SAID)
        return (
            [*answer.applied_ids],
            [*answer.already_tombstoned_ids],
            [*answer.unmatched_ids],
        )

    assert rule_out("a", "nobody") == (["a"], [], ["nobody"])
    assert rule_out("a", "nobody") == ([], ["a", "nobody"], [])
    answer = say(
        channel,
        "MergeEdgeTombstones",
        incident_id="i",
        entries=[EDGE, {**EDGE, "type": 2}],
        provenance=SAID,
    )
    assert [*answer.applied_ids] == [edges[0]]
    assert [*answer.unmatched_ids] == ["edge:a|b|PROPAGATES_TO"]
    assert ids_of(say(channel, "GetLiveView", incident_id="i")) == {"b", "c", edges[1]}

    gone = say(channel, "GetTombstones", incident_id="i")
    assert [*gone.node_ids] == ["a", "nobody"]
    assert [(one.source, one.target, one.type) for one in gone.edge_entries] == [
        ("a", "b", 1),
        ("a", "b", 2),
    ]
    context = say(channel, "GetIncidentContext", incident_id="i")
    assert context.tombstones == gone
    assert context.created_at.seconds > 1_700_000_000
    assert context.universe_anchor == "v1"
    assert [*context.universe_ids] == ["a", "b", "c"]
    assert ids_of(say(channel, "GetMainGraph")) == {"a", "b", "c", "later", *edges}


def test_times_and_conflicts_of_the_wire(channel: grpc.Channel) -> None:
    first = delta("a")
    at = first.nodes[0].provenance[0].timestamp
    at.seconds, at.nanos = -1, 123456789
    say(channel, "MergeHypothesis", first)
    (node,) = say(channel, "GetMainGraph").nodes
    found = node.provenance[0].timestamp
    assert (found.seconds, found.nanos) == (-1, 123456000), "to the microsecond"
    other = delta("a")
    other.nodes[0].type, other.nodes[0].label = 4, "B"
    conflicts = say(channel, "MergeHypothesis", other).conflicts
    assert [(one.id, one.field, one.existing_value, one.proposed_value) for one in conflicts] == [
        ("a", "label", "a", "B"),
        ("a", "type", "NODE_TYPE_SERVICE", "NODE_TYPE_MECHANISM"),
    ]


@pytest.mark.parametrize(
    "name", ["GetIncidentContext", "GetLiveView", "GetTombstones", "MergeNodeTombstones"]
)
@pytest.mark.parametrize("unknown", ["nobody", "\u00e9\u2028\U0001f600"])
def test_unknown_incidents(channel: grpc.Channel, name: str, unknown: str) -> None:
    more = {"node_ids": ["a"], "provenance": SAID} if name == "MergeNodeTombstones" else {}
    error = refusal(channel, name, incident_id=unknown, **more)
    assert error.code() == CODE.NOT_FOUND
    assert error.details() == f"incident not found: {unknown}"


def _node(**members: Any) -> Any:
    made = delta("a")
    for name, value in members.items():
        setattr(made.nodes[0], name, value)
    return made


def _edge(**members: Any) -> Any:
    made = delta("", [("a", "b")])
    for name, value in members.items():
        setattr(made.edges[0], name, value)
    return made


def _without_provenance(made: Any) -> Any:
    for one in (*made.nodes, *made.edges):
        del one.provenance[:]
    return made


def _said(made: Any, **members: Any) -> Any:
    said = (*made.nodes, *made.edges)[0].provenance.add(**SAID)
    for name, value in members.items():
        setattr(said, name, value)
    return made


def _at(seconds: int, nanos: int) -> Any:
    made = delta("a")
    made.nodes[0].provenance[0].timestamp.seconds = seconds
    made.nodes[0].provenance[0].timestamp.nanos = nanos
    return made


DELTAS = {
    "no id": _node(id=""),
    "the id of an edge": _node(id="edge:a"),
    "a long id": _node(id="x" * 513),
    "no label": _node(label=""),
    "no type": _node(type=0),
    "a type of no version": _node(type=5),
    "a negative type": _node(type=-1),
    "nothing that cannot be stored": _node(label="\0"),
    "a node without provenance": _without_provenance(delta("a")),
    "no source beside a good one": _said(delta("a"), source=""),
    "no trigger": _said(delta("a"), trigger=""),
    "a source that cannot be stored": _said(delta("a"), source="a\0"),
    "no source of an edge": _edge(source=""),
    "no target": _edge(target=""),
    "a loop": _edge(target="a"),
    "no type of an edge": _edge(type=0),
    "an edge's type of no version": _edge(type=4),
    "an edge of an edge": _edge(source="edge:x"),
    "an edge without provenance": _without_provenance(delta("", [("a", "b")])),
    "a time before all": _at(-62135596801, 0),
    "a time after all": _at(253402300800, 0),
    "nanos below": _at(0, -1),
    "nanos above": _at(0, 10**9),
}
TOMBSTONES: dict[str, tuple[str, dict[str, Any]]] = {
    "no incident": ("MergeNodeTombstones", {"incident_id": ""}),
    "a long incident": ("MergeNodeTombstones", {"incident_id": "x" * 513}),
    "no nodes": ("MergeNodeTombstones", {"node_ids": []}),
    "an empty node": ("MergeNodeTombstones", {"node_ids": ["a", ""]}),
    "an edge as a node": ("MergeNodeTombstones", {"node_ids": ["edge:a|b|DEPENDS_ON"]}),
    "too many nodes": ("MergeNodeTombstones", {"node_ids": [f"n{no}" for no in range(100_000)]}),
    "a node that cannot be stored": ("MergeNodeTombstones", {"node_ids": ["a\0"]}),
    "no provenance": ("MergeNodeTombstones", {"provenance": None}),
    "no source": ("MergeNodeTombstones", {"provenance": {"trigger": "t"}}),
    "no trigger": ("MergeNodeTombstones", {"provenance": {"source": "s"}}),
    "no edges": ("MergeEdgeTombstones", {"entries": []}),
    "a loop": ("MergeEdgeTombstones", {"entries": [{**EDGE, "target": "a"}]}),
    "no type": ("MergeEdgeTombstones", {"entries": [EDGE, {**EDGE, "type": 0}]}),
    "a type of no version": ("MergeEdgeTombstones", {"entries": [{**EDGE, "type": 77}]}),
    "no target": ("MergeEdgeTombstones", {"entries": [{**EDGE, "target": ""}]}),
    "too many edges": (
        "MergeEdgeTombstones",
        {"entries": [{**EDGE, "target": f"n{no}"} for no in range(100_000)]},
    ),
    "an edge without provenance": ("MergeEdgeTombstones", {"provenance": None}),
    "an incident without an id": ("CreateIncident", {"incident_id": ""}),
    "nodes that are not there": ("CreateIncident", {"incident_id": "j", "node_ids": ["nobody"]}),
    "edges without is_exact": ("CreateIncident", {"incident_id": "j", "edge_entries": [EDGE]}),
    "an edge without its ends": (
        "CreateIncident",
        {"incident_id": "j", "is_exact": True, "edge_entries": [EDGE]},
    ),
}


@pytest.mark.parametrize("what", sampled(DELTAS))
def test_deltas_that_are_refused_whole(channel: grpc.Channel, database: str, what: str) -> None:
    request = delta(["good", "a" if what.startswith("no source of") else "other"])
    request.MergeFrom(DELTAS[what])
    before = written(database)
    error = refusal(channel, "MergeHypothesis", request)
    assert error.code() == CODE.INVALID_ARGUMENT, error.details()
    assert error.details()
    assert written(database) == before


@pytest.mark.parametrize("what", sampled(TOMBSTONES))
def test_what_else_is_refused_whole(channel: grpc.Channel, database: str, what: str) -> None:
    say(channel, "MergeHypothesis", delta("ab", [("a", "b")]))
    say(channel, "CreateIncident", incident_id="i")
    name, wrong = TOMBSTONES[what]
    good: dict[str, dict[str, Any]] = {
        "MergeNodeTombstones": {"incident_id": "i", "node_ids": ["a"], "provenance": SAID},
        "MergeEdgeTombstones": {"incident_id": "i", "entries": [EDGE], "provenance": SAID},
        "CreateIncident": {},
    }
    before = written(database)
    members = {key: value for key, value in (good[name] | wrong).items() if value is not None}
    error = refusal(channel, name, **members)
    assert error.code() == CODE.INVALID_ARGUMENT, error.details()
    assert written(database) == before


def test_bytes_that_are_no_message(channel: grpc.Channel, database: str) -> None:
    before = written(database)
    for name in wire.METHODS:
        for raw in (b"\xff", b"\x0a\x7f", b"\x0a\x02\xff\xfe", b"\x0a\x04\x0a\x02\xc3\x28"):
            if name == "GetMainGraph" and raw != b"\xff":
                continue
            error = refusal(channel, name, raw)
            assert error.code() in (CODE.INVALID_ARGUMENT, CODE.NOT_FOUND), (name, raw)
            if name != "GetMainGraph":
                assert error.code() == CODE.INVALID_ARGUMENT, (name, raw)
    assert written(database) == before


def test_whatever_bytes_come_nothing_breaks(channel: grpc.Channel) -> None:
    @settings(
        deadline=None, max_examples=size(40, 150), suppress_health_check=[HealthCheck.too_slow]
    )
    @given(st.sampled_from([*wire.METHODS]), st.binary(max_size=60))
    def send(name: str, raw: bytes) -> None:
        with contextlib.suppress(grpc.RpcError):
            say(channel, name, raw)
            return
        assert refusal(channel, name, raw).code() in (CODE.INVALID_ARGUMENT, CODE.NOT_FOUND)

    send()


def test_the_server_tells_nothing_of_itself(database: str) -> None:
    with serving(database) as address, grpc.insecure_channel(address) as channel:
        say(channel, "CreateIncident", incident_id="i")
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("alter function cmbs.read_tombstones rename to hidden")
            error = refusal(channel, "GetTombstones", incident_id="i")
            connection.execute("alter function cmbs.hidden rename to read_tombstones")
    assert error.code() == CODE.INTERNAL
    assert error.details() == "the server failed; its log says more"


def never(over: threading.Event) -> Iterator[bytes]:
    """A message that does not come while a test goes on."""
    over.wait(60)
    yield from ()


def test_who_may_call_nothing_is_told_before_a_message_comes(database: str) -> None:
    agent = token_of(database, "agent", "agent").text
    over = threading.Event()
    with serving(database) as address, grpc.insecure_channel(address) as channel:
        for name in wire.METHODS:
            begun = channel.stream_unary(wire.METHODS[name].path)
            for shown in ((), (("authorization", "Bearer cmbs_nobody"),)):
                with pytest.raises(grpc.RpcError) as caught:
                    begun(never(over), metadata=shown, timeout=20)
                assert caught.value.code() == CODE.UNAUTHENTICATED
        # Who may is waited for.
        shown = (("authorization", f"Bearer {agent}"),)
        waiting = channel.stream_unary(wire.METHODS["GetMainGraph"].path).future(
            never(over), metadata=shown, timeout=20
        )
        assert not waiting.done()
        assert say_with(channel, "GetMainGraph", shown) == b""
        with psycopg.connect(database, autocommit=True) as connection:
            call(connection, "change_principal", name="agent", tenant="*", is_enabled=False)
        with pytest.raises(grpc.RpcError) as caught:
            say_with(channel, "GetMainGraph", shown)
        assert caught.value.code() == CODE.UNAUTHENTICATED
        over.set()


def say_with(channel: grpc.Channel, name: str, shown: tuple[tuple[str, str], ...]) -> bytes:
    answer: bytes = channel.unary_unary(wire.METHODS[name].path)(b"", metadata=shown, timeout=20)
    return answer


def test_a_call_that_is_not_ended_ends_with_its_connection(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others of the same client do not notice that a connection has become old."""
    monkeypatch.setattr(server, "_AGE", 1.0)
    monkeypatch.setattr(server, "_LAST_MINUTE", 1.0)
    over = threading.Event()
    with (
        serving(database) as address,
        grpc.insecure_channel(address) as held,
        grpc.insecure_channel(address) as channel,
    ):
        waiting = held.stream_unary(wire.METHODS["GetMainGraph"].path).future(never(over))
        while not waiting.done():
            assert ids_of(say(channel, "GetMainGraph")) == set()
        assert waiting.code() == CODE.UNAVAILABLE
        over.set()


def test_a_live_view_comes_in_pages(channel: grpc.Channel) -> None:
    say(channel, "MergeHypothesis", delta("abc", [("a", "b"), ("b", "c")]))
    say(channel, "CreateIncident", incident_id="i")
    whole = say(channel, "GetLiveView", incident_id="i")
    assert not whole.next_page_token
    for most in range(1, 7):
        joined, token, n_pages = wire.message("CausalGraph")(), "", 0
        while token or not n_pages:
            page = say(channel, "GetLiveView", incident_id="i", page_size=most, page_token=token)
            assert len(page.nodes) + len(page.edges) <= most
            joined.MergeFrom(page)
            token, n_pages = page.next_page_token, n_pages + 1
        assert n_pages == 5 // most + 1
        assert [*joined.nodes] == [*whole.nodes]
        assert [*joined.edges] == sorted(whole.edges, key=lambda one: one.source)
    for wrong in (
        {"page_token": "a"},
        {"page_size": -1},
        {"page_size": 100_001},
        {"page_size": 1, "page_token": "edge:a|b"},
    ):
        error = refusal(channel, "GetLiveView", incident_id="i", **wrong)
        assert error.code() == CODE.INVALID_ARGUMENT, wrong


def test_a_large_graph_is_written_in_parts(channel: grpc.Channel) -> None:
    """And comes whole, in the order that it had, to as many as ask at once."""
    ids = [f"node {no:05}" for no in range(2500)]
    say(channel, "MergeHypothesis", delta(ids, [*pairwise(ids)]))
    say(channel, "CreateIncident", incident_id="i")
    method = wire.METHODS["GetLiveView"]
    ask = channel.unary_unary(method.path, response_deserializer=method.answer.FromString)
    asked = method.request(incident_id="i").SerializeToString()
    for found in [ask.future(asked, timeout=60) for _ in range(6)]:
        graph = found.result()
        assert [node.id for node in graph.nodes] == ids
        assert {(one.source, one.target) for one in graph.edges} == {*pairwise(ids)}


def test_too_many_readers_are_told_so_and_keep_nobody_from_writing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database is well: UNAVAILABLE would have them look for another server."""
    monkeypatch.setattr("cmbs.database.pool._READERS_PATIENCE", 0.5)
    reading = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' "
    reading += "and query like '%read_live_view%' and datname = current_database()"
    with (
        psycopg.connect(database, autocommit=True) as db,
        psycopg.connect(database) as holder,
        serving(database) as address,
        grpc.insecure_channel(address) as channel,
    ):
        say(channel, "CreateIncident", incident_id="i")
        holder.execute("lock table cmbs_store.node_tombstone in access exclusive mode")
        live_view = wire.METHODS["GetLiveView"]
        read = channel.unary_unary(live_view.path)
        asked = live_view.request(incident_id="i").SerializeToString()
        first = read.future(asked, timeout=20)
        until(lambda: db.execute(reading.encode()).fetchone() == (1,))
        with pytest.raises(grpc.RpcError) as caught:
            read(asked, timeout=20)
        assert caught.value.code() == CODE.RESOURCE_EXHAUSTED
        say(channel, "MergeHypothesis", delta("a"))
        # Whoever goes frees the connection long before the lock would.
        first.cancel()
        until(lambda: db.execute(reading.encode()).fetchone() == (0,), 5)
        holder.rollback()
        assert ids_of(say(channel, "GetMainGraph")) == {"a"}


def test_health_and_reflection(channel: grpc.Channel) -> None:
    health = health_pb2_grpc.HealthStub(channel)
    for service in ("", wire.SERVICE):
        answer = health.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    found = reflected.ProtoReflectionDescriptorDatabase(channel)
    assert {wire.SERVICE, "grpc.health.v1.Health"} <= {*found.get_services()}
    # A client that knows nothing of the proto can say something by that alone.
    pool = descriptor_pool.DescriptorPool(found)
    method = pool.FindServiceByName(wire.SERVICE).FindMethodByName("CreateIncident")
    request = message_factory.GetMessageClass(method.input_type)(incident_id="told")
    answer = message_factory.GetMessageClass(method.output_type)()
    rpc = channel.unary_unary(f"/{wire.SERVICE}/CreateIncident")
    answer.ParseFromString(rpc(request.SerializeToString()))
    assert answer.created
    assert pool.FindServiceByName("grpc.health.v1.Health")


def test_the_descriptors_are_those_of_the_proto(tmp_path: Path) -> None:
    output = tmp_path / "tee.binpb"
    compile_proto(output)
    committed = Path(wire.__file__).with_name("tee.binpb").read_bytes()
    assert output.read_bytes() == committed, "run python -m cmbs.tee.compile"


def test_names_and_numbers_are_those_of_the_contract() -> None:
    """As the design has them; fields may only be added."""
    contract = {
        "Provenance": "source=1 timestamp=2 trigger=3",
        "Node": "id=1 type=2 label=3 hypothetical=4 provenance=5",
        "Edge": "source=1 target=2 type=3 provenance=4",
        "CausalGraph": "nodes=1 edges=2 next_page_token=3",
        "HypothesisDelta": "nodes=1 edges=2",
        "CreateIncidentRequest": "incident_id=1 node_ids=2",
        "IncidentContextRequest": "incident_id=1",
        "LiveViewRequest": "incident_id=1 page_size=2 page_token=3",
        "TombstoneRequest": "incident_id=1",
        "NodeTombstoneRequest": "incident_id=1 node_ids=2 provenance=3",
        "EdgeTombstoneEntry": "source=1 target=2 type=3",
        "EdgeTombstoneRequest": "incident_id=1 entries=2 provenance=3",
        "HypothesisMergeResult": "created_ids=1 merged_ids=2 conflicts=3",
        "MergeConflict": "id=1 field=2 existing_value=3 proposed_value=4",
        "CreateIncidentResult": "incident_id=1 created=2 universe_anchor=3",
        "IncidentContext": "incident_id=1 created_at=2 tombstones=3",
        "TombstoneMergeResult": "applied_ids=1 already_tombstoned_ids=2 unmatched_ids=3",
        "TombstoneSet": "node_ids=1 edge_entries=2",
    }
    for name, fields in contract.items():
        found = {one.name: one.number for one in wire.message(name).DESCRIPTOR.fields}
        assert {*fields.split()} <= {f"{one}={number}" for one, number in found.items()}, name
    assert wire.NODE_TYPES == {
        **{0: "UNSPECIFIED", 1: "SERVICE", 2: "DEPENDENCY"},
        **{3: "INFRASTRUCTURE", 4: "MECHANISM"},
    }
    assert wire.EDGE_TYPES == {
        **{0: "UNSPECIFIED", 1: "DEPENDS_ON"},
        **{2: "PROPAGATES_TO", 3: "MANIFESTS_AS"},
    }
    assert {name: method.path for name, method in wire.METHODS.items()} == {
        name: f"/tee.Tee/{name}"
        for name in (
            *("MergeHypothesis", "CreateIncident", "GetIncidentContext", "MergeNodeTombstones"),
            *("MergeEdgeTombstones", "GetLiveView", "GetTombstones", "GetMainGraph"),
        )
    }


def test_a_program_may_have_the_proto_compiled_for_itself() -> None:
    """Even an older one, in the pool that all share, before or after ours is loaded."""
    script = """
from google.protobuf import descriptor_pb2, descriptor_pool
mine = descriptor_pb2.FileDescriptorProto(name="tee.proto", package="tee", syntax="proto3")
field = mine.message_type.add(name="LiveViewRequest").field.add(name="incident_id", number=1)
field.type, field.label = field.TYPE_STRING, field.LABEL_OPTIONAL
def add(): descriptor_pool.Default().AddSerializedFile(mine.SerializeToString())
"""
    for order in ("add(); import cmbs.stores.tee", "import cmbs.stores.tee; add()"):
        subprocess.run([sys.executable, "-c", script + order], check=True)


def test_ids_of_edges_there_and_back() -> None:
    part = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
    marked = st.text(st.sampled_from("%|7C25edge:ab"), min_size=1, max_size=8)
    of_type = st.sampled_from(["DEPENDS_ON", "PROPAGATES_TO", "MANIFESTS_AS"])

    @given(st.builds(convert.EdgeKey, part | marked, part | marked, of_type))
    def there_and_back(edge: convert.EdgeKey) -> None:
        assert convert.edge_of(convert.edge_id(edge)) == edge

    there_and_back()
    for other in ("edge:", "edge:a|b", "edge:a|b|X", "edge:a|b|DEPENDS_ON|", "a|b|DEPENDS_ON"):
        assert convert.edge_of(other) is None
    for other in ("edge:|b|DEPENDS_ON", "edge:a%|b|DEPENDS_ON", "edge:a%7c|b|DEPENDS_ON"):
        assert convert.edge_of(other) is None


def test_descriptor_of_the_file_alone() -> None:
    file = descriptor_pb2.FileDescriptorProto()
    wire.POOL.FindFileByName("tee.proto").CopyToProto(file)
    assert file.package == "tee"
    assert file.syntax == "proto3"
    assert [one.name for one in file.service] == ["Tee"]
