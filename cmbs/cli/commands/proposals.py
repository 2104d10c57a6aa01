"""`cmbs propose`, `resume` and `explain-decision`: what agents want to do, and what was decided."""

import argparse
import getpass
import json
import os
from typing import TYPE_CHECKING, Any
from uuid import UUID

from cmbs.cli.arguments import add_command, add_reference, an_id
from cmbs.cli.files import as_text, members, sent_text
from cmbs.cli.say import decision
from cmbs.cli.session import tell, verbs_of
from cmbs.common import words
from cmbs.common.failure import UsageError

if TYPE_CHECKING:
    from msgspec import Raw

    from cmbs.cli.files import Members
    from cmbs.database.verbs import Verbs

_TOKEN = "CMBS_CAPABILITY_TOKEN"


def add(commands: Any) -> None:
    command = add_command(commands, "propose", _propose)
    add_reference(command, "session")
    command.add_argument("file", metavar="FILE|-", help="the proposal as JSON; - for input")
    command.add_argument(
        "--dry-run", action="store_true", help="show what would be decided, and write nothing"
    )
    _add_token_and_key(command)
    command.epilog = (
        "What the proposal leaves out is filled in: state_snapshot_id with the head of the "
        "session, provenance.source with cli:// and the user. exit status: 0 allow, "
        "3 deny or defer. "
        "example: cmbs propose last proposal.json --dry-run"
    )

    command = add_command(commands, "resume", _resume)
    add_reference(command, "session")
    add_reference(command, "proposal")
    command.add_argument("file", metavar="FILE|-", help="its items as JSON, the same; - for input")
    _add_token_and_key(command)
    command.epilog = (
        "FILE may be what was proposed. It is decided anew, without the constraints that the "
        "approval lifts. exit status: 0 allow, 3 deny or defer. "
        "example: cmbs resume last last proposal.json"
    )

    command = add_command(commands, "explain-decision", _explain)
    add_reference(command, "session")
    add_reference(command, "proposal")
    command.epilog = "example: cmbs explain-decision last last"


def _add_token_and_key(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--token",
        type=an_id,
        metavar="SECRET",
        help=f"a capability token; other users of this machine can see it (default: {_TOKEN})",
    )
    command.add_argument(
        "--key",
        type=an_id,
        metavar="KEY",
        help="idempotency key: sent again with it, the proposal gets the recorded answer",
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


def _sent(options: argparse.Namespace) -> "Members":
    """What is in the file, with the token that goes with it."""
    proposal = members(options.file, sent_text(options.file))
    # An empty one is one all the same: of a command that failed, perhaps.
    secret = os.environ.get(_TOKEN) if options.token is None else options.token
    if secret is not None and "capability_token" not in proposal:
        proposal["capability_token"] = _raw(secret)
    return proposal


def _head(verbs: "Verbs", session: UUID) -> str:
    snapshot = words.read(verbs("query_belief", session_id=session, minimal=True))
    return str(snapshot["audit_head_event_id"])


def _add_source(name: str, proposal: "Members") -> None:
    """Who proposes, where the proposal does not say so itself."""
    given = proposal.get("provenance", _raw({}))
    if bytes(given)[:1] != b"{":
        raise UsageError("provenance must be a JSON object")
    provenance = members(name, as_text(given))
    if "source" not in provenance:
        provenance["source"] = _raw(f"cli://{_user()}")
        proposal["provenance"] = _raw_text(_joined(provenance))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # An account without a name, as containers have.
        return str(os.getuid())


def _raw(value: object) -> "Raw":
    return _raw_text(json.dumps(value))


def _raw_text(text: str) -> "Raw":
    from msgspec import Raw

    return Raw(text.encode())


def _joined(found: "Members") -> str:
    """The members as one object, each as it was written."""
    written = (f"{json.dumps(name)}: {as_text(raw)}" for name, raw in found.items())
    return f"{{{', '.join(written)}}}"


def _explain(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        session = options.session
        text = verbs("explain_decision", session_id=session, proposal_id=options.proposal)
        asked = [item.get("interrupt_id") for item in words.read(text)["items"]]
        questions = {
            one: words.read(verbs("read_interrupt", session_id=session, interrupt_id=one))
            for one in asked
            if one and not options.json
        }
    tell(options, text, lambda answer: decision.explained(answer, questions))
    return 0
