"""`cmbs policy apply`, `replay` and `divergences`: which pack decides, and which would."""

import argparse
import contextlib
import json
import sys
from typing import TYPE_CHECKING, Any

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_reference, an_id, whole_number
from cmbs.cli.say import decision, policy
from cmbs.cli.session import tell, tell_rows, verbs_of
from cmbs.common import words

if TYPE_CHECKING:
    from cmbs.database.verbs import Verbs

_NUMBER = whole_number(1, 2**31 - 1)


def add(group: Any) -> None:
    command = add_command(group, "apply", _apply, "let a pack decide in a session from now on")
    add_reference(command, "session")
    _add_version(command)
    command.add_argument(
        "--shadow",
        type=_pack_and_version,
        metavar="PACK:VERSION",
        help="also evaluate this pack, without effect; see cmbs policy divergences (default: none; "
        "an earlier shadow ends)",
    )
    command.add_argument(
        "--replay",
        action="store_true",
        help="show first which proposals of the session it decides otherwise; if there are any, "
        "it is applied only with --yes",
    )
    command.add_argument("--yes", action="store_true", help="apply it even if decisions change")
    command.epilog = (
        "exit status: 0 it is in force, 3 an invariant of it does not hold of the state, or it "
        "decides otherwise and there was no --yes. "
        "example: cmbs policy apply last shop 2 --replay --shadow shop:3"
    )

    command = add_command(
        group, "replay", _replay, "show which proposals of a session a pack decides otherwise"
    )
    add_reference(command, "session")
    _add_version(command)
    command.add_argument(
        "--limit",
        type=whole_number(1, 1000),
        metavar="N",
        help="proposals that are shown at most; the numbers count all (default: 100)",
    )
    command.epilog = "It changes nothing. example: cmbs policy replay last shop 3"

    command = add_command(
        group,
        "divergences",
        _divergences,
        "show where the shadow of a session decided otherwise",
        answers="an object on each line, from the view cmbs.shadow_divergence",
    )
    add_reference(command, "session")
    command.add_argument(
        "--limit", type=whole_number(1, 1000), default=100, metavar="N", help="(default: 100)"
    )
    command.epilog = "The newest come first. example: cmbs policy divergences last"


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
        yield "session", str(options.session)
        if answer["approved"]:
            yield "policy", f"{pack}, decides from now on"
            if options.shadow:
                yield "shadow", f"{policy.version(options.shadow)}, decides nothing"
            elif has_ended:
                yield "shadow", "none any more"
        else:
            yield "policy", f"{pack} was not applied: {words.printable(answer['reason'])}"
        for reason in answer.get("reasons", ()):
            yield "  because", policy.why(reason)

    return 0 if tell(options, text, lines)["approved"] else 3


def _is_wanted(options: argparse.Namespace, verbs: "Verbs", version: int) -> bool:
    """Whether it decides as it was decided, or is to be applied all the same."""
    text = verbs("replay_policy", session_id=options.session, pack=options.pack, version=version)
    found = words.read(text)
    # What is applied is the one answer on standard output that programs read.
    with contextlib.redirect_stdout(sys.stderr if options.json else sys.stdout):
        page.show(decision.replayed(found))
    if options.yes or not found["n_flips"]:
        return True
    page.note("it was not applied; --yes applies it all the same")
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
    with verbs_of(options) as verbs:
        from cmbs.cli import queries

        session = options.session
        # A session that is not there has no rows, either: the verb says so.
        verbs("query_belief", session_id=session, minimal=True)
        rows = verbs.rows(queries.divergences(session, options.limit))
        was_asked = rows or verbs.rows(queries.was_shadowed(session)) or _has_shadow(verbs, options)
    tell_rows(options, rows, decision.diverged)
    if not was_asked:
        command = f"cmbs policy apply {options.session} PACK --shadow PACK:VERSION"
        page.note(f"this session has no shadow: {command}")
    elif not rows:
        page.note("the shadow never decided otherwise")
    return 0


def _has_shadow(verbs: "Verbs", options: argparse.Namespace) -> bool:
    """Whether a pack is asked beside the one in force; not where the login may not look."""
    from cmbs.cli import queries

    found = verbs.rows_if_allowed(queries.has_shadow(options.session))
    return bool(found and found[0]["has_shadow"])


def _newest(verbs: "Verbs", pack: str) -> int:
    newest: int = words.read(verbs("read_policy", pack=pack))["version"]
    return newest
