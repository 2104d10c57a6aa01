"""TeeStore beyond the suite that every store goes through: edges, other Tees, Tees that go away."""

import contextlib
import multiprocessing
import threading
import time
from collections.abc import Iterator
from concurrent import futures
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmbs import BeliefServer, OntologyBundle, TeeStore
from cmbs.audit_log import FileAuditLog, restore_all
from cmbs.spi.elimination_store import EliminationProvenance
from cmbs.stores.tee import TeeError, TeeUnavailable
from cmbs.tee import convert, wire
from tests.support.served import free_port
from tests.support.servers import ROOT
from tests.support.sizes import size
from tests.support.web import token_of
from tests.tee.others import OlderTee, older
from tests.tee.serving import SAID, delta, ids_of, say, serving

WHY = EliminationProvenance("tool://df", "df -h")
TLS = ROOT / "tests" / "http" / "tls"
ONTOLOGY = OntologyBundle("space", "1", "graph", "v1")
AB, BC = "edge:a|b|DEPENDS_ON", "edge:b|c|DEPENDS_ON"


@pytest.fixture
def address(database: str) -> Iterator[str]:
    with serving(database) as address, grpc.insecure_channel(address) as channel:
        say(channel, "MergeHypothesis", delta("abcd", [("a", "b"), ("b", "c")]))
        yield address


def test_hypotheses_must_be_nodes(address: str) -> None:
    with TeeStore(address) as store:
        for _ in range(2):
            with pytest.raises(ValueError, match=r"not (there|in the graph).*nobody"):
                store.create_session("s", ["a", "nobody"])
            store.create_session("other", ["a"])
        with pytest.raises(ValueError, match="is no node"):
            store.create_session("s", ["a", AB])
        for method in (store.get_survivors, store.recover):
            with pytest.raises(KeyError):
                method("s")


def test_what_a_store_knows_survives_it(address: str) -> None:
    with TeeStore(address) as store:
        store.create_session("s", [*"ab"])
        assert store.eliminate("s", [*"ac"], WHY).applied == {"a"}
        assert store.eliminate("s", [*"ac"], WHY).already_eliminated == {"a", "c"}
    with TeeStore(address) as another:
        found = another.recover("s")
        assert (found.hypothesis_ids, found.eliminated) == (frozenset("ab"), frozenset("a"))
        assert another.get_survivors("s") == {"b"}
        with pytest.raises(ValueError, match="other hypotheses"):
            another.create_session("s", [*"abc"])
        another.create_session("s", [*"ab"])


def test_provenance_is_kept(address: str, database: str) -> None:
    with TeeStore(address) as store, grpc.insecure_channel(address) as channel:
        store.create_session("s", [*"ab"])
        store.eliminate("s", [*"a"], WHY)
        assert [*say(channel, "GetTombstones", incident_id="s").node_ids] == ["a"]
    import psycopg

    with psycopg.connect(database) as connection:
        query = "select source_id, trigger, occurred_at is not null from cmbs.incident_tombstone"
        assert connection.execute(query).fetchall() == [("tool://df", "df -h", True)]


def test_edges_go_with_their_ends(address: str) -> None:
    universe = {*"abcd", AB, BC}
    with TeeStore(address, edges=True) as store, grpc.insecure_channel(address) as channel:
        store.create_session("s", universe)
        assert store.get_survivors("s") == universe
        assert store.expand("s", ["c", "nobody"]) == {"c", "nobody", BC}
        answer = store.eliminate("s", ["c"], WHY)
        assert answer.applied == {"c", BC}
        assert store.recover("s").eliminated == {"c", BC}
        assert store.eliminate("s", [AB, BC], WHY).applied == {AB}
        gone = say(channel, "GetTombstones", incident_id="s")
        assert [*gone.node_ids] == ["c"]
        assert {*map(convert.entry_id, gone.edge_entries)} == {AB, BC}
        assert (
            store.get_survivors("s")
            == {*"abd"}
            == ids_of(say(channel, "GetLiveView", incident_id="s"))
        )
        # An edge whose end somebody else ruled out is gone as well.
        store.create_session("t", ["a", "b", AB])
        say(channel, "MergeNodeTombstones", incident_id="t", node_ids=["b"], provenance=SAID)
        assert store.recover("t").eliminated == {"b", AB}
        assert store.get_survivors("t") == {"a"}
    with TeeStore(address) as nodes_only:
        assert nodes_only.recover("s").hypothesis_ids == frozenset("abcd")


