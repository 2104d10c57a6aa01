"""`cmbs export`, `import` and `replay`: sessions in a file.

Each imports what it needs when it runs: a file is shown without a driver.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from cmbs.cli.arguments import add_command, an_id
from cmbs.cli.references import help_of, reference, resolve, session_or_file
from cmbs.common.words import count


def add(commands: Any) -> None:
    command = add_command(
        commands, "export", _export, answers="one object: file, n_sessions, n_events, n_bytes"
    )
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "sessions",
        nargs="*",
        type=reference("session"),
        default=[],
        metavar="SESSION",
        help=help_of("session"),
    )
    which.add_argument("--all", action="store_true", help="every session of the database")
    command.add_argument(
        *("-o", "--output"), type=Path, required=True, metavar="FILE", help="what to write: a zip"
    )
    command.add_argument("--force", action="store_true", help="replace FILE if it is there")
    command.epilog = "example: cmbs export --all -o sessions.zip"

    command = add_command(
        commands, "import", _import, answers="one object: n_sessions, n_events, n_known"
    )
    command.add_argument("file", type=Path, metavar="FILE", help="what cmbs export wrote")
    command.add_argument(
        "--tenant",
        type=an_id,
        default="default",
        metavar="TENANT",
        help="whom the sessions belong to here; no file says it (default: %(default)s)",
    )
    command.epilog = (
        "All of it or nothing: a file that does not verify is refused, and so is one with a "
        "session that is here with another log, or for another tenant. What is here already as it "
        "is in the file is left alone. "
        "example: cmbs import sessions.zip --database-url postgresql://owner@db/cmbs"
    )

    command = add_command(
        commands,
        "replay",
        _replay,
        answers="a line for each event, and one for what they lead to",
    )
    command.add_argument(
        "target",
        type=session_or_file,
        metavar="FILE|SESSION",
        help="a bundle, an NDJSON export; or a session (its id, the beginning of it, or last)",
    )
    command.epilog = (
        "exit status: 0 the log leads where it should, 1 it does not. "
        "example: cmbs replay sessions.zip"
    )


def _export(options: argparse.Namespace) -> int:
    from cmbs.cli.progress import Progress
    from cmbs.cli.target import current_target
    from cmbs.database import export

    with current_target(options, make=False) as database:
        resolve(options, database.url)
        with Progress("events") as progress:
            done = export.export(
                database.url, options.sessions, options.output, options.force, progress
            )
    if options.json:
        print(json.dumps({"file": str(options.output), **done._asdict()}))
    else:
        print(
            f"exported {count(done.n_sessions, 'session')}, {count(done.n_events, 'event')} to "
            f"{options.output} ({done.n_bytes} bytes) in {progress.seconds:.1f} s"
        )
    return 0


def _import(options: argparse.Namespace) -> int:
    from cmbs.cli.progress import Progress
    from cmbs.cli.target import current_target
    from cmbs.database import bundle

    # Before a database is started, or made, for a file that is none.
    with (
        bundle.opened(options.file) as found,
        current_target(options) as database,
        Progress("events") as progress,
    ):
        done = bundle.import_bundle(database.url, found, options.tenant, progress)
    if options.json:
        print(json.dumps(done._asdict()))
    else:
        print(f"{done.as_sentence()} in {progress.seconds:.1f} s")
    return 0


def _replay(options: argparse.Namespace) -> int:
    from cmbs.cli import replay

    if isinstance(options.target, Path):
        return replay.replay_file(options.target, as_json=options.json)
    from cmbs.cli.target import current_target

    with current_target(options, make=False) as database:
        resolve(options, database.url)
        return replay.replay_session(database.url, options.target, as_json=options.json)
