"""`cmbs tee mirror`: which Tee is told what sessions eliminate, and what it was not told."""

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from cmbs.cli.arguments import add_command, address, whole_number
from cmbs.cli.session import add_verb_command, tell, tell_rows, verbs_of
from cmbs.cli.target import current_target
from cmbs.common import words
from cmbs.common.words import count, printable
from cmbs.database import tables


def add(group: Any) -> None:
    mirror = group.add_parser("mirror", help="tell a Tee what sessions eliminate")
    mirror.epilog = "example: cmbs tee mirror status"
    actions = mirror.add_subparsers(metavar="ACTION", required=True)

    command = add_verb_command(actions, "set", _set, "mirror sessions to a Tee from now on")
    command.add_argument(
        "endpoint", type=address, metavar="ENDPOINT", help="host:port, https:// before it for TLS"
    )
    command.epilog = (
        "Sessions that are declared from now on are mirrored, to their end. cmbs serve tells the "
        "Tee, or cmbs tee mirror run; either shows the token in CMBS_TEE_TOKEN, and trusts the "
        "certificates in the file CMBS_TEE_CA. example: cmbs tee mirror set localhost:50051"
    )

    command = add_verb_command(
        actions, "off", _off, "mirror no sessions that are declared from now on"
    )
    command.epilog = (
        "What was not told yet, and what mirrored sessions eliminate later, waits for the next "
        "one. example: cmbs tee mirror off"
    )

    command = add_verb_command(actions, "status", _status, "tell how far the mirror is behind")
    command.epilog = "example: cmbs tee mirror status"

    command = add_verb_command(actions, "list", _list, "list what was not told yet, or was refused")
    command.add_argument(
        "--limit", type=whole_number(1, 1000), default=100, metavar="N", help="(default: 100)"
    )
    command.epilog = (
        "The oldest first; --json: an object on each line, from the view cmbs.tee_message. "
        "example: cmbs tee mirror list"
    )

    command = add_verb_command(
        actions, "retry", _retry, "tell the Tee everything of sessions again"
    )
    command.add_argument(
        "session",
        nargs="?",
        type=UUID,
        metavar="SESSION",
        help="its id (default: every session of which the Tee refused something)",
    )
    command.epilog = (
        "After what it refused was mended, or after it has lost something; telling it twice "
        "changes nothing. example: cmbs tee mirror retry"
    )

    command = add_command(actions, "run", _run, "tell the Tee, without serving, until stopped")
    command.epilog = "cmbs serve does the same by itself. example: cmbs tee mirror run"


def _set(options: argparse.Namespace) -> int:
    return _switch(options, options.endpoint)


def _off(options: argparse.Namespace) -> int:
    return _switch(options, None)


def _switch(options: argparse.Namespace, endpoint: str | None) -> int:
    with verbs_of(options) as verbs:
        text = verbs("set_mirror", endpoint=endpoint)

    def lines(answer: words.Object) -> Iterator[str]:
        where = answer["endpoint"]
        yield (
            "sessions that are declared from now on are "
            + (f"mirrored to {printable(where)}" if where else "not mirrored")
        )

    tell(options, text, lines)
    return 0


def _status(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs("read_mirror")
    tell(options, text, _standing)
    return 0


def _standing(answer: words.Object) -> Iterator[str]:
    yield f"endpoint  {printable(answer['endpoint'] or 'none')}"
    yield f"waiting   {count(int(answer['n_pending']), 'message')}"
    yield f"refused   {count(int(answer['n_dead']), 'message')}"
    yield f"both of   {count(int(answer['n_sessions']), 'session')}"
    yield f"retries   {answer['n_retries']}"
    yield f"behind    {float(answer['lag_seconds']):.1f} s"


def _list(options: argparse.Namespace) -> int:
    view = tables.tee_message
    query = (
        sa.select(view)
        .where(view.c.state != "delivered")
        .order_by(view.c.created_at, view.c.session_id, view.c.seq)
        .limit(options.limit)
    )
    with verbs_of(options) as verbs:
        rows = verbs.rows(query)
    tell_rows(options, rows, _message)
    if not rows:
        print("cmbs: everything was told", file=sys.stderr)
    return 0


def _message(row: words.Object) -> str:
    why = f": {printable(row['last_error'])}" if row["last_error"] else ""
    tries = count(row["n_attempts"], "try", "tries")
    return f"{row['session_id']} event {row['seq']}  {row['state']} after {tries}{why}"


def _retry(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs("retry_mirror", session_id=options.session)

    def lines(answer: words.Object) -> Iterator[str]:
        messages = count(int(answer["n_messages"]), "message")
        sessions = count(int(answer["n_sessions"]), "session")
        yield f"{messages} of {sessions} will be told again"

    tell(options, text, lines)
    return 0


def _run(options: argparse.Namespace) -> int:
    from cmbs.api.shell.upkeep import mirroring

    with current_target(options) as database:
        server = database.server
        url = server.url("cmbs", "cmbs_server") if server else database.url
        print("the mirror is running; it tells the Tee that cmbs tee mirror set names", flush=True)
        asyncio.run(_until_stopped(mirroring(url)))
    return 0


async def _until_stopped(work: Any) -> None:
    task = asyncio.ensure_future(work)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task