def test_only_the_edges_that_were_declared(address: str) -> None:
    with TeeStore(address, edges=True) as store:
        store.create_session("s", ["a", "b", "c", AB])
        assert store.get_survivors("s") == {"a", "b", "c", AB}
        assert store.eliminate("s", ["b"], WHY).applied == {"b", AB}
        with pytest.raises(ValueError, match=r"both ends of .* must be hypotheses too"):
            store.create_session("t", ["a", AB])


def test_a_server_over_a_tee_recovers(address: str, tmp_path: Path) -> None:
    """Kernel, audit log and Tee agree after everything in memory is gone."""
    universe = ["a", "b", "c", "d", AB, BC]
    path = tmp_path / "audit.ndjson"
    with TeeStore(address, edges=True) as store, FileAuditLog(path) as log:
        server = BeliefServer(store=store, audit_log=log)
        session, _ = server.declare_session(ONTOLOGY, universe)
        done = server.eliminate(session, "tool://df", "1", ["c", "nobody"])
        assert done[0] == ["c", BC]
        assert done[1] == ["nobody"]
        assert server.query_belief(session).survivors == ["a", "b", "d", AB]
        entry = server.audit_trace(session)[-1]
        assert entry.delta == {"eliminated": ["c", BC]}
        assert entry.payload["eliminated"] == ["c", "nobody", BC]
    with TeeStore(address, edges=True) as store, FileAuditLog(path) as log:
        restored = BeliefServer(store=store, audit_log=log)
        restore_all(restored, store, log)
        assert restored.query_belief(session).survivors == ["a", "b", "d", AB]
        again = restored.eliminate(session, "tool://df", "1", ["c", "nobody"])
        assert again[:2] == done[:2]
        assert restored.eliminate(session, "tool://df", "2", ["a"])[0] == ["a", AB]
        assert store.get_survivors(session) == {*restored.query_belief(session).survivors}


def test_another_tee_names_edges_in_its_own_way() -> None:
    tee = OlderTee()
    tee.graph.MergeFromString(delta("abc", [("a", "b"), ("b", "c")]).SerializeToString())
    with older(tee) as address, TeeStore(address, edges=True) as store:
        store.create_session("s", [*"abc", AB, BC])
        assert store.eliminate("s", [AB], WHY).applied == {AB}
        again = store.eliminate("s", [AB, "c"], WHY)
        assert (again.applied, again.already_eliminated) == ({"c", BC}, {AB})
        assert store.get_survivors("s") == {"a", "b"} == store.recover("s").survivors


def test_sessions_of_another_tee_come_back_though_its_graph_has_grown(tmp_path: Path) -> None:
    """It keeps no universe; the log has it."""
    tee, path = OlderTee(), tmp_path / "audit.ndjson"
    tee.graph.MergeFromString(delta("ab").SerializeToString())
    with older(tee) as address:
        with TeeStore(address) as store, FileAuditLog(path) as log:
            server = BeliefServer(store=store, audit_log=log)
            session, _ = server.declare_session(ONTOLOGY, [*"ab"])
            server.eliminate(session, "tool://df", "1", ["a"])
        tee.graph.MergeFromString(delta("z").SerializeToString())
        with TeeStore(address) as store, FileAuditLog(path) as log:
            restored = BeliefServer(store=store, audit_log=log)
            assert restore_all(restored, store, log) == [session]
            assert restored.query_belief(session).survivors == ["b"]
            assert restored.eliminate(session, "tool://df", "2", ["b", "z"])[0] == ["b"]
            assert store.get_survivors(session) == frozenset()


