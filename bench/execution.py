"""Begin and complete against two one-row durable INSERTs, and a page of the inbox as it fills."""

import json
import statistics
import time
from typing import Any

import psycopg

from bench.harness import CLIENTS, Bench, bar, load, spread

PERMITS = 300
OPEN = (1_000, 10_000, 100_000)
SESSIONS = 200
_PAGE = 50
_TOOL = "bench.tool"
_ONTOLOGY = (
    '{"hypothesis_space_id": "bench", "hypothesis_version": "1", '
    '"causal_graph_ref": "graphstore://bench", "causal_graph_version": "v17"}'
)
_INSERT = "insert into one_row (client, n) values (:client_id, :n);\n"
_EXECUTE = """
\\set n :n + 1
\\set k :client_id * 1000000 + :n
select session_id, permit_id from public.bench_permit where k = :k \\gset
select cmbs.begin_execution((:session_id)::uuid, (:permit_id)::uuid, p_minimal => true);
select cmbs.complete_execution((:session_id)::uuid, (:permit_id)::uuid, 'ok', p_minimal => true);
"""


def _call(connection: psycopg.Connection[Any], query: str, *values: Any) -> Any:
    row = connection.execute(query.encode(), values).fetchone()
    assert row
    return row[0]


def _prepare(connection: psycopg.Connection[Any]) -> None:
    _call(
        connection,
        "select cmbs.register_tool(%s, %s)",
        _TOOL,
        '{"version": 1, "authorities": ["bench"], "mutating": true}',
    )
    ask = {"v": 1, "effect": "deny", "subject": {"tool_id": _TOOL}, "on_fail": "ask"}
    for pack, more in (("grant", {}), ("ask", {"constraint.ask": ask})):
        entries = {
            "policy.arbitration": {"v": 1, "default": "grant"},
            "policy.permits": {"v": 1, "ttl_ms": 86_400_000},
            **more,
        }
        _call(connection, "select cmbs.publish_policy(%s, %s)", pack, json.dumps(entries))


class _Session:
    def __init__(self, connection: psycopg.Connection[Any], pack: str) -> None:
        self.connection = connection
        self.id = _call(connection, "select gen_random_uuid()")
        self.head = _call(
            connection,
            "select cmbs.declare_session(%s, %s, %s, p_arbitration => %s, p_minimal => true)",
            self.id,
            _ONTOLOGY,
            ["a", "b"],
            json.dumps({"pack": pack, "version": 1}),
        )["audit_event_id"]
        grant = {
            "holder": _call(connection, "select cmbs.identify()")["name"],
            "tools": [_TOOL],
            "budgets": {"max_calls": 10**12},
            "expires_at": "2100-01-01T00:00:00Z",
        }
        self.token = _call(
            connection,
            "select cmbs.issue_capability(%s, %s, p_minimal => true)",
            self.id,
            json.dumps(grant),
        )["secret"]

    def propose(self, n: int, key: str) -> list[Any]:
        """So many calls of the tool in one proposal; the items of the answer."""
        call = {"kind": "tool_call", "tool_id": _TOOL, "args": {"n": 1, "to": "x"}}
        proposal = {
            "state_snapshot_id": self.head,
            "provenance": {"source": "bench"},
            "capability_token": self.token,
            "idempotency_key": key,
            "items": [call] * n,
        }
        answer = _call(
            self.connection,
            "select cmbs.propose(%s, %s, p_minimal => true)",
            self.id,
            json.dumps(proposal),
        )
        items: list[Any] = answer["items"]
        return items


def run(bench: Bench, rounds: int) -> None:
    _executions(bench, rounds)
    _inbox(bench, rounds)


def _executions(bench: Bench, rounds: int) -> None:
    bench.create_migrated("execution")
    with bench.connect("execution") as connection:
        _prepare(connection)
        connection.execute(
            "create table public.bench_permit "
            "(k integer primary key, session_id uuid, permit_id uuid)"
        )
        connection.execute("create table public.one_row (client integer, n integer)")
        for client in range(CLIENTS):
            sessions = [_Session(connection, "grant") for _ in range(8)]
            for number in range(1, rounds * PERMITS + 1):
                session = sessions[number % 8]
                (item,) = session.propose(1, str(number))
                connection.execute(
                    "insert into public.bench_permit values (%s, %s, %s)",
                    [client * 1_000_000 + number, session.id, item["permit_id"]],
                )
        connection.execute("vacuum analyze")
    print(f"\nBegin and complete, {CLIENTS} clients")
    ratios = []
    for number in range(rounds):
        start = ["-t", str(PERMITS), "-D", f"n={number * PERMITS}"]
        ours = bench.pgbench("execution", *start, script=_EXECUTE)
        theirs = bench.pgbench("execution", *start, script=_INSERT * 2)
        ratios.append(ours / theirs)
        print(
            f"round {number + 1}: {ours:,.0f} / {theirs:,.0f} per second = {ratios[-1]:.2f}  "
            f"{load()}"
        )
    print(f"ratio to two one-row INSERTs: {spread(ratios)}   mark: at least 0.30")


def _inbox(bench: Bench, rounds: int) -> None:
    """A page of what is open, among as many that were open and are not any more."""
    bench.create_migrated("inbox")
    found: dict[int, list[float]] = {}
    with bench.connect("inbox") as connection:
        _prepare(connection)
        sessions = [_Session(connection, "ask") for _ in range(SESSIONS)]
        n_open = 0
        for n_wanted in OPEN:
            while n_open < n_wanted:
                for session in sessions:
                    n_open += len(session.propose(5, f"{n_open}"))
            connection.execute("vacuum analyze")
            found[n_wanted] = [_pages(connection) for _ in range(rounds)]
    most = max(statistics.median(times) for times in found.values())
    print(f"\nA page of {_PAGE} of the inbox, by how many questions are open")
    for n_wanted, times in found.items():
        print(f"{n_wanted:>7,}: {spread(times)} ms {bar(statistics.median(times), most)}")
    print("mark: at most 50 ms a page over 100,000")


def _pages(connection: psycopg.Connection[Any]) -> float:
    """The median of thirty pages, one after the other."""
    times, cursor = [], None
    for _ in range(30):
        started = time.perf_counter()
        page = _call(
            connection, "select cmbs.list_inbox(p_limit => %s, p_cursor => %s)", _PAGE, cursor
        )
        times.append((time.perf_counter() - started) * 1000)
        assert len(page["interrupts"]) == _PAGE or page["next_cursor"] is None
        cursor = page["next_cursor"]
    return statistics.median(times)
