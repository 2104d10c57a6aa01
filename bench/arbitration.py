"""A verdict against a one-row durable INSERT, and what it costs as packs and sessions grow."""

import json
import statistics
import time
from typing import Any

import psycopg

from bench.harness import CLIENTS, Bench, bar, load, spread

APPLICABLE = 20
PACKS = (100, 10_000, 100_000)
SESSIONS = 64
_TOOL = "bench.hot"
_SESSION = "00000000-0000-4000-8000-000000"
_ONTOLOGY = (
    '{"hypothesis_space_id": "bench", "hypothesis_version": "1", '
    '"causal_graph_ref": "graphstore://bench", "causal_graph_version": "v17"}'
)
_INSERT = "insert into one_row (client, n) values (:client_id, :n);\n"
_PROPOSE = """
\\set n :n + 1
\\set k (:n % {per_client}) * {clients} + :client_id + 100000
select cmbs.propose(
    ('{session}' || :k)::uuid,
    (select p.proposal from public.bench_proposal as p where p.k = :k)::json,
    'key-' || :n, p_minimal => true
);
"""
_ELIMINATE = """
\\set n :n + 1
\\set k (:n % {per_client}) * {clients} + :client_id + 100000
select cmbs.eliminate(
    ('{session}' || :k)::uuid, 'bench', 'observation-' || :n, array['h' || :n], p_minimal => true
);
"""


