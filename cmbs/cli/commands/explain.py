"""`cmbs explain`, `diff` and `whatif`: looking back on a session."""

import argparse
from typing import Any

from cmbs.cli.arguments import add_command, add_reference, an_id, whole_number
from cmbs.cli.parser import Parser, nearest
from cmbs.cli.references import help_of, reference
from cmbs.cli.say import belief
from cmbs.cli.session import tell, verbs_of
from cmbs.common.failure import UsageError
from cmbs.common.words import printable, read

# So many survivors are named.
_FEW = 20


def add(commands: Any) -> None:
    command = _add(commands, "explain", _explain)
    command.add_argument(
        "hypothesis",
        nargs="?",
        type=an_id,
        metavar="HYPOTHESIS",
        help="show only what ruled out this one",
    )
    command.epilog = "example: cmbs explain last dns"

    command = _add(commands, "diff", _diff)
    for name in ("from_event_id", "to_event_id"):
        command.add_argument(name, type=reference("event"), metavar="EVENT", help=help_of("event"))
    command.epilog = "The two events may be given in any order. example: cmbs diff last 1 last"

    command = _add(commands, "whatif", _whatif)
    command.add_argument(
        "--without-source",
        type=an_id,
        metavar="SOURCE",
        help="leave out all messages of this source",
    )
    command.add_argument(
        "--without-observation",
        type=an_id,
        metavar="OBSERVATION",
        help="leave out this observation only, of the source if one is named",
    )
    command.epilog = (
        "Every hypothesis that would return is named. "
        "example: cmbs whatif last --without-source tool://df"
    )


def _add(commands: Any, name: str, run: Any) -> Parser:
    command = add_command(commands, name, run, answers="the answer of the verb as it is")
    add_reference(command, "session")
    command.add_argument(
        "--limit",
        type=whole_number(1, 1000),
        metavar="N",
        help="entries of a list at most; the numbers count all (default: 100, at most 1,000)",
    )
    return command


def _explain(options: argparse.Namespace) -> int:
    from cmbs.errors import InvalidHypothesisId

    with verbs_of(options) as verbs:
        session, wanted = options.session, options.hypothesis
        try:
            text = verbs("explain", session_id=session, limit=options.limit, hypothesis_id=wanted)
        except InvalidHypothesisId as error:
            from cmbs.cli import queries

            near = verbs.rows_if_allowed(queries.members(session)) or []
            known = nearest(wanted, (row["hypothesis_id"] for row in near))
            raise UsageError(
                f"the session has no hypothesis {printable(wanted)}{printable(known)}"
            ) from error
        survivors: list[str] = []
        if not options.json and read(text)["snapshot"]["n_survivors"] <= _FEW:
            survivors = read(verbs("query_belief", session_id=session))["survivors"]
    tell(options, text, lambda answer: belief.explained(answer, survivors))
    return 0


def _diff(options: argparse.Namespace) -> int:
    return _ask(options, "diff", belief.compared, "from_event_id", "to_event_id")


def _whatif(options: argparse.Namespace) -> int:
    if options.without_source is None and options.without_observation is None:
        raise UsageError("name what to leave out: --without-source, --without-observation")
    return _ask(options, "whatif", belief.supposed, "without_source", "without_observation")


def _ask(
    options: argparse.Namespace, verb: str, parts: Any, *names: str, **arguments: object
) -> int:
    with verbs_of(options) as verbs:
        # By now the database has said which ids are meant.
        arguments |= {name: getattr(options, name) for name in names}
        text = verbs(verb, session_id=options.session, limit=options.limit, **arguments)
    tell(options, text, parts)
    return 0
