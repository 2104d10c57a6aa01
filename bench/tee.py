"""The Tee: a live view as the graph grows, tombstones over gRPC beside the bare procedure, and what
a mirror costs who eliminates.
"""

import asyncio
import contextlib
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import grpc
import psycopg

from bench.harness import CLIENTS, Bench, bar, load, spread
from cmbs.tee import wire

NODES = (2_500, 5_000, 10_000, 20_000, 40_000)
_EDGES_PER_NODE, _TOMBSTONES = 5, 10
_MARKED = 10_000
_SAID = [{"source": "bench", "trigger": "seed"}]
_ONTOLOGY = (
    '{"hypothesis_space_id": "bench", "hypothesis_version": "1", '
    '"causal_graph_ref": "graphstore://bench", "causal_graph_version": "v17"}'
)
_TOMBSTONE = """
\\set n :n + 1
select cmbs.merge_node_tombstones(
    'bench' || :client_id, array['x' || (:client_id * 1000000 + :n)], 'bench', 'one'
);
"""
_ELIMINATE = """
\\set n :n + 1
select session_id from public.bench_session where k = :client_id \\gset
select cmbs.eliminate(
    (:session_id)::uuid, 'bench', 'o' || :n, array['h' || :n], p_minimal => true
);
"""


def run(bench: Bench, rounds: int, seconds: int) -> None:
    _live_view(bench, rounds)
    _tombstones(bench, rounds, seconds)
    _mirrored(bench, rounds)


def _live_view(bench: Bench, rounds: int) -> None:
    """Each graph is of a database of its own; rounds go through all of them in turn."""
    chance = random.Random(9)
    for n in NODES:
        bench.create_migrated(f"graph_{n}")
        with bench.connect(f"graph_{n}") as connection:
            _seed(connection, chance, n)
    found: dict[int, list[float]] = {n: [] for n in NODES}
    for _ in range(rounds):
        for n in NODES:
            with bench.connect(f"graph_{n}") as connection:
                found[n].append(_median_of_views(connection))
    print(f"\nA live view, {_EDGES_PER_NODE} edges and a tenth of a tombstone for each node")
    most = max(statistics.median(times) for times in found.values())
    for n, times in found.items():
        middle = statistics.median(times)
        print(
            f"{n:>6,} nodes {n * _EDGES_PER_NODE:>7,} edges: {spread(times)} ms, "
            f"{middle / n * 1000:.1f} us a node {bar(middle, most)}"
        )
    print(f"mark: at most 100 ms at {_MARKED:,} nodes, growth linear   {load()}")


def _seed(connection: psycopg.Connection[Any], chance: random.Random, n: int) -> None:
    ids = [f"service-{number:06d}" for number in range(n)]
    nodes = [{"id": one, "type": "SERVICE", "label": one, "provenance": _SAID} for one in ids]
    pairs: set[tuple[str, str]] = set()
    while len(pairs) < n * _EDGES_PER_NODE:
        source, target = chance.sample(ids, 2)
        pairs.add((source, target))
    edges = [
        {"source": source, "target": target, "type": "DEPENDS_ON", "provenance": _SAID}
        for source, target in sorted(pairs)
    ]
    _merge(connection, nodes, [])
    for start in range(0, len(edges), 50_000):
        _merge(connection, [], edges[start : start + 50_000])
    connection.execute("select cmbs.create_incident('bench')")
    gone = chance.sample(ids, n // _TOMBSTONES)
    connection.execute("select cmbs.merge_node_tombstones('bench', %s, 'bench', 'seed')", [gone])
    connection.execute("vacuum analyze")


def _merge(connection: psycopg.Connection[Any], nodes: list[Any], edges: list[Any]) -> None:
    arguments = [json.dumps(nodes), json.dumps(edges)]
    connection.execute("select cmbs.merge_hypothesis(%s, %s)", arguments)


def _median_of_views(connection: psycopg.Connection[Any]) -> float:
    times = []
    for _ in range(7):
        started = time.perf_counter()
        connection.execute("select length(cmbs.read_live_view('bench')::text)").fetchone()
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times)


