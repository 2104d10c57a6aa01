"""`cmbs token`: what principals show when they call over HTTP."""

import argparse
from datetime import UTC, datetime, timedelta
from typing import Any

from cmbs.cli import page
from cmbs.cli.arguments import (
    add_command,
    add_group,
    add_reference,
    add_tenant,
    an_id,
    whole_number,
)
from cmbs.cli.say import identity
from cmbs.cli.session import tell_answer, tell_rows
from cmbs.common.words import as_json, shown

_NEW = "one object, with the token"


def add(commands: Any) -> None:
    group = add_group(commands, "token", "cmbs token create planner")

    command = add_command(
        group, "create", _create_token, "make a token of a principal", answers=_NEW
    )
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
        "Only the token goes to standard output; what it is goes to standard error. "
        "example: TOKEN=$(cmbs token create planner)"
    )

    command = add_command(
        group,
        "rotate",
        _rotate_token,
        "replace a token: revoke it and make another",
        answers=_NEW,
    )
    add_reference(command, "token", "token_id")
    _add_days(command, "as long as the old one was to last")
    command.epilog = (
        "The new token has the same principal, verbs and tenant. "
        "example: TOKEN=$(cmbs token rotate 9b2f6c1e)"
    )

    command = add_command(group, "revoke", _revoke_token, "revoke a token, at once")
    add_reference(command, "token", "token_id")
    command.epilog = "example: cmbs token revoke 9b2f6c1e"

    command = add_command(
        group,
        "list",
        _list_tokens,
        "list tokens, newest first",
        answers="an object on each line",
    )
    command.add_argument(
        "name", nargs="?", type=an_id, metavar="NAME", help="only those of this principal"
    )
    add_tenant(command, "all that the login sees")
    command.epilog = "example: cmbs token list planner"


def _add_days(command: argparse.ArgumentParser, default: str) -> None:
    command.add_argument(
        "--days",
        type=whole_number(1, 36500),
        metavar="N",
        help=f"it expires after so many days (default: {default})",
    )


def _create_token(options: argparse.Namespace) -> int:
    names = ("name", "verbs", "scope_tenant", "tenant")
    return _new_token(options, "create_token", *names)


def _rotate_token(options: argparse.Namespace) -> int:
    return _new_token(options, "rotate_token", "token_id")


def _new_token(options: argparse.Namespace, verb: str, *names: str) -> int:
    from cmbs.cli.callers import connected
    from cmbs.database import calls, tokens

    new = tokens.new()
    expires_at = options.days and datetime.now(UTC) + timedelta(days=options.days)
    with connected(options) as connection:
        made = calls.call(
            connection,
            verb,
            # By now the database has said which id is meant.
            **{name: getattr(options, name) for name in names},
            digest=new.digest,
            prefix=new.prefix,
            expires_at=expires_at,
        )
    until = made["expires_at"][:16].replace("T", " ")
    sentence = f"token {made['token_id']} of {shown(made['name'])} until {until}"
    sentence += f", begins with {made['prefix']}, shown this once"
    if "replaces" in made:
        sentence += f"; {made['replaces']} is revoked"
    # First, so that a token whose reader has gone can still be revoked.
    page.note(sentence)
    print(as_json({**made, "token": new.text}) if options.json else new.text)
    return 0


def _revoke_token(options: argparse.Namespace) -> int:
    from cmbs.cli.callers import connected
    from cmbs.database import calls

    with connected(options) as connection:
        revoked = calls.call(connection, "revoke_token", token_id=options.token_id)
    tell_answer(options, revoked, _revoked)
    return 0


def _revoked(answer: dict[str, Any]) -> Any:
    yield "token", f"{answer['token_id']} of {shown(answer['name'])}"
    before = ", before this" if answer["duplicate"] else ""
    yield "revoked", f"{page.when(answer['revoked_at'])}{before}"


def _list_tokens(options: argparse.Namespace) -> int:
    from cmbs.cli.callers import pages

    found = [*pages(options, "list_tokens", "tokens", options.name)]
    tell_rows(options, found, identity.tokens)
    if not found:
        page.note("there is no token")
    return 0
