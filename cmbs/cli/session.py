"""What the commands share that call verbs: the verbs of a target, and how answers are told."""

import argparse
import contextlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cmbs.cli import page
from cmbs.cli.arguments import an_id, whole_number
from cmbs.cli.references import resolve
from cmbs.cli.say.policy import why
from cmbs.common import words
from cmbs.common.failure import RefusedError

if TYPE_CHECKING:
    from cmbs.database.verbs import Verbs


@contextlib.contextmanager
def verbs_of(options: argparse.Namespace) -> Iterator["Verbs"]:
    """Verbs and views of the database of the common options; what is refused is told."""
    # Help is asked for without any of these.
    from psycopg.types.json import set_json_loads

    from cmbs.cli.target import current_target
    from cmbs.database.connections import connect
    from cmbs.database.failures import refusals_as_failures
    from cmbs.database.verbs import Verbs

    with current_target(options, make=False) as database:
        resolve(options, database.url)
        with (
            connect(database.url, autocommit=True) as connection,
            refusals_as_failures(),
            _reasons_as_failures(),
        ):
            set_json_loads(_as_text, connection)
            yield Verbs(database.url, connection)


@contextlib.contextmanager
def _reasons_as_failures() -> Iterator[None]:
    """What a permit or a question does not let happen, by its reason code."""
    from cmbs.errors import Conflict

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
        raise RefusedError("\n".join(lines)) from error


def _as_text(written: str | bytes) -> str:
    return written if isinstance(written, str) else written.decode()


def meanings(named: dict[str, str]) -> str:
    """What each word that an option takes means, in its help."""
    return "; ".join(f"{word}: {meaning}" for word, meaning in named.items())


def in_units(text: str) -> tuple[str, int]:
    unit, is_there, number = an_id(text).partition("=")
    if not (unit and is_there):
        raise argparse.ArgumentTypeError("must be a unit and a number, such as max_calls=10")
    return unit, whole_number(0, 10**12)(number)


def tell(
    options: argparse.Namespace, text: str, parts: Callable[[Any], Iterable[page.Part]]
) -> Any:
    """Print an answer, for programs or for people; what it holds."""
    answer = words.read(text)
    if options.json:
        print(words.printable(text))
    else:
        page.show(parts(answer))
    return answer


def tell_page(
    options: argparse.Namespace,
    text: str,
    parts: Callable[[Any], Iterable[page.Part]],
    nothing: str,
) -> None:
    """The same of a list that may go on, or be empty."""
    answer = tell(options, text, parts)
    after = answer.get("next_cursor", answer.get("next_before"))
    if not any(isinstance(found, list) and found for found in answer.values()):
        page.note(nothing)
    elif after is not None:
        page.note(f"there are more: --after {after}")


def tell_answer(
    options: argparse.Namespace,
    answer: dict[str, Any],
    parts: Callable[[Any], Iterable[page.Part]],
) -> None:
    """The same of an answer that was read already."""
    if options.json:
        print(words.as_json(answer, _as_json))
    else:
        page.show(parts(answer))


def tell_rows(
    options: argparse.Namespace,
    rows: list[dict[str, Any]],
    parts: Callable[[list[Any]], Iterable[page.Part]],
) -> None:
    """Print the rows of a view, for programs or for people; without any, nothing."""
    if options.json:
        for row in rows:
            print(words.as_json(row, _as_json))
    elif rows:
        page.show(parts(rows))


def _as_json(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
    return str(value)
