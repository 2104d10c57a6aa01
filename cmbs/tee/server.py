"""The gRPC shell of the Tee: a message is read, one verb is called, its answer goes out."""

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

import grpc
import msgspec
import psycopg
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from cmbs.database.pool import Busy, Database
from cmbs.tee import convert, refusals, wire

log = logging.getLogger("cmbs.tee")

# A graph of a hundred thousand edges fits in; each RPC holds one such message at most.
_LARGEST = 64 * 2**20
_AT_ONCE = 1000
_CONNECTIONS, _READERS, _PATIENCE = 8, 2, 3.0
# Who waits for an answer gets it, unless that takes too long.
_GRACE = 10.0
# After how many seconds the health service looks again whether the database answers.
_HEALTH = 2.0
# For so many seconds at most a token is let in without being looked up; its verb does that.
_ADMITTED, _MOST_ADMITTED = 60.0, 1000
# So long a connection lives, and with it a call that is not ended: clients connect anew, unnoticed.
_AGE, _LAST_MINUTE, _IDLE = 600.0, 60.0, 300.0
# What is more is read beside the loop.
_SMALL = 64 * 1024
_LARGE_AT_ONCE = 4
# Whoever asks for a graph waits for a turn: one may take fifty megabytes while it is made.
_GRAPHS, _GRAPHS_AT_ONCE, _TURN = ("GetLiveView", "GetMainGraph"), 2, 30.0
_Call = Callable[..., Awaitable[bytes]]


class PortError(Exception):
    """The address cannot be served on; the text is one sentence."""


async def _merge_hypothesis(call: _Call, request: Any) -> Any:
    # What takes long is done beside the loop, which answers others meanwhile.
    arguments = await asyncio.to_thread(convert.delta_arguments, request)
    found = _read(await call("merge_hypothesis", **arguments))
    answer = wire.message("HypothesisMergeResult")(
        created_ids=found["created"], merged_ids=found["merged"]
    )
    for conflict in found["conflicts"]:
        answer.conflicts.add(**convert.conflict_values(conflict))
    return answer


async def _create_incident(call: _Call, request: Any) -> Any:
    is_exact = request.is_exact
    if request.edge_entries and not is_exact:
        raise refusals.Refused("edge_entries need is_exact")
    found = _read(
        await call(
            "create_incident",
            incident_id=request.incident_id,
            node_ids=list(request.node_ids) if request.node_ids or is_exact else None,
            edges=convert.edges_argument(request.edge_entries) if is_exact else None,
        )
    )
    return wire.message("CreateIncidentResult")(**found)


async def _get_incident_context(call: _Call, request: Any) -> Any:
    found = _read(await call("read_incident", incident_id=request.incident_id))
    answer = wire.message("IncidentContext")(
        incident_id=found["incident_id"],
        universe_anchor=found["universe_anchor"],
        universe_ids=found["universe"],
    )
    convert.fill_time(answer.created_at, found["created_at"])
    convert.fill_tombstones(answer.tombstones, found["tombstones"])
    return answer


async def _merge_node_tombstones(call: _Call, request: Any) -> Any:
    ids = list(request.node_ids)
    return await _merge_tombstones(call, "merge_node_tombstones", request, node_ids=ids)


async def _merge_edge_tombstones(call: _Call, request: Any) -> Any:
    edges = convert.edges_argument(request.entries)
    return await _merge_tombstones(call, "merge_edge_tombstones", request, edges=edges)


async def _merge_tombstones(call: _Call, verb: str, request: Any, **what: object) -> Any:
    said = request.provenance
    at = convert.timestamp_text(said.timestamp) if said.HasField("timestamp") else None
    found = _read(
        await call(
            verb,
            incident_id=request.incident_id,
            **what,
            source_id=said.source,
            trigger=said.trigger,
            occurred_at=at,
        )
    )
    return wire.message("TombstoneMergeResult")(
        applied_ids=found["applied"],
        already_tombstoned_ids=found["already_tombstoned"],
        unmatched_ids=found["unmatched"],
    )


async def _get_live_view(call: _Call, request: Any) -> Any:
    if request.page_token and not request.page_size:
        raise refusals.Refused("page_token needs page_size")
    return await _graph(
        await call(
            "read_live_view",
            incident_id=request.incident_id,
            limit=request.page_size or None,
            after=request.page_token or None,
        )
    )


async def _get_tombstones(call: _Call, request: Any) -> Any:
    found = _read(await call("read_tombstones", incident_id=request.incident_id))
    return convert.fill_tombstones(wire.message("TombstoneSet")(), found)


async def _get_main_graph(call: _Call, _: Any) -> Any:
    return await _graph(await call("read_main_graph"))


async def _graph(answer: bytes) -> bytes:
    def written() -> bytes:
        return b"".join(convert.graph_parts(answer))

    return await asyncio.to_thread(written) if len(answer) > _SMALL else written()


_HANDLERS: dict[str, Callable[[_Call, Any], Awaitable[Any]]] = {
    "MergeHypothesis": _merge_hypothesis,
    "CreateIncident": _create_incident,
    "GetIncidentContext": _get_incident_context,
    "MergeNodeTombstones": _merge_node_tombstones,
    "MergeEdgeTombstones": _merge_edge_tombstones,
    "GetLiveView": _get_live_view,
    "GetTombstones": _get_tombstones,
    "GetMainGraph": _get_main_graph,
}


def _read(answer: bytes) -> Any:
    return msgspec.json.decode(answer)


@contextlib.asynccontextmanager
async def _turn(graphs: asyncio.Semaphore) -> AsyncIterator[None]:
    try:
        await asyncio.wait_for(graphs.acquire(), _TURN)
    except TimeoutError:
        raise Busy from None
    try:
        yield
    finally:
        graphs.release()


