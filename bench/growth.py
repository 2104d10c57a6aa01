"""How the cost of ELIMINATE grows: with the universe, the log, the number of sessions."""

import statistics

from bench import eliminate
from bench.harness import CLIENTS, Bench, bar, load, spread

_SIZES = {100: 1.0, 10_000: 1.3, 1_000_000: 4.0}
_PER_CLIENT = 2000
_RUN = "-t", str(_PER_CLIENT), "-D"


def run(bench: Bench, rounds: int) -> None:
    _universe(bench, rounds)
    _wal(bench)
    _log(bench)
    _sessions(bench)


def _universe(bench: Bench, rounds: int) -> None:
    print("\nELIMINATE, 3 applied ids, by size of the universe")
    for size in _SIZES:
        eliminate.declare(bench, f"universe_{size}", size)
    costs: dict[int, list[float]] = {size: [] for size in _SIZES}
    for number in range(rounds):
        for size in _SIZES:
            bench.create("universe_round", template=f"universe_{size}")
            rate = bench.pgbench("universe_round", *_RUN, "n=0", script=eliminate.script(size))
            costs[size].append(1e6 / rate)
        print(f"round {number + 1}: {load()}")
    largest = max(statistics.median(values) for values in costs.values())
    for size, mark in _SIZES.items():
        ratios = [cost / base for cost, base in zip(costs[size], costs[100], strict=True)]
        print(
            f"{size:>9,}  {spread(costs[size])} us  x {spread(ratios)} (mark {mark})  "
            f"{bar(statistics.median(costs[size]), largest)}"
        )


def _wal(bench: Bench) -> None:
    print("\nWAL per message, one session a client, after every page has been touched once")
    for size in (10_000, 100_000, 1_000_000):
        eliminate.declare(bench, "wal", size, CLIENTS)
        script = eliminate.script(size, CLIENTS)
        # The first touch of a page after a checkpoint logs all of it: let that pass first.
        bench.pgbench("wal", "-t", "1500", "-D", "n=0", script=script)
        before = bench.wal("wal")
        bench.pgbench("wal", "-t", "1500", "-D", "n=1500", script=script)
        written = (bench.wal("wal") - before) / (1500 * CLIENTS)
        print(f"{size:>9,}  {written:,.0f} bytes")


def _log(bench: Bench) -> None:
    print("\nELIMINATE into one session, by length of its log")
    bench.create_migrated("log_length")
    with bench.connect("log_length") as connection:
        connection.execute(
            "select cmbs.declare_session('00000000-0000-4000-8000-000000000001', %s, "
            "array['a', 'b'], p_minimal => true)",
            [eliminate.ONTOLOGY % "log"],
        )
    _steps(bench, "log_length", "'00000000-0000-4000-8000-000000000001'", [1, 10, 100])


def _sessions(bench: Bench) -> None:
    print("\nDECLARE_SESSION over one space, by number of sessions")
    bench.create_migrated("sessions")
    with bench.connect("sessions") as connection:
        connection.execute("select cmbs.register_space('bench', '2', array['a', 'b'])")
    script = (
        "select cmbs.declare_session(gen_random_uuid(), "
        f"'{eliminate.ONTOLOGY % '2'}', p_minimal => true);"
    )
    _rates(bench, "sessions", script, [1, 10, 50])


def _steps(bench: Bench, database: str, session: str, thousands: list[int]) -> None:
    script = (
        "\\set n :n + 1\n"
        f"select cmbs.eliminate({session}, 'client-' || :client_id || '-' || :round, "
        "'observation-' || :n, array['unknown'], p_minimal => true);"
    )
    _rates(bench, database, script, thousands)


def _rates(bench: Bench, database: str, script: str, thousands: list[int]) -> None:
    done = 0
    costs: dict[int, float] = {}
    for upto in thousands:
        fill = (upto * 1000 - done) // CLIENTS
        bench.pgbench(database, "-t", str(fill), "-D", "n=0", "-D", f"round={done}", script=script)
        done = upto * 1000
        rate = bench.pgbench(
            database, "-t", "250", "-D", "n=0", "-D", f"round=at{done}", script=script
        )
        costs[done] = 1e6 / rate
    for reached, cost in costs.items():
        print(f"{reached:>9,}  {cost:7.0f} us  {bar(cost, max(costs.values()))}  {load()}")
