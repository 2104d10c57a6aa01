"""`cmbs tee mirror`: which Tee is told what sessions eliminate, and what it was not told."""

import argparse
import contextlib
import signal
from collections.abc import Iterator
from typing import Any

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_group, address, whole_number
from cmbs.cli.references import help_of, reference
from cmbs.cli.session import tell, tell_rows, verbs_of
from cmbs.common import words
from cmbs.common.words import count, printable


def add(group: Any) -> None:
    summary = "mirror to a Tee what sessions eliminate"
    actions = add_group(group, "mirror", "cmbs tee mirror status", summary)

    command = add_command(actions, "set", _set, "mirror sessions to a Tee from now on")
    command.add_argument(
        "endpoint", type=address, metavar="ENDPOINT", help="host:port, https:// before it for TLS"
    )
    command.epilog = (
        "Sessions that are declared from now on are mirrored, to their end. cmbs serve sends the "
        "messages, or cmbs tee mirror run; either shows the token in CMBS_TEE_TOKEN, and trusts "
        "the certificates in the file CMBS_TEE_CA. example: cmbs tee mirror set localhost:50051"
    )

    command = add_command(actions, "off", _off, "mirror no sessions that are declared from now on")
    command.epilog = (
        "Messages that were not sent yet, and those of mirrored sessions later, wait for the next "
        "one. example: cmbs tee mirror off"
    )

    command = add_command(actions, "status", _status, "show how far the mirror is behind")
    command.epilog = "example: cmbs tee mirror status"

    command = add_command(
        actions,
        "list",
        _list,
        "list messages that were not sent yet, or were refused",
        answers="an object on each line, from the view cmbs.tee_message",
    )
    command.add_argument(
        "--limit", type=whole_number(1, 1000), default=100, metavar="N", help="(default: 100)"
    )
    command.epilog = "The oldest come first. example: cmbs tee mirror list"

    command = add_command(actions, "retry", _retry, "send everything of sessions to the Tee again")
    command.add_argument(
        "session",
        nargs="?",
        type=reference("session"),
        metavar="SESSION",
        help=f"{help_of('session')} (default: every one of which the Tee refused something)",
    )
    command.epilog = (
        "After what it refused was mended, or after it has lost something; sending twice changes "
        "nothing. example: cmbs tee mirror retry"
    )

    command = add_command(
        actions, "run", _run, "send messages, without serving, until stopped", answers=""
    )
    command.epilog = "cmbs serve does the same by itself. example: cmbs tee mirror run"


def _set(options: argparse.Namespace) -> int:
    return _switch(options, options.endpoint)


def _off(options: argparse.Namespace) -> int:
    return _switch(options, None)


def _switch(options: argparse.Namespace, endpoint: str | None) -> int:
    with verbs_of(options) as verbs:
        text = verbs("set_mirror", endpoint=endpoint)

    def lines(answer: words.Object) -> Iterator[page.Part]:
        yield (
            "new sessions",
            (
                f"mirrored to {printable(answer['endpoint'])}"
                if answer["endpoint"]
                else "not mirrored"
            ),
        )

    tell(options, text, lines)
    return 0


def _status(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs("read_mirror")
    tell(options, text, _progress)
    return 0


def _progress(answer: words.Object) -> Iterator[page.Part]:
    yield "endpoint", printable(answer["endpoint"] or "none")
    yield "waiting", count(int(answer["n_pending"]), "message")
    yield "refused", count(int(answer["n_dead"]), "message")
    yield "sessions", f"{answer['n_sessions']} with messages that wait or were refused"
    yield "retries", str(answer["n_retries"])
    yield "behind", f"{float(answer['lag_seconds']):.1f} s"


def _list(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        from cmbs.cli import queries

        rows = verbs.rows(queries.undelivered_to_tee(options.limit))
    tell_rows(options, rows, _messages)
    if not rows:
        page.note("no message waits or was refused")
    return 0


def _messages(rows: list[words.Object]) -> Iterator[page.Part]:
    yield page.Table(
        ["session", "event", "state", "made", "tries", "last error"],
        [
            (
                *(page.Id(row["session_id"]), str(row["seq"]), page.State(row["state"])),
                *(page.when(row["created_at"]), str(row["n_attempts"])),
                printable(row["last_error"] or "-"),
            )
            for row in rows
        ],
    )


def _retry(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs("retry_mirror", session_id=options.session)

    def lines(answer: words.Object) -> Iterator[str]:
        messages = count(int(answer["n_messages"]), "message")
        sessions = count(int(answer["n_sessions"]), "session")
        yield f"{messages} of {sessions} will be sent again"

    tell(options, text, lines)
    return 0


def _run(options: argparse.Namespace) -> int:
    import asyncio

    from cmbs.api.shell.upkeep import mirroring
    from cmbs.cli.target import current_target

    with current_target(options) as database:
        server = database.server
        url = server.url("cmbs", "cmbs_server") if server else database.url
        print("the mirror runs; it sends to the Tee that cmbs tee mirror set names", flush=True)
        asyncio.run(_until_stopped(mirroring(url)))
    return 0


async def _until_stopped(work: Any) -> None:
    import asyncio

    task = asyncio.ensure_future(work)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task