def _script(text: str) -> str:
    return text.format(per_client=SESSIONS // CLIENTS, clients=CLIENTS, session=_SESSION)


def _entries(size: int) -> dict[str, Any]:
    """A pack of which twenty constraints apply to one tool, and the others to others."""
    entries: dict[str, Any] = {}
    for number in range(APPLICABLE):
        path = f"fact.bench.k{number % 10}"
        entries[f"constraint.hot.c{number:06}"] = {
            "v": 1,
            "effect": "allow" if number % 2 else "deny",
            "subject": {"tool_id": _TOOL},
            "when": {
                "op": "all",
                "args": [
                    {"op": "exists", "args": [path]},
                    {"op": "eq", "args": [path, number % 10 if number % 2 else "never"]},
                ],
            },
        }
    for number in range(size - APPLICABLE):
        entries[f"constraint.cold.c{number:06}"] = {
            "v": 1,
            "effect": "allow",
            "subject": {"tool_id": f"bench.cold{number % 5000}"},
            "when": {"op": "eq", "args": [f"fact.bench.cold{number}", number]},
        }
    return entries


def _call(connection: psycopg.Connection[Any], query: str, values: list[Any]) -> Any:
    row = connection.execute(query.encode(), values).fetchone()
    assert row
    return row[0]


def prepare(connection: psycopg.Connection[Any], size: int) -> float:
    """Sessions that name a pack of this size, each with a token and ten facts; how long it took."""
    started = time.perf_counter()
    _call(
        connection,
        "select cmbs.publish_policy('bench', %s)",
        [json.dumps(_entries(size))],
    )
    published = time.perf_counter() - started
    _call(
        connection,
        "select cmbs.register_tool(%s, %s)",
        [_TOOL, '{"version": 1, "authorities": ["bench"], "mutating": true}'],
    )
    connection.execute("create table public.bench_proposal (k integer primary key, proposal text)")
    connection.execute("create table public.one_row (client integer, n integer)")
    for number in range(100000, 100000 + SESSIONS):
        _session(connection, number)
    connection.execute("vacuum analyze")
    return published


def _session(connection: psycopg.Connection[Any], number: int) -> None:
    session = f"{_SESSION}{number}"
    declared = _call(
        connection,
        "select cmbs.declare_session(%s, %s, %s, p_arbitration => %s, p_minimal => true)",
        [session, _ONTOLOGY, ["a", "b"], '{"pack": "supervised", "version": 1}'],
    )
    holder = _call(connection, "select cmbs.identify()", [])["name"]
    token = _call(
        connection,
        "select cmbs.issue_capability(%s, %s, p_minimal => true)",
        [
            session,
            json.dumps(
                {
                    "holder": holder,
                    "tools": [_TOOL],
                    "state_prefixes": ["fact."],
                    "budgets": {"max_calls": 10**12},
                    "expires_at": "2100-01-01T00:00:00Z",
                }
            ),
        ],
    )
    proposal = {
        "state_snapshot_id": declared["audit_event_id"],
        "provenance": {"source": "bench"},
        "capability_token": token["secret"],
        "items": [
            {
                "kind": "state_delta",
                "patch": {f"fact.bench.k{key}": {"v": 1, "value": key} for key in range(10)},
            }
        ],
    }
    written = _call(connection, "select cmbs.propose(%s, %s)", [session, json.dumps(proposal)])
    assert written["decision"] == "allow", written["reasons"]
    applied = _call(connection, "select cmbs.apply_policy(%s, 'bench', 1)", [session])
    proposal["state_snapshot_id"] = applied["audit_event_id"]
    proposal["items"] = [{"kind": "tool_call", "tool_id": _TOOL, "args": {"n": 1, "to": "x"}}]
    connection.execute(
        "insert into public.bench_proposal (k, proposal) values (%s, %s)",
        [number, json.dumps(proposal)],
    )


def _median_ms(connection: psycopg.Connection[Any], query: str, repeat: int) -> float:
    times = []
    for number in range(repeat):
        started = time.perf_counter()
        connection.execute(query.replace("%n", str(number)).encode())
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times[repeat // 5 :])


def run(bench: Bench, rounds: int, seconds: int) -> None:
    print(f"\nA verdict over {APPLICABLE} constraints that apply, {CLIENTS} clients")
    for size in PACKS:
        bench.create_migrated(f"pack_{size}")
        with bench.connect(f"pack_{size}") as connection:
            published = prepare(connection, size)
        print(f"pack of {size:,}: published in {published:.1f} s")
    largest = f"pack_{PACKS[-1]}"
    ratios = []
    for number in range(1, rounds + 1):
        ours = bench.pgbench(
            largest, "-T", str(seconds), "-D", f"n={number}000000", script=_script(_PROPOSE)
        )
        theirs = bench.pgbench(largest, "-T", str(seconds), "-D", "n=0", script=_INSERT)
        ratios.append(ours / theirs)
        print(
            f"round {number}: {ours:,.0f} / {theirs:,.0f} per second = {ratios[-1]:.2f}  {load()}"
        )
    print(f"ratio to a one-row INSERT: {spread(ratios)}   mark: at least 0.30")
    _single(bench, rounds)
    _beside(bench, rounds, seconds, largest)


def _single(bench: Bench, rounds: int) -> None:
    """One client: what a caller waits for, by the size of the pack."""
    session = f"{_SESSION}100000"
    source = "(select p.proposal from public.bench_proposal as p where p.k = 100000)"
    found: dict[int, list[float]] = {size: [] for size in PACKS}
    dry: dict[int, list[float]] = {size: [] for size in PACKS}
    explained: list[float] = []
    for number in range(rounds):
        for size in PACKS:
            with bench.connect(f"pack_{size}") as connection:
                found[size].append(
                    _median_ms(
                        connection,
                        f"select cmbs.propose('{session}', {source}::json, "
                        f"'single-{number}-%n', p_minimal => true)",
                        200,
                    )
                )
                dry[size].append(
                    _median_ms(
                        connection,
                        f"select cmbs.propose('{session}', jsonb_set({source}::jsonb, "
                        "'{mode}', '\"dry_run\"')::json, 'dry-%n', p_minimal => true)",
                        200,
                    )
                )
        with bench.connect(f"pack_{PACKS[-1]}") as connection:
            proposals = _call(connection, "select cmbs.list_proposals(%s, 1)", [session])
            (last,) = proposals["proposals"]
            explained.append(
                _median_ms(
                    connection,
                    f"select cmbs.explain_decision('{session}', '{last['proposal_id']}')",
                    50,
                )
            )
    most = max(statistics.median(values) for values in found.values())
    for size in PACKS:
        middle = statistics.median(found[size])
        print(
            f"pack of {size:>7,}: p50 {spread(found[size])} ms durable, "
            f"{spread(dry[size])} ms dry {bar(middle, most)}"
        )
    print(f"mark: p50 at most 2 ms; explain p50 {spread(explained)} ms, mark: at most 20 ms")


def _beside(bench: Bench, rounds: int, seconds: int, database: str) -> None:
    """ELIMINATE in sessions that name a pack, beside sessions that name none."""
    bench.create_migrated("packless")
    with bench.connect("packless") as connection:
        for number in range(100000, 100000 + SESSIONS):
            _call(
                connection,
                "select cmbs.declare_session(%s, %s, %s, p_minimal => true)",
                [f"{_SESSION}{number}", _ONTOLOGY, ["a", "b"]],
            )
    ratios = []
    for number in range(1, rounds + 1):
        start = ["-T", str(seconds), "-D", f"n={number}000000"]
        packed = bench.pgbench(database, *start, script=_script(_ELIMINATE))
        bare = bench.pgbench("packless", *start, script=_script(_ELIMINATE))
        ratios.append(packed / bare)
    print(f"ELIMINATE in sessions with a pack against without: {spread(ratios)}  {load()}")
