"""`cmbs policy`: packs of constraints, published, tried and put in force."""

import argparse
import json
from pathlib import Path
from typing import Any

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_group, add_tenant, an_id, whole_number
from cmbs.cli.commands import applied_policy
from cmbs.cli.files import as_text, members, named, no_json, sent_text
from cmbs.cli.say import policy
from cmbs.cli.session import tell, verbs_of
from cmbs.common.failure import UsageError, WrongError
from cmbs.common.words import as_json

# As `cmbs policy show --json` tells a version, a pack may be published again.
_OF_A_VERSION = {"pack", "version", "policy_hash", "published_at", "published_by"}
_FILE = "entries and fixtures as JSON; - for standard input"


def add(commands: Any) -> None:
    group = add_group(commands, "policy", "cmbs policy publish shop shop.json")

    command = _add(group, "publish", _publish, "publish the next version of a pack, permanently")
    _add_pack(command)
    command.add_argument("file", metavar="FILE", help=_FILE)
    command.epilog = (
        'FILE holds {"entries": {...}, "fixtures": [...]}, or the entries alone. The same again '
        "changes nothing. exit status: 1 if something is wrong with it, and nothing was published. "
        "example: cmbs policy publish shop shop.json"
    )

    applied_policy.add(group)

    command = _add(group, "diff", _diff, "compare two versions of a pack")
    _add_pack(command)
    for name in ("FROM", "TO"):
        command.add_argument(name.lower(), type=_NUMBER, metavar=name, help="a version")
    command.add_argument("--to-pack", type=an_id, metavar="PACK", help="of TO, if it is another")
    command.epilog = "example: cmbs policy diff shop 1 2"

    command = _add(group, "lint", _lint, "find errors in a pack, and what is probably not meant")
    command.add_argument("target", type=an_id, metavar="FILE|PACK", help="a file, else a pack")
    _add_number(command)
    command.epilog = (
        "If a file of that name exists, it is used, unless a version is named. "
        "exit status: 1 if there are errors; warnings are none. example: cmbs policy lint shop.json"
    )

    command = _add(group, "test", _test, "run the fixtures of a pack")
    _add_version(command)
    command.add_argument(
        "--fixtures", metavar="FILE", help="run those in it, a JSON list, instead; - for input"
    )
    command.epilog = "exit status: 1 if one fails. example: cmbs policy test shop"

    command = _add(group, "list", _list, "list packs and their versions")
    command.add_argument("pack", nargs="?", type=an_id, metavar="PACK", help="only of this one")
    command.epilog = "example: cmbs policy list"

    command = _add(group, "show", _show, "show the entries of a pack")
    _add_version(command)
    command.epilog = (
        "What --json prints can be published. example: cmbs policy show belief-gated --json"
    )

    for name, run, summary in (
        ("halt", _halt, "stop all agents of a tenant: deny every proposal and claim"),
        ("resume", _resume, "let policies decide again, after a halt"),
    ):
        command = _add(group, name, run, summary)
        command.add_argument("--reason", required=True, type=an_id, metavar="TEXT", help="why")
        reason = "the planner loops" if name == "halt" else "the planner is fixed"
        command.epilog = f"The reason is recorded. example: cmbs policy {name} --reason '{reason}'"


_NUMBER = whole_number(1, 2**31 - 1)


def _add(group: Any, name: str, run: Any, summary: str) -> argparse.ArgumentParser:
    command = add_command(group, name, run, summary)
    add_tenant(command)
    return command


def _add_pack(command: argparse.ArgumentParser) -> None:
    command.add_argument("pack", type=an_id, metavar="PACK", help="its name")


def _add_number(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "version", nargs="?", type=_NUMBER, metavar="VERSION", help="(default: the newest)"
    )


def _add_version(command: argparse.ArgumentParser) -> None:
    _add_pack(command)
    _add_number(command)


def _publish(options: argparse.Namespace) -> int:
    pack = _pack_in(options.file)
    from cmbs.errors import InvalidRequest

    with verbs_of(options) as verbs:
        try:
            text = verbs("publish_policy", pack=options.pack, tenant=options.tenant, **pack)
        except InvalidRequest as error:
            lines = [*policy.refused(error.details)]
            if not lines:
                raise
            message = (error.diag.message_primary or error.message).removesuffix(".")
            raise WrongError("\n".join([f"{message}; nothing was published", *lines])) from error
    tell(options, text, policy.published)
    return 0


def _diff(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "diff_policy",
            pack=options.pack,
            version=vars(options)["from"],
            to_version=options.to,
            to_pack=options.to_pack,
            tenant=options.tenant,
        )
    tell(options, text, policy.compared)
    return 0


def _lint(options: argparse.Namespace) -> int:
    target = options.target
    is_file = target == "-" or (options.version is None and Path(target).is_file())
    if is_file:
        verb, what = "lint_policy", {"entries": _pack_in(target)["entries"]}
    else:
        verb, what = "lint_published_policy", {"pack": target, "version": options.version}
    with verbs_of(options) as verbs:
        text = verbs(verb, tenant=options.tenant, **what)
    return 1 if tell(options, text, policy.linted)["n_errors"] else 0


def _test(options: argparse.Namespace) -> int:
    fixtures = None
    if options.fixtures:
        fixtures = sent_text(options.fixtures)
        if fixtures.lstrip()[:1] == "{":
            found = members(options.fixtures, fixtures)
            if "fixtures" not in found:
                raise UsageError(f"{named(options.fixtures)} has no fixtures")
            fixtures = as_text(found["fixtures"])
        _check_json(options.fixtures, fixtures)
    with verbs_of(options) as verbs:
        text = verbs(
            "test_policy",
            pack=options.pack,
            version=options.version,
            fixtures=fixtures,
            tenant=options.tenant,
        )
    answer = tell(options, text, policy.tested)
    if not answer["n_fixtures"]:
        page.note("there is no fixture that could fail")
    return 1 if answer["n_failed"] else 0


def _list(options: argparse.Namespace) -> int:
    verb, what = "list_policies", {}
    if options.pack is not None:
        verb, what = "list_policy_versions", {"pack": options.pack}
    with verbs_of(options) as verbs:
        text = verbs(verb, tenant=options.tenant, **what)
    tell(options, text, policy.listed)
    return 0


def _show(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "read_policy", pack=options.pack, version=options.version, tenant=options.tenant
        )
    tell(options, text, policy.whole)
    return 0


def _halt(options: argparse.Namespace) -> int:
    return _switch(options, True)


def _resume(options: argparse.Namespace) -> int:
    return _switch(options, False)


def _switch(options: argparse.Namespace, is_halted: bool) -> int:
    with verbs_of(options) as verbs:
        text = verbs(
            "halt_policy", is_halted=is_halted, reason=options.reason, tenant=options.tenant
        )
    tell(options, text, policy.halted)
    return 0


def _pack_in(name: str) -> dict[str, Any]:
    """The arguments of a verb for what is in a file."""
    text = sent_text(name)
    found = members(name, text)
    if "entries" not in found:
        return {"entries": text}
    if unknown := sorted(found.keys() - {"entries", "fixtures"} - _OF_A_VERSION):
        raise UsageError(f"{named(name)} has members that no pack has: {as_json(unknown)}")
    return {member: as_text(found[member]) for member in ("entries", "fixtures") if member in found}


def _check_json(name: str, text: str) -> None:
    try:
        json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        raise no_json(name, error) from None
    except (ValueError, RecursionError):
        raise UsageError(f"{named(name)} must hold JSON") from None
