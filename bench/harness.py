"""What every benchmark needs: a durable server, databases to copy, pgbench, the load."""

import os
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from cmbs.deploy import embedded, migrate

CLIENTS = 8
_DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
# Both sides of every ratio run on this one server.
_SETTINGS = {"shared_buffers": "512MB", "max_wal_size": "4GB", "checkpoint_timeout": "30min"}


class Bench:
    """A server of our own and the means to run pgbench against it."""

    def __init__(self, server: embedded.Server, scratch: Path) -> None:
        self.server = server
        self._scratch = scratch
        with self.connect("postgres") as connection:
            for setting, wanted in _DURABLE.items():
                found = connection.execute(f"show {setting}").fetchone()
                assert found == (wanted,), f"{setting} is {found}: figures would not count"

    def connect(self, database: str) -> psycopg.Connection[Any]:
        return psycopg.connect(self.server.conninfo(database), autocommit=True)

    def create(self, database: str, *, template: str = "template0") -> None:
        with self.connect("postgres") as connection:
            connection.execute(f"drop database if exists {database} with (force)")
            connection.execute(f"create database {database} template {template}")
            connection.execute("checkpoint")

    def create_migrated(self, database: str) -> None:
        self.create(database)
        migrate.migrate(self.server.conninfo(database))

    def wal(self, database: str) -> int:
        with self.connect(database) as connection:
            row = connection.execute(
                "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"
            ).fetchone()
            assert row
            return int(row[0])

    def pgbench(self, database: str, *arguments: str, script: str | None = None) -> float:
        """Transactions per second of one run, connections already open."""
        command = [
            str(self.server.bindir / "pgbench"), "-n", "-M", "prepared",
            "-h", str(self.server.socket_dir), "-p", str(self.server.port), "-U", "postgres",
            "-c", str(CLIENTS), "-j", "2", *arguments,
        ]  # fmt: skip
        if script is not None:
            path = self._scratch / "script.sql"
            path.write_text(script)
            command += ["-f", str(path)]
        done = subprocess.run([*command, database], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found = re.search(r"^tps = ([0-9.]+)", done.stdout, re.MULTILINE)
        assert found, done.stdout
        assert "number of failed transactions: 0 " in done.stdout, done.stdout
        return float(found[1])

    def init_pgbench(self, database: str, scale: int) -> None:
        self.create(database)
        subprocess.run(
            [
                str(self.server.bindir / "pgbench"), "-i", "-q", "-s", str(scale),
                "-h", str(self.server.socket_dir), "-p", str(self.server.port),
                "-U", "postgres", database,
            ],
            check=True, capture_output=True,
        )  # fmt: skip


@contextmanager
def bench_server() -> Iterator[Bench]:
    folder = Path(tempfile.mkdtemp(prefix="cmbs-bench-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        with embedded.start(folder / "data", settings=_SETTINGS) as server:
            print(f"PostgreSQL {server.major}, durability on, {os.cpu_count()} cores")
            yield Bench(server, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


def spread(values: Sequence[float]) -> str:
    """Median and range: one figure would hide what else the machine was doing."""
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def bar(value: float, largest: float) -> str:
    return "#" * max(1, round(40 * value / largest))
