"""`cmbs principal`: who may call, and what."""

import argparse
import shlex
from typing import Any

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_group, add_tenant, an_id
from cmbs.cli.say import identity
from cmbs.cli.session import tell_answer, tell_rows
from cmbs.common.failure import RefusedError
from cmbs.common.words import shown
from cmbs.database.principals import KINDS, ROLES


def add(commands: Any) -> None:
    group = add_group(
        commands, "principal", "cmbs principal create planner --role agent --source tool://"
    )

    command = add_command(group, "create", _create_principal, "make a principal: who may call")
    command.add_argument(
        "name", type=an_id, metavar="NAME", help="recorded as the actor of its events"
    )
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
        "Repeating the command changes nothing. "
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

    command = add_command(
        group, "list", _list_principals, "list who may call", answers="an object on each line"
    )
    add_tenant(command, "all that the login sees")
    command.epilog = "example: cmbs principal list --tenant acme"


def _add_rights(command: argparse.ArgumentParser, *, changing: bool = False) -> None:
    command.add_argument(
        "--role",
        action="append",
        dest="roles",
        choices=ROLES,
        required=not changing,
        help="what it may do besides reading (see docs/identities.md); more than once for several"
        + (", which replace all" * changing),
    )
    sources = command.add_mutually_exclusive_group()
    sources.add_argument(
        "--source",
        action="append",
        dest="source_prefixes",
        type=an_id,
        metavar="PREFIX",
        help="beginning of the source ids that it may speak for; '' for any; more than once for "
        "several" + (", which replace all" * changing or " (default: none)"),
    )
    if changing:
        sources.add_argument(
            "--no-sources", action="store_const", const=[], dest="source_prefixes", help="none"
        )


def _create_principal(options: argparse.Namespace) -> int:
    from cmbs.cli import callers, report
    from cmbs.cli.target import current_target
    from cmbs.database import calls
    from cmbs.errors import Conflict

    with current_target(options) as database, callers.calling(database) as connection:
        if database.server and database.is_new:
            page.note(f"made a database at {database.server.data_dir}")
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
            if not (there := callers.tenants(database.url, options.name)):
                raise
            tenants = identity.listed([shown(tenant) for tenant in there])
            raise RefusedError(
                f"there is another principal {shown(options.name)}, of the tenant {tenants}: "
                f"change it with {_change(options.name, there[0])}"
            ) from error
        counted = report.count_identities(database.url)
    tell_answer(options, made, identity.principal)
    if not made["source_prefixes"] and {*made["roles"]} & {"agent", "tool", "encoder"}:
        name = shown(made["name"])
        page.note(
            f"{name} speaks for no source, so nothing that it says can eliminate anything: "
            f"{_change(made['name'], made['tenant'])} --source PREFIX"
        )
    if not made["duplicate"] and counted and counted.n_principals == 1:
        page.note(
            "this is the first principal: from now on the HTTP server of this database asks every "
            "caller for a token"
        )
    return 0


def _change(name: str, tenant: str) -> str:
    """The command that changes a principal."""
    of = "" if tenant == "default" else f" --tenant {shlex.quote(tenant)}"
    return f"cmbs principal change {shlex.quote(name)}{of}"


def _change_principal(options: argparse.Namespace) -> int:
    from cmbs.cli.callers import connected
    from cmbs.database import calls

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
    tell_answer(options, changed, identity.principal)
    return 0


def _list_principals(options: argparse.Namespace) -> int:
    from cmbs.cli.callers import pages

    found = [*pages(options, "list_principals", "principals")]
    tell_rows(options, found, identity.principals)
    if not found:
        page.note("there is no principal")
    return 0
