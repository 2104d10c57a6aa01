"""The analysts' queries over logs of growing length: time, and growth from the size before."""

import shutil
import tempfile
import time
from pathlib import Path

import psycopg

from bench import filling
from bench.harness import load
from cmbs.deploy import embedded, migrate
from cmbs.deploy.resources import examples_dir

# What a log of that length takes on disk, with room to sort in.
_BYTES_PER_EVENT = 1800
# As on the embedded server but for durability: only reads are measured, and the data goes.
_SETTINGS = {
    "shared_buffers": "512MB",
    "max_wal_size": "8GB",
    "checkpoint_timeout": "30min",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


def run(sizes: list[int]) -> None:
    print("\nexamples/analytics, one run each, work_mem as it comes")
    before: dict[str, float] = {}
    for size in sizes:
        # Of all sizes only one is on the disk at a time.
        folder = Path(tempfile.mkdtemp(prefix="cmbs-bench-", dir="/tmp"))
        folder.chmod(0o755)
        try:
            free = shutil.disk_usage(folder).free
            if free < 2 * size * _BYTES_PER_EVENT:
                print(f"{size:,} events: not run, as only {free / 2**30:.0f} GB are free")
                continue
            with embedded.start(folder / "data", durable=False, settings=_SETTINGS) as server:
                before = _measure(server, size, before)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _measure(server: embedded.Server, size: int, before: dict[str, float]) -> dict[str, float]:
    migrate.migrate(server.conninfo())
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        began = time.perf_counter()
        filling.fill(connection, size)
        filled = time.perf_counter() - began
        stored = connection.execute("select pg_database_size(current_database())").fetchone()
        assert stored
        print(f"\n{size:,} events, {stored[0] / 2**30:.2f} GB, filled in {filled:.0f} s, {load()}")
        # A login as cmbs analyst add makes it, for its settings.
        connection.execute("select cmbs.add_analyst('ann')")
    found: dict[str, float] = {}
    with psycopg.connect(server.conninfo(user="ann"), autocommit=True) as connection:
        for path in sorted((examples_dir() / "analytics").glob("*.sql")):
            began = time.perf_counter()
            assert connection.execute(path.read_bytes()).fetchall()
            found[path.stem] = time.perf_counter() - began
            growth = f"x {found[path.stem] / before[path.stem]:.1f}" if before else ""
            print(f"{path.stem:<30} {found[path.stem]:>8.2f} s  {growth:>8}  {load()}", flush=True)
    return found
