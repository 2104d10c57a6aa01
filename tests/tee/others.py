"""A Tee that somebody else wrote."""

import contextlib
import threading
from collections.abc import Iterator
from concurrent import futures
from typing import Any

import grpc

from cmbs.tee import wire


class OlderTee:
    """A Tee as others wrote it from the proto before our fields were there: in memory, it knows no
    subsets, its live view is of the graph as it is now.
    """

    def __init__(self) -> None:
        self.graph = wire.message("CausalGraph")()
        self.incidents: dict[str, tuple[set[str], set[tuple[str, str, int]]]] = {}
        self.calls: list[str] = []
        self.lock = threading.Lock()

    def answer(self, name: str, request: Any, context: Any) -> Any:
        with self.lock:
            self.calls.append(name)
            answer = wire.METHODS[name].answer()
            if name == "GetMainGraph":
                return self.graph
            if name == "MergeHypothesis":
                known = {node.id for node in self.graph.nodes}
                self.graph.nodes.extend(one for one in request.nodes if one.id not in known)
                self.graph.edges.extend(request.edges)
                return answer
            if name == "CreateIncident":
                answer.incident_id = request.incident_id
                answer.created = request.incident_id not in self.incidents
                self.incidents.setdefault(request.incident_id, (set(), set()))
                return answer
            if request.incident_id not in self.incidents:
                context.abort(grpc.StatusCode.NOT_FOUND, "incident not found")
            nodes, edges = self.incidents[request.incident_id]
            getattr(self, name)(request, answer, nodes, edges)
            return answer

    def GetIncidentContext(self, request: Any, answer: Any, nodes: Any, edges: Any) -> None:  # noqa: N802
        answer.incident_id = request.incident_id
        answer.tombstones.node_ids.extend(nodes)
        for source, target, kind in edges:
            answer.tombstones.edge_entries.add(source=source, target=target, type=kind)

    def MergeNodeTombstones(self, request: Any, answer: Any, nodes: Any, edges: Any) -> None:  # noqa: N802
        known = {node.id for node in self.graph.nodes}
        for one in request.node_ids:
            if one in nodes:
                answer.already_tombstoned_ids.append(one)
            else:
                (answer.applied_ids if one in known else answer.unmatched_ids).append(one)
                nodes.add(one)

    def MergeEdgeTombstones(self, request: Any, answer: Any, nodes: Any, edges: Any) -> None:  # noqa: N802
        for one in request.entries:
            key = (one.source, one.target, one.type)
            told = answer.already_tombstoned_ids if key in edges else answer.applied_ids
            told.append(f"{one.source}->{one.target}:{one.type}")
            edges.add(key)

    def GetLiveView(self, request: Any, answer: Any, nodes: Any, edges: Any) -> None:  # noqa: N802
        answer.nodes.extend(one for one in self.graph.nodes if one.id not in nodes)
        alive = {one.id for one in answer.nodes}
        answer.edges.extend(
            one
            for one in self.graph.edges
            if (one.source, one.target, one.type) not in edges and {one.source, one.target} <= alive
        )


@contextlib.contextmanager
def older(tee: OlderTee, as_sent: bytes | None = None) -> Iterator[str]:
    """It serves; with `as_sent` that is what it answers, whatever it meant."""

    def rpc(name: str) -> Any:
        method = wire.METHODS[name]
        return grpc.unary_unary_rpc_method_handler(
            lambda request, context: tee.answer(name, request, context),
            request_deserializer=method.request.FromString,
            response_serializer=(
                method.answer.SerializeToString if as_sent is None else lambda _: as_sent
            ),
        )

    server = grpc.server(futures.ThreadPoolExecutor(8))
    rpcs = {name: rpc(name) for name in wire.METHODS}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(wire.SERVICE, rpcs)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()
