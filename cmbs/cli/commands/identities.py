"""`cmbs principal`: who may call, and what."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.errors import InsufficientPrivilege
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from cmbs.cli import report
from cmbs.cli.arguments import add_command, an_id
from cmbs.cli.target import current_target
from cmbs.common.failure import CommandError
from cmbs.common.words import shown
from cmbs.database import calls, tables
from cmbs.database.connections import connect, engine
from cmbs.database.failures import refusals_as_failures
from cmbs.database.principals import KINDS, ROLES
from cmbs.deploy.target import Target
from cmbs.errors import Conflict, Forbidden, Unauthenticated

_PAGE = 500


def add(commands: Any) -> None:
    principal = commands.add_parser("principal")
    principal.epilog = "example: cmbs principal create planner --role agent --source tool://"
    group = principal.add_subparsers(metavar="ACTION", required=True)

    command = add_command(group, "create", _create_principal, "make a principal, who may call")
    command.add_argument("name", type=an_id, metavar="NAME", help="the actor of its events")
    command.add_argument(
        "--kind", choices=KINDS, default="service", help="what it is (default: %(default)s)"
    )
    _add_rights(command)
    command.add_argument(
        "--login",
        action="store_true",
        help="it is the role of PostgreSQL of this name, and has no tokens",
    )
    add_tenant(command)
    command.epilog = (
        "The same again changes nothing. "
        "example: cmbs principal create planner --kind agent --role agent --source tool://"
    )

    command = add_command(group, "change", _change_principal, "change what a principal may")
    command.add_argument("name", type=an_id, metavar="NAME", help="of the principal")
    _add_rights(command, changing=True)
    is_enabled = command.add_mutually_exclusive_group()
    is_enabled.add_argument(
        "--enable", dest="is_enabled", action="store_const", const=True, help="let it call again"
    )
    is_enabled.add_argument(
        "--disable",
        dest="is_enabled",
        action="store_const",
        const=False,
        help="let it call no more",
    )
    add_tenant(command)
    command.epilog = (
        "What is not named stays as it is; it counts from the next call on. "
        "example: cmbs principal change planner --disable"
    )

    command = add_command(group, "list", _list_principals, "list who may call")
    add_tenant(command, "all that the login sees")
    command.epilog = "example: cmbs principal list --tenant acme"


def _add_rights(command: argparse.ArgumentParser, *, changing: bool = False) -> None:
    command.add_argument(
        "--role",
        action="append",
        dest="roles",
        choices=ROLES,
        required=not changing,
        help="what it may, apart from reading; more than once for several"
        + (", which replace all" * changing),
    )
    sources = command.add_mutually_exclusive_group()
    sources.add_argument(
        "--source",
        action="append",
        dest="source_prefixes",
        type=an_id,
        metavar="PREFIX",
        help="how the ids of sources begin that it speaks for; '' for any; more than once for "
        "several" + (", which replace all" * changing or " (default: none)"),
    )
    if changing:
        sources.add_argument(
            "--no-sources", action="store_const", const=[], dest="source_prefixes", help="none"
        )


def add_tenant(
    command: argparse.ArgumentParser,
    default: str = "that of the login, which is `default` for the owner of the database",
) -> None:
    command.add_argument(
        "--tenant",
        type=an_id,
        metavar="TENANT",
        help=f"the one meant; '*' is of those who see all (default: {default})",
    )


@contextmanager
def connected(options: argparse.Namespace) -> Iterator[psycopg.Connection[Any]]:
    with current_target(options, make=False) as database, _calling(database) as connection:
        yield connection


@contextmanager
def _calling(database: Target) -> Iterator[psycopg.Connection[Any]]:
    """What the login may not is told with who may: no command shows a token."""
    with connect(database.url, autocommit=True) as connection, refusals_as_failures():
        try:
            yield connection
        except (psycopg.Error, DBAPIError) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            refusals = (InsufficientPrivilege, Unauthenticated, Forbidden)
            if not isinstance(cause, refusals) or (
                isinstance(cause, Forbidden) and "required_roles" not in cause.details
            ):
                raise
            problem = (cause.diag.message_primary or "").removesuffix(".")
            raise CommandError(
                f"{problem}: log in as a member of cmbs_owner or cmbs_admin"
            ) from error


def _create_principal(options: argparse.Namespace) -> int:
    with current_target(options) as database, _calling(database) as connection:
        if database.server and database.is_new:
            print(f"cmbs: made a database at {database.server.data_dir}", file=sys.stderr)
        try:
            made = calls.call(
                connection,
                "create_principal",
                name=options.name,
                kind=options.kind,
                roles=options.roles,
                source_prefixes=options.source_prefixes or [],
                tenant=options.tenant,
                is_login=options.login,
            )
        except Conflict as error:
            if not (there := _tenants(database.url, options.name)):
                raise
            tenants = listed([shown(tenant) for tenant in there])
            raise CommandError(
                f"there is another principal {shown(options.name)}, of the tenant {tenants}: "
                "change it with cmbs principal change"
            ) from error
        counted = report.count_identities(database.url)
    print(_principal_line(made))
    if not made["source_prefixes"] and {*made["roles"]} & {"agent", "tool", "encoder"}:
        name = shown(made["name"])
        print(
            f"cmbs: {name} speaks for no source, so nothing that it says can eliminate anything: "
            f"cmbs principal change {name} --source PREFIX",
            file=sys.stderr,
        )
    if not made["duplicate"] and counted and counted.n_principals == 1:
        print(
            "cmbs: this is the first principal: from now on the HTTP server of this database asks "
            "every caller for a token",
            file=sys.stderr,
        )
    return 0


def _change_principal(options: argparse.Namespace) -> int:
    with connected(options) as connection:
        changed = calls.call(
            connection,
            "change_principal",
            name=options.name,
            roles=options.roles,
            source_prefixes=options.source_prefixes,
            is_enabled=options.is_enabled,
            tenant=options.tenant,
        )
    print(_principal_line(changed))
    return 0


def _list_principals(options: argparse.Namespace) -> int:
    found = pages(options, "list_principals", "principals")
    return print_each(map(_principal_line, found), "principal")


def print_each(lines: Iterable[str], what: str) -> int:
    is_there = False
    for line in lines:
        is_there = True
        print(line)
    if not is_there:
        print(f"cmbs: there is no {what}", file=sys.stderr)
    return 0


def pages(
    options: argparse.Namespace, verb: str, member: str, name: str | None = None
) -> Iterator[dict[str, Any]]:
    """What is listed of the tenant, or of every one that the login sees; only of this name."""
    more = {} if name is None else {"name": name}
    with current_target(options, make=False) as database, _calling(database) as connection:
        tenants: Sequence[str | None] = [options.tenant]
        if options.tenant is None:
            # Where there is none, the verb says what that means.
            tenants = _tenants(database.url, name) or tenants
        for tenant in tenants:
            after = None
            while True:
                page = calls.call(connection, verb, **more, limit=_PAGE, after=after, tenant=tenant)
                yield from page[member]
                after = page["next_after"]
                if after is None:
                    break


def _tenants(url: str, name: str | None = None) -> Sequence[str]:
    """Those of the principals that the login sees; only of this name."""
    principal = tables.principal.c
    query = select(principal.tenant).distinct().order_by(principal.tenant)
    if name is not None:
        query = query.where(principal.name == name)
    with engine(url).connect() as connection:
        return connection.scalars(query).all()


def _principal_line(principal: dict[str, Any]) -> str:
    sources = [shown(prefix) if prefix else "any" for prefix in principal["source_prefixes"]]
    parts = [
        shown(principal["name"]),
        f"tenant {shown(principal['tenant'])}",
        principal["kind"],
        f"roles {listed(principal['roles'])}",
        f"sources {listed(sources)}",
    ]
    parts += ["login"] * principal["is_login"] + ["disabled"] * (not principal["is_enabled"])
    return "  ".join(parts)


def listed(names: list[str]) -> str:
    return ", ".join(names) or "none"
