"""DECLARE_SESSION of a million hypotheses: time, and the peak memory of its backend."""

import time
from pathlib import Path

from bench import eliminate
from bench.harness import Bench, load

_SIZE = 1_000_000


def run(bench: Bench) -> None:
    print(f"\nDECLARE_SESSION of {_SIZE:,} hypotheses")
    bench.create_migrated("declare")
    ids = [f"service-{number:08}/mechanism" for number in range(_SIZE)]
    for label in ("new universe", "known universe"):
        with bench.connect("declare") as connection:
            began = time.perf_counter()
            connection.execute(
                "select cmbs.declare_session(gen_random_uuid(), %s, %s, p_minimal => true)",
                [eliminate.ONTOLOGY % "declare", ids],
            )
            seconds = time.perf_counter() - began
            peak = _peak_mib(connection.info.backend_pid)
        print(f"{label}: {seconds:.1f} s, backend peak {peak} MiB  {load()}")


def _peak_mib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) // 1024
    raise AssertionError("no VmHWM: this needs Linux")
