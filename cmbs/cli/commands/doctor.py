"""`cmbs doctor`: is everything in the database as this version expects it?"""

import argparse
import shlex
import signal
import sys
from typing import Any

from cmbs.cli.arguments import add_command


def add(commands: Any) -> None:
    command = add_command(
        commands,
        "doctor",
        _doctor,
        answers="one object: is_healthy, and findings and notes with their commands",
    )
    command.epilog = (
        "It prints SQL with comments, and changes nothing. exit status: 0 healthy, perhaps with "
        "notes, 1 something was found. example: cmbs doctor > mend.sql; cmbs psql -- -f mend.sql"
    )


def _doctor(options: argparse.Namespace) -> int:
    from cmbs.cli.target import embedded_target, given_url
    from cmbs.deploy import doctor

    # Whoever ends us also ends the server that was started to compare with.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    if url := given_url(options):
        return doctor.tell(doctor.examine(url), doctor.MIGRATE, as_json=options.json)
    command = doctor.MIGRATE
    if options.data_dir:
        command += f" --data-dir {shlex.quote(str(options.data_dir))}"
    with embedded_target(options, make=False) as database:
        return doctor.tell(doctor.examine(database.url), command, as_json=options.json)
