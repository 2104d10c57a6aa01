"""Dump and restore: the matching programs of PostgreSQL, and what they leave to be done."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg
from psycopg import pq
from psycopg.conninfo import make_conninfo

from cmbs.common.failure import CommandError, RefusedError
from cmbs.deploy import binaries, doctor, dumpfile, migrate
from cmbs.deploy.embedded import Server
from cmbs.deploy.target import Target

_SCHEMAS = ("--schema=cmbs", "--schema=cmbs_store")


class Dumped(NamedTuple):
    """What was written, and from which PostgreSQL."""

    file: str
    n_bytes: int
    seconds: float
    postgresql: int

    def as_sentence(self) -> str:
        size, major = _bytes(self.n_bytes), self.postgresql
        return f"wrote {self.file}: {size} in {self.seconds:.1f} s, from PostgreSQL {major}"


def dump(database: Target, target: Path, *, overwrite: bool) -> Dumped:
    """Write the two schemas of the database to one file, which is whole or not there."""
    if not migrate.is_deployed(database.url):
        raise RefusedError("there is no CMBS in this database")
    with psycopg.connect(database.url) as connection:
        major = connection.info.server_version // 10000
    program = _pg_dump(database.server, major)
    began = time.monotonic()
    with dumpfile.written(target, overwrite) as scratch:
        options = ("--format=custom", *_SCHEMAS, "--no-password", f"--file={scratch}")
        _run(program, options, database, "the dump failed, nothing was written", scratch)
    seconds = round(time.monotonic() - began, 1)
    return Dumped(str(target), target.stat().st_size, seconds, major)


def restore(database: Target, path: Path, made: dumpfile.Origin) -> str:
    """Fill an empty database from a dump, all of it, or nothing; what was done, as a sentence."""
    with psycopg.connect(database.url) as connection:
        info = connection.info
        major = info.server_version // 10000
        if info.parameter_status("is_superuser") != "on":
            raise RefusedError(
                "only a superuser can restore: what is restored belongs to roles of CMBS"
            )
        if (encoding := info.parameter_status("server_encoding")) != "UTF8":
            raise RefusedError(f"the database must have the encoding UTF8 and has {encoding}")
    # A schema may have been prepared, with the roles; what is in one may not.
    held = [f.name for f in doctor.facts(database.url) if f.kind == "exists"]
    held = [name for name in held if not name.startswith(("role ", "schema "))]
    if held:
        raise RefusedError(
            f"the database is not empty: it already holds {held[0]} and {len(held) - 1} more; "
            "restore into another"
        )
    program = _pg_restore(database.server, made.dumped_by, major)
    migrate.create_roles(database.url)
    options = ("--single-transaction", "--exit-on-error", "--no-password", os.path.abspath(path))
    _run(program, options, database, "nothing was restored")
    return f"restored {path}: revision {made.revision}, into PostgreSQL {major}"


def bring_up(database: Target, say: Callable[[str], None]) -> doctor.Report:
    """Puts right what pg_restore cannot know: triggers that fire always, rights of a newer version;
    what is not as it should be even then."""
    say(f"the schema is at revision {migrate.migrate(database.url)}")
    _analyze(database)
    return doctor.examine(database.url)


def newest_pg_restore() -> Path:
    found = binaries.versions_of("pg_restore")
    if not found:
        raise CommandError("no pg_restore was found; set CMBS_PG_BINDIR to its directory")
    return found[max(found)]


def _pg_dump(server: Server | None, major: int) -> Path:
    if server and (server.bindir / "pg_dump").exists():
        return server.bindir / "pg_dump"
    found = binaries.versions_of("pg_dump")
    if fitting := [version for version in found if version >= major]:
        return found[min(fitting)]
    newest = f"the newest here is that of {max(found)}" if found else "there is none here"
    raise CommandError(
        f"the database runs PostgreSQL {major}, which a pg_dump of {major} or later can read; "
        f"{newest}; set CMBS_PG_BINDIR to its directory"
    )


def _pg_restore(server: Server | None, dumped_by: int, major: int) -> Path:
    if dumped_by > major:
        raise RefusedError(
            f"the dump was written by pg_dump {dumped_by} and the database runs PostgreSQL "
            f"{major}: a dump goes into the same version or a later one"
        )
    if server and (server.bindir / "pg_restore").exists():
        return server.bindir / "pg_restore"
    # Older ones cannot read the dump, and younger ones make settings the server does not know.
    found = binaries.versions_of("pg_restore")
    if fitting := [version for version in found if dumped_by <= version <= major]:
        return found[max(fitting)]
    needed = f"of {dumped_by}" if dumped_by == major else f"of {dumped_by} to {major}"
    raise CommandError(
        f"this needs a pg_restore {needed}, and there is none here; "
        "set CMBS_PG_BINDIR to its directory"
    )


def _analyze(database: Target) -> None:
    """Without statistics the first plans of verify and of analysts would be poor ones."""
    if found := binaries.versions_of("vacuumdb"):
        options = ("--analyze-only", "--quiet", "--no-password")
        _run(found[max(found)], options, database, "it is restored, but vacuumdb failed")


def _run(
    program: Path,
    options: tuple[str, ...],
    database: Target,
    failed: str,
    watched: Path | None = None,
) -> None:
    environment, address = _address(database)
    command = [str(program), *options, f"--dbname={address}"]
    try:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
    except OSError as error:
        raise CommandError(f"{program} cannot be run: {error.strerror}") from error
    with process, _ended(process):
        said = _wait(process, watched)
    if process.returncode != 0:
        reason = " ".join(said.split()) or f"{program.name} ended with {process.returncode}"
        raise CommandError(f"{failed}: {reason}")


@contextmanager
def _ended(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Whoever ends us also ends what works for us."""
    try:
        yield
    except BaseException:
        process.terminate()
        raise


def _wait(process: "subprocess.Popen[str]", watched: Path | None) -> str:
    has_line = watched is not None and sys.stderr.isatty()
    began = time.monotonic()
    while True:
        try:
            said = process.communicate(timeout=0.2 if has_line else None)[1]
            break
        except subprocess.TimeoutExpired:
            assert watched is not None
            size = watched.stat().st_size
            rate = size / (time.monotonic() - began)
            sys.stderr.write(f"\r\033[K{_bytes(size)}  {_bytes(int(rate))}/s")
            sys.stderr.flush()
    if has_line:
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()
    return said


def _address(database: Target) -> tuple[Mapping[str, str], str]:
    """Where to connect, in variables of libpq: arguments can be read by every user."""
    environment = {**os.environ, "LC_ALL": "C"}
    if database.server:
        # What the user has set is for databases of his own.
        environment = {k: v for k, v in environment.items() if not k.startswith("PG")}
    rest = {}
    for option in pq.Conninfo.parse(database.url.encode()):
        if option.val is None:
            continue
        keyword, value = option.keyword.decode(), option.val.decode()
        if option.envvar:
            environment[option.envvar.decode()] = value
        elif option.dispchar == b"*":
            raise CommandError(f"{keyword} cannot be handed on without being seen by others")
        else:
            rest[keyword] = value
    return environment, make_conninfo(**{**rest, "fallback_application_name": "cmbs"})


def _bytes(size: int) -> str:
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000  # type: ignore[assignment]
    return f"{size:.3g} GB"
