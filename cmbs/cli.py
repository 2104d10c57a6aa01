"""The command line: `cmbs COMMAND`, or `python -m cmbs COMMAND`."""

import argparse
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn
from uuid import UUID

import psycopg
from sqlalchemy.exc import DBAPIError

from cmbs import __version__, embedded, migrate, report
from cmbs.arguments import add_command, whole_number


class CommandError(Exception):
    """The command cannot go on; the text is one clear sentence."""


@dataclass(frozen=True)
class Database:
    """Where the commands work: a given URL, or the embedded server's database."""

    url: str
    server: embedded.Server | None


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except (psycopg.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        # libpq may explain itself over several lines, one for each address it tried.
        return _fail(" ".join(str(cause).split()))
    except (CommandError, embedded.EmbeddedError, migrate.MigrationError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _mute()
        return 1
    return status


def _mute() -> None:
    """The reader of our output went away; flushing at exit must not complain about it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str) -> int:
    print(f"cmbs: {sentence}", file=sys.stderr)
    return 1


@contextlib.contextmanager
def _database(options: argparse.Namespace, *, adopt: bool = True) -> Iterator[Database]:
    """The database of the common options, its schema current; embedded, it is brought there."""
    if url := _given_url(options):
        _check_revision(url)
        yield Database(url, None)
        return
    with _embedded(options, adopt=adopt) as database:
        if database.server and database.server.owned:
            migrate.migrate(database.url)
        else:
            _await_owner(database.url)
        yield database


def _given_url(options: argparse.Namespace) -> str | None:
    # What was typed goes before what the environment says.
    return options.database_url or (not options.data_dir and os.environ.get("DATABASE_URL")) or None


@contextlib.contextmanager
def _embedded(options: argparse.Namespace, *, adopt: bool = True) -> Iterator[Database]:
    data_dir = options.data_dir or embedded.default_data_dir()
    if options.run in (_status, _verify):
        with contextlib.suppress(PermissionError, NotADirectoryError):
            if not data_dir.exists():
                raise CommandError(f"there is no database at {data_dir}; cmbs serve makes one")
    with embedded.start(data_dir, adopt=adopt) as server:
        url = server.url("cmbs", "postgres")
        if server.owned:
            _create_database(server, url)
        yield Database(url, server)


def _create_database(server: embedded.Server, url: str) -> None:
    try:
        psycopg.connect(url).close()
        return
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


def _check_revision(url: str) -> None:
    found, needed = migrate.revision(url), migrate.head()
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


def _migrate(options: argparse.Namespace) -> int:
    if options.sql:
        print(migrate.script())
        return 0
    if url := _given_url(options):
        revision = migrate.migrate(url)
    else:
        with _embedded(options) as database:
            revision = migrate.migrate(database.url)
    print(f"the database is at revision {revision}")
    return 0


def _roles(options: argparse.Namespace) -> int:
    print(migrate.roles_script())
    return 0


def _psql(options: argparse.Namespace) -> int:
    with _database(options) as database:
        program = None
        if database.server and (database.server.bindir / "psql").exists():
            program = str(database.server.bindir / "psql")
        program = program or shutil.which("psql") or str(embedded.find_bindir() / "psql")
        # Ctrl-C is psql's to handle: it cancels the query and stays.
        signal.signal(signal.SIGINT, lambda *_: None)
        command, where = [program, database.url], {}
        if server := database.server:
            # As an argument, the address would win over a user that is named after --.
            command, where = [program], {"PGHOST": str(server.socket_dir)}
            where |= {"PGPORT": str(server.port), "PGDATABASE": "cmbs"}
            where |= {"PGUSER": os.environ.get("PGUSER", "postgres")}
        try:
            return subprocess.call([*command, *options.arguments], env={**os.environ, **where})
        except OSError as error:
            raise CommandError(f"{program} cannot be run: {error.strerror}") from error


def _serve(options: argparse.Namespace) -> int:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    # Nothing else needs the web server, and it takes a while to import.
    from cmbs.api import serve

    with (
        contextlib.closing(_listen(serve, options)) as taken,
        _database(options, adopt=False) as database,
        _watched(database.server),
    ):
        server = database.server
        url = server.url("cmbs", "cmbs_server") if server else database.url
        host, port = taken.getsockname()[:2]
        where = f"http://{f'[{host}]' if ':' in host else host}:{port}"

        def ready() -> None:
            try:
                print(f"CMBS is ready: {where} (documentation: {where}/schema)", flush=True)
            except OSError:
                # Whoever started it may not want to know, and others to be served.
                _mute()

        serve.run(url, taken, options.workers, ready)
        _leave()


def _listen(serve: Any, options: argparse.Namespace) -> socket.socket:
    try:
        taken: socket.socket = serve.listen(options.host, options.port)
    except serve.PortError as error:
        raise CommandError(str(error)) from error
    return taken


@contextlib.contextmanager
def _watched(server: embedded.Server | None) -> Iterator[None]:
    """Start the embedded PostgreSQL again whenever it has died, until it is to end."""
    over = threading.Event()

    def watch() -> None:
        while server and not over.wait(0.5):
            try:
                server.ensure_running()
            except embedded.EmbeddedError as error:
                print(f"cmbs: {error}", file=sys.stderr, flush=True)

    watcher = threading.Thread(target=watch, name="watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        # Or it would find the server stopped, and start it again.
        watcher.join()


def _leave(*_: Any) -> NoReturn:
    # A second signal does not wait for the clean end that the first one began.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    raise SystemExit(0)


def _status(options: argparse.Namespace) -> int:
    with _database(options) as database:
        # A given address is known to who gave it, and may hold a password.
        address = database.url if database.server else None
        return report.status(database.url, migrate.head(), address)


def _verify(options: argparse.Namespace) -> int:
    with _database(options) as database:
        return report.verify(database.url, options.sessions, options.jobs)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cmbs", description="A belief server on PostgreSQL.")
    parser.add_argument("--version", action="version", version=f"cmbs {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    serve = add_command(commands, "serve", _serve, "run the server until it is told to stop")
    serve.add_argument(
        "--host", default="127.0.0.1", help="address to serve on (default: %(default)s)"
    )
    serve.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=8000,
        help="0 takes a free one (default: %(default)s)",
    )
    serve.add_argument(
        "--workers",
        # Each has a connection at least, and PostgreSQL lets 100 in by default.
        type=whole_number(1, 64),
        default=1,
        metavar="N",
        help="processes that serve (default: 1)",
    )
    serve.epilog = "example: cmbs serve --data-dir ./data --port 8080"

    command = add_command(commands, "migrate", _migrate, "bring the database's schema up to date")
    command.add_argument("--sql", action="store_true", help="print the SQL; connect to nothing")
    command.epilog = "example: cmbs migrate --database-url postgresql://owner@db/cmbs"

    command = commands.add_parser("roles", help="print the SQL that creates the database roles")
    command.set_defaults(run=_roles)
    command.add_argument("--sql", action="store_true", required=True, help="print the SQL")
    command.epilog = "example: cmbs roles --sql | psql postgresql://admin@db/cmbs"

    command = add_command(
        commands, "status", _status, "tell where the database is and what it holds"
    )
    command.epilog = "example: cmbs status"

    command = add_command(commands, "psql", _psql, "open psql on the database")
    command.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="goes to psql, after --")
    command.epilog = "example: cmbs psql -- -c 'table cmbs.session'"

    command = add_command(commands, "verify", _verify, "check the audit chains of sessions")
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "sessions", nargs="*", type=UUID, default=[], metavar="SESSION", help="its id"
    )
    which.add_argument("--all", action="store_true", help="every session of the database")
    command.add_argument(
        *("-j", "--jobs"),
        type=int,
        choices=range(1, (os.cpu_count() or 1) + 1),
        default=1,
        metavar="N",
        help="sessions to check at the same time, at most one for each processor (default: 1)",
    )
    command.epilog = (
        "exit status: 0 every chain is whole, 1 one is broken or there was none to check, 2 usage. "
        "example: cmbs verify --all --jobs 2"
    )
    return parser
