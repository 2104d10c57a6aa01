"""What the HTTP benchmarks need: servers as processes of their own, and clients that keep up."""

import asyncio
import contextlib
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import uvloop

from bench.harness import CLIENTS, Bench

Requests = Callable[[int, int], bytes]


@dataclass(frozen=True)
class Measured:
    """What a number of clients saw."""

    answers: int
    seconds: float
    latencies: Sequence[float]

    @property
    def rate(self) -> float:
        return self.answers / self.seconds

    def quantile(self, part: float) -> float:
        return statistics.quantiles(self.latencies, n=1000)[round(part * 1000) - 1]


def post(path: str, body: str, minimal: bool = True) -> bytes:
    prefer = "prefer: return=minimal\r\n" if minimal else ""
    return (
        f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        f"{prefer}content-length: {len(body)}\r\n\r\n{body}"
    ).encode()


@contextlib.contextmanager
def server(bench: Bench, database: str, factory: str) -> Iterator[int]:
    """An application in one process, over a database; its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = bench.server.url(database, "cmbs_server")
    command = [sys.executable, "-m", "bench.serve", factory, url, str(port)]
    # Ours writes a line for every request.
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + 30
            while True:
                with contextlib.suppress(OSError):
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                assert time.monotonic() < deadline, "the server did not start"
                assert process.poll() is None, "the server ended"
                time.sleep(0.05)
            yield port
        finally:
            process.terminate()


def measure(
    port: int, request: Requests, seconds: float, clients: int = CLIENTS, rate: float | None = None
) -> Measured:
    """Each client sends its next request as soon as it is answered, or at its own pace."""
    return uvloop.run(_measure(port, request, seconds, clients, rate))


async def _measure(
    port: int, request: Requests, seconds: float, clients: int, rate: float | None
) -> Measured:
    began = time.perf_counter()
    pause = clients / rate if rate else 0.0
    found = await asyncio.gather(
        *(
            # Spread over the first pause, so that clients with a pace do not march in step.
            _client(port, request, number, began + seconds, pause, pause * number / clients)
            for number in range(clients)
        )
    )
    latencies = [latency for one in found for latency in one]
    return Measured(len(latencies), time.perf_counter() - began, latencies)


async def _client(
    port: int, request: Requests, number: int, until: float, pause: float, delay: float
) -> list[float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    latencies = []
    due = time.perf_counter() + delay
    for count in range(1_000_000):
        now = time.perf_counter()
        if pause:
            await asyncio.sleep(max(0.0, due - now))
            due += pause
            now = time.perf_counter()
        if now > until:
            break
        writer.write(request(number, count))
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")), head
        at = head.index(b"content-length: ") + 16
        await reader.readexactly(int(head[at : head.index(b"\r", at)]))
        latencies.append(time.perf_counter() - now)
    writer.close()
    return latencies
