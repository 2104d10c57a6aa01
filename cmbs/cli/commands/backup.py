"""`cmbs dump` and `cmbs restore`: a backup in one file, and a database from it."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cmbs.cli.arguments import add_command, whole_number

if TYPE_CHECKING:
    from cmbs.deploy.dumpfile import Origin
    from cmbs.deploy.target import Target


def add(commands: Any) -> None:
    command = add_command(
        commands, "dump", _dump, answers="one object: file, n_bytes, seconds, postgresql"
    )
    command.add_argument(
        *("-o", "--output"), type=Path, required=True, metavar="FILE", help="what to write"
    )
    command.add_argument("--force", action="store_true", help="replace FILE if it is there")
    command.epilog = "example: cmbs dump -o cmbs-monday.dump"

    command = add_command(
        commands,
        "restore",
        _restore,
        answers="what doctor and verify print with --json; what is done goes to standard error",
    )
    command.add_argument("file", type=Path, metavar="FILE", help="what cmbs dump wrote")
    command.add_argument(
        "--unsealed", action="store_true", help="take a file that pg_dump -Fc itself wrote"
    )
    command.add_argument("--no-verify", action="store_true", help="leave the logs unverified")
    command.add_argument(
        *("-j", "--jobs"),
        type=whole_number(1, os.cpu_count() or 1),
        default=1,
        metavar="N",
        help="sessions to verify at the same time (default: 1)",
    )
    command.epilog = (
        "The database must hold no CMBS yet; of the embedded PostgreSQL, an empty data directory "
        "is made. exit status: 0 restored and healthy, 1 restored, and something was found. "
        "example: cmbs restore cmbs-monday.dump --data-dir ./new"
    )


def _dump(options: argparse.Namespace) -> int:
    from cmbs.cli.target import embedded_target, given_url
    from cmbs.deploy import backup
    from cmbs.deploy.target import Target

    _end_on_signal()
    if url := given_url(options):
        done = backup.dump(Target(url, None), options.output, overwrite=options.force)
    else:
        with embedded_target(options, make=False) as database:
            done = backup.dump(database, options.output, overwrite=options.force)
    print(json.dumps(done._asdict()) if options.json else done.as_sentence())
    return 0


def _restore(options: argparse.Namespace) -> int:
    from cmbs.cli.target import embedded_target, given_url
    from cmbs.common.failure import RefusedError
    from cmbs.deploy import backup, dumpfile, migrate
    from cmbs.deploy.target import Target

    _end_on_signal()
    dumpfile.check(options.file, sealed=not options.unsealed)
    made = dumpfile.origin(options.file, backup.newest_pg_restore())
    if not migrate.knows(made.revision):
        raise RefusedError(f"{options.file} is of {migrate.why_unknown(made.revision)}")
    if url := given_url(options):
        return _restore_into(Target(url, None), options, made)
    with embedded_target(options) as database:
        return _restore_into(database, options, made)


def _restore_into(database: "Target", options: argparse.Namespace, made: "Origin") -> int:
    from cmbs.deploy import backup

    _sayer(options.json)(backup.restore(database, options.file, made))
    return finish(database, jobs=options.jobs, verify=not options.no_verify, as_json=options.json)


def finish(database: "Target", *, jobs: int, verify: bool, as_json: bool = False) -> int:
    """What a restore leaves to be done; 0 if the database is as it should be."""
    from cmbs.cli import verification
    from cmbs.deploy import backup, doctor

    say = _sayer(as_json)
    status = 0
    try:
        found = backup.bring_up(database, say)
        if found.findings:
            return doctor.tell(found, doctor.MIGRATE, as_json=as_json)
        say("the schema is as this version expects it")
    except doctor.DoctorError as error:
        # It is restored all the same, and its logs can be verified.
        say(f"the schema was not compared: {error}")
        status = 1
    if not verify:
        say("the logs were not verified: cmbs verify --all")
        return status
    if not verification.has_sessions(database.url):
        say("there is no session in it")
        return 1 if verification.verify_identities(database.url, as_json=as_json) else status
    return verification.verify(database.url, [], jobs, brief=True, as_json=as_json) or status


def _sayer(as_json: bool) -> Callable[[str], None]:
    """Where what is done is told: beside the answer, if that is for programs."""
    return lambda sentence: print(sentence, file=sys.stderr if as_json else sys.stdout, flush=True)


def _end_on_signal() -> None:
    """So that what was begun is taken away."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
