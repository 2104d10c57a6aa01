"""`cmbs dump` and `cmbs restore`: a backup in one file, and a database from it."""

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import Any

from cmbs.cli import report
from cmbs.cli.arguments import add_command, whole_number
from cmbs.cli.target import embedded_target, given_url
from cmbs.common.failure import CommandError
from cmbs.deploy import backup, doctor, dumpfile, migrate
from cmbs.deploy.target import Target


def add(commands: Any) -> None:
    command = add_command(commands, "dump", _dump)
    command.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    command.add_argument("--force", action="store_true", help="replace FILE if it is there")
    command.epilog = "example: cmbs dump -o cmbs-monday.dump"

    command = add_command(commands, "restore", _restore)
    command.add_argument("file", type=Path, metavar="FILE")
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
        "the database must hold no CMBS yet; of the embedded PostgreSQL, an empty data directory "
        "is made. exit status: 0 restored and healthy, 1 not, 2 usage. "
        "example: cmbs restore cmbs-monday.dump --data-dir ./new"
    )


def _dump(options: argparse.Namespace) -> int:
    _end_on_signal()
    if url := given_url(options):
        backup.dump(Target(url, None), options.output, overwrite=options.force)
        return 0
    with embedded_target(options, make=False) as database:
        backup.dump(database, options.output, overwrite=options.force)
    return 0


def _restore(options: argparse.Namespace) -> int:
    _end_on_signal()
    dumpfile.check(options.file, sealed=not options.unsealed)
    made = dumpfile.origin(options.file, backup.newest_pg_restore())
    if not migrate.knows(made.revision):
        raise CommandError(f"{options.file} is of {migrate.why_unknown(made.revision)}")
    if url := given_url(options):
        return _restore_into(Target(url, None), options, made)
    with embedded_target(options) as database:
        return _restore_into(database, options, made)


def _restore_into(database: Target, options: argparse.Namespace, made: dumpfile.Origin) -> int:
    backup.restore(database, options.file, made)
    return finish(database, jobs=options.jobs, verify=not options.no_verify)


def finish(database: Target, *, jobs: int, verify: bool) -> int:
    """What a restore leaves to be done; 0 if the database is as it should be."""
    try:
        found = backup.bring_up(database)
    except doctor.DoctorError as error:
        # It is restored all the same, and its logs can be verified.
        print(f"the schema was not compared: {error}", flush=True)
        return _verify(database, jobs, verify) or 1
    if found.findings:
        return doctor.tell(found, doctor.MIGRATE)
    print("the schema is as this version expects it", flush=True)
    return _verify(database, jobs, verify)


def _verify(database: Target, jobs: int, verify: bool) -> int:
    if not verify:
        print("the logs were not verified: cmbs verify --all")
        return 0
    if not report.has_sessions(database.url):
        print("there is no session in it")
        return 1 if report.verify_identities(database.url) else 0
    return report.verify(database.url, [], jobs, brief=True)


def _end_on_signal() -> None:
    """So that what was begun is taken away."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