def test_a_log_does_not_tell_our_tee_what_a_session_began_with(address: str) -> None:
    with TeeStore(address) as store:
        store.create_session("s", [*"ab"])
    with TeeStore(address) as store:
        store.remember("s", [*"abc"])
        assert store.recover("s").hypothesis_ids == {"a", "b"}


def test_a_tee_that_goes_away_undoes_the_verb(database: str) -> None:
    with contextlib.ExitStack() as up:
        address = up.enter_context(serving(database))
        with grpc.insecure_channel(address) as channel:
            say(channel, "MergeHypothesis", delta("ab"))
        store = TeeStore(address, timeout=0.5)
        server = BeliefServer(store=store)
        session, before = server.declare_session(ONTOLOGY, [*"ab"])
        up.close()
    with pytest.raises(TeeUnavailable, match=f"{address} did not answer.*ask again"):
        server.eliminate(session, "s", "1", ["a"])
    with pytest.raises(ConnectionError):
        store.recover(session)
    assert server.query_belief(session) == before
    assert len(server.audit_trace(session)) == 1
    store.close()
    with pytest.raises(TeeError, match="was closed"):
        store.recover(session)


def test_calls_wait_for_a_tee_that_comes_back(database: str) -> None:
    port = free_port()
    tee = OlderTee()
    tee.graph.nodes.add(id="a")
    store = TeeStore(f"127.0.0.1:{port}", timeout=60)
    with futures.ThreadPoolExecutor() as pool:
        begun = pool.submit(store.create_session, "s", ["a"])
        with pytest.raises(futures.TimeoutError):
            begun.result(0.3)
        server = grpc.server(futures.ThreadPoolExecutor(4))
        rpcs = {
            name: grpc.unary_unary_rpc_method_handler(
                lambda request, context, name=name: tee.answer(name, request, context),
                request_deserializer=method.request.FromString,
                response_serializer=method.answer.SerializeToString,
            )
            for name, method in wire.METHODS.items()
        }
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(wire.SERVICE, rpcs)])
        server.add_insecure_port(f"127.0.0.1:{port}")
        server.start()
        try:
            begun.result(30)
            assert store.get_survivors("s") == {"a"}
        finally:
            store.close()
            server.stop(None).wait()


class Unsteady(OlderTee):
    """Answers what it is called with the second time."""

    code = grpc.StatusCode.OK

    def answer(self, name: str, request: Any, context: Any) -> Any:
        if name not in self.calls:
            self.calls.append(name)
            context.abort(self.code, "another time")
        return super().answer(name, request, context)


@pytest.mark.parametrize("code", ["UNAVAILABLE", "CANCELLED", "ABORTED", "RESOURCE_EXHAUSTED"])
def test_what_passes_is_waited_for(code: str) -> None:
    tee = Unsteady()
    tee.code = getattr(grpc.StatusCode, code)
    tee.graph.MergeFromString(delta("ab").SerializeToString())
    with older(tee) as address, TeeStore(address) as store:
        store.create_session("s", [*"ab"])
        assert store.eliminate("s", ["a"], WHY).applied == {"a"}
        assert store.get_survivors("s") == {"b"} == store.recover("s").survivors


@pytest.mark.nightly
def test_a_tee_that_is_stopped_again_and_again(database: str) -> None:
    """Calls go on meanwhile: what a server did not take any more, the next one does."""
    address = f"127.0.0.1:{free_port()}"
    with serving(database, at=address), grpc.insecure_channel(address) as channel:
        many = [f"n{number}" for number in range(3000)]
        say(channel, "MergeHypothesis", delta(many))
    over = threading.Event()
    with TeeStore(address, timeout=60) as store, futures.ThreadPoolExecutor() as pool:

        def eliminate(session: str) -> int:
            store.create_session(session, many)
            for number, one in enumerate(many):
                if over.is_set():
                    return number
                store.eliminate(session, [one], WHY)
            return len(many)

        with contextlib.ExitStack() as first:
            first.enter_context(serving(database, at=address))
            begun = {session: pool.submit(eliminate, session) for session in ("s", "t", "u")}
            time.sleep(0.2)
        for _ in range(6):
            with serving(database, at=address):
                time.sleep(0.2)
        with serving(database, at=address):
            over.set()
            for session, work in begun.items():
                gone = work.result(60)
                assert gone > 0
                assert store.get_survivors(session) == {*many[gone:]}


