"""`cmbs sample`: a seeded data set to try queries on."""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from cmbs.cli.arguments import add_command, whole_number
from cmbs.common.failure import RefusedError
from cmbs.common.words import count


def add(commands: Any) -> None:
    command = add_command(
        commands, "sample", _sample, answers="one object: n_sessions, n_events, n_known"
    )
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
    from cmbs.cli.progress import Progress
    from cmbs.cli.target import current_target
    from cmbs.database import bundle
    from cmbs.sample import week

    if options.output:
        return _write(options)
    with current_target(options) as database, tempfile.TemporaryDirectory() as folder:
        _check_absent(database.url, week.SPACE)
        path = Path(folder, "sample.zip")
        week.write(path, options.seed, options.sessions)
        with bundle.opened(path) as found, Progress("events") as progress:
            done = bundle.import_bundle(database.url, found, "default", progress)
    if options.json:
        print(json.dumps(done._asdict()))
    else:
        print(f"{done.as_sentence()} in {progress.seconds:.1f} s: cmbs sessions lists them")
    return 0


def _write(options: argparse.Namespace) -> int:
    from cmbs.common.newfile import new_file
    from cmbs.sample import week

    with new_file(options.output, options.force) as scratch:
        played = week.write(scratch, options.seed, options.sessions)
    events = sum(len(session.lines) for session in played)
    if options.json:
        print(json.dumps({"n_sessions": len(played), "n_events": events, "n_known": 0}))
    else:
        numbers = f"{count(len(played), 'session')}, {count(events, 'event')}"
        print(f"wrote {numbers} to {options.output}")
    return 0


def _check_absent(url: str, space: str) -> None:
    from cmbs.cli import queries
    from cmbs.database import connections

    with connections.engine(url).connect() as connection:
        if number := connection.scalar(queries.sample_sessions(space)):
            raise RefusedError(
                f"{count(number, 'session')} of a sample are here already; it is loaded once, into "
                "a database that can be thrown away"
            )
