"""`cmbs propose` and `explain-decision`; `cmbs capability`: the tokens that let holders propose."""

import argparse
import getpass
import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import Raw

from cmbs.cli.arguments import add_command, an_id, whole_number
from cmbs.cli.say import decision
from cmbs.cli.session import (
    Members,
    add_session,
    add_verb_command,
    as_text,
    in_units,
    members,
    sent_text,
    tell,
    verbs_of,
)
from cmbs.common import words
from cmbs.common.failure import CommandError
from cmbs.database.verbs import Verbs

_TOKEN = "CMBS_CAPABILITY_TOKEN"


def add(commands: Any) -> None:
    command = add_verb_command(commands, "propose", _propose)
    add_session(command)
    command.add_argument("file", metavar="FILE|-", help="the proposal as JSON; - for input")
    command.add_argument(
        "--dry-run", action="store_true", help="tell what would be decided, and write nothing"
    )
    _add_token_and_key(command)
    command.epilog = (
        "What the proposal leaves out is filled in: state_snapshot_id with the head of the "
        "session, provenance.source with cli:// and the user. exit status: 0 allow, 3 otherwise. "
        "example: cmbs propose SESSION proposal.json --dry-run"
    )

    command = add_verb_command(commands, "resume", _resume)
    add_session(command)
    command.add_argument("proposal", type=UUID, metavar="PROPOSAL_ID", help="as propose tells it")
    command.add_argument("file", metavar="FILE|-", help="its items as JSON, the same; - for input")
    _add_token_and_key(command)
    command.epilog = (
        "FILE may be what was proposed. It is decided anew, without the constraints that were "
        "approved away. exit status: 0 allow, 3 otherwise. "
        "example: cmbs resume SESSION PROPOSAL_ID proposal.json"
    )

    command = add_verb_command(commands, "explain-decision", _explain)
    add_session(command)
    command.add_argument("proposal", type=UUID, metavar="PROPOSAL_ID", help="as propose tells it")
    command.epilog = "example: cmbs explain-decision SESSION PROPOSAL_ID"

    capability = commands.add_parser("capability")
    capability.epilog = "example: cmbs capability issue SESSION planner --tool email.send"
    group = capability.add_subparsers(metavar="ACTION", required=True)
    _add_issue(group)

    command = add_verb_command(group, "list", _list, "list the capability tokens of a session")
    add_session(command)
    command.epilog = "example: cmbs capability list SESSION"

    command = add_verb_command(
        group, "revoke", _revoke, "let a token count no more, nor what is of it"
    )
    add_session(command)
    command.add_argument("token_id", type=UUID, metavar="TOKEN_ID", help="its id; no secret")
    command.epilog = "example: cmbs capability revoke SESSION TOKEN_ID"


def _add_token_and_key(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--token",
        type=an_id,
        metavar="SECRET",
        help=f"a capability token, which others of this machine may see (default: {_TOKEN})",
    )
    command.add_argument(
        "--key",
        type=an_id,
        metavar="KEY",
        help="its idempotency key: sent again under it, the proposal is answered as recorded",
    )


def _add_issue(group: Any) -> None:
    command = add_command(group, "issue", _issue, "make a token that lets a principal propose")
    add_session(command)
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
        help="it ends by itself after so many (default: %(default)s)",
    )
    command.add_argument(
        "--parent", type=UUID, metavar="TOKEN_ID", help="make it a narrower one of this token"
    )
    command.epilog = (
        "The secret alone goes to standard output, what it is to standard error. "
        "example: SECRET=$(cmbs capability issue SESSION planner --tool email.send "
        "--state-prefix goal. --budget max_calls=10)"
    )


def _propose(options: argparse.Namespace) -> int:
    proposal = _sent(options)
    if options.dry_run:
        proposal["mode"] = _raw("dry_run")
    _add_source(options.file, proposal)
    with verbs_of(options) as verbs:
        if "state_snapshot_id" not in proposal:
            proposal["state_snapshot_id"] = _raw(_head(verbs, options.session))
        text = verbs(
            "propose",
            session_id=options.session,
            proposal=_joined(proposal),
            request_id=options.key,
            minimal=True,
        )
    answer = tell(options, text, decision.decided)
    return 0 if answer["decision"] == "allow" else 3