def _rpc(name: str, store: Database, large: asyncio.Semaphore, graphs: asyncio.Semaphore) -> Any:
    """One method: whatever it ends with is told by a status, and nothing of the server's."""
    method, handler = wire.METHODS[name], _HANDLERS[name]

    async def serve(raw: bytes, context: Any) -> Any:
        try:
            call = partial(
                store.call, credential=refusals.credential(context.invocation_metadata())
            )
            # Read here and not by gRPC, which tells of bytes that are no message as its own fault.
            if name in _GRAPHS:
                async with _turn(graphs):
                    return await handler(call, refusals.bounded(method.request.FromString(raw)))
            if len(raw) <= _SMALL:
                return await handler(call, refusals.bounded(method.request.FromString(raw)))
            async with large:
                request = await asyncio.to_thread(method.request.FromString, raw)
                return await handler(call, refusals.bounded(request))
        except Exception as error:
            code, details = _status_of(error, name)
        await context.abort(code, details)

    def sent(answer: Any) -> Any:
        return answer if isinstance(answer, bytes) else answer.SerializeToString()

    return grpc.unary_unary_rpc_method_handler(serve, response_serializer=sent)


class _Admission(grpc.aio.ServerInterceptor):
    """Who may call nothing is told so before a message is taken in, or waited for."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self._until: dict[bytes | None, float] = {}

    async def intercept_service(self, continuation: Any, call: Any) -> Any:
        name = call.method.removeprefix(f"/{wire.SERVICE}/")
        if name not in wire.METHODS:
            return await continuation(call)
        try:
            await self._admit(refusals.credential(call.invocation_metadata))
        except Exception as error:
            return _refusing(error, name)
        return await continuation(call)

    async def _admit(self, credential: bytes | None) -> None:
        if time.monotonic() < self._until.get(credential, 0):
            return
        await self._store.call("identify", credential=credential)
        if len(self._until) >= _MOST_ADMITTED:
            self._until.clear()
        self._until[credential] = time.monotonic() + _ADMITTED


def _refusing(error: Exception, name: str) -> Any:
    code, details = _status_of(error, name)

    async def refuse(_: Any, context: Any) -> None:
        await context.abort(code, details)

    # A stream's message is not waited for.
    return grpc.stream_unary_rpc_method_handler(refuse)


def _status_of(error: Exception, name: str) -> tuple[grpc.StatusCode, str]:
    code, details = refusals.status_of(error, name)
    if code == grpc.StatusCode.INTERNAL:
        log.error("%s failed", name, exc_info=error)
    return code, details


async def start(
    store: Database, address: str, credentials: grpc.ServerCredentials | None = None
) -> tuple[grpc.aio.Server, int, health.aio.HealthServicer]:
    """A server on an address, and the port that it got."""
    server = grpc.aio.server(
        options=[
            ("grpc.max_receive_message_length", _LARGEST),
            ("grpc.max_send_message_length", -1),
            # One caller who begins calls and ends none is not to keep out all others.
            ("grpc.max_concurrent_streams", 100),
            ("grpc.max_connection_age_ms", round(_AGE * 1000)),
            ("grpc.max_connection_age_grace_ms", round(_LAST_MINUTE * 1000)),
            ("grpc.max_connection_idle_ms", round(_IDLE * 1000)),
            # Two that serve on one port would share the calls between them, unnoticed.
            ("grpc.so_reuseport", 0),
        ],
        maximum_concurrent_rpcs=_AT_ONCE,
        interceptors=[_Admission(store)],
    )
    large = asyncio.Semaphore(_LARGE_AT_ONCE)
    graphs = asyncio.Semaphore(_GRAPHS_AT_ONCE)
    rpcs = {name: _rpc(name, store, large, graphs) for name in wire.METHODS}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(wire.SERVICE, rpcs)])
    healthy = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(healthy, server)
    names = (wire.SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server, pool=_described())
    try:
        if credentials:
            port = server.add_secure_port(address, credentials)
        else:
            port = server.add_insecure_port(address)
    except RuntimeError as error:
        raise PortError(f"{address} cannot be served on; choose another with --port") from error
    await _tell_health(healthy, is_well=True)
    await server.start()
    return server, port, healthy


def _described() -> Any:
    """The pool of the messages, and beside them of the services that every server has."""
    for module in (health_pb2, reflection_pb2):
        file = descriptor_pb2.FileDescriptorProto()
        module.DESCRIPTOR.CopyToProto(file)
        wire.POOL.Add(file)
    return wire.POOL


async def run(
    url: str,
    address: str,
    ready: Callable[[int], None],
    credentials: grpc.ServerCredentials | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; calls that are under way are answered first."""
    over = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    store = Database(url, _CONNECTIONS, _AT_ONCE, _PATIENCE, _READERS)
    async with store.opened():
        server, port, healthy = await start(store, address, credentials)
        watching = asyncio.create_task(watch(store, healthy))
        ready(port)
        await over.wait()
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        await healthy.enter_graceful_shutdown()
        await server.stop(_GRACE)


async def watch(store: Database, healthy: health.aio.HealthServicer) -> None:
    """Tell the health service whether the database answers."""
    while True:
        try:
            await store.call("revision")
            is_well = True
        except psycopg.Error:
            is_well = False
        await _tell_health(healthy, is_well)
        await asyncio.sleep(_HEALTH)


async def _tell_health(healthy: health.aio.HealthServicer, is_well: bool) -> None:
    states = health_pb2.HealthCheckResponse
    for service in ("", wire.SERVICE):
        await healthy.set(service, states.SERVING if is_well else states.NOT_SERVING)
