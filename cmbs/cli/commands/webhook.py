"""`cmbs webhook`: who is told of questions, and what could not be told."""

import argparse
import os
import sys
from typing import Any

import sqlalchemy as sa

from cmbs.cli.arguments import address, whole_number
from cmbs.cli.commands.identities import add_tenant
from cmbs.cli.say import execution
from cmbs.cli.session import add_verb_command, tell, tell_rows, verbs_of
from cmbs.common import words
from cmbs.common.failure import CommandError
from cmbs.database import tables

_SECRET = "CMBS_WEBHOOK_SECRET"


def add(commands: Any) -> None:
    webhook = commands.add_parser("webhook")
    webhook.epilog = "example: cmbs webhook list"
    group = webhook.add_subparsers(metavar="ACTION", required=True)

    command = add_verb_command(group, "set", _set, "tell an address of questions from now on")
    command.add_argument("url", type=address, metavar="URL", help="http or https")
    add_tenant(command)
    command.epilog = (
        f"The secret that signs what is told is read from {_SECRET}, else from standard input; it "
        "has 24 characters or more, is kept in the database, and never shown. "
        "example: openssl rand -hex 32 | tee secret | cmbs webhook set https://chat.example/hook"
    )

    command = add_verb_command(group, "off", _off, "tell nobody any more")
    add_tenant(command)
    command.epilog = "What was not told yet waits for the next one. example: cmbs webhook off"

    command = add_verb_command(group, "list", _list, "list what was not told yet, or never will be")
    command.add_argument(
        "--limit", type=whole_number(1, 1000), default=100, metavar="N", help="(default: 100)"
    )
    command.epilog = (
        "The newest first; --json: an object on each line, from the view cmbs.webhook_message. "
        "example: cmbs webhook list"
    )


def _set(options: argparse.Namespace) -> int:
    return _switch(options, options.url, _secret())


def _off(options: argparse.Namespace) -> int:
    return _switch(options, None, None)


def _switch(options: argparse.Namespace, url: str | None, secret: str | None) -> int:
    with verbs_of(options) as verbs:
        text = verbs("set_webhook", url=url, secret=secret, tenant=options.tenant)

    def lines(answer: words.Object) -> Any:
        to = "nobody" if answer["url"] is None else words.shown(answer["url"])
        yield f"of the questions of tenant {words.shown(answer['tenant'])} {to} is told"

    tell(options, text, lines)
    return 0


def _secret() -> str:
    secret = os.environ.get(_SECRET)
    if secret is None:
        secret = sys.stdin.readline().rstrip("\r\n")
    if not secret or "\0" in secret:
        raise CommandError(f"there is no secret: set {_SECRET}, or write it to standard input")
    return secret


def _list(options: argparse.Namespace) -> int:
    view = tables.webhook_message
    query = (
        sa.select(view)
        .where(view.c.state != "delivered")
        .order_by(view.c.created_at.desc(), view.c.message_id)
        .limit(options.limit)
    )
    with verbs_of(options) as verbs:
        rows = verbs.rows(query)
    tell_rows(options, rows, execution.message)
    if not rows:
        print("cmbs: everything was told", file=sys.stderr)
    return 0
