"""`cmbs sessions`: which there are, and how far each is."""

import argparse
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from cmbs.cli import page
from cmbs.cli.arguments import add_command, an_id, whole_number
from cmbs.cli.references import help_of, reference
from cmbs.cli.session import meanings, tell_rows, verbs_of
from cmbs.common.words import shown

_STATES = {
    "open": "it accepts messages",
    "stuck": "an obligation has to be met before it can conclude or end",
    "terminated": "it is closed",
}
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


def add(commands: Any) -> None:
    command = add_command(
        commands,
        "sessions",
        _sessions,
        answers="an object on each line, from the view cmbs.session",
    )
    command.add_argument(
        "--state", choices=_STATES, help=f"only {meanings(_STATES)} (default: all)"
    )
    command.add_argument(
        "--space", type=an_id, metavar="ID", help="only those over this hypothesis space"
    )
    command.add_argument("--tenant", type=an_id, metavar="TENANT", help="only those of this one")
    command.add_argument(
        "--since",
        type=_period,
        metavar="PERIOD",
        help="only those with an event in the last minutes, hours, days or weeks: 30m, 12h, 7d",
    )
    command.add_argument(
        "--limit", type=whole_number(1, 1000), default=50, metavar="N", help="(default: 50)"
    )
    command.add_argument(
        "--before",
        type=reference("session"),
        metavar="SESSION",
        help="only those declared before this one, to go on where a list ended",
    )
    command.epilog = (
        "Those that were declared last come first. Other commands take the beginning of an id, as "
        f"it is shown here, or `last`: {help_of('session').rpartition(': ')[2]}. "
        "example: cmbs sessions --state stuck --since 12h"
    )


def _period(text: str) -> timedelta:
    found = re.fullmatch(r"([1-9]\d{0,4})([mhdw])", text)
    if not found:
        raise argparse.ArgumentTypeError(
            "must be minutes, hours, days or weeks, such as 30m, 12h or 7d"
        )
    return int(found[1]) * _UNITS[found[2]]


def _sessions(options: argparse.Namespace) -> int:
    with verbs_of(options) as verbs:
        from cmbs.cli import queries

        rows = verbs.rows(queries.sessions(options))
    tell_rows(options, rows, _parts)
    if not rows:
        page.note("no session matches" if _is_filtered(options) else "there is no session")
    elif len(rows) == options.limit:
        last = str(rows[-1]["session_id"])
        page.note(f"there may be more: --before {last}, or another --limit")
    return 0


def _is_filtered(options: argparse.Namespace) -> bool:
    names = ("state", "space", "tenant", "since", "before")
    return any(getattr(options, name) is not None for name in names)


def _parts(rows: list[dict[str, Any]]) -> Iterator[page.Part]:
    tenants = {row["tenant"] for row in rows}
    headers = ["session", "state", "survivors", "obligation", "events", "last event"]
    yield page.Table(
        [*headers, "space", *["tenant"] * (len(tenants) > 1)],
        [
            (
                page.Id(row["session_id"]),
                page.State(row["state"]),
                f"{row['n_survivors']} of {row['n_hypotheses']}",
                shown(row["active_obligation_id"]) if row["active_obligation_id"] else "-",
                str(row["n_events"]),
                page.when(row["last_event_at"]),
                shown(row["hypothesis_space_id"]),
                *[shown(row["tenant"])] * (len(tenants) > 1),
            )
            for row in rows
        ],
    )