def _resume(options: argparse.Namespace) -> int:
    proposal = _sent(options)
    # That of the proposal is no key of what goes on with it.
    proposal.pop("idempotency_key", None)
    with verbs_of(options) as verbs:
        text = verbs(
            "resume",
            session_id=options.session,
            proposal_id=options.proposal,
            proposal=_joined(proposal),
            request_id=options.key,
            minimal=True,
        )
    answer = tell(options, text, decision.decided)
    return 0 if answer["decision"] == "allow" else 3


def _sent(options: argparse.Namespace) -> Members:
    """What is in the file, with the token that goes with it."""
    proposal = members(options.file, sent_text(options.file))
    # An empty one is one all the same: of a command that failed, perhaps.
    secret = os.environ.get(_TOKEN) if options.token is None else options.token
    if secret is not None and "capability_token" not in proposal:
        proposal["capability_token"] = _raw(secret)
    return proposal


def _head(verbs: Verbs, session: UUID) -> str:
    snapshot = words.read(verbs("query_belief", session_id=session, minimal=True))
    return str(snapshot["audit_head_event_id"])


def _add_source(name: str, proposal: Members) -> None:
    """Who proposes, where the proposal does not say so itself."""
    given = proposal.get("provenance", _raw({}))
    if bytes(given)[:1] != b"{":
        raise CommandError("provenance must be a JSON object")
    provenance = members(name, as_text(given))
    if "source" not in provenance:
        provenance["source"] = _raw(f"cli://{_user()}")
        proposal["provenance"] = Raw(_joined(provenance).encode())


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # An account without a name, as containers have.
        return str(os.getuid())


def _raw(value: object) -> Raw:
    return Raw(json.dumps(value).encode())


def _joined(found: Members) -> str:
    """The members as one object, each as it was written."""
    written = (f"{json.dumps(name)}: {as_text(raw)}" for name, raw in found.items())
    return f"{{{', '.join(written)}}}"


def _explain(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs("explain_decision", session_id=options.session, proposal_id=options.proposal)
    tell(options, text, decision.explained)
    return 0


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
    verb, more = "issue_capability", {}
    if options.parent:
        verb, more = "narrow_capability", {"parent_id": options.parent}
    with verbs_of(options) as verbs:
        # Before there is a secret that an error would lose.
        warnings = [*_doubts(verbs, options)]
        text = verbs(
            verb, session_id=options.session, grant=json.dumps(grant), minimal=True, **more
        )
    made = words.read(text)
    # First, so that a token whose reader has gone can still be revoked.
    print(
        f"cmbs: capability token {made['token_id']} of {words.shown(options.holder)} until "
        f"{ends:%Y-%m-%d %H:%M}, shown this once",
        file=sys.stderr,
        flush=True,
    )
    for warning in warnings:
        print(f"cmbs: warning: {warning}", file=sys.stderr)
    print(made["secret"])
    return 0


def _doubts(verbs: Verbs, options: argparse.Namespace) -> Iterator[str]:
    """What a token names that is not there: it may come yet, or be mistyped."""
    caller, holder = words.read(verbs("identify")), options.holder
    # A proposal calls verbs alone, and has no use for what this loads.
    import sqlalchemy as sa

    from cmbs.database.tables import principal, session

    its = sa.select(session.c.tenant).where(session.c.session_id == options.session)
    found = verbs.rows_if_allowed(its)
    tenant = found[0]["tenant"] if found else None
    # Where nobody is asked who they are, and of the login itself, the name needs no principal.
    if tenant and not caller["is_open"] and holder != caller["name"]:
        named = sa.select(principal.c.name).where(principal.c.name == holder)
        known = verbs.rows_if_allowed(named.where(principal.c.tenant.in_([tenant, "*"])))
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
        print("cmbs: there is no capability token", file=sys.stderr)
    return 0


def _revoke(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "revoke_capability", session_id=options.session, token_id=options.token_id, minimal=True
        )

    def lines(answer: words.Object) -> Any:
        when = "already" if answer["duplicate"] else "now"
        yield f"capability token {answer['token_id']} is revoked {when}"

    tell(options, text, lines)
    return 0
