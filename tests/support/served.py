"""`cmbs serve` as a process that tests start, kill and start again, and all that belongs to it."""

import contextlib
import os
import random
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import httpx

from cmbs.deploy import cluster, embedded
from tests.support.servers import ROOT, TLS, postmaster_of, until

COMMAND = [sys.executable, "-P", "-m", "cmbs", "serve"]
# Generous, because the machine may be busy; it bounds a wait and asserts no speed.
PATIENCE = 60.0
_MARK = "CMBS_TEST_MARK"


@dataclass
class Served:
    """A server on one port; whatever it starts carries its mark in the environment."""

    folder: Path
    arguments: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    host: str = "127.0.0.1"
    trusted: ssl.SSLContext | None = None
    port: int = field(default_factory=lambda: free_port())
    mark: str = field(default_factory=lambda: str(uuid4()))
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    @property
    def address(self) -> str:
        return f"http{'s' * bool(self.trusted)}://{self.host}:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self, *through: str) -> None:
        """As a child of ours, or through a command that takes it as its arguments."""
        kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        env = {**kept, "CMBS_DATA_DIR": str(self.data_dir), _MARK: self.mark, **self.env}
        command = [*through, *COMMAND, "--port", str(self.port), *self.arguments]
        with (self.folder / "out").open("ab") as out, (self.folder / "err").open("ab") as err:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err
            )

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def is_ready(self) -> bool:
        # While nobody listens a request would cost more than what is waited for.
        with contextlib.suppress(httpx.TransportError, OSError):
            socket.create_connection((self.host.strip("[]"), self.port), 5).close()
            answer = httpx.get(f"{self.address}/readyz", timeout=5, verify=self.trusted or TLS)
            return answer.status_code == 200
        return False

    def await_ready(self) -> None:
        until(lambda: self.is_ready() or not self.is_running(), PATIENCE)
        assert self.is_running(), self.err

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Its exit status after a signal."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def await_nothing(self) -> None:
        """What belongs to a server follows it by itself, but not at once: after a kill PostgreSQL
        and the workers, after every end of several workers multiprocessing's own helper."""
        until(lambda: not self.pids() and is_free(self.port), PATIENCE)

    def pids(self) -> list[int]:
        """Every process that belongs to it, living or left behind."""
        return [*self.own_pids(), *self.postgres_pids()]

    def postgres_pids(self) -> list[int]:
        return cluster._pids(embedded.Server(self.data_dir, True, {})._label)

    def own_pids(self) -> list[int]:
        mark = f"{_MARK}={self.mark}".encode()
        return [pid for pid in _all_pids() if mark in _read(pid, "environ").split(b"\0")]

    def main_pid(self) -> int | None:
        """The process that was started, also if it is no child of ours."""
        mine = [
            pid for pid in self.own_pids() if _read(pid, "cmdline").split(b"\0")[3:4] == [b"cmbs"]
        ]
        return mine[0] if mine else None

    def workers(self) -> list[int]:
        """The processes that answer requests, if there are several."""
        return [
            pid for pid in self.own_pids() if b"--multiprocessing-fork" in _read(pid, "cmdline")
        ]

    def postmaster(self) -> int:
        return postmaster_of(self.data_dir)

    def has_postmaster_but(self, other: int) -> bool:
        written = cluster.pid_file(self.data_dir / "postgres")
        return written is not None and written[0] != other

    @property
    def out(self) -> str:
        return (self.folder / "out").read_text()

    @property
    def err(self) -> str:
        return (self.folder / "err").read_text()


@contextlib.contextmanager
def running(served: Served) -> Iterator[Served]:
    """Started and ready; in the end killed, if it is still there, with all that it left."""
    served.start()
    try:
        served.await_ready()
        yield served
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(served.pid, signal.SIGKILL) if served.is_running() else None
        assert served.process is not None
        served.process.wait(PATIENCE)
        served.await_nothing()


def free_port() -> int:
    """Below those that the system gives to callers: one of them could call itself there."""
    for port in random.sample(range(20_000, 30_000), 100):
        if is_free(port):
            return port
    raise AssertionError("no port is free")


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            # Two may be bound to a port on which nobody listens yet.
            probe.listen()
        except OSError:
            return False
    return True


def access_lines(err: str) -> list[str]:
    return re.findall(r'^\{"ts":.*"event":"request".*\}$', err, re.MULTILINE)


def _all_pids() -> list[int]:
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]


def _read(pid: int, name: str) -> bytes:
    # A process may end between the listing and the reading.
    with contextlib.suppress(OSError):
        return Path("/proc", str(pid), name).read_bytes()
    return b""
