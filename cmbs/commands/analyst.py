"""`cmbs analyst`: logins that read the views, verify, and may nothing else."""

import argparse
import secrets
import shlex
import sys
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cmbs import calls
from cmbs.arguments import add_command
from cmbs.place import CommandError, Database, current_database


def add(commands: Any) -> None:
    analyst = commands.add_parser("analyst", help="add, remove and list read-only logins")
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
    command.epilog = "example: cmbs analyst add ann"

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
    with current_database(options) as database:
        # Nobody is asked for a password on a socket in a folder that is its owner's alone.
        password = given or (None if database.server else secrets.token_urlsafe(24))
        _call(database, "add_analyst", options.name, password)
        print(f"{options.name} reads the views of schema cmbs and verifies:")
        print(f"    psql {shlex.quote(_conninfo(database.url, options.name))}")
        if database.server:
            print("while cmbs serve runs, for an account that may enter the folder of the socket")
        elif not given:
            print(f"password (shown this once): {password}")
    return 0


def _remove(options: argparse.Namespace) -> int:
    with current_database(options) as database:
        _call(database, "remove_analyst", options.name)
    print(f"{options.name} is removed")
    return 0


def _list(options: argparse.Namespace) -> int:
    with current_database(options) as database, psycopg.connect(database.url) as connection:
        for analyst in calls.call(connection, "list_analysts"):
            print(f"{analyst['name']}  {analyst['n_connections']} connections")
    return 0


def _read_password() -> str:
    password = sys.stdin.readline().rstrip("\r\n")
    if not password or "\0" in password:
        raise CommandError("standard input gave no password")
    return password


def _call(database: Database, function: str, name: str, password: str | None = None) -> None:
    with psycopg.connect(database.url, autocommit=True) as connection:
        arguments = {"name": name}
        if password:
            # Hashed here: the server, and so its log, never sees the password.
            hashed = connection.pgconn.encrypt_password(
                password.encode(), name.encode(), b"scram-sha-256"
            )
            arguments["verifier"] = hashed.decode()
        try:
            calls.call(connection, function, **arguments)
        except psycopg.Error as error:
            told = error.diag.message_primary or str(error)
            raise CommandError(f"{name}: {told}") from error


def _conninfo(url: str, name: str) -> str:
    parts = {**conninfo_to_dict(url), "user": name, "password": None}
    return make_conninfo(**{key: str(value) for key, value in parts.items() if value is not None})
