"""`cmbs capability`: the tokens that let holders propose."""

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_group, add_reference, an_id, whole_number
from cmbs.cli.references import reference
from cmbs.cli.say import decision
from cmbs.cli.session import in_units, tell, verbs_of
from cmbs.common import words

if TYPE_CHECKING:
    from cmbs.database.verbs import Verbs


def add(commands: Any) -> None:
    group = add_group(
        commands, "capability", "cmbs capability issue last planner --tool email.send"
    )
    _add_issue(group)

    command = add_command(group, "list", _list, "list the capability tokens of a session")
    add_reference(command, "session")
    command.epilog = "example: cmbs capability list last"

    command = add_command(
        group, "revoke", _revoke, "end a token, and with it every one that was made from it"
    )
    add_reference(command, "session")
    add_reference(command, "capability", "token_id")
    command.epilog = "example: cmbs capability revoke last TOKEN_ID"


def _add_issue(group: Any) -> None:
    command = add_command(
        group,
        "issue",
        _issue,
        "make a token that lets a principal propose",
        answers="the answer of the verb, with the secret",
    )
    add_reference(command, "session")
    command.add_argument("holder", type=an_id, metavar="HOLDER", help="the principal")
    for option, metavar, what, default in (
        ("tool", "TOOL_ID", "a tool that it may call", "none"),
        ("capability", "NAME", "an authority of tools that it may call", "none"),
        ("state-prefix", "PREFIX", "how keys begin that it may write, such as goal.", "none"),
        ("root", "ROOT", "an absolute path, or a host, that calls may name", "any"),
    ):
        command.add_argument(
            f"--{option}",
            action="append",
            default=[],
            type=an_id,
            metavar=metavar,
            help=f"{what}; more than once for several (default: {default})",
        )
    command.add_argument(
        "--budget",
        action="append",
        default=[],
        type=in_units,
        metavar="UNIT=N",
        help="how much it may spend: max_calls=10 for ten calls (default: no call at all)",
    )
    command.add_argument(
        "--hours",
        type=whole_number(1, 876_000),
        default=24,
        metavar="N",
        help="it expires after so many hours (default: %(default)s)",
    )
    command.add_argument(
        "--parent",
        type=reference("capability"),
        metavar="TOKEN_ID",
        help="make it a narrower one of this token",
    )
    command.epilog = (
        "Only the secret goes to standard output; what it is goes to standard error. "
        "example: SECRET=$(cmbs capability issue last planner --tool email.send "
        "--state-prefix goal. --budget max_calls=10)"
    )


def _issue(options: argparse.Namespace) -> int:
    ends = datetime.now(UTC) + timedelta(hours=options.hours)
    grant = {
        "holder": options.holder,
        "tools": options.tool,
        "capabilities": options.capability,
        "state_prefixes": options.state_prefix,
        "resource_roots": options.root,
        "budgets": dict(options.budget),
        "expires_at": f"{ends:%Y-%m-%dT%H:%M:%SZ}",
    }
    with verbs_of(options) as verbs:
        # By now the database has said which ids are meant.
        verb, more = "issue_capability", {}
        if options.parent:
            verb, more = "narrow_capability", {"parent_id": options.parent}
        # Before there is a secret that an error would lose.
        warnings = [*_doubts(verbs, options)]
        text = verbs(
            verb, session_id=options.session, grant=json.dumps(grant), minimal=True, **more
        )
    made = words.read(text)
    # First, so that a token whose reader has gone can still be revoked.
    page.note(
        f"capability token {made['token_id']} of {words.shown(options.holder)} until "
        f"{ends:%Y-%m-%d %H:%M}, shown this once"
    )
    for warning in warnings:
        page.note(f"warning: {warning}")
    print(words.printable(text) if options.json else made["secret"])
    return 0


def _doubts(verbs: "Verbs", options: argparse.Namespace) -> Iterator[str]:
    """What a token names that is not there: it may come yet, or be mistyped."""
    caller, holder = words.read(verbs("identify")), options.holder
    from cmbs.cli import queries

    found = verbs.rows_if_allowed(queries.tenant_of(options.session))
    tenant = found[0]["tenant"] if found else None
    # Where nobody is asked who they are, and of the login itself, the name needs no principal.
    is_known = caller["is_open"] or holder == caller["name"]
    if tenant and not is_known:
        known = verbs.rows_if_allowed(queries.principals(holder, tenant))
        if known == []:
            yield f"there is no principal {words.shown(holder)}"
    if tenant and options.tool:
        tools = words.read(verbs("list_tools", tenant=tenant))["tools"]
        usable = {tool["tool_id"]: not tool["withdrawn"] for tool in tools}
        for tool in dict.fromkeys(options.tool):
            if not usable.get(tool):
                is_what = "was withdrawn" if tool in usable else "is not registered"
                yield f"the tool {words.shown(tool)} {is_what}"


def _list(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs("list_capabilities", session_id=options.session)
    if not tell(options, text, decision.tokens)["capability_tokens"]:
        page.note("there is no capability token")
    return 0


def _revoke(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "revoke_capability", session_id=options.session, token_id=options.token_id, minimal=True
        )

    def lines(answer: words.Object) -> Any:
        before = ", as it was before" if answer["duplicate"] else ""
        yield f"capability token {answer['token_id']} is revoked{before}"

    tell(options, text, lines)
    return 0
