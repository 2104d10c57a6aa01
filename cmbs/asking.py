"""What the commands about arbitration share: verbs called for their text, and files."""

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString
from uuid import UUID

import msgspec
import psycopg
from psycopg.types.json import set_json_loads

from cmbs import calls, told
from cmbs.arguments import add_command, an_id, whole_number
from cmbs.database import connect, engine
from cmbs.errors import Conflict
from cmbs.failure import CommandError
from cmbs.place import current_database, told_refusals
from cmbs.told_policies import why

if TYPE_CHECKING:
    import sqlalchemy as sa

Members = dict[str, msgspec.Raw]
_MEMBERS = msgspec.json.Decoder(Members)


@dataclass(frozen=True)
class Ask:
    """Verbs of a database, whose answers come as they were written: no number loses a digit."""

    url: str
    connection: psycopg.Connection[Any]

    def __call__(self, verb: str, **arguments: object) -> str:
        answer: str = calls.call(self.connection, verb, **arguments)
        return answer

    def row(self, query: LiteralString, *values: object) -> tuple[Any, ...] | None:
        """The one row of a query on the views, if there is one."""
        found: tuple[Any, ...] | None = self.connection.execute(query, values).fetchone()
        return found

    def row_if_allowed(self, query: LiteralString, *values: object) -> tuple[Any, ...] | None:
        """As `row`; none also for a login that does not see the views."""
        try:
            return self.row(query, *values)
        except psycopg.ProgrammingError:
            return None

    def rows(self, query: "sa.Select[Any]") -> list[dict[str, Any]]:
        with engine(self.url).connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]


@contextlib.contextmanager
def asking(options: argparse.Namespace) -> Iterator[Ask]:
    """Verbs and views of the database of the common options; what is refused is told."""
    with (
        current_database(options, make=False) as database,
        connect(database.url, autocommit=True) as connection,
        told_refusals(),
        _told_reasons(),
    ):
        set_json_loads(_as_text, connection)
        yield Ask(database.url, connection)


@contextlib.contextmanager
def _told_reasons() -> Iterator[None]:
    """What a permit or a question does not let happen, by its reason code."""
    try:
        yield
    except Conflict as error:
        found = error.details
        if "reason_code" not in found:
            raise
        lines = [f"{found['reason_code']}: {told.printable(str(found.get('why')))}"]
        for member, did in (("begun_by", "began it"), ("proposer", "proposed it")):
            if who := found.get(member):
                lines[0] += f" {told.shown(who)} {did}."
        lines += [f"  {why(reason)}" for reason in found.get("reasons", ())]
        raise CommandError("\n".join(lines)) from error


def _as_text(written: str | bytes) -> str:
    return written if isinstance(written, str) else written.decode()


def add_asking(
    commands: Any, name: str, run: Any, summary: str | None = None
) -> argparse.ArgumentParser:
    """A command with the common options that tells what a verb answered."""
    command = add_command(commands, name, run, summary)
    command.add_argument("--json", action="store_true", help="the answer of the verb as it is")
    return command


def add_session(command: argparse.ArgumentParser) -> None:
    command.add_argument("session", type=UUID, metavar="SESSION", help="its id")


def meanings(words: dict[str, str]) -> str:
    """What each word that an option takes means, in its help."""
    return "; ".join(f"{word}: {meaning}" for word, meaning in words.items())


def in_units(text: str) -> tuple[str, int]:
    unit, is_there, number = an_id(text).partition("=")
    if not (unit and is_there):
        raise argparse.ArgumentTypeError("must be a unit and a number, such as max_calls=10")
    return unit, whole_number(0, 10**12)(number)


def tell(options: argparse.Namespace, text: str, lines: Callable[[Any], Iterator[str]]) -> Any:
    """Print an answer, for programs or for people; what it holds."""
    answer = told.read(text)
    for line in [told.printable(text)] if options.json else lines(answer):
        print(line)
    return answer


def tell_rows(
    options: argparse.Namespace, rows: list[dict[str, Any]], line: Callable[[Any], str]
) -> None:
    """Print the rows of a view, a line each, for programs or for people."""
    for row in rows:
        print(told.as_json(row, _as_json) if options.json else line(row))


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
