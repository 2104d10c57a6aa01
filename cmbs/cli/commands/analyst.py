"""`cmbs analyst`: logins that read the views, verify, and may nothing else."""

import argparse
import contextlib
import secrets
import shlex
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_group, an_id
from cmbs.cli.session import tell_answer, tell_rows
from cmbs.common.failure import RefusedError, UsageError
from cmbs.common.words import shown

if TYPE_CHECKING:
    import psycopg

    from cmbs.deploy.target import Target


def add(commands: Any) -> None:
    group = add_group(commands, "analyst", "cmbs analyst add ann")

    command = add_command(
        group,
        "add",
        _add,
        "make a login that reads the views and verifies",
        answers="one object: name, connection, password (null if none was made)",
    )
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

    command = add_command(
        group, "list", _list, "list the logins of analysts", answers="an object on each line"
    )
    command.epilog = "example: cmbs analyst list"


def _name(text: str) -> str:
    if "\0" in text or not text.isprintable():
        raise argparse.ArgumentTypeError("must be printable")
    return text


def _add(options: argparse.Namespace) -> int:
    from cmbs.cli.target import current_target
    from cmbs.database import calls

    given = _read_password() if options.password_stdin else None
    with current_target(options) as database:
        # Nobody is asked for a password on a socket in a folder that is its owner's alone.
        password = given or (None if database.server else secrets.token_urlsafe(24))
        with _calling(database, options.name) as connection:
            verifier = _hashed(connection, options.name, password) if password else None
            calls.call(connection, "add_analyst", name=options.name, verifier=verifier)
            _register(connection, options.name, options.tenant)
        made = None if given else password
        found = {"name": options.name, "connection": _conninfo(database.url, options.name)}
        tell_answer(options, {**found, "password": made}, _added)
        if database.server:
            page.note("it works while cmbs serve runs, for accounts that may enter that folder")
    return 0


def _added(made: dict[str, Any]) -> Iterator[page.Part]:
    yield "analyst", f"{shown(made['name'])}, who reads the views of the schema cmbs and verifies"
    yield "connect", f"psql {shlex.quote(made['connection'])}"
    if made["password"]:
        yield "password", f"{made['password']} (shown this once)"


def _register(connection: "psycopg.Connection[Any]", name: str, tenant: str | None) -> None:
    """Make the login a principal of the tenant; by itself it is of `default`."""
    from cmbs.database import calls

    known = _tenant(connection, name)
    if known and known != tenant:
        raise RefusedError(
            f"{name} is registered for the tenant {shown(known)} from before: name it with --tenant"
        )
    rights = {"name": name, "roles": ["auditor"], "tenant": tenant}
    if known:
        calls.call(connection, "change_principal", **rights, is_enabled=True)
    elif tenant is not None:
        calls.call(connection, "create_principal", **rights, kind="human", is_login=True)


def _remove(options: argparse.Namespace) -> int:
    from cmbs.cli.target import current_target
    from cmbs.database import calls

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
    tell_answer(
        options, {"name": options.name}, lambda found: [f"{shown(found['name'])} is removed"]
    )
    return 0


def _list(options: argparse.Namespace) -> int:
    from cmbs.cli.target import current_target
    from cmbs.database import calls
    from cmbs.database.connections import connect

    with current_target(options) as database, connect(database.url) as connection:
        rows = calls.call(connection, "list_analysts")
    tell_rows(options, rows, _listed)
    if not rows:
        page.note("there is no analyst")
    return 0


def _listed(rows: list[dict[str, Any]]) -> Iterator[page.Part]:
    yield page.Table(
        ["analyst", "tenant", "connections"],
        [
            (shown(row["name"]), shown(row["tenant"] or "default"), str(row["n_connections"]))
            for row in rows
        ],
    )


def _tenant(connection: "psycopg.Connection[Any]", name: str) -> str | None:
    """The one that an analyst is registered for."""
    from cmbs.database import calls

    listed = calls.call(connection, "list_analysts")
    return next((one["tenant"] for one in listed if one["name"] == name), None)


def _read_password() -> str:
    password = sys.stdin.readline().rstrip("\r\n")
    if not password or "\0" in password:
        raise UsageError("standard input gave no password")
    return password


@contextlib.contextmanager
def _calling(database: "Target", name: str) -> Iterator["psycopg.Connection[Any]"]:
    """One transaction; what it cannot do is told with the name of the analyst."""
    import psycopg

    from cmbs.database.connections import connect
    from cmbs.database.failures import refusals_as_failures

    try:
        with connect(database.url) as connection, refusals_as_failures():
            yield connection
    except psycopg.Error as error:
        problem = error.diag.message_primary or str(error)
        # Whoever is not there was mistyped.
        is_missing = isinstance(error, psycopg.errors.UndefinedObject)
        kind = UsageError if is_missing else RefusedError
        raise kind(f"{shown(name)}: {problem}") from error


def _hashed(connection: "psycopg.Connection[Any]", name: str, password: str) -> str:
    """Hashed here, so that the server, and so its log, never sees the password."""
    hashed = connection.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256")
    return hashed.decode()


def _conninfo(url: str, name: str) -> str:
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    parts = {**conninfo_to_dict(url), "user": name, "password": None}
    return make_conninfo(**{key: str(value) for key, value in parts.items() if value is not None})
