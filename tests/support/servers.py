"""What the tests of the embedded PostgreSQL and of the command line share."""

import contextlib
import os
import shutil
import signal
import ssl
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg

from cmbs.deploy import cluster
from cmbs.deploy.embedded import Server

ROOT = Path(__file__).resolve().parents[2]
IS_ROOT = os.geteuid() == 0
# Reading the certificates of the world takes longer than most tests: once, for all clients.
TLS = ssl.create_default_context()

# Owns a server until its input closes.
OWNER = """
import pathlib, sys
from cmbs.deploy import embedded
try:
    server = embedded.start(pathlib.Path(sys.argv[1]), adopt=False)
except embedded.EmbeddedError as error:
    sys.exit(str(error))
print(server.conninfo(), flush=True)
sys.stdin.read()
server.stop()
"""


# Making a database makes some 600 files, which memory does twenty times as fast as a disk.
_MEMORY, _ROOM = Path("/dev/shm"), 6 << 30


def fastest_folder() -> str:
    """Where nothing has to last: in memory, if there is plenty of it."""
    if not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < _ROOM:
        return "/tmp"
    lines = Path("/proc/meminfo").read_text().splitlines()
    ((available,),) = (line.split()[1:2] for line in lines if line.startswith("MemAvailable:"))
    return str(_MEMORY) if int(available) << 10 > _ROOM else "/tmp"


@contextlib.contextmanager
def reachable_folder() -> Iterator[Path]:
    """A short, open folder: pytest's own is closed to the account that runs root's servers."""
    folder = Path(tempfile.mkdtemp(prefix="cmbs-test-", dir=fastest_folder())).resolve()
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
    left = [command for _, command in cluster._commands() if str(folder) in command]
    assert not left, f"processes were left behind: {left}"


def until(condition: Callable[[], object], seconds: float = 30) -> None:
    deadline, pause = time.monotonic() + seconds, 0.005
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(pause)
        # Asking costs what is waited for its time as well.
        pause = min(1.5 * pause, 0.05)


def postmaster_of(data_dir: Path) -> int:
    written = cluster.pid_file(data_dir / "postgres")
    assert written is not None
    return written[0]


def kill(server: Server) -> None:
    os.kill(postmaster_of(server.data_dir), signal.SIGKILL)
    # It is only away when none of its processes is left to finish what it does.
    until(lambda: not cluster._pids(server._label))


def ask(server: Server, query: str) -> str:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        return str(connection.execute(query.encode()).fetchone()[0])  # type: ignore[index]
