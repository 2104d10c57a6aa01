"""`cmbs inbox`: what agents ask people, and the answers."""

import argparse
import sys
from typing import Any
from uuid import UUID

from cmbs.cli.arguments import an_id, whole_number
from cmbs.cli.say import execution
from cmbs.cli.session import add_session, add_verb_command, meanings, tell, verbs_of
from cmbs.common import words
from cmbs.common.failure import CommandError

_STATUSES = {
    "pending": "it may be answered",
    "approved": "who asked may go on",
    "declined": "the answer is no",
    "cancelled": "it was closed without an answer",
    "consumed": "the approval was used",
    "superseded": "a constraint that a yes would lift was changed since",
    "expired": "question and answer ran out",
    "ended": "its session ended before",
}
_ANSWERS = {
    "approve": "let the one who asked go on with exactly this action",
    "decline": "say no",
    "cancel": "close a question without an answer",
}
_CANCEL = "It is neither yes nor no, and it, too, is for others than the one who asked. "


def add(commands: Any) -> None:
    inbox = commands.add_parser("inbox")
    inbox.epilog = "example: cmbs inbox list"
    group = inbox.add_subparsers(metavar="ACTION", required=True)

    command = add_verb_command(group, "list", _list, "list questions, first what runs out first")
    command.add_argument(
        "--status",
        choices=_STATUSES,
        default="pending",
        help=f"what has become of them: {meanings(_STATUSES)} (default: %(default)s)",
    )
    command.add_argument(
        "--session", type=UUID, metavar="ID", help="only of this one, the newest first"
    )
    command.add_argument(
        "--limit", type=whole_number(1, 500), default=50, metavar="N", help="at most (default: 50)"
    )
    command.add_argument(
        "--after", type=an_id, metavar="PLACE", help="go on where an earlier list ended"
    )
    command.epilog = "Each line begins with what show takes. example: cmbs inbox list"

    command = add_verb_command(group, "show", _show, "tell what exactly a question is about")
    _add_question(command)
    command.epilog = "example: cmbs inbox show SESSION INTERRUPT_ID"

    for name, summary in _ANSWERS.items():
        command = add_verb_command(group, name, _answer, summary)
        command.set_defaults(resolution=name)
        _add_question(command)
        command.add_argument("--comment", type=an_id, metavar="TEXT", help="why; it is recorded")
        command.epilog = (
            f"{_CANCEL if name == 'cancel' else ''}The login answers, as a principal with the role "
            "approver that did not ask. exit status: 0 it is recorded, 1 it is refused. "
            f"example: cmbs inbox {name} SESSION INTERRUPT_ID --comment 'ticket 12'"
        )


def _add_question(command: argparse.ArgumentParser) -> None:
    add_session(command)
    command.add_argument(
        "interrupt", type=UUID, metavar="INTERRUPT_ID", help="the question, as list shows it"
    )


def _list(options: argparse.Namespace) -> int:
    verb, where = "list_inbox", {"cursor": options.after}
    if options.session:
        verb, where = "list_interrupts", {"before": _number(options.after)}
        where["session_id"] = options.session
    with verbs_of(options) as verbs:
        text = verbs(verb, status=options.status, limit=options.limit, **where)
    if not tell(options, text, execution.inbox)["interrupts"]:
        print(f"cmbs: there is no question that is {options.status}", file=sys.stderr)
    return 0


def _number(after: str | None) -> Any:
    if after is not None and not after.isdecimal():
        raise CommandError("--after must be as an earlier list of this session told it")
    return after


def _show(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs("read_interrupt", session_id=options.session, interrupt_id=options.interrupt)
    tell(options, text, execution.question)
    return 0


def _answer(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "resolve_interrupt",
            session_id=options.session,
            interrupt_id=options.interrupt,
            resolution=options.resolution,
            comment=options.comment,
            minimal=True,
        )
        found = None
        if options.resolution == "approve":
            found = words.read(
                verbs("read_interrupt", session_id=options.session, interrupt_id=options.interrupt)
            )
    tell(options, text, lambda answer: execution.resolved(answer, found))
    return 0