def _tombstones(bench: Bench, rounds: int, seconds: int) -> None:
    """One tombstone a call, of as many incidents as there are clients."""
    bench.create_migrated("tee")
    with bench.connect("tee") as connection:
        for client in range(CLIENTS):
            connection.execute("select cmbs.create_incident(%s)", [f"bench{client}"])
            connection.execute("select cmbs.create_incident(%s)", [f"rpc{client}"])
        connection.execute("vacuum analyze")
    print(f"\nMergeNodeTombstones of one id, {CLIENTS} clients: gRPC / the bare procedure")
    ratios = []
    with _served(bench, "tee") as port:
        for number in range(rounds):
            start = f"n={number * 100_000}"
            bare = bench.pgbench("tee", "-T", str(seconds), "-D", start, script=_TOMBSTONE)
            rpc = asyncio.run(_calls(port, seconds, number))
            ratios.append(rpc / bare)
            print(
                f"round {number + 1}: {rpc:,.0f} / {bare:,.0f} per second = {ratios[-1]:.2f}  "
                f"{load()}"
            )
    print(f"ratio: {spread(ratios)}   (client and server share the cores)")


@contextlib.contextmanager
def _served(bench: Bench, database: str) -> Iterator[int]:
    url = bench.server.url(database, "cmbs_server")
    command = [sys.executable, "-m", "cmbs", "tee", "serve", "--port", "0", "--no-auth"]
    with subprocess.Popen(
        [*command, "--database-url", url], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield int(line.split("127.0.0.1:")[1].split()[0])
        finally:
            process.terminate()


async def _calls(port: int, seconds: int, number: int) -> float:
    method = wire.METHODS["MergeNodeTombstones"]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        rpc = channel.unary_unary(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.answer.FromString,
        )
        over = time.perf_counter() + seconds

        async def client(which: int) -> int:
            n_done = 0
            while time.perf_counter() < over:
                request = method.request(
                    incident_id=f"rpc{which}",
                    node_ids=[f"x{number}-{n_done}"],
                    provenance={"source": "bench", "trigger": "one"},
                )
                await rpc(request)
                n_done += 1
            return n_done

        started = time.perf_counter()
        done: Sequence[int] = await asyncio.gather(*map(client, range(CLIENTS)))
        return sum(done) / (time.perf_counter() - started)


def _mirrored(bench: Bench, rounds: int, each: int = 400) -> None:
    """ELIMINATE in sessions that are mirrored, and in such that are not."""
    bench.create_migrated("plain")
    bench.create_migrated("mirrored")
    for database in ("plain", "mirrored"):
        with bench.connect(database) as connection:
            if database == "mirrored":
                connection.execute("select cmbs.set_mirror('127.0.0.1:1')")
            connection.execute("create table public.bench_session (k integer, session_id uuid)")
            ids = [f"h{number}" for number in range(rounds * each + 1)]
            for client in range(CLIENTS):
                row = connection.execute("select gen_random_uuid()").fetchone()
                assert row
                connection.execute(
                    "select cmbs.declare_session(%s, %s, %s, p_minimal => true)",
                    [row[0], _ONTOLOGY, ids],
                )
                connection.execute(
                    "insert into public.bench_session values (%s, %s)", [client, row[0]]
                )
            connection.execute("vacuum analyze")
    print(f"\nELIMINATE of one id, {CLIENTS} clients: mirrored / not")
    ratios = []
    for number in range(rounds):
        start = ["-t", str(each), "-D", f"n={number * each}"]
        rates = [
            bench.pgbench(database, *start, script=_ELIMINATE) for database in ("plain", "mirrored")
        ]
        ratios.append(rates[1] / rates[0])
        print(
            f"round {number + 1}: {rates[1]:,.0f} / {rates[0]:,.0f} per second = "
            f"{ratios[-1]:.2f}  {load()}"
        )
    print(f"ratio: {spread(ratios)}   (what is not mirrored pays for one question of its own row)")
