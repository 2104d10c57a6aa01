"""ELIMINATE inside a process, by size of the universe, and what it would cost to sort and hash all
survivors after each message instead.
"""

import gc
import statistics
import time
from hashlib import sha256

from bench.harness import bar, load, spread
from cmbs import BeliefServer, OntologyBundle
from cmbs.kernel.canonical import canonical

_SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
_COMPARED = 10_000
_MESSAGES, _SORTED = 2_000, 20


def run(rounds: int) -> None:
    print("\nELIMINATE in the process, 3 ids a message, by size of the universe")
    costs: dict[int, list[float]] = {size: [] for size in _SIZES}
    sorting: list[float] = []
    for number in range(rounds):
        for size in _SIZES:
            costs[size].append(_ours(size))
        sorting.append(_by_sorting(_COMPARED))
        print(f"round {number + 1}: {load()}")
    largest = max(statistics.median(values) for values in costs.values())
    for size, values in costs.items():
        ratios = [cost / base for cost, base in zip(values, costs[_SIZES[0]], strict=True)]
        drawn = bar(statistics.median(values), largest)
        print(f"{size:>9,}  {spread(values)} us  x {spread(ratios)}  {drawn}")
    ratios = [one / ours for one, ours in zip(sorting, costs[_COMPARED], strict=True)]
    print(f"sorting and hashing {_COMPARED:,} survivors instead  {spread(sorting)} us")
    print(f"against ours  x {spread(ratios)}   mark: at least 100")


def _ids(size: int) -> list[str]:
    return [f"hypothesis-{number:07}" for number in range(size)]


def _ours(size: int) -> float:
    """Microseconds a message, its event, hashes and snapshot included; survivors are not read.

    Every id of every message survives until then, so a small universe needs many sessions.
    """
    ids, server = _ids(size), BeliefServer()
    bundle = OntologyBundle("bench", "1", "graph://bench", "1")
    per_session = min(size // 3, _MESSAGES)
    # What a larger universe has left behind is not to be cleared away on the time of this one.
    gc.collect()
    spent = 0.0
    for _ in range(_MESSAGES // per_session):
        session_id, _snapshot = server.declare_session(bundle, ids)
        began = time.perf_counter()
        for number in range(per_session):
            asked = ids[number * 3 : number * 3 + 3]
            server.eliminate(session_id, "tool://bench", f"observation {number}", asked)
        spent += time.perf_counter() - began
    return spent / (_MESSAGES // per_session * per_session) * 1e6


def _by_sorting(size: int) -> float:
    """Microseconds for the hash alone, once a message, over the sorted list of what survives."""
    ids = _ids(size)
    survivors = set(ids)
    began = time.perf_counter()
    for number in range(_SORTED):
        survivors.difference_update(ids[number * 3 : number * 3 + 3])
        sha256(canonical(sorted(survivors)).encode()).hexdigest()
    return (time.perf_counter() - began) / _SORTED * 1e6
