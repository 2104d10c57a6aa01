"""What the commands share that call verbs: the verbs of a target, texts of files, and printing."""

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from psycopg.types.json import set_json_loads

from cmbs.cli.arguments import add_command, an_id, whole_number
from cmbs.cli.say.policy import why
from cmbs.cli.target import current_target
from cmbs.common import words
from cmbs.common.failure import CommandError
from cmbs.database.connections import connect
from cmbs.database.failures import refusals_as_failures
from cmbs.database.verbs import Verbs
from cmbs.errors import Conflict

Members = dict[str, msgspec.Raw]
_MEMBERS = msgspec.json.Decoder(Members)


@contextlib.contextmanager
def verbs_of(options: argparse.Namespace) -> Iterator[Verbs]:
    """Verbs and views of the database of the common options; what is refused is told."""
    with (
        current_target(options, make=False) as database,
        connect(database.url, autocommit=True) as connection,
        refusals_as_failures(),
        _reasons_as_failures(),
    ):
        set_json_loads(_as_text, connection)
        yield Verbs(database.url, connection)


@contextlib.contextmanager
def _reasons_as_failures() -> Iterator[None]:
    """What a permit or a question does not let happen, by its reason code."""
    try:
        yield
    except Conflict as error:
        found = error.details
        if "reason_code" not in found:
            raise
        lines = [f"{found['reason_code']}: {words.printable(str(found.get('why')))}"]
        for member, did in (("begun_by", "began it"), ("proposer", "proposed it")):
            if who := found.get(member):
                lines[0] += f" {words.shown(who)} {did}."
        lines += [f"  {why(reason)}" for reason in found.get("reasons", ())]
        raise CommandError("\n".join(lines)) from error


def _as_text(written: str | bytes) -> str:
    return written if isinstance(written, str) else written.decode()


def add_verb_command(
    commands: Any, name: str, run: Any, summary: str | None = None
) -> argparse.ArgumentParser:
    """A command with the common options that tells what a verb answered."""
    command = add_command(commands, name, run, summary)
    command.add_argument("--json", action="store_true", help="the answer of the verb as it is")
    return command


def add_session(command: argparse.ArgumentParser) -> None:
    command.add_argument("session", type=UUID, metavar="SESSION", help="its id")


def meanings(named: dict[str, str]) -> str:
    """What each word that an option takes means, in its help."""
    return "; ".join(f"{word}: {meaning}" for word, meaning in named.items())


def in_units(text: str) -> tuple[str, int]:
    unit, is_there, number = an_id(text).partition("=")
    if not (unit and is_there):
        raise argparse.ArgumentTypeError("must be a unit and a number, such as max_calls=10")
    return unit, whole_number(0, 10**12)(number)


def tell(options: argparse.Namespace, text: str, lines: Callable[[Any], Iterator[str]]) -> Any:
    """Print an answer, for programs or for people; what it holds."""
    answer = words.read(text)
    for line in [words.printable(text)] if options.json else lines(answer):
        print(line)
    return answer


def tell_rows(
    options: argparse.Namespace, rows: list[dict[str, Any]], line: Callable[[Any], str]
) -> None:
    """Print the rows of a view, a line each, for programs or for people."""
    for row in rows:
        print(words.as_json(row, _as_json) if options.json else line(row))


def _as_json(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
    return str(value)


def sent_text(name: str) -> str:
    """What is in a file, or comes in."""
    try:
        written = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return written.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{named(name)} cannot be read: {error.strerror}") from error
    except UnicodeError:
        raise CommandError(f"{named(name)} must be UTF-8") from None


def members(name: str, text: str) -> Members:
    """The members of the object in a file, each as it is written there, once."""
    try:
        # Objects as tuples of pairs, which shows what is there twice; numbers need not be any.
        pairs = json.loads(text, object_pairs_hook=tuple, parse_int=str, parse_float=str)
        found = _MEMBERS.decode(text)
    except json.JSONDecodeError as error:
        raise no_json(name, error) from None
    except (ValueError, RecursionError):
        raise CommandError(f"{named(name)} must hold a JSON object") from None
    if len(pairs) > len(found):
        raise CommandError(f"{named(name)} has a key twice in its object")
    return found


def no_json(name: str, error: json.JSONDecodeError) -> CommandError:
    where = f"line {error.lineno}, column {error.colno}"
    return CommandError(f"{named(name)} must hold JSON, at {where}: {error.msg}")


def as_text(raw: msgspec.Raw) -> str:
    return bytes(raw).decode()


def named(name: str) -> str:
    """A file in a sentence."""
    return "standard input" if name == "-" else name
