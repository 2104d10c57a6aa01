"""What the commands take, and values that are checked as they are read; where output goes."""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cmbs.cli.commands import COMMANDS
from cmbs.cli.parser import Parser
from cmbs.cli.references import help_of, reference


def whole_number(least: int, most: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        with contextlib.suppress(ValueError):
            if least <= (number := int(text)) <= most:
                return number
        raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}")

    return whole


def address(text: str) -> str:
    # As of a variable that is not set: starting a database instead would be no help.
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def an_id(text: str) -> str:
    # Bytes that are no text arrive as surrogates, which no database takes.
    try:
        text.encode()
    except UnicodeError:
        raise argparse.ArgumentTypeError("must be UTF-8") from None
    return text


def add_group(commands: Any, name: str, example: str, summary: str | None = None) -> Any:
    """A command that is nothing but its actions, to which these are added."""
    summary = summary or COMMANDS[name].summary
    group: Parser = commands.add_parser(name, help=summary, description=_sentence(summary))
    group.epilog = f"example: {example}"
    return group.add_subparsers(metavar="ACTION", required=True)


def add_plain(commands: Any, name: str, run: Any) -> Parser:
    """A command of the first level that works on no database."""
    summary = COMMANDS[name].summary
    command: Parser = commands.add_parser(name, help=summary, description=_sentence(summary))
    command.set_defaults(run=run)
    return command


def add_command(
    commands: Any, name: str, run: Any, summary: str | None = None, *, answers: str = "one object"
) -> Parser:
    """A command with the common options; one of the first level is listed with its summary.

    `answers`: what --json prints; nothing for a command that has no answer.
    """
    summary = summary or COMMANDS[name].summary
    command: Parser = commands.add_parser(name, help=summary, description=_sentence(summary))
    command.set_defaults(run=run)
    shared = command.add_argument_group("database and output")
    where = shared.add_mutually_exclusive_group()
    where.add_argument(
        "--data-dir",
        type=Path,
        metavar="DIR",
        help="data directory of the embedded PostgreSQL (default: CMBS_DATA_DIR, else the user's)",
    )
    where.add_argument(
        "--database-url",
        type=address,
        metavar="URL",
        help="use this database and start none (default: DATABASE_URL)",
    )
    if answers:
        shared.add_argument(
            "--json", action="store_true", help=f"print JSON, for programs: {answers}"
        )
    return command


def add_reference(command: argparse.ArgumentParser, kind: str, name: str | None = None) -> None:
    """An argument that is the id of something, in any of the ways that people type ids."""
    name = name or kind
    command.add_argument(name, type=reference(kind), metavar=name.upper(), help=help_of(kind))


def add_tenant(
    command: argparse.ArgumentParser,
    default: str = "that of the login; `default` for the owner of the database",
) -> None:
    command.add_argument(
        "--tenant",
        type=an_id,
        metavar="TENANT",
        help=f"tenant (default: {default}); '*' for principals that see all tenants",
    )


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def mute() -> None:
    """The reader of our output went away; flushing at exit must not complain about it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
