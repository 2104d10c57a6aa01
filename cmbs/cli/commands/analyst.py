"""`cmbs analyst`: logins that read the views, verify, and may nothing else."""

import argparse
import contextlib
import secrets
import shlex
import sys
from collections.abc import Iterator
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cmbs.cli.arguments import add_command, an_id
from cmbs.cli.target import current_target
from cmbs.common.failure import CommandError
from cmbs.common.words import shown
from cmbs.database import calls
from cmbs.database.connections import connect
from cmbs.database.failures import refusals_as_failures
from cmbs.deploy.target import Target


def add(commands: Any) -> None:
    analyst = commands.add_parser("analyst")
    analyst.epilog = "example: cmbs analyst add ann"
    group = analyst.add_subparsers(metavar="ACTION", required=True)

    command = add_command(group, "add", _add, "make a login that reads the views and verifies")
    command.add_argument("name", type=_name, metavar="NAME", help="of the new login")
    command.add_argument(
        "--password-stdin",
        action="store_true",
        help="read the password from standard input (default: one is made and printed; "
        "the embedded server asks for none)",
    )
    command.add_argument(
        "--tenant",
        type=an_id,
        metavar="TENANT",
        help="whose sessions it reads; '*' for those of all (default: default)",
    )
    command.epilog = "example: cmbs analyst add ann --tenant acme"

    command = add_command(group, "remove", _remove, "drop the login of an analyst")
    command.add_argument("name", type=_name, metavar="NAME", help="of the login")
    command.epilog = "example: cmbs analyst remove ann"

    command = add_command(group, "list", _list, "list the logins of analysts")
    command.epilog = "example: cmbs analyst list"


def _name(text: str) -> str:
    if "\0" in text or not text.isprintable():
        raise argparse.ArgumentTypeError("must be printable")
    return text


def _add(options: argparse.Namespace) -> int:
    given = _read_password() if options.password_stdin else None
    with current_target(options) as database:
        # Nobody is asked for a password on a socket in a folder that is its owner's alone.
        password = given or (None if database.server else secrets.token_urlsafe(24))
        with _calling(database, options.name) as connection:
            verifier = _hashed(connection, options.name, password) if password else None
            calls.call(connection, "add_analyst", name=options.name, verifier=verifier)
            _register(connection, options.name, options.tenant)
        print(f"{options.name} reads the views of schema cmbs and verifies:")
        print(f"    psql {shlex.quote(_conninfo(database.url, options.name))}")
        if database.server:
            print("while cmbs serve runs, for an account that may enter the folder of the socket")
        elif not given:
            print(f"password (shown this once): {password}")
    return 0


def _register(connection: psycopg.Connection[Any], name: str, tenant: str | None) -> None:
    """Make the login a principal of the tenant; by itself it is of `default`."""
    known = _tenant(connection, name)
    if known and known != tenant:
        raise CommandError(
            f"{name} is registered for the tenant {shown(known)} from before: name it with --tenant"
        )
    rights = {"name": name, "roles": ["auditor"], "tenant": tenant}
    if known:
        calls.call(connection, "change_principal", **rights, is_enabled=True)
    elif tenant is not None:
        calls.call(connection, "create_principal", **rights, kind="human", is_login=True)


def _remove(options: argparse.Namespace) -> int:
    with (
        current_target(options) as database,
        _calling(database, options.name) as connection,
    ):
        tenant = _tenant(connection, options.name)
        calls.call(connection, "remove_analyst", name=options.name)
        if tenant:
            # Whoever gets a login of this name later is somebody else.
            calls.call(
                connection, "change_principal", name=options.name, is_enabled=False, tenant=tenant
            )
    print(f"{options.name} is removed")
    return 0


def _list(options: argparse.Namespace) -> int:
    with current_target(options) as database, connect(database.url) as connection:
        for analyst in calls.call(connection, "list_analysts"):
            name, tenant = shown(analyst["name"]), shown(analyst["tenant"] or "default")
            print(f"{name}  tenant {tenant}  {analyst['n_connections']} connections")
    return 0


def _tenant(connection: psycopg.Connection[Any], name: str) -> str | None:
    """The one that an analyst is registered for."""
    listed = calls.call(connection, "list_analysts")
    return next((one["tenant"] for one in listed if one["name"] == name), None)


def _read_password() -> str:
    password = sys.stdin.readline().rstrip("\r\n")
    if not password or "\0" in password:
        raise CommandError("standard input gave no password")
    return password


@contextlib.contextmanager
def _calling(database: Target, name: str) -> Iterator[psycopg.Connection[Any]]:
    """One transaction; what it cannot do is told with the name of the analyst."""
    try:
        with connect(database.url) as connection, refusals_as_failures():
            yield connection
    except psycopg.Error as error:
        problem = error.diag.message_primary or str(error)
        raise CommandError(f"{name}: {problem}") from error


def _hashed(connection: psycopg.Connection[Any], name: str, password: str) -> str:
    """Hashed here, so that the server, and so its log, never sees the password."""
    hashed = connection.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256")
    return hashed.decode()


def _conninfo(url: str, name: str) -> str:
    parts = {**conninfo_to_dict(url), "user": name, "password": None}
    return make_conninfo(**{key: str(value) for key, value in parts.items() if value is not None})
