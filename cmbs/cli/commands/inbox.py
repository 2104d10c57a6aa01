"""`cmbs inbox`: what agents ask people, and the answers."""

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_group, an_id, whole_number
from cmbs.cli.parser import Parser
from cmbs.cli.references import LAST, Reference, begins, help_of, reference
from cmbs.cli.say import execution
from cmbs.cli.session import meanings, tell, tell_page, verbs_of
from cmbs.common import words
from cmbs.common.failure import Status, UsageError

if TYPE_CHECKING:
    from cmbs.database.verbs import Verbs

_STATUSES = {
    "pending": "it may be answered",
    "approved": "who asked may continue",
    "declined": "the answer is no",
    "cancelled": "it was closed without an answer",
    "consumed": "the approval was used",
    "superseded": "a constraint that a yes would lift was changed since",
    "expired": "question and answer ran out",
    "ended": "its session ended before",
}
_ANSWERS = {
    "approve": "approve exactly this action",
    "decline": "say no",
    "cancel": "close a question without an answer",
}
_CANCEL = "It counts as neither yes nor no. "
_APPROVE = (
    "It shows the action and its digest, and asks before it approves; without a terminal it takes "
    "--yes. "
)
_PAGE = 500


def add(commands: Any) -> None:
    group = add_group(commands, "inbox", "cmbs inbox list")

    command = add_command(group, "list", _list, "list questions, the soonest to expire first")
    command.add_argument(
        "--status",
        choices=_STATUSES,
        help=f"what has become of them: {meanings(_STATUSES)} (default: pending; with "
        "--session all)",
    )
    command.add_argument(
        "--session",
        type=reference("session"),
        metavar="SESSION",
        help="only of this one, the newest first",
    )
    command.add_argument(
        "--limit", type=whole_number(1, 500), default=50, metavar="N", help="at most (default: 50)"
    )
    command.add_argument(
        "--after", type=an_id, metavar="PLACE", help="go on where an earlier list ended"
    )
    command.epilog = "example: cmbs inbox list"

    command = add_command(group, "show", _show, "show a question in full, with the action")
    command.set_defaults(action="show")
    _add_question(command)
    command.epilog = "example: cmbs inbox show last"

    for name, summary in _ANSWERS.items():
        command = add_command(group, name, _answer, summary)
        command.set_defaults(resolution=name, action=name, yes=True)
        _add_question(command)
        command.add_argument("--comment", type=an_id, metavar="TEXT", help="why; it is recorded")
        if name == "approve":
            command.add_argument(
                "--yes", action="store_true", default=False, help="approve without being asked"
            )
        lead = {"approve": _APPROVE, "cancel": _CANCEL}.get(name, "")
        command.epilog = (
            f"{lead}You answer as your login of the database: its owner, or one with the role "
            "approver, and never the one who asked. "
            f"example: cmbs inbox {name} last --comment 'ticket 12'"
        )


def _add_question(command: Parser) -> None:
    command.add_argument(
        "session",
        nargs="?",
        type=reference("session"),
        metavar="SESSION",
        help=f"{help_of('session')} (needed for questions that are not pending any more)",
    )
    command.add_argument(
        "question",
        type=reference("question"),
        metavar="QUESTION",
        help=help_of("question"),
    )


def _list(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        verb, where = "list_inbox", {"cursor": options.after}
        status = options.status or (None if options.session else "pending")
        if options.session:
            verb, where = "list_interrupts", {"before": _number(options.after)}
            where["session_id"] = options.session
        text = verbs(verb, status=status, limit=options.limit, **where)
    which = f"{status} question" if status else "question"
    tell_page(options, text, execution.inbox, f"there is no {which}")
    return 0


def _number(after: str | None) -> Any:
    if after is not None and not after.isdecimal():
        raise UsageError("--after must be as an earlier list of this session showed it")
    return after


def _show(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs("read_interrupt", **_named(verbs, options))
    tell(options, text, execution.question)
    return 0


def _answer(options: argparse.Namespace) -> int:
    asked = getattr(options.question, "text", None)
    with verbs_of(options) as verbs:
        if options.resolution == "approve" and options.yes and asked == LAST:
            raise UsageError("with --yes name the question by its id: another may be last by now")
        which = _named(verbs, options)
        found = None
        if options.resolution == "approve":
            found = words.read(verbs("read_interrupt", **which))
            if not options.yes and found["status"] == "pending" and not _is_wanted(verbs, found):
                page.note("nothing was approved")
                return Status.DECIDED_AGAINST
        text = verbs(
            "resolve_interrupt",
            **which,
            resolution=options.resolution,
            comment=options.comment,
            minimal=True,
        )
    tell(options, text, lambda answer: execution.resolved(answer, found))
    return 0


def _is_wanted(verbs: "Verbs", found: words.Object) -> bool:
    """Show what would be approved, and ask; not on standard output, which is the answer's."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "there is no terminal to ask on: look at the action with cmbs inbox show, and "
            "approve it with --yes"
        )
    page.show(execution.question(found), to=sys.stderr)
    who = words.shown(words.read(verbs("identify"))["name"])
    print(f"Approve exactly this action, as {who}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _named(verbs: "Verbs", options: argparse.Namespace) -> dict[str, UUID]:
    """The session and the id of the question: without a session, one of those that are pending."""
    question = options.question
    if options.session is not None:
        return {"session_id": options.session, "interrupt_id": question}
    pending = [*_pending(verbs)]
    text = question.text if isinstance(question, Reference) else str(question)
    if text == LAST:
        found = sorted(pending, key=lambda one: str(one["asked_at"]))[-1:]
    else:
        found = [one for one in pending if begins(one["interrupt_id"], text)]
    if len(found) == 1:
        return {name: UUID(found[0][name]) for name in ("session_id", "interrupt_id")}
    if found:
        raise UsageError(f"more than one pending question begins with {text}; give more of its id")
    which = "" if text == LAST else f" {text}"
    raise UsageError(
        f"there is no pending question{which}; one that was answered or has expired is named "
        f"after its session: cmbs inbox {options.action} SESSION {text}"
    )


def _pending(verbs: "Verbs") -> Iterator[words.Object]:
    """All that the login sees."""
    cursor = None
    while True:
        answer = words.read(verbs("list_inbox", limit=_PAGE, cursor=cursor))
        yield from answer["interrupts"]
        cursor = answer["next_cursor"]
        if cursor is None:
            break
