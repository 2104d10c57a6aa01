"""`cmbs permit`: leave to execute; `cmbs deferral`: what waits; `cmbs mode`: what may be at all."""

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from cmbs.cli.arguments import add_command, add_group, add_reference, an_id, whole_number
from cmbs.cli.files import members, sent_text
from cmbs.cli.say import execution
from cmbs.cli.session import in_units, meanings, tell, tell_page, verbs_of
from cmbs.common import words
from cmbs.common.failure import UsageError

if TYPE_CHECKING:
    from cmbs.database.verbs import Verbs

_STATUSES = {
    "issued": "it may be begun",
    "expired": "it ran out before it was begun",
    "executing": "it was begun, and its end is not reported yet",
    "committed": "it ended with ok",
    "rolled_back": "it ended with error",
    "ended": "its session ended before",
}
# From the freest down.
_MODES = ("boost", "normal", "eco", "thermal", "offline_safe")


def add(commands: Any) -> None:
    group = add_group(commands, "permit", "cmbs permit list last")

    command = add_command(group, "list", _list, "list the permits of a session, the newest first")
    add_reference(command, "session")
    command.add_argument(
        "--status", choices=_STATUSES, help=f"only {meanings(_STATUSES)} (default: all)"
    )
    _add_page(command)
    command.epilog = "example: cmbs permit list last --status executing"

    command = add_command(group, "show", _show, "show what a permit is for, and what became of it")
    _add_permit(command)
    command.epilog = "example: cmbs permit show last last"

    command = add_command(group, "begin", _begin, "begin an execution: from here on the tool runs")
    _add_permit(command)
    command.epilog = (
        "It works once, and only while what the decision rests on still holds. The tool is to be "
        "called with the arguments that are shown. exit status: 0 the tool is to run, 4 it must "
        "not. example: cmbs permit begin last last --json"
    )

    command = add_command(group, "complete", _complete, "report how an execution ended")
    _add_permit(command)
    command.add_argument("--outcome", choices=("ok", "error"), required=True, help="how it ended")
    command.add_argument(
        "--result", metavar="FILE|-", help="a JSON object with what the tool said; - for input"
    )
    command.add_argument(
        "--usage",
        action="append",
        default=[],
        type=in_units,
        metavar="UNIT=N",
        help="what it used up; more than once for several (default: one call)",
    )
    command.epilog = (
        "By the login that began it. exit status: 0 it is recorded, also where it was before, "
        "4 it is refused. "
        "example: cmbs permit complete last last --outcome ok --result result.json"
    )

    group = add_group(commands, "deferral", "cmbs deferral list last")
    command = add_command(
        group, "list", _deferrals, "list deferred proposals with every try, the last tried first"
    )
    add_reference(command, "session")
    _add_page(command)
    command.epilog = (
        "Where a try asked a person, it is the one to resume. example: cmbs deferral list last"
    )

    command = add_command(commands, "mode", _mode)
    add_reference(command, "session")
    command.add_argument(
        "mode",
        nargs="?",
        choices=_MODES,
        help="the least restricted first (default: show it)",
    )
    command.add_argument("--reason", type=an_id, metavar="TEXT", help="why; it is recorded")
    command.epilog = (
        "The pack says in policy.modes what each mode forbids. "
        "example: cmbs mode last offline_safe --reason 'the line is down'"
    )


def _add_page(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--limit", type=whole_number(1, 1000), metavar="N", help="at most (default: 100)"
    )
    command.add_argument(
        "--after",
        type=whole_number(1, 2**63 - 1),
        metavar="PLACE",
        help="go on where an earlier list ended",
    )


def _add_permit(command: argparse.ArgumentParser) -> None:
    add_reference(command, "session")
    add_reference(command, "permit")


def _list(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "list_permits",
            session_id=options.session,
            status=options.status,
            limit=options.limit,
            before=options.after,
        )
    which = f" that are {options.status}" if options.status else ""
    tell_page(options, text, execution.permits, f"there are no permits in this session{which}")
    return 0


def _show(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs("read_permit", session_id=options.session, permit_id=options.permit)
    tell(options, text, execution.permit)
    return 0


def _begin(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "begin_execution", session_id=options.session, permit_id=options.permit, minimal=True
        )
    tell(options, text, execution.begun)
    return 0


def _complete(options: argparse.Namespace) -> int:
    result = None
    if options.result:
        result = sent_text(options.result)
        members(options.result, result)
    with verbs_of(options) as verbs:
        text = verbs(
            "complete_execution",
            session_id=options.session,
            permit_id=options.permit,
            outcome=options.outcome,
            result=result,
            usage=json.dumps(dict(options.usage)) if options.usage else None,
            minimal=True,
        )
    tell(options, text, execution.completed)
    return 0


def _deferrals(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "list_deferrals",
            session_id=options.session,
            limit=options.limit,
            before=options.after,
        )
        asked: set[str] = set()
        if not options.json:
            asked = {*_asked(verbs, options.session, words.read(text)["deferrals"])}
    nothing = "nothing was deferred in this session"
    tell_page(options, text, lambda answer: execution.deferrals(answer, asked), nothing)
    return 0


def _asked(verbs: "Verbs", session: UUID, deferrals: list[words.Object]) -> Iterator[str]:
    """Of those that wait no more without a yes or no, the tries that opened a question."""
    for found in deferrals:
        if found["status"] == "defer":
            last = found["tries"][-1]["proposal_id"]
            why = words.read(verbs("explain_decision", session_id=session, proposal_id=last))
            if any("interrupt_id" in item for item in why["items"]):
                yield last


def _mode(options: argparse.Namespace) -> int:
    if options.mode is None and options.reason is not None:
        raise UsageError("--reason is why a mode is set: name the mode")
    with verbs_of(options) as verbs:
        text = (
            _mode_in_force(verbs, options.session)
            if options.mode is None
            else verbs(
                "set_mode",
                session_id=options.session,
                mode=options.mode,
                reason=options.reason,
                minimal=True,
            )
        )

    def lines(answer: words.Object) -> Any:
        yield "session", str(options.session)
        yield "mode", answer["mode"]

    tell(options, text, lines)
    return 0


def _mode_in_force(verbs: "Verbs", session: UUID) -> str:
    # A session that is not there was set to nothing, either: the verb says so.
    verbs("query_belief", session_id=session, minimal=True)
    # Other commands of this module call verbs alone, and have no use for what this loads.
    from cmbs.cli import queries

    found = verbs.rows(queries.mode_in_force(session))
    return json.dumps({"mode": found[0]["mode"] if found else "normal"})
