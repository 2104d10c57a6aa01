"""`cmbs.verify`: the chain pass alone, all of it, and two sessions at a time."""

import time
from concurrent.futures import ThreadPoolExecutor

from bench import eliminate
from bench.harness import Bench, load, spread


def run(bench: Bench, rounds: int) -> None:
    print("\nverify in SQL")
    eliminate.declare(bench, "verify", 1000)
    bench.pgbench("verify", "-t", "12500", "-D", "n=0", script=eliminate.script(1000))
    with bench.connect("verify") as connection:
        connection.execute("vacuum analyze")
        found = connection.execute("select sum(audit_seq) from cmbs.session").fetchone()
        assert found
        events = int(found[0])
    chain, whole, both = [], [], []
    for number in range(rounds):
        chain.append(
            events
            / _timed(
                bench,
                "select sum(f.p_rows) from cmbs_store.session as s, "
                "cmbs_store.chain_fault(s.session_id) as f where f.p_seq is null",
                events,
            )
        )
        whole.append(
            events
            / _timed(
                bench, "select sum(v.rows_checked) from cmbs.verify_all() as v where v.ok", events
            )
        )
        both.append(events / _parallel(bench, events))
        print(f"round {number + 1}: {load()}")
    print(f"{events:,} events in {eliminate.SESSIONS} sessions, thousand events a second")
    print(f"chain pass        {spread([r / 1000 for r in chain])}   mark: 250")
    print(f"all of section 7  {spread([r / 1000 for r in whole])}   mark: 30 on one core")
    print(f"two connections   {spread([r / 1000 for r in both])}")


def _timed(bench: Bench, query: str, events: int) -> float:
    with bench.connect("verify") as connection:
        # As inside the verb, when a function of the kernel is called without one.
        connection.execute("set plan_cache_mode = force_generic_plan")
        began = time.perf_counter()
        row = connection.execute(query).fetchone()
        seconds = time.perf_counter() - began
    assert row is not None
    assert int(row[0]) == events
    return seconds


def _parallel(bench: Bench, events: int) -> float:
    def half(part: int) -> int:
        with bench.connect("verify") as connection:
            row = connection.execute(
                "select sum((cmbs.verify(s.session_id) ->> 'rows_checked')::bigint) "
                "from cmbs.session as s where hashtext(s.session_id::text) %% 2 = any(%s)",
                [[0] if part == 0 else [1, -1]],
            ).fetchone()
            assert row
            return int(row[0])

    began = time.perf_counter()
    with ThreadPoolExecutor(2) as workers:
        assert sum(workers.map(half, range(2))) == events
    return time.perf_counter() - began
