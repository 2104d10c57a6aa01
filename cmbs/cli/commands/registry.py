"""`cmbs tool` and `cmbs schema`: what policies speak of."""

import argparse
from collections.abc import Callable, Iterable
from typing import Any

from cmbs.cli import page
from cmbs.cli.arguments import add_command, add_group, add_tenant, an_id
from cmbs.cli.files import members, sent_text
from cmbs.cli.say import policy
from cmbs.cli.session import tell, verbs_of
from cmbs.common.words import Object

_DEFINITION = '{"authorities": ["mail"], "mutating": true, "effect_class": "network"}'


def add(commands: Any) -> None:
    group = add_group(commands, "tool", "cmbs tool register email.send email.json")

    command = _add(group, "register", _register_tool, "register a tool, or its new definition")
    command.add_argument("tool_id", type=an_id, metavar="TOOL_ID", help="as proposals name it")
    command.add_argument("file", metavar="FILE|-", help="its definition as JSON; - for input")
    command.epilog = (
        "The definition has version, authorities, mutating, effect_class and args_schema, each of "
        f"which may be left out. example: echo '{_DEFINITION}' | cmbs tool register email.send -"
    )

    command = _add(group, "list", _list_tools, "list the tools with their current definitions")
    command.epilog = "example: cmbs tool list"

    command = _add(
        group, "withdraw", _withdraw_tool, "withdraw a tool, which nobody may call any more"
    )
    command.add_argument("tool_id", type=an_id, metavar="TOOL_ID", help="as list shows it")
    command.epilog = "It can be registered again. example: cmbs tool withdraw email.send"

    group = add_group(commands, "schema", "cmbs schema register refund refund.json")

    command = _add(group, "register", _register_schema, "register a JSON Schema, permanently")
    command.add_argument("schema_id", type=an_id, metavar="ID", help="as policies name it")
    command.add_argument("file", metavar="FILE|-", help="the schema; - for standard input")
    command.epilog = "example: cmbs schema register refund refund.json"

    command = _add(group, "list", _list_schemas, "list the JSON Schemas")
    command.epilog = "example: cmbs schema list"


def _add(group: Any, name: str, run: Any, summary: str) -> argparse.ArgumentParser:
    command = add_command(group, name, run, summary)
    add_tenant(command)
    return command


def _register_tool(options: argparse.Namespace) -> int:
    sent = {"tool_id": options.tool_id, "definition": _object_in(options.file)}
    return _ask(options, "register_tool", _of("tool"), **sent)


def _withdraw_tool(options: argparse.Namespace) -> int:
    return _ask(options, "withdraw_tool", _of("tool"), tool_id=options.tool_id)


def _list_tools(options: argparse.Namespace) -> int:
    return _ask(options, "list_tools", policy.tools, "tool")


def _register_schema(options: argparse.Namespace) -> int:
    sent = {"schema_id": options.schema_id, "document": _object_in(options.file)}
    return _ask(options, "register_schema", _of("schema"), **sent)


def _list_schemas(options: argparse.Namespace) -> int:
    return _ask(options, "list_schemas", policy.schemas, "schema")


def _ask(
    options: argparse.Namespace,
    verb: str,
    lines: Callable[[Object], Iterable[page.Part]],
    listed: str | None = None,
    **sent: str,
) -> int:
    with verbs_of(options) as verbs:
        text = verbs(verb, tenant=options.tenant, **sent)
    answer = tell(options, text, lines)
    if listed and not answer[f"{listed}s"]:
        page.note(f"there is no {listed}")
    return 0


def _of(what: str) -> Callable[[Object], Iterable[page.Part]]:
    return lambda answer: policy.registered(answer, what)


def _object_in(name: str) -> str:
    text = sent_text(name)
    members(name, text)
    return text
