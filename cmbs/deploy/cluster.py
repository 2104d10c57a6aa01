"""What lies in the data directory of the embedded server: made once, checked at every start."""

import contextlib
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from cmbs.deploy.binaries import Account, EmbeddedError, debian_bindir, maker_for

# Only names the socket: nothing listens on TCP.
PORT = 5432
SOCKET = f".s.PGSQL.{PORT}"
# sockaddr_un holds 104 bytes on macOS and 108 on Linux, the closing zero included.
_SOCKET_PATH_MAX = 103


def check_reachable(data_dir: Path, account: Account) -> None:
    if account.can_enter(data_dir):
        return
    for directory in (*reversed(data_dir.parents), data_dir):
        if not account.can_enter(directory):
            raise EmbeddedError(
                f"the account {account.name}, which runs PostgreSQL for root, cannot enter "
                f"{directory}; choose a data directory that is not below it"
            )


def make(cluster: Path, bindir: Path, account: Account, durable: bool) -> None:
    """initdb beside the final place, then a rename: a half-made cluster is never found."""
    for remains in cluster.parent.glob("initdb-*"):
        shutil.rmtree(remains, ignore_errors=True)
    scratch = Path(tempfile.mkdtemp(prefix="initdb-", dir=cluster.parent))
    maker = maker_for(account)
    try:
        if maker.is_other:
            os.chown(scratch, maker.uid, maker.gid)
        done = maker.run(
            *(bindir / "initdb", "-D", scratch, "-U", "postgres", "--no-instructions"),
            # C exists everywhere and never changes its order under an index.
            *("--encoding=UTF8", "--locale=C", "--data-checksums"),
            *("--auth-local=trust", "--auth-host=reject"),
            *(() if durable else ("--no-sync",)),
        )
        if done.returncode != 0:
            raise EmbeddedError(
                f"initdb could not make a database in {cluster.parent}: {reason(done.stderr)}"
            )
        if maker != account:
            _give(scratch, maker, account)
        scratch.rename(cluster)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    if durable:
        parent = os.open(cluster.parent, os.O_RDONLY)
        os.fsync(parent)
        os.close(parent)


def _give(folder: Path, maker: Account, account: Account) -> None:
    """Hand over what somebody else made, who may have put anything there meanwhile."""
    # From now on nobody enters by a path.
    os.chown(folder, 0, 0)
    for _, folders, files, at in os.fwalk(folder, follow_symlinks=False):
        for name in (*folders, *files):
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            entry = os.open(name, flags, dir_fd=at)
            try:
                found = os.fstat(entry)
                is_plain = stat.S_ISDIR(found.st_mode) or (
                    stat.S_ISREG(found.st_mode) and found.st_nlink == 1
                )
                if not is_plain or found.st_uid != maker.uid:
                    raise EmbeddedError(f"{folder} holds {name}, which initdb did not make")
                os.fchown(entry, account.uid, account.gid)
            finally:
                os.close(entry)
    os.chown(folder, account.uid, account.gid)


def check_major(cluster: Path, bindir: Path, major: int) -> None:
    made_by = int((cluster / "PG_VERSION").read_text())
    if made_by == major:
        return
    at_hand = debian_bindir(made_by)
    where = at_hand if at_hand.is_dir() else f"the directory of PostgreSQL {made_by}'s programs"
    old = shlex.quote(str(cluster.parent))
    raise EmbeddedError(
        f"{cluster.parent} was made by PostgreSQL {made_by} and {bindir} is PostgreSQL {major}: "
        f"set CMBS_PG_BINDIR to {where} to go on with it, or move what is in it: "
        f"CMBS_PG_BINDIR={where} cmbs dump --data-dir {old} -o FILE, "
        f"then cmbs restore FILE --data-dir NEW with PostgreSQL {made_by} or later"
    )


def make_socket_dir(data_dir: Path, label: str, account: Account) -> Path:
    directory = data_dir / "socket"
    path = os.fsencode(directory / SOCKET)
    # In a host name libpq takes a comma for the start of another host.
    if len(path) > _SOCKET_PATH_MAX or b"," in path:
        directory = Path("/tmp", f"{label}-{account.uid}")
    with contextlib.suppress(FileExistsError):
        directory.mkdir(mode=0o700)
    if account.is_other and directory.lstat().st_uid == os.geteuid():
        os.chown(directory, account.uid, account.gid, follow_symlinks=False)
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != account.uid or found.st_mode & 0o077:
        raise EmbeddedError(
            f"{directory} is not a directory that {account.name} alone can enter; remove it"
        )
    # The lock file of a killed server has the same flaw as its pid file; the folder is ours alone.
    for left in (SOCKET, f"{SOCKET}.lock"):
        (directory / left).unlink(missing_ok=True)
    return directory


def pid_file(cluster: Path) -> tuple[int, Path, bool] | None:
    """The postmaster's pid, its socket directory and whether it is ready, as it wrote them."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return None
    # Written line by line while the server starts.
    if len(lines) < 8:
        return None
    return int(lines[0]), Path(lines[4]), lines[7].strip() == "ready"


def end_remains(cluster: Path, label: str) -> None:
    """End what a killed owner or postmaster left: the lock is ours, so these are nobody's.

    A backend that computes does not notice the death of its postmaster, and the next server
    refuses to start before the last one has let go of the shared memory.
    """
    if not (cluster / "postmaster.pid").exists():
        return
    for number, patience in ((signal.SIGINT, 30), (signal.SIGQUIT, 5), (signal.SIGKILL, 5)):
        deadline = time.monotonic() + patience
        for pid in _pids(label):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        while _pids(label) and time.monotonic() < deadline:
            time.sleep(0.02)
    _drop_misleading_pid_file(cluster)


def _drop_misleading_pid_file(cluster: Path) -> None:
    """PostgreSQL takes any living process with the recorded pid for a postmaster.

    After a reboot, or in a new container, that pid belongs to something else; in a container
    whose first process reaps nothing it belongs to a zombie.
    """
    try:
        pid = int((cluster / "postmaster.pid").read_text().split("\n", 1)[0])
        os.kill(pid, 0)
    except (FileNotFoundError, ValueError, ProcessLookupError, PermissionError):
        return
    command = dict(_commands()).get(pid, "")
    if Path(command.split(" -D ", 1)[0]).name not in ("postgres", "postmaster"):
        (cluster / "postmaster.pid").unlink(missing_ok=True)


def _pids(label: str) -> list[int]:
    """The processes of the server with this cluster_name: postmaster and its children."""
    return [
        pid
        for pid, command in _commands()
        if command.startswith(f"postgres: {label}: ")
        or (f" cluster_name={label}" in command and "/postgres -D " in command)
    ]


def _commands() -> Iterator[tuple[int, str]]:
    if sys.platform == "linux":
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                # A process may end between the listing and the reading.
                with contextlib.suppress(OSError):
                    raw = Path("/proc", entry, "cmdline").read_bytes()
                    yield int(entry), raw.replace(b"\0", b" ").decode(errors="replace").strip()
        return
    listed = subprocess.run(
        ["ps", "-axww", "-o", "pid=,command="], capture_output=True, text=True, check=True
    )
    for line in listed.stdout.splitlines():
        pid, _, command = line.strip().partition(" ")
        yield int(pid), command.strip()


def reason(output: str) -> str:
    """The line of a PostgreSQL program's output that says what went wrong."""
    found = re.search(r"(?:FATAL|PANIC|ERROR|error): +(.+)", output)
    if found:
        return found[1]
    return (output.strip().splitlines() or ["it said nothing"])[-1]
