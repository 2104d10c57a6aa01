"""Where a command works: a given database, or the one of the embedded server."""

import argparse
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import psycopg

from cmbs.common.failure import CommandError, UsageError
from cmbs.deploy import embedded, migrate
from cmbs.deploy.target import Target


@contextlib.contextmanager
def current_target(
    options: argparse.Namespace, *, adopt: bool = True, make: bool = True, damaged: bool = False
) -> Iterator[Target]:
    """The database of the common options, its schema current; embedded, it is brought there.

    With `damaged` that may fail: what doctor prints has to be run somewhere.
    """
    if url := given_url(options):
        _check_revision(url)
        yield Target(url, None)
        return
    with embedded_target(options, adopt=adopt, make=make) as database:
        if database.server and database.server.owned:
            try:
                migrate.migrate(database.url)
            except migrate.MigrationError as error:
                if not damaged:
                    raise
                print(f"cmbs: {error}; cmbs doctor says what mends it", file=sys.stderr)
        else:
            _await_owner(database.url)
        yield database


def given_url(options: argparse.Namespace) -> str | None:
    # What was typed goes before what the environment says.
    return options.database_url or (not options.data_dir and os.environ.get("DATABASE_URL")) or None


@contextlib.contextmanager
def embedded_target(
    options: argparse.Namespace, *, adopt: bool = True, make: bool = True
) -> Iterator[Target]:
    """The embedded server's database as it is; with `make`, it is made where there is none."""
    data_dir = options.data_dir or embedded.default_data_dir()
    if not make:
        with contextlib.suppress(PermissionError, NotADirectoryError):
            if not data_dir.exists():
                raise UsageError(f"there is no database at {data_dir}; cmbs serve makes one")
    with embedded.start(data_dir, adopt=adopt) as server:
        url = server.url("cmbs", "postgres")
        is_new = server.owned and _create_database(server, url)
        yield Target(url, server, is_new)


def _create_database(server: embedded.Server, url: str) -> bool:
    """Whether there was none."""
    try:
        psycopg.connect(url).close()
        return False
    except psycopg.OperationalError:
        # Missing, as after the very first start.
        pass
    where = ["-h", str(server.socket_dir), "-p", str(server.port), "-U", "postgres"]
    command = [str(server.bindir / "createdb"), *where, "cmbs"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise CommandError(f"{command[0]} cannot be run: {error.strerror}") from error
    if done.returncode != 0:
        raise CommandError(f"the database cmbs cannot be created: {done.stderr.strip()}")
    return True


def _check_revision(url: str) -> None:
    found, needed = migrate.revision(url), migrate.head()
    if found and not migrate.knows(found):
        raise CommandError(f"the database is of {migrate.why_unknown(found)}")
    if found != needed:
        raise CommandError(
            f"the database is at revision {found or 'none'} and this CMBS needs {needed}: "
            "run cmbs migrate as the owner of the database (or restart the embedded server)"
        )


def _await_owner(url: str) -> None:
    """A server that was joined may just have been started, its schema still on the way."""
    deadline = time.monotonic() + 10
    while True:
        try:
            return _check_revision(url)
        except (CommandError, migrate.MigrationError):
            if time.monotonic() > deadline:
                raise
        time.sleep(0.1)
