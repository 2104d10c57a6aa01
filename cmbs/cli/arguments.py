"""What the commands take, and values that are checked as they are read; where output goes."""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from cmbs.cli.commands import COMMANDS


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


def target(text: str) -> UUID | Path:
    """The session if it is an id, else the file."""
    with contextlib.suppress(ValueError):
        return UUID(text)
    # Where nobody may look there may be a file: whoever opens it says what is wrong.
    with contextlib.suppress(OSError):
        if not Path(text).exists():
            raise argparse.ArgumentTypeError(f"{text} is neither a session's id nor a file")
    return Path(text)


def add_command(
    commands: Any, name: str, run: Any, summary: str | None = None
) -> argparse.ArgumentParser:
    """A command with the common options; one of the first level is listed with its summary."""
    summary = summary or COMMANDS[name].summary
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=summary[0].upper() + summary[1:] + "."
    )
    command.set_defaults(run=run)
    where = command.add_mutually_exclusive_group()
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
    return command


def add_json(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument("--json", action="store_true", help=f"print JSON: {what}")


def mute() -> None:
    """The reader of our output went away; flushing at exit must not complain about it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
