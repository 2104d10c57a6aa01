"""`cmbs sample`: a seeded data set to try queries on."""

import argparse
import tempfile
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from cmbs.cli.arguments import add_command, whole_number
from cmbs.cli.target import current_target
from cmbs.common.failure import CommandError
from cmbs.common.newfile import new_file
from cmbs.database import bundle, tables
from cmbs.database import connections as views
from cmbs.sample import week


def add(commands: Any) -> None:
    command = add_command(commands, "sample", _sample)
    command.add_argument(
        "--seed", type=whole_number(0, 2**31), default=1, help="another one, another week"
    )
    command.add_argument(
        "--sessions",
        type=whole_number(1, 10_000),
        default=200,
        metavar="N",
        help="how many, at most 10,000 (default: %(default)s)",
    )
    command.add_argument(
        *("-o", "--output"), type=Path, metavar="FILE", help="write a bundle; load nothing"
    )
    command.add_argument("--force", action="store_true", help="replace FILE if it is there")
    command.epilog = "example: cmbs sample"


def _sample(options: argparse.Namespace) -> int:
    if path := options.output:
        with new_file(path, options.force) as scratch:
            played = week.write(scratch, options.seed, options.sessions)
        print(f"wrote {len(played)} sessions, {sum(len(s.lines) for s in played)} events to {path}")
        return 0
    with current_target(options) as database, tempfile.TemporaryDirectory() as folder:
        _check_absent(database.url)
        path = Path(folder, "sample.zip")
        week.write(path, options.seed, options.sessions)
        with bundle.opened(path) as found:
            return bundle.import_bundle(database.url, found)


def _check_absent(url: str) -> None:
    space = tables.session.c.hypothesis_space_id
    found = sa.select(sa.func.count()).where(space.startswith(week.SPACE))
    with views.engine(url).connect() as connection:
        if number := connection.scalar(found):
            raise CommandError(
                f"{number} sessions of a sample are here already; it is loaded once, "
                "into a database that can be thrown away"
            )
