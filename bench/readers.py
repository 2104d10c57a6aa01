"""What readers of a long log cost those who write elsewhere: connections shared, and apart."""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

import uvloop

from bench import eliminate
from bench.harness import CLIENTS, Bench, load, spread
from bench.web import post, server
from cmbs.database.calls import call

_READERS = 16
_ANSWERED_IN = 30.0
_READ = UUID("00000000-0000-4000-8000-000000100000")
_PATHS = ("verify", "whatif?without_source=s", "explain", "audit?limit=10000", "audit.ndjson")


@dataclass
class Seen:
    """How requests ended: the seconds of those that were answered, and what was said to others."""

    seconds: list[float] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)


def run(bench: Bench, rounds: int, seconds: int, events: int = 40_000) -> None:
    print(f"\nHTTP ELIMINATE of {CLIENTS} writers beside {_READERS} readers of {events:,} events")
    eliminate.declare(bench, "readers", 1000)
    _fill(bench, events)
    kept: dict[str, list[float]] = {}
    for number in range(1, rounds + 1):
        for kind in ("shared", "ours") if number % 2 else ("ours", "shared"):
            with server(bench, "readers", kind) as port:
                _measure(port, 1, 0, number)
                alone, _ = _measure(port, seconds, 0, number)
                beside, read = _measure(port, seconds, _READERS, number)
                rest = len(beside.seconds) / max(1, len(alone.seconds))
                kept.setdefault(kind, []).append(rest)
                n_read = len(read.seconds) + len(read.refused)
                in_time = sum(one <= _ANSWERED_IN for one in read.seconds)
                print(
                    f"round {number}, {kind:6}: writers keep {rest:.0%} of "
                    f"{len(alone.seconds) / seconds:,.0f} a second, {len(beside.refused)} refused; "
                    f"readers {in_time} of {n_read} in {_ANSWERED_IN:.0f} s, "
                    f"the longest {max(read.seconds, default=0):.1f} s  {load()}"
                )
    for kind, mark in (("shared", ""), ("ours", "   mark: at least 0.50")):
        print(f"{kind}: part of their rate that writers keep {spread(kept[kind])}{mark}")


def _fill(bench: Bench, events: int) -> None:
    with bench.connect("readers") as connection:
        for first in range(1, events, 1000):
            messages = [
                {
                    "source_id": "s",
                    "observation_id": f"{no}",
                    "eliminated": [f"svc-{1000000 + no % 900}"],
                }
                for no in range(first, min(first + 1000, events))
            ]
            call(connection, "eliminate_batch", session_id=_READ, messages=json.dumps(messages))
        connection.execute("vacuum analyze")


def _measure(port: int, seconds: float, readers: int, turn: int) -> tuple[Seen, Seen]:
    return uvloop.run(_together(port, seconds, readers, turn))


async def _together(port: int, seconds: float, readers: int, turn: int) -> tuple[Seen, Seen]:
    writing, reading, until = Seen(), Seen(), time.perf_counter() + seconds

    def message(client: int) -> Callable[[int], bytes]:
        path = f"/v1/sessions/00000000-0000-4000-8000-000000{100001 + client}/eliminate"
        mark = f"{turn} {time.time_ns()}"
        return lambda count: post(
            path,
            json.dumps(
                {
                    "source_id": "w",
                    "observation_id": f"{mark} {count}",
                    "eliminated": ["svc-1000001"],
                }
            ),
        )

    def question(client: int) -> Callable[[int], bytes]:
        path = f"/v1/sessions/{_READ}/{_PATHS[client % len(_PATHS)]}"
        kind = "application/x-ndjson" if path.endswith(".ndjson") else "application/json"
        path = path.replace("audit.ndjson", "audit")
        return lambda _: (
            f"GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: {kind}\r\n\r\n".encode()
        )

    await asyncio.gather(
        *(_client(port, message(one), until, writing) for one in range(CLIENTS)),
        *(_client(port, question(one), until, reading) for one in range(readers)),
    )
    return writing, reading


async def _client(port: int, request: Callable[[int], bytes], until: float, seen: Seen) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    count = 0
    while (began := time.perf_counter()) < until:
        writer.write(request(count))
        status = await _answer(reader)
        if status == 200:
            seen.seconds.append(time.perf_counter() - began)
        else:
            seen.refused.append(status)
            await asyncio.sleep(0.1)
        count += 1
    writer.close()


async def _answer(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    if b"transfer-encoding: chunked" in head:
        while size := int(await reader.readuntil(b"\r\n"), 16):
            await reader.readexactly(size + 2)
        await reader.readexactly(2)
    else:
        at = head.index(b"content-length: ") + 16
        await reader.readexactly(int(head[at : head.index(b"\r", at)]))
    return int(head[9:12])