def test_an_older_tee() -> None:
    tee = OlderTee()
    with older(tee) as address, TeeStore(address) as store:
        with grpc.insecure_channel(address) as channel:
            say(channel, "MergeHypothesis", delta("abcd", [("a", "b")]))
        with pytest.raises(ValueError, match="1 are not in the graph"):
            store.create_session("s", ["a", "nobody"])
        assert not tee.incidents
        store.create_session("s", [*"abc"])
        store.create_session("s", [*"cab"])
        with pytest.raises(ValueError, match="other hypotheses"):
            store.create_session("s", [*"ab"])
        assert store.eliminate("s", [*"adx"], WHY).applied == {"a"}
        assert tee.incidents["s"][0] == {"a"}, "what is none of the session's is not sent"
        assert store.get_survivors("s") == {*"bc"}
        assert store.get_eliminated("s") == {"a"}
        with pytest.raises(KeyError):
            store.recover("nobody")
        n_calls = len(tee.calls)
        store.eliminate("s", [], WHY)
        assert len(tee.calls) == n_calls, "an empty set sends nothing"
        # Of what it does not remember all of the graph is the universe.
        with TeeStore(address) as another:
            assert another.recover("s").hypothesis_ids == {*"abcd"}
            another.create_session("s", [*"abc"])
            assert another.recover("s").survivors == {*"bc"}


def test_an_older_tee_with_edges() -> None:
    with older(OlderTee()) as address, TeeStore(address, edges=True) as store:
        with grpc.insecure_channel(address) as channel:
            say(channel, "MergeHypothesis", delta("abc", [("a", "b"), ("b", "c")]))
        store.create_session("s", ["a", "b", AB])
        assert store.eliminate("s", ["b", "c"], WHY).applied == {"b", AB}
        assert store.recover("s").survivors == {"a"} == store.get_survivors("s")


def test_more_than_a_server_takes_at_once(address: str) -> None:
    many = [f"n{no:05d}" for no in range(10_500)]
    with TeeStore(address) as store, grpc.insecure_channel(address) as channel:
        say(channel, "MergeHypothesis", delta(many))
        store.create_session("s", many)
        assert store.eliminate("s", many[1:], WHY).applied == {*many[1:]}
        assert store.get_survivors("s") == {many[0]}


def test_what_is_too_large_is_not_away() -> None:
    many = [f"{no:06d}" + "x" * 500 for no in range(9000)]
    tee = OlderTee()
    tee.graph.nodes.extend(delta(many[:10]).nodes)
    with older(tee) as address, TeeStore(address, timeout=60) as store:
        store._is_anchoring = True
        with pytest.raises(TeeError, match="larger than max") as caught:
            store.create_session("s", many)
    assert not isinstance(caught.value, TeeUnavailable)


def test_a_tee_that_lost_an_incident() -> None:
    tee = OlderTee()
    tee.graph.MergeFromString(delta("ab", [("a", "b")]).SerializeToString())
    with older(tee) as address, TeeStore(address, edges=True) as store:
        store.create_session("s", ["a", "b", AB])
        tee.incidents.clear()
        for ids in (["a"], [AB]):
            with pytest.raises(KeyError):
                store.eliminate("s", ids, WHY)


