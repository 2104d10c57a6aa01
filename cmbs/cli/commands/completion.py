"""`cmbs completion`: what a shell needs to complete commands, options and files."""

import argparse
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from cmbs.cli.arguments import add_plain
from cmbs.cli.commands import COMMANDS
from cmbs.cli.parser import Parser

_SHELLS = ("bash", "zsh", "fish")
# By what they are called in help.
_FILES = ("FILE", "FILE|-", "FILE|SESSION", "SESSION|FILE", "FILE|PACK")


def add(commands: Any) -> None:
    command = add_plain(commands, "completion", _completion)
    command.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=", ".join(_SHELLS))
    command.epilog = (
        "For this shell only, run the example, or cmbs completion fish | source. For every shell "
        "put it into ~/.bashrc; for zsh what is printed goes into a file _cmbs in a folder of "
        "fpath, for fish into ~/.config/fish/completions/cmbs.fish. "
        "example: source <(cmbs completion bash)"
    )


def _completion(options: argparse.Namespace) -> int:
    # Nothing else writes scripts, and nothing else needs every command.
    import shtab

    print(shtab.complete(whole(), options.shell))
    return 0


def whole() -> Parser:
    """The parser with all of its commands."""
    parser = Parser(prog="cmbs")
    parser.add_argument("--version", action="version", version="", help="show the version")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        if name not in commands.choices:
            import_module(f"cmbs.cli.commands.{command.module}").add(commands)
    _name_files(parser)
    return parser


def leaves(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, Parser]]:
    """Every command that can be run, with its whole name."""
    groups = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    if not groups and isinstance(parser, Parser):
        yield name, parser
    for group in groups:
        for word, command in group.choices.items():
            yield from leaves(command, f"{name} {word}".strip())


def _name_files(parser: argparse.ArgumentParser) -> None:
    """Say of arguments that are files that they are, which no parser knows."""
    import shtab

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _name_files(command)
            continue
        if isinstance(action.choices, dict):
            # Taken for commands otherwise.
            action.choices = [*action.choices]
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
