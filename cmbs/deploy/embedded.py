"""The embedded PostgreSQL: a server of its own for one data directory, reached by socket alone.

The data directory holds `postgres` (the cluster), `lock` (whose holder owns the server),
`postgres.log`, what was moved out of it as `postgres.log.1`, and, unless its path is too long for
one, `socket`.
"""

import atexit
import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote, urlencode

from cmbs.deploy import cluster, launch
from cmbs.deploy.binaries import (
    Account,
    EmbeddedError,
    account_for,
    environment,
    find_bindir,
    prepare,
)

__all__ = ["EmbeddedError", "Server", "default_data_dir", "find_bindir", "start"]

_PATIENCE = 60.0
# Recovery after a crash may have much to replay.
_RECOVERY_PATIENCE = 600.0
# How long the log may grow, and what is kept of before.
_LOG_SIZE = 8 * 2**20
# Asks for TLS, which a server answers with a byte whoever asks, and however full it is.
_SSL_REQUEST = struct.pack("!ii", 8, 80877103)


def default_data_dir() -> Path:
    """CMBS_DATA_DIR, else the user's own place for data; for root one that others can reach."""
    if chosen := os.environ.get("CMBS_DATA_DIR"):
        return Path(chosen)
    if os.geteuid() == 0:
        return Path("/var/lib/cmbs")
    try:
        home = Path.home()
    except RuntimeError as error:
        raise EmbeddedError("there is no home directory; set CMBS_DATA_DIR") from error
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "cmbs"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "cmbs"


def start(
    data_dir: str | os.PathLike[str],
    *,
    durable: bool = True,
    settings: Mapping[str, str] = MappingProxyType({}),
    adopt: bool = True,
) -> "Server":
    """Run PostgreSQL on `data_dir`, or join the process that already does (`adopt`).

    `durable=False` trades safety for speed and is for servers that are thrown away.
    """
    server = Server(Path(data_dir).expanduser().resolve(), durable, settings)
    server._attach(adopt)
    return server


def _quoted(value: str) -> str:
    escaped = value.replace("\\", r"\\").replace("'", r"\'")
    return f"'{escaped}'"


def _answers(socket_dir: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(socket_dir / cluster.SOCKET))
            # To be let in is no answer: the queue of a dying postmaster is there a moment longer.
            probe.sendall(_SSL_REQUEST)
            return probe.recv(1) != b""
        except TimeoutError:
            # Somebody listens and is only busy: no reason to start it anew.
            return True
        except OSError:
            return False


