"""A Tee that serves over a socket, and what tests say to it."""

import asyncio
import contextlib
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import grpc
from psycopg.conninfo import make_conninfo

from cmbs.database.pool import Database
from cmbs.tee import convert, server, wire

SAID = {"source": "tests", "trigger": "seed"}


@contextlib.contextmanager
def serving(
    url: str, credentials: grpc.ServerCredentials | None = None, at: str = "127.0.0.1:0"
) -> Iterator[str]:
    """Serve a database from a thread; gives host and port."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    ports: list[int] = []
    over = asyncio.Event()

    async def serve() -> None:
        store = Database(make_conninfo(url, user="cmbs_server"), 4, 100, 5.0, readers=1)
        async with store.opened():
            running, port, _ = await server.start(store, at, credentials)
            ports.append(port)
            ready.set()
            await over.wait()
            await running.stop(5)

    def run() -> None:
        try:
            loop.run_until_complete(serve())
        finally:
            ready.set()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert ready.wait(30)
        assert ports
        yield f"127.0.0.1:{ports[0]}"
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


def say(channel: grpc.Channel, name: str, request: Any = None, **members: Any) -> Any:
    """Call a method, of a message or of the members of one."""
    method = wire.METHODS[name]
    rpc = channel.unary_unary(
        method.path,
        request_serializer=lambda one: one if isinstance(one, bytes) else one.SerializeToString(),
        response_deserializer=method.answer.FromString,
    )
    return rpc(method.request(**members) if request is None else request, timeout=30)


def delta(nodes: Iterable[str] = (), edges: Iterable[tuple[str, str]] = ()) -> Any:
    """Services, and that they depend on each other."""
    made = wire.message("HypothesisDelta")()
    for node in nodes:
        made.nodes.add(id=node, type=1, label=node).provenance.add(**SAID)
    for source, target in edges:
        made.edges.add(source=source, target=target, type=1).provenance.add(**SAID)
    return made


def ids_of(graph: Any) -> set[str]:
    """Nodes and edges, by the ids that hypotheses have."""
    return {node.id for node in graph.nodes} | {*map(convert.entry_id, graph.edges)}
