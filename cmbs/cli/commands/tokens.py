"""`cmbs token`: what principals show when they call over HTTP."""

import argparse
import sys
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from cmbs.cli.arguments import add_command, an_id, whole_number
from cmbs.cli.commands.identities import add_tenant, connected, listed, pages, print_each
from cmbs.common.words import shown
from cmbs.database import calls, tokens


def add(commands: Any) -> None:
    token = commands.add_parser("token")
    token.epilog = "example: cmbs token create planner"
    group = token.add_subparsers(metavar="ACTION", required=True)

    command = add_command(group, "create", _create_token, "make a token of a principal")
    command.add_argument("name", type=an_id, metavar="NAME", help="of the principal")
    command.add_argument(
        "--verb",
        action="append",
        dest="verbs",
        type=an_id,
        metavar="VERB",
        help="one that it covers, such as eliminate; more than once for several (default: all)",
    )
    command.add_argument(
        "--scope-tenant",
        type=an_id,
        metavar="TENANT",
        help="the one tenant that it is for, where its principal sees all",
    )
    _add_days(command, "90")
    add_tenant(command)
    command.epilog = (
        "The token alone goes to standard output, what it is to standard error. "
        "example: TOKEN=$(cmbs token create planner)"
    )

    command = add_command(group, "rotate", _rotate_token, "replace a token, which is revoked")
    _add_token_id(command)
    _add_days(command, "as long as the old one was to last")
    command.epilog = (
        "The new token has the same principal, verbs and tenant. "
        "example: TOKEN=$(cmbs token rotate 9b2f6c1e-5a53-0c1b-9f6e-9a3f2a0d7c11)"
    )

    command = add_command(group, "revoke", _revoke_token, "let a token count no more, at once")
    _add_token_id(command)
    command.epilog = "example: cmbs token revoke 9b2f6c1e-5a53-0c1b-9f6e-9a3f2a0d7c11"

    command = add_command(group, "list", _list_tokens, "list tokens, newest first")
    command.add_argument(
        "name", nargs="?", type=an_id, metavar="NAME", help="only those of this principal"
    )
    add_tenant(command, "all that the login sees")
    command.epilog = "example: cmbs token list planner"


def _add_token_id(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "token_id", type=UUID, metavar="TOKEN_ID", help="its id, as list shows it; no secret"
    )


def _add_days(command: argparse.ArgumentParser, default: str) -> None:
    command.add_argument(
        "--days",
        type=whole_number(1, 36500),
        metavar="N",
        help=f"it ends by itself after so many (default: {default})",
    )


def _create_token(options: argparse.Namespace) -> int:
    return _new_token(
        options,
        "create_token",
        name=options.name,
        verbs=options.verbs,
        scope_tenant=options.scope_tenant,
        tenant=options.tenant,
    )


def _rotate_token(options: argparse.Namespace) -> int:
    return _new_token(options, "rotate_token", token_id=options.token_id)


def _new_token(options: argparse.Namespace, verb: str, **arguments: object) -> int:
    new = tokens.new()
    expires_at = options.days and datetime.now(UTC) + timedelta(days=options.days)
    with connected(options) as connection:
        made = calls.call(
            connection,
            verb,
            **arguments,
            digest=new.digest,
            prefix=new.prefix,
            expires_at=expires_at,
        )
    sentence = (
        f"cmbs: token {made['token_id']} of {shown(made['name'])} until {_time(made['expires_at'])}"
    )
    sentence += f", begins with {made['prefix']}, shown this once"
    if "replaces" in made:
        sentence += f"; {made['replaces']} is revoked"
    # First, so that a token whose reader has gone can still be revoked.
    print(sentence, file=sys.stderr, flush=True)
    print(new.text)
    return 0


def _revoke_token(options: argparse.Namespace) -> int:
    with connected(options) as connection:
        revoked = calls.call(connection, "revoke_token", token_id=options.token_id)
    when = f"since {_time(revoked['revoked_at'])}" if revoked["duplicate"] else "now"
    print(f"token {revoked['token_id']} of {shown(revoked['name'])} is revoked {when}")
    return 0


def _list_tokens(options: argparse.Namespace) -> int:
    found = pages(options, "list_tokens", "tokens", options.name)
    return print_each(map(_token_line, found), "token")


def _token_line(token: dict[str, Any]) -> str:
    parts = [
        token["token_id"],
        shown(token["name"]),
        f"tenant {shown(token['tenant'])}",
        f"{token['prefix']}...",
    ]
    if token["revoked_at"]:
        parts.append(f"revoked {_time(token['revoked_at'])}")
    else:
        parts.append(f"until {_time(token['expires_at'])}")
    used = token["last_used_at"]
    parts.append(f"used {_time(used)}" if used else "never used")
    if token["verbs"]:
        parts.append(f"verbs {listed(token['verbs'])}")
    if token["scope_tenant"]:
        parts.append(f"for tenant {shown(token['scope_tenant'])}")
    return "  ".join(parts)


def _time(told: str) -> str:
    """To the minute, in UTC, as all times are told."""
    return told[:16].replace("T", " ")
