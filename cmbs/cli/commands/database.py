"""`cmbs migrate`, `roles`, `status`, `psql` and `verify`: looking after a database.

Each imports what it needs when it runs: a file is verified without a driver.
"""

import argparse
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

from cmbs.cli.arguments import add_command, add_plain, whole_number
from cmbs.cli.references import resolve, session_or_file
from cmbs.common.failure import CommandError, UsageError


def add(commands: Any) -> None:
    command = add_command(commands, "migrate", _migrate, answers="one object: revision")
    command.add_argument("--sql", action="store_true", help="print the SQL; connect to nothing")
    command.epilog = "example: cmbs migrate --database-url postgresql://owner@db/cmbs"

    command = add_plain(commands, "roles", _roles)
    command.add_argument("--sql", action="store_true", help="(it prints nothing else)")
    command.epilog = "example: cmbs roles | psql postgresql://admin@db/cmbs"

    command = add_command(commands, "status", _status)
    command.epilog = "example: cmbs status"

    command = add_command(commands, "psql", _psql, answers="")
    command.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="goes to psql, after --")
    command.epilog = "example: cmbs psql -- -c 'table cmbs.session'"

    command = add_command(
        commands,
        "verify",
        _verify,
        answers="a line for each session, with its verdict: ok, broken, unreadable, missing",
    )
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "targets",
        nargs="*",
        type=session_or_file,
        default=[],
        metavar="SESSION|FILE",
        help="a session (its id, the beginning of it, or last); or what cmbs export or the audit "
        "route wrote",
    )
    which.add_argument("--all", action="store_true", help="every session of the database")
    command.add_argument(
        *("-j", "--jobs"),
        type=whole_number(1, os.cpu_count() or 1),
        default=1,
        metavar="N",
        help="sessions to check at the same time, at most one for each processor (default: 1)",
    )
    command.epilog = (
        "exit status: 0 every chain is whole, 1 one is BROKEN or there was none to check, 2 usage, "
        "or no such session. "
        "example: cmbs verify --all --jobs 2, or of a file: cmbs verify sessions.zip"
    )


def _migrate(options: argparse.Namespace) -> int:
    from cmbs.cli.target import embedded_target, given_url
    from cmbs.deploy import migrate

    if options.sql:
        print(migrate.script())
        return 0
    if url := given_url(options):
        revision = migrate.migrate(url)
    else:
        with embedded_target(options) as database:
            revision = migrate.migrate(database.url)
    if options.json:
        print(f'{{"revision": "{revision}"}}')
    else:
        print(f"the database is at revision {revision}")
    return 0


def _roles(options: argparse.Namespace) -> int:
    from cmbs.deploy import migrate

    print(migrate.roles_script())
    return 0


def _psql(options: argparse.Namespace) -> int:
    from cmbs.cli.target import current_target
    from cmbs.deploy import embedded

    with current_target(options, damaged=True) as database:
        program = None
        if database.server and (database.server.bindir / "psql").exists():
            program = str(database.server.bindir / "psql")
        program = program or shutil.which("psql") or str(embedded.find_bindir() / "psql")
        # Ctrl-C is psql's to handle: it cancels the query and stays.
        signal.signal(signal.SIGINT, lambda *_: None)
        command, where = [program, database.url], {}
        if server := database.server:
            # As an argument, the address would win over a user that is named after --.
            command, where = [program], {"PGHOST": str(server.socket_dir)}
            where |= {"PGPORT": str(server.port), "PGDATABASE": "cmbs"}
            where |= {"PGUSER": os.environ.get("PGUSER", "postgres")}
        try:
            return subprocess.call([*command, *options.arguments], env={**os.environ, **where})
        except OSError as error:
            raise CommandError(f"{program} cannot be run: {error.strerror}") from error


def _status(options: argparse.Namespace) -> int:
    from cmbs.cli import report
    from cmbs.cli.target import current_target
    from cmbs.deploy import migrate

    with current_target(options, make=False) as database:
        # A given address is known to who gave it, and may hold a password.
        address = database.url if database.server else None
        return report.status(database.url, migrate.head(), address, as_json=options.json)


def _verify(options: argparse.Namespace) -> int:
    files = [found for found in options.targets if isinstance(found, Path)]
    if files:
        if len(files) < len(options.targets):
            raise UsageError("give sessions of a database or files, not both at once")
        from cmbs import verify

        # As the file itself does where there is nothing else of CMBS.
        chosen = ["--json"] * options.json
        return max(verify.main([*chosen, "--", str(file)], "cmbs verify") for file in files)
    from cmbs.cli import verification
    from cmbs.cli.target import current_target

    with current_target(options, make=False) as database:
        resolve(options, database.url)
        return verification.verify(
            database.url, options.targets, options.jobs, as_json=options.json
        )