def test_tls_and_a_token(database: str) -> None:
    certificate, key = (TLS / "certificate.pem", TLS / "key.pem")
    pair = (key.read_bytes(), certificate.read_bytes())
    agent = token_of(database, "writer", "agent").text
    reader = token_of(database, "reader", "auditor").text
    with serving(database, grpc.ssl_server_credentials([pair])) as address:
        where = f"https://{address}"
        credentials = grpc.ssl_channel_credentials(certificate.read_bytes())
        with grpc.secure_channel(address, credentials) as channel:
            with pytest.raises(grpc.RpcError) as caught:
                say(channel, "MergeHypothesis", delta("ab"))
            assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED
            merge = channel.unary_unary(wire.METHODS["MergeHypothesis"].path)
            shown = (("authorization", f"bearer {agent}"),)
            merge(delta("ab").SerializeToString(), metadata=shown)
        with TeeStore(where, token=agent, authority=certificate) as store:
            store.create_session("s", [*"ab"])
            assert store.eliminate("s", [*"a"], WHY).applied == {"a"}
        with TeeStore(where, token=reader, authority=certificate) as store:
            assert store.get_survivors("s") == {"b"}
            with pytest.raises(TeeError, match="role") as refused:
                store.eliminate("s", [*"b"], WHY)
            assert refused.value.code == "PERMISSION_DENIED"
        for token in (None, "cmbs_nobody", agent + "x"):
            with TeeStore(where, token=token, authority=certificate) as store:
                with pytest.raises(TeeError) as unknown:
                    store.recover("s")
                assert unknown.value.code == "UNAUTHENTICATED"
                assert agent not in str(unknown.value)
        # Nobody else's certificate, and nothing without one.
        for stranger in (TeeStore(where, timeout=0.5), TeeStore(address, timeout=0.5)):
            with stranger, pytest.raises(TeeUnavailable):
                stranger.recover("s")
    with pytest.raises(ValueError, match="of no use without TLS"):
        TeeStore("http://localhost:1", authority=certificate)


@pytest.mark.parametrize("token", ["", "two words", "caf\u00e9", "line\n"])
def test_what_is_no_token(token: str) -> None:
    with pytest.raises(ValueError, match="a token is of letters"):
        TeeStore("localhost:1", token=token)


@pytest.mark.parametrize(
    "wrong", ["", "localhost", "localhost:", ":50051", "http://h", "ftp://h:1", "h:1/x", "h:999999"]
)
def test_what_is_no_address(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no address of a Tee; give host:port"):
        TeeStore(wrong)


def test_processes_share_what_is_kept(address: str) -> None:
    with TeeStore(address) as store:
        store.create_session("s", [*"abc"])
        context = multiprocessing.get_context("spawn")
        with context.Pool(2) as pool:
            done = pool.starmap(_eliminate, [(address, "s", one) for one in "ab"])
        assert done == [["a"], ["b"]]
        assert store.get_survivors("s") == {"c"}


def _eliminate(address: str, session: str, one: str) -> list[str]:
    with TeeStore(address) as store:
        return sorted(store.eliminate(session, [one], WHY).applied)


_IDS = st.frozensets(st.sampled_from(["a", "b", "c", "d", AB, BC, "nobody"]), max_size=4)


def test_a_server_and_its_tee_agree_whatever_is_eliminated(address: str) -> None:
    with TeeStore(address, edges=True) as store, grpc.insecure_channel(address) as channel:

        @settings(
            deadline=None, max_examples=size(8, 25), suppress_health_check=[HealthCheck.too_slow]
        )
        @given(st.lists(_IDS, max_size=6))
        def agree(steps: list[frozenset[str]]) -> None:
            server = BeliefServer(store=store)
            session, _ = server.declare_session(
                ONTOLOGY, ["a", "b", "c", "d", AB, BC], session_id=str(uuid4())
            )
            for no, step in enumerate(steps):
                server.eliminate(session, "s", str(no), step)
                survivors = {*server.query_belief(session).survivors}
                assert survivors == store.get_survivors(session)
                assert survivors == ids_of(say(channel, "GetLiveView", incident_id=session))

        agree()