class Server:
    """A running PostgreSQL. Its owner stops it; one that was joined runs on."""

    port = cluster.PORT
    bindir: Path
    socket_dir: Path
    major: int

    def __init__(self, data_dir: Path, durable: bool, settings: Mapping[str, str]) -> None:
        self.data_dir = data_dir
        self._cluster = data_dir / "postgres"
        self._log, self._log_began = data_dir / "postgres.log", 0
        self._durable = durable
        self._settings = settings
        # In the command line of each of its processes, so that none is taken for another's.
        self._label = "cmbs-" + hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
        self._lock: int | None = None
        self._postmaster: subprocess.Popen[bytes] | None = None
        self._process = os.getpid()
        self._guard = threading.RLock()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def owned(self) -> bool:
        return self._lock is not None

    def conninfo(self, dbname: str = "postgres", user: str = "postgres") -> str:
        parts = {"host": self.socket_dir, "port": self.port, "dbname": dbname, "user": user}
        return " ".join(f"{key}={_quoted(str(value))}" for key, value in parts.items())

    def url(self, dbname: str = "postgres", user: str = "postgres") -> str:
        where = urlencode({"host": str(self.socket_dir), "port": self.port}, quote_via=quote)
        return f"postgresql://{quote(user, safe='')}@/{quote(dbname, safe='')}?{where}"

    def ensure_running(self) -> None:
        """Start the server again if it died; a joined one is taken over if its owner died."""
        with self._guard:
            if self._lock is None:
                self._attach(adopt=True)
            elif self._postmaster is None or not _answers(self.socket_dir):
                with self._os_errors():
                    self._halt()
                    self._launch()
            else:
                with self._os_errors():
                    self._bound_log()

    def stop(self) -> None:
        """Stop the server if it is ours; a forked child of the owner has nothing to stop."""
        with self._guard:
            if self._lock is None or os.getpid() != self._process:
                return
            atexit.unregister(self.stop)
            try:
                self._halt()
            finally:
                os.close(self._lock)
                self._lock = None

    def _halt(self) -> None:
        if self._postmaster is None:
            return
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            self._postmaster.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._postmaster.wait(_PATIENCE)
                break
        self._postmaster = None
        with contextlib.suppress(OSError):
            self.socket_dir.rmdir()

    def _attach(self, adopt: bool) -> None:
        deadline = time.monotonic() + _PATIENCE
        with self._os_errors():
            self._make_data_dir()
            while not self._take_lock():
                owner = (self.data_dir / "lock").read_text().strip()
                if owner and not adopt:
                    raise EmbeddedError(
                        f"process {owner} already runs PostgreSQL on {self.data_dir}; "
                        "stop it or choose another data directory"
                    )
                if self._join():
                    return
                if time.monotonic() > deadline:
                    raise EmbeddedError(
                        f"process {owner} holds {self.data_dir}, but its PostgreSQL did not "
                        f"become ready within {_PATIENCE:.0f} seconds"
                    )
                time.sleep(0.02)
            try:
                self._launch()
            except BaseException:
                self.stop()
                raise

    @contextlib.contextmanager
    def _os_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise EmbeddedError(
                f"cannot use the data directory {self.data_dir}: {error.strerror}"
                + (f" ({error.filename})" if error.filename else "")
            ) from error

    def _make_data_dir(self) -> None:
        if (self.data_dir / "PG_VERSION").exists():
            raise EmbeddedError(
                f"{self.data_dir} is a PostgreSQL data directory that CMBS did not make; "
                "choose another data directory"
            )
        if not self.data_dir.is_dir():
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.geteuid() == 0:
                # The account that runs PostgreSQL must get through to what is its own below.
                self.data_dir.chmod(0o755)

    def _take_lock(self) -> bool:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        lock = os.open(self.data_dir / "lock", flags, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        os.ftruncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
        self._lock = lock
        atexit.register(self.stop)
        return True

    def _join(self) -> bool:
        """Whether the server of the lock's holder answers; its files tell where."""
        written = cluster.pid_file(self._cluster)
        if written is None or not written[2]:
            return False
        if not _answers(written[1]):
            return False
        # postmaster.opts: the program, bare, then its quoted arguments.
        program = (self._cluster / "postmaster.opts").read_text().split(' "', 1)[0]
        self.bindir, self.socket_dir = Path(program).parent, written[1]
        self.major = int((self._cluster / "PG_VERSION").read_text())
        return True

    def _launch(self) -> None:
        account = account_for(self._cluster)
        cluster.check_reachable(self.data_dir, account)
        self.bindir, self.major = prepare(find_bindir(), account)
        if self._cluster.exists():
            cluster.check_major(self._cluster, self.bindir, self.major)
            cluster.end_remains(self._cluster, self._label)
        else:
            cluster.make(self._cluster, self.bindir, account, self._durable)
        self.socket_dir = cluster.make_socket_dir(self.data_dir, self._label, account)
        self._spawn(account)
        assert self._postmaster is not None
        deadline = time.monotonic() + _RECOVERY_PATIENCE
        while not self._is_ready(self._postmaster.pid):
            if self._postmaster.poll() is not None or time.monotonic() > deadline:
                log = self._log.read_bytes()[self._log_began :].decode(errors="replace")
                raise EmbeddedError(
                    f"PostgreSQL did not start on {self.data_dir}: {cluster.reason(log)}"
                )
            time.sleep(0.01)

    def _bound_log(self) -> None:
        """Move a log that has grown long. PostgreSQL keeps it open, so it is emptied in place."""
        flags = os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            log = os.open(self._log, os.O_RDWR | flags)
        except FileNotFoundError:
            return
        with open(log, "r+b") as found:
            if os.fstat(log).st_size <= _LOG_SIZE:
                return
            try:
                flags |= os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                earlier = os.open(self.data_dir / "postgres.log.1", flags, 0o600)
                with open(earlier, "wb") as kept:
                    shutil.copyfileobj(found, kept)
            finally:
                # Also where the disk is full: a log without end makes it no emptier.
                os.ftruncate(log, 0)

    def _is_ready(self, pid: int) -> bool:
        written = cluster.pid_file(self._cluster)
        # The file of an earlier postmaster may still say that it is ready.
        return written is not None and written[0] == pid and written[2]

    def _keep(self, postmaster: "subprocess.Popen[bytes]") -> None:
        self._postmaster = postmaster

    def _spawn(self, account: Account) -> None:
        quoted = str(self.socket_dir).replace('"', '""')
        durability = "on" if self._durable else "off"
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": f'"{quoted}"',
            "unix_socket_permissions": "0700",
            "port": str(self.port),
            "cluster_name": self._label,
            "fsync": durability,
            "synchronous_commit": durability,
            "full_page_writes": durability,
            **self._settings,
        }
        command = [sys.executable, "-I", "-S", launch.__file__]
        command += [str(os.getpid()), str(account.uid), str(account.gid)]
        command += [str(self.bindir / "postgres"), "-D", str(self._cluster)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        self._bound_log()
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        # Added to what was said before: whoever finds a server that was started again finds why.
        with open(os.open(self._log, flags, 0o600), "ab") as output:
            self._log_began = output.tell()
            launch.in_lasting_thread(command, environment(), output, self._keep)
