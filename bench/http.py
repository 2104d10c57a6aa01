"""ELIMINATE over HTTP: against a bare handler, with the survivors, in batches, at half load."""

import json
import statistics
from collections.abc import Callable

from bench import eliminate
from bench.harness import CLIENTS, Bench, bar, load, spread
from bench.web import measure, post, server

Figures = dict[str, list[float]]

_SESSIONS = 1000
_PER_CLIENT = _SESSIONS // CLIENTS
_BATCH = 100
_ROW = """
create schema bench;
create table bench.row (
    session_id uuid, source_id text, observation_id text, eliminated text[],
    recorded_at timestamptz default clock_timestamp(),
    primary key (session_id, observation_id)
);
create function bench.insert_row(
    p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[]
) returns text language plpgsql as $$
begin
    insert into bench.row (session_id, source_id, observation_id, eliminated)
    values (p_session_id, p_source_id, p_observation_id, p_eliminated);
    return '{"ok": true}';
end $$;
grant usage on schema bench to cmbs_server;
grant insert on bench.row to cmbs_server;
"""


class Traffic:
    """Requests about sessions that each client has for itself, with observations never seen."""

    def __init__(self, size: int, minimal: bool = True) -> None:
        self._size, self._minimal, self._run = size, minimal, 0

    def __call__(self, make: Callable[["Traffic", int, int], bytes]) -> Callable[[int, int], bytes]:
        """The requests of one run."""
        self._run += 1
        return lambda client, count: make(self, client, count)

    def eliminate(self, client: int, count: int) -> bytes:
        body = json.dumps(self._message(count // _PER_CLIENT, count))
        return post(f"{self._path(client, count)}/eliminate", body, self._minimal)

    def batch(self, client: int, count: int) -> bytes:
        first = count // _PER_CLIENT * _BATCH
        messages = [self._message(first + k, count * _BATCH + k) for k in range(_BATCH)]
        body = json.dumps({"messages": messages})
        return post(f"{self._path(client, count)}/eliminate/batch", body)

    def row(self, client: int, count: int) -> bytes:
        session_id = self._path(client, count).rpartition("/")[2]
        message = self._message(count // _PER_CLIENT, count)
        return post("/row", json.dumps({"session_id": session_id, **message}))

    def _path(self, client: int, count: int) -> str:
        number = 100000 + count % _PER_CLIENT * CLIENTS + client
        return f"/v1/sessions/00000000-0000-4000-8000-000000{number}"

    def _message(self, place: int, number: int) -> dict[str, object]:
        """Three ids that the session has not been asked for in this run, nor soon in the next."""
        first = (place + self._run * 29) * 3
        ids = [f"svc-{1000000 + (first + k) * 7919 % self._size}" for k in range(3)]
        return {
            "source_id": "adapter://bench",
            "observation_id": f"{self._run}-{number}",
            "eliminated": ids,
        }


def run(bench: Bench, rounds: int, seconds: int) -> Figures:
    """What was found: the ratios of all rounds, by what they are ratios of."""
    return {
        "single by bare handler": _bare(bench, rounds, seconds),
        "batch by single": _batches(bench, rounds, seconds),
        "p99 by p50": _half_load(bench, rounds, seconds),
        **_full(bench, rounds, seconds),
    }


def _bare(bench: Bench, rounds: int, seconds: int) -> list[float]:
    print(f"\nHTTP ELIMINATE, 3 of 1,000 ids, {_SESSIONS} sessions, {CLIENTS} clients, minimal")
    eliminate.declare(bench, "http_template", 1000)
    bench.create("http_bare", template="http_template")
    with bench.connect("http_bare") as connection:
        connection.execute(_ROW)
    traffic, ratios = Traffic(1000), []
    with server(bench, "http_bare", "ours") as ours, server(bench, "http_bare", "bare") as bare:
        for number in range(1, rounds + 1):
            mine = measure(ours, traffic(Traffic.eliminate), seconds).rate
            theirs = measure(bare, traffic(Traffic.row), seconds).rate
            ratios.append(mine / theirs)
            print(
                f"round {number}: {mine:,.0f} / {theirs:,.0f} per second"
                f" = {ratios[-1]:.2f}  {load()}"
            )
    print(f"ratio to a bare handler that inserts a row: {spread(ratios)}   mark: at least 0.60")
    return ratios


def _full(bench: Bench, rounds: int, seconds: int) -> Figures:
    print("\nHTTP ELIMINATE with the list of survivors, by size of the universe")
    sizes = (100, 1000, 10_000)
    for size in sizes:
        eliminate.declare(bench, f"http_{size}", size)
    costs: dict[int, list[float]] = {size: [] for size in sizes}
    for number in range(1, rounds + 1):
        for size in sizes:
            with server(bench, f"http_{size}", "ours") as port:
                traffic = Traffic(size, minimal=False)
                # A connection plans its statements anew.
                measure(port, traffic(Traffic.eliminate), 0.5)
                costs[size].append(1e6 / measure(port, traffic(Traffic.eliminate), seconds).rate)
        print(f"round {number}: {load()}")
    largest = max(statistics.median(values) for values in costs.values())
    figures: Figures = {}
    for size in sizes:
        ratios = [cost / base for cost, base in zip(costs[size], costs[100], strict=True)]
        figures[f"full answer, {size:,} by 100"] = ratios
        print(
            f"{size:>7,}  {spread(costs[size])} us  x {spread(ratios)}  "
            f"{bar(statistics.median(costs[size]), largest)}"
        )
    return figures


def _batches(bench: Bench, rounds: int, seconds: int) -> list[float]:
    print(f"\nHTTP ELIMINATE in batches of {_BATCH}, messages per second, {CLIENTS} clients")
    ratios = []
    for number in range(1, rounds + 1):
        bench.create("http_round", template="http_template")
        with server(bench, "http_round", "ours") as port:
            traffic = Traffic(1000)
            alone = measure(port, traffic(Traffic.eliminate), seconds).rate
            together = measure(port, traffic(Traffic.batch), seconds).rate * _BATCH
        ratios.append(together / alone)
        print(
            f"round {number}: {together:,.0f} / {alone:,.0f} per second"
            f" = {ratios[-1]:.1f}  {load()}"
        )
    print(f"ratio of batches to single messages: {spread(ratios)}   mark: at least 5")
    return ratios


def _half_load(bench: Bench, rounds: int, seconds: int) -> list[float]:
    print("\nHTTP ELIMINATE at half of the rate that 8 clients reach")
    ratios = []
    for number in range(1, rounds + 1):
        bench.create("http_round", template="http_template")
        with server(bench, "http_round", "ours") as port:
            traffic = Traffic(1000)
            most = measure(port, traffic(Traffic.eliminate), seconds).rate
            found = measure(port, traffic(Traffic.eliminate), seconds, rate=most / 2)
        median, high = found.quantile(0.5) * 1000, found.quantile(0.99) * 1000
        ratios.append(high / median)
        print(
            f"round {number}: {found.rate:,.0f} per second, p50 {median:.2f} ms, "
            f"p99 {high:.2f} ms = x {ratios[-1]:.1f}  {load()}"
        )
    print(f"p99 by p50: {spread(ratios)}   mark: at most 6")
    return ratios
