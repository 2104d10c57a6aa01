"""`cmbs explain`, `diff` and `whatif`: looking back on a session."""

import argparse
from typing import Any
from uuid import UUID

from cmbs.cli.arguments import an_id, whole_number
from cmbs.cli.say import belief
from cmbs.cli.session import add_verb_command, verbs_of
from cmbs.common.failure import CommandError
from cmbs.common.words import printable, read


def add(commands: Any) -> None:
    command = _add(commands, "explain", _explain)
    command.add_argument(
        "hypothesis", nargs="?", type=an_id, metavar="HYPOTHESIS", help="only why it is gone"
    )
    command.epilog = "example: cmbs explain SESSION dns"

    command = _add(commands, "diff", _diff)
    for name in ("from_event_id", "to_event_id"):
        command.add_argument(name, type=UUID, metavar="EVENT", help="its id; the order is free")
    command.epilog = "example: cmbs diff SESSION EVENT EVENT --json"

    command = _add(commands, "whatif", _whatif)
    command.add_argument(
        "--without-source",
        type=an_id,
        metavar="SOURCE",
        help="think its messages away; or one of them, with",
    )
    command.add_argument(
        "--without-observation",
        type=an_id,
        metavar="OBSERVATION",
        help="this one; alone, that of any source",
    )
    command.epilog = "example: cmbs whatif SESSION --without-source tool://df"


def _add(commands: Any, name: str, run: Any) -> argparse.ArgumentParser:
    command = add_verb_command(commands, name, run)
    command.add_argument("session", type=UUID, metavar="SESSION", help="its id")
    command.add_argument(
        "--limit",
        type=whole_number(1, 1000),
        metavar="N",
        help="entries of a list at most; the numbers count all, and whatif names every hypothesis "
        "that would return (default: 100, at most 1,000)",
    )
    return command


def _explain(options: argparse.Namespace) -> int:
    answer = _asked(options, "explain", hypothesis_id=options.hypothesis)
    return _print(options, answer, belief.explained)


def _diff(options: argparse.Namespace) -> int:
    ends = {name: getattr(options, name) for name in ("from_event_id", "to_event_id")}
    return _print(options, _asked(options, "diff", **ends), belief.compared)


def _whatif(options: argparse.Namespace) -> int:
    left_out = {name: getattr(options, name) for name in ("without_source", "without_observation")}
    if not any(left_out.values()):
        raise CommandError("name what to leave out: --without-source, --without-observation")
    return _print(options, _asked(options, "whatif", **left_out), belief.supposed)


def _asked(options: argparse.Namespace, verb: str, **arguments: object) -> str:
    with verbs_of(options) as verbs:
        return verbs(verb, session_id=options.session, limit=options.limit, **arguments)


def _print(options: argparse.Namespace, answer: str, tell: Any) -> int:
    print(printable(answer) if options.json else "\n".join(tell(read(answer))))
    return 0
