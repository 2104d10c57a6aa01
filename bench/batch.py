"""ELIMINATE in batches against single messages, and how the cost of a message grows with both."""

import json
import statistics

from bench import eliminate
from bench.harness import CLIENTS, Bench, bar, load, spread

_SESSIONS = 1000
_SIZE = 100
_GROWTH_UNIVERSE = 8000
# Size of a batch, and into how many sessions.
_GROWTH = {1: 800, 10: 800, 100: 400, 1000: 80}
# Every session gets the same few batches, one after the other, each parsed as if it had been sent.
_SCRIPT = """
\\set n :n + 1
\\set k (:n % {per_client}) * {clients} + :client_id + 100000
\\set part :n / {per_client}
select cmbs.eliminate_batch(
    ('00000000-0000-4000-8000-000000' || :k)::uuid, b.messages::json, p_minimal => true
) from batch as b where b.part = :part;
"""


def messages(first: int, size: int, universe: int) -> str:
    """A batch as text: three ids a message that no message before it has named."""
    return json.dumps(
        [
            {
                "source_id": "adapter://bench",
                "observation_id": f"observation-{number}",
                "eliminated": [
                    f"svc-{1_000_000 + (number * 3 + at) * 7919 % universe}" for at in range(3)
                ],
            }
            for number in range(first, first + size)
        ]
    )


def rate(bench: Bench, database: str, sessions: int, size: int, universe: int) -> float:
    """Messages per second, in up to four batches a session, as far as its ids reach."""
    parts = min(universe // (3 * size), 4)
    with bench.connect(database) as connection:
        connection.execute("create table batch (part integer primary key, messages text)")
        connection.execute("alter table batch alter column messages set storage external")
        for part in range(parts):
            connection.execute(
                "insert into batch values (%s, %s)",
                [part, messages(part * size, size, universe)],
            )
        connection.execute("vacuum analyze batch")
    per_client = sessions // CLIENTS
    script = _SCRIPT.format(per_client=per_client, clients=CLIENTS)
    return size * bench.pgbench(
        database, "-t", str(per_client * parts), "-D", "n=-1", script=script
    )


def run(bench: Bench, rounds: int, seconds: int) -> None:
    print(
        f"\nELIMINATE singly and in batches of {_SIZE}, 3 applied of 1,000, {_SESSIONS} sessions, "
        f"{CLIENTS} clients, minimal"
    )
    eliminate.declare(bench, "batch_template", 1000)
    ratios = []
    for number in range(1, rounds + 1):
        bench.create("batch_round", template="batch_template")
        singly = bench.pgbench(
            "batch_round", "-T", str(seconds), "-D", "n=0", script=eliminate.script(1000)
        )
        bench.create("batch_round", template="batch_template")
        at_once = rate(bench, "batch_round", _SESSIONS, _SIZE, 1000)
        ratios.append(at_once / singly)
        print(
            f"round {number}: {at_once:,.0f} / {singly:,.0f} messages per second = "
            f"{ratios[-1]:.2f}  {load()}"
        )
    print(f"ratio to single messages: {spread(ratios)}")
    _growth(bench, rounds)


def _growth(bench: Bench, rounds: int) -> None:
    print(f"\nA message of a batch, by size of the batch, 3 applied of {_GROWTH_UNIVERSE:,}")
    eliminate.declare(bench, "batch_template", _GROWTH_UNIVERSE, max(_GROWTH.values()))
    costs: dict[int, list[float]] = {size: [] for size in _GROWTH}
    for number in range(1, rounds + 1):
        for size, sessions in _GROWTH.items():
            bench.create("batch_round", template="batch_template")
            per_second = rate(bench, "batch_round", sessions, size, _GROWTH_UNIVERSE)
            costs[size].append(1e6 / per_second)
        print(f"round {number}: {load()}")
    largest = max(statistics.median(values) for values in costs.values())
    for size, values in costs.items():
        print(f"{size:>9,}  {spread(values)} us  {bar(statistics.median(values), largest)}")
