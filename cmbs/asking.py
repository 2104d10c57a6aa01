"""What the commands about arbitration share: verbs called for their text, and files."""

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from psycopg.types.json import set_json_loads

from cmbs import calls, told
from cmbs.arguments import add_command
from cmbs.database import connect
from cmbs.place import CommandError, current_database, told_refusals

Ask = Callable[..., str]
Members = dict[str, msgspec.Raw]
_MEMBERS = msgspec.json.Decoder(Members)


@contextlib.contextmanager
def asking(options: argparse.Namespace) -> Iterator[Ask]:
    """Verbs of the database, whose answers come as they were written: no number loses a digit."""
    with (
        current_database(options, make=False) as database,
        connect(database.url, autocommit=True) as connection,
        told_refusals(),
    ):
        set_json_loads(_as_text, connection)

        def ask(verb: str, **arguments: object) -> str:
            answer: str = calls.call(connection, verb, **arguments)
            return answer

        yield ask


def _as_text(written: str | bytes) -> str:
    return written if isinstance(written, str) else written.decode()


def add_asking(commands: Any, name: str, run: Any, summary: str) -> argparse.ArgumentParser:
    """A command with the common options that tells what a verb answered."""
    command = add_command(commands, name, run, summary)
    command.add_argument("--json", action="store_true", help="the answer of the verb as it is")
    return command


def tell(options: argparse.Namespace, text: str, lines: Callable[[Any], Iterator[str]]) -> Any:
    """Print an answer, for programs or for people; what it holds."""
    answer = told.read(text)
    for line in [told.printable(text)] if options.json else lines(answer):
        print(line)
    return answer


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
    except (ValueError, RecursionError):
        raise CommandError(f"{named(name)} must hold a JSON object") from None
    if len(pairs) > len(found):
        raise CommandError(f"{named(name)} has a key twice in its object")
    return found


def as_text(raw: msgspec.Raw) -> str:
    return bytes(raw).decode()


def named(name: str) -> str:
    """A file in a sentence."""
    return "standard input" if name == "-" else name
