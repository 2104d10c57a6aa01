"""`cmbs webhook`: who is told of questions, and what could not be told."""

import argparse
import os
import sys
from typing import Any

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_group, add_tenant, address, whole_number
from cmbs.cli.say import execution
from cmbs.cli.session import tell, tell_rows, verbs_of
from cmbs.common import words
from cmbs.common.failure import UsageError

_SECRET = "CMBS_WEBHOOK_SECRET"


def add(commands: Any) -> None:
    group = add_group(commands, "webhook", "cmbs webhook list")

    command = add_command(group, "set", _set, "notify an address of questions from now on")
    command.add_argument("url", type=address, metavar="URL", help="http or https")
    add_tenant(command)
    command.epilog = (
        f"The secret that signs the messages is read from {_SECRET}, else from standard input; it "
        "has 24 characters or more, is kept in the database, and never shown. "
        "example: openssl rand -hex 32 | tee secret | cmbs webhook set https://chat.example/hook"
    )

    command = add_command(group, "off", _off, "stop notifying")
    add_tenant(command)
    command.epilog = (
        "Messages that were not delivered yet wait for the next one. example: cmbs webhook off"
    )

    command = add_command(
        group,
        "list",
        _list,
        "list messages that are not delivered yet, or never will be",
        answers="an object on each line, from the view cmbs.webhook_message",
    )
    command.add_argument(
        "--limit", type=whole_number(1, 1000), default=100, metavar="N", help="(default: 100)"
    )
    command.epilog = "The newest come first. example: cmbs webhook list"


def _set(options: argparse.Namespace) -> int:
    return _switch(options, options.url, _secret())


def _off(options: argparse.Namespace) -> int:
    return _switch(options, None, None)


def _switch(options: argparse.Namespace, url: str | None, secret: str | None) -> int:
    with verbs_of(options) as verbs:
        text = verbs("set_webhook", url=url, secret=secret, tenant=options.tenant)

    def lines(answer: words.Object) -> Any:
        yield "tenant", words.shown(answer["tenant"])
        yield "notifies", "nobody" if answer["url"] is None else words.shown(answer["url"])

    tell(options, text, lines)
    return 0


def _secret() -> str:
    secret = os.environ.get(_SECRET)
    if secret is None:
        secret = sys.stdin.readline().rstrip("\r\n")
    if not secret or "\0" in secret:
        raise UsageError(f"there is no secret: set {_SECRET}, or write it to standard input")
    return secret


def _list(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        from cmbs.cli import queries

        rows = verbs.rows(queries.undelivered_webhooks(options.limit))
    tell_rows(options, rows, execution.messages)
    if not rows:
        page.note("no message waits or was given up")
    return 0
