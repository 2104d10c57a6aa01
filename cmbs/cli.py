"""The command line: `cmbs COMMAND`, or `python -m cmbs COMMAND`."""

import argparse
import sys
from collections.abc import Sequence

import psycopg
from sqlalchemy.exc import DBAPIError

from cmbs import __version__
from cmbs.arguments import mute
from cmbs.commands import (
    analyst,
    backup,
    bundle,
    database,
    demo,
    doctor,
    executions,
    explain,
    identities,
    inbox,
    policy,
    proposals,
    registry,
    sample,
    serve,
    tee,
    tokens,
    webhook,
)
from cmbs.demo import DemoError
from cmbs.embedded import EmbeddedError
from cmbs.migrate import MigrationError
from cmbs.place import CommandError

_COMMANDS = (
    serve,
    database,
    backup,
    doctor,
    bundle,
    explain,
    identities,
    tokens,
    policy,
    registry,
    proposals,
    inbox,
    executions,
    webhook,
    tee,
    analyst,
    sample,
    demo,
)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except (psycopg.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        # libpq may explain itself over several lines, one for each address it tried.
        return _fail(" ".join(str(cause).split()))
    except (CommandError, DemoError, EmbeddedError, MigrationError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        mute()
        return 1
    return status


def _fail(sentence: str) -> int:
    print(f"cmbs: {sentence}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cmbs", description="A belief server on PostgreSQL.")
    parser.add_argument("--version", action="version", version=f"cmbs {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in _COMMANDS:
        module.add(commands)
    return parser
