"""`cmbs export`, `verify FILE` and `import` as commands: events a second, and the most memory."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import UUID

from psycopg.types.json import Json

from bench.harness import Bench, load, spread
from cmbs.database.calls import call

_SIZES = (100_000, 1_000_000)
_BATCH = 1000


def run(bench: Bench, rounds: int) -> None:
    print(
        "\nexport, verify and import of bundles, thousand events a second, start of Python included"
    )
    bench.create_migrated("bundle")
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        file = Path(folder, "sessions.zip")
        for number, events in enumerate(_SIZES):
            session_id = _filled(bench, number, events)
            rates: dict[str, list[float]] = {"export": [], "verify": [], "import": []}
            peaks = dict.fromkeys(rates, 0)
            for _ in range(rounds if number == 0 else 1):
                file.unlink(missing_ok=True)
                bench.create_migrated("bundle_copy")
                there = ("--database-url", bench.server.conninfo("bundle"))
                copy = ("--database-url", bench.server.conninfo("bundle_copy"))
                for name, arguments in (
                    ("export", ("export", str(session_id), "-o", str(file), *there)),
                    ("verify", ("verify", str(file))),
                    ("import", ("import", str(file), *copy)),
                ):
                    seconds, peak = _run(*arguments)
                    rates[name].append(events / seconds / 1000)
                    peaks[name] = max(peaks[name], peak)
            size = file.stat().st_size
            print(f"{events:,} events, {size / events:.0f} bytes each in the file, {load()}")
            for name, found in rates.items():
                mark = 100 if name == "verify" else 50
                print(f"  {name}  {spread(found)}  mark: {mark}  at most {peaks[name]} MiB")


def _filled(bench: Bench, number: int, events: int) -> UUID:
    session_id = UUID(int=number + 1)
    with bench.connect("bundle") as connection:
        call(
            connection, "declare_session", session_id=session_id, minimal=True,
            ontology=Json(dict.fromkeys(_ONTOLOGY, "x")),
            hypotheses=[f"h{n:03}" for n in range(100)],
        )  # fmt: skip
        for start in range(1, events, _BATCH):
            messages = [
                {"source_id": f"s{n % 7}", "observation_id": f"o{n}", "eliminated": [_id(n), "x"]}
                for n in range(start, min(start + _BATCH, events))
            ]
            call(
                connection, "eliminate_batch",
                session_id=session_id, messages=Json(messages), minimal=True,
            )  # fmt: skip
    return session_id


def _id(number: int) -> str:
    """Now and then one that is still there."""
    return f"h{number // 997 % 100:03}"


_ONTOLOGY = (
    "hypothesis_space_id",
    "hypothesis_version",
    "causal_graph_ref",
    "causal_graph_version",
)


# A process that was forked from a large one counts that one's memory as its own.
_MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def _run(*arguments: str) -> tuple[float, int]:
    """How long the command took, and how much memory at most, in MiB."""
    command = [sys.executable, "-P", "-m", "cmbs", *arguments]
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, *command], check=True, capture_output=True, text=True
    )
    return time.perf_counter() - began, int(done.stdout) // 1024
