"""How the cost of ELIMINATE grows: with the universe, the log, the number of sessions."""

from bench import eliminate
from bench.harness import CLIENTS, Bench, bar, load, spread

_SIZES = {100: 1.0, 10_000: 1.3, 1_000_000: 4.0}
_PER_CLIENT = 2000


def run(bench: Bench, rounds: int) -> None:
    _universe(bench, rounds)
    _log(bench)
    _sessions(bench)


def _universe(bench: Bench, rounds: int) -> None:
    print("\nELIMINATE, 3 applied ids, by size of the universe")
    for size in _SIZES:
        eliminate.declare(bench, f"universe_{size}", size)
    costs: dict[int, list[float]] = {size: [] for size in _SIZES}
    written: dict[int, list[float]] = {size: [] for size in _SIZES}
    for number in range(rounds):
        for size in _SIZES:
            bench.create("universe_round", template=f"universe_{size}")
            run = "-t", str(_PER_CLIENT), "-D"
            script = eliminate.script(size)
            # The first touch of a page after a checkpoint logs the whole page: let that pass first.
            bench.pgbench("universe_round", *run, "n=0", script=script)
            before = bench.wal("universe_round")
            rate = bench.pgbench("universe_round", *run, f"n={_PER_CLIENT}", script=script)
            written[size].append((bench.wal("universe_round") - before) / (_PER_CLIENT * CLIENTS))
            costs[size].append(1e6 / rate)
        print(f"round {number + 1}: {load()}")
    largest = max(max(values) for values in costs.values())
    for size, mark in _SIZES.items():
        ratio = [cost / base for cost, base in zip(costs[size], costs[100], strict=True)]
        print(
            f"{size:>9,}  {spread(costs[size])} us  x {spread(ratio)} (mark {mark})  "
            f"WAL {spread(written[size])} bytes  {bar(max(costs[size]), largest)}"
        )


def _log(bench: Bench) -> None:
    print("\nELIMINATE into one session, by length of its log")
    bench.create_migrated("log_length")
    with bench.connect("log_length") as connection:
        connection.execute(
            "select cmbs.declare_session('00000000-0000-4000-8000-000000000001', %s, "
            "array['a', 'b'], p_minimal => true)",
            [eliminate._ONTOLOGY % "log"],
        )
    _steps(bench, "log_length", "'00000000-0000-4000-8000-000000000001'", [1, 10, 100])


def _sessions(bench: Bench) -> None:
    print("\nDECLARE_SESSION over one space, by number of sessions")
    bench.create_migrated("sessions")
    with bench.connect("sessions") as connection:
        connection.execute("select cmbs.register_space('bench', '2', array['a', 'b'])")
    script = (
        "select cmbs.declare_session(gen_random_uuid(), "
        f"'{eliminate._ONTOLOGY % '2'}', p_minimal => true);"
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
