"""`cmbs policy apply`, `replay` and `divergences`: which pack decides, and which would."""

import argparse
import json
import sys
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from cmbs.cli.arguments import an_id, whole_number
from cmbs.cli.say import decision, policy
from cmbs.cli.session import add_session, add_verb_command, tell, tell_rows, verbs_of
from cmbs.common import words
from cmbs.database import tables
from cmbs.database.verbs import Verbs

_NUMBER = whole_number(1, 2**31 - 1)


def add(group: Any) -> None:
    command = add_verb_command(group, "apply", _apply, "let a pack decide in a session from now on")
    add_session(command)
    _add_version(command)
    command.add_argument(
        "--shadow",
        type=_pack_and_version,
        metavar="PACK:VERSION",
        help="ask this one beside it, and never follow it; see cmbs policy divergences (default: "
        "none; one that was asked ends)",
    )
    command.add_argument(
        "--replay",
        action="store_true",
        help="tell first which proposals of the session it decides otherwise; if there are any, "
        "apply it only with",
    )
    command.add_argument("--yes", action="store_true", help="although verdicts would be others")
    command.epilog = (
        "exit status: 0 it is in force, 3 an invariant of it does not hold of the state, or it "
        "decides otherwise and --yes was not said. "
        "example: cmbs policy apply SESSION shop 2 --replay --shadow shop:3"
    )

    command = add_verb_command(
        group, "replay", _replay, "tell which proposals of a session a pack decides otherwise"
    )
    add_session(command)
    _add_version(command)
    command.add_argument(
        "--limit",
        type=whole_number(1, 1000),
        metavar="N",
        help="proposals that are told at most; the numbers count all (default: 100)",
    )
    command.epilog = "It changes nothing. example: cmbs policy replay SESSION shop 3"

    command = add_verb_command(
        group, "divergences", _divergences, "tell where the shadow of a session said something else"
    )
    add_session(command)
    command.add_argument(
        "--limit", type=whole_number(1, 1000), default=100, metavar="N", help="(default: 100)"
    )
    command.epilog = (
        "The newest first; --json: an object on each line, from the view cmbs.shadow_divergence. "
        "example: cmbs policy divergences SESSION"
    )


def _add_version(command: argparse.ArgumentParser) -> None:
    command.add_argument("pack", type=an_id, metavar="PACK", help="its name")
    command.add_argument(
        "version", nargs="?", type=_NUMBER, metavar="VERSION", help="(default: the newest)"
    )


def _pack_and_version(text: str) -> dict[str, Any]:
    pack, is_there, version = an_id(text).rpartition(":")
    if not (pack and is_there):
        raise argparse.ArgumentTypeError("must be a pack and a version, such as shop:3")
    return {"pack": pack, "version": _NUMBER(version)}


def _apply(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        version = options.version or _newest(verbs, options.pack)
        if options.replay and not _is_wanted(options, verbs, version):
            return 3
        has_ended = not options.shadow and _has_shadow(verbs, options)
        text = verbs(
            "apply_policy",
            session_id=options.session,
            pack=options.pack,
            version=version,
            shadow=options.shadow and json.dumps(options.shadow),
            minimal=True,
        )

    def lines(answer: words.Object) -> Any:
        pack = policy.version({"pack": options.pack, "version": version})
        beside = "; the shadow ends" if has_ended else ""
        if options.shadow:
            beside = f", and {policy.version(options.shadow)} is asked beside"
        yield (
            f"{options.session} is decided by {pack}{beside}"
            if answer["approved"]
            else f"{pack} was not applied: {words.printable(answer['reason'])}"
        )
        for reason in answer.get("reasons", ()):
            yield f"  {policy.why(reason)}"

    return 0 if tell(options, text, lines)["approved"] else 3


def _is_wanted(options: argparse.Namespace, verbs: Verbs, version: int) -> bool:
    """Whether it decides as it was decided, or is to be applied all the same."""
    text = verbs("replay_policy", session_id=options.session, pack=options.pack, version=version)
    found = words.read(text)
    # What is applied is the one answer on standard output that programs read.
    for line in decision.replayed(found):
        print(line, file=sys.stderr if options.json else sys.stdout)
    if options.yes or not found["n_flips"]:
        return True
    print("cmbs: it was not applied; --yes applies it all the same", file=sys.stderr)
    return False


def _replay(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "replay_policy",
            session_id=options.session,
            pack=options.pack,
            version=options.version,
            limit=options.limit,
        )
    tell(options, text, decision.replayed)
    return 0


def _divergences(options: argparse.Namespace) -> int:
    view = tables.shadow_divergence
    query = (
        sa.select(view)
        .where(view.c.session_id == options.session)
        .order_by(view.c.seq.desc(), view.c.item_no)
        .limit(options.limit)
    )
    with verbs_of(options) as verbs:
        # A session that is not there has no rows, either: the verb says so.
        verbs("query_belief", session_id=options.session, minimal=True)
        rows = verbs.rows(query)
        was_asked = rows or verbs.rows(_shadowed(options)) or _has_shadow(verbs, options)
    tell_rows(options, rows, decision.diverged)
    if not was_asked:
        command = f"cmbs policy apply {options.session} PACK --shadow PACK:VERSION"
        print(f"cmbs: this session has no shadow: {command}", file=sys.stderr)
    elif not rows:
        print("cmbs: the shadow never said something else", file=sys.stderr)
    return 0


def _shadowed(options: argparse.Namespace) -> "sa.Select[Any]":
    """One proposal of the session of which a shadow was asked as well."""
    event = tables.audit_event.c
    return (
        sa.select(event.seq)
        .where(event.session_id == options.session, event.verb == "PROPOSE")
        .where(event.payload.has_key("shadow"))
        .limit(1)
    )


def _has_shadow(verbs: Verbs, options: argparse.Namespace) -> bool:
    """Whether a pack is asked beside the one in force; not where the login may not look."""
    event = tables.audit_event.c
    # The last message that put a pack in force says it.
    applied = sa.and_(event.verb == "POLICY_APPLY", event.payload["approved"].as_boolean())
    said = sa.func.coalesce(event.payload["arbitration"], event.payload, type_=JSONB)
    query = (
        sa.select(said.has_key("shadow").label("has_shadow"))
        .where(event.session_id == options.session)
        .where(sa.or_(event.verb == "DECLARE_SESSION", applied))
        .order_by(event.seq.desc())
        .limit(1)
    )
    found = verbs.rows_if_allowed(query)
    return bool(found and found[0]["has_shadow"])


def _newest(verbs: Verbs, pack: str) -> int:
    newest: int = words.read(verbs("read_policy", pack=pack))["version"]
    return newest
