"""The command line: `cmbs COMMAND`, or `python -m cmbs COMMAND`."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from cmbs import __version__
from cmbs.cli.arguments import mute
from cmbs.cli.commands import COMMANDS
from cmbs.common.failure import Failure


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    options = _parser(given).parse_args(given)
    try:
        status: int = options.run(options)
    except Failure as failure:
        return _fail(str(failure))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        mute()
        return 1
    except Exception as error:
        cause = _database_error(error)
        if cause is None:
            raise
        # libpq may explain itself over several lines, one for each address it tried.
        return _fail(" ".join(str(cause).split()))
    return status


def _database_error(error: Exception) -> BaseException | None:
    """What the driver said, also through SQLAlchemy; None if it is no error of a database."""
    # Imported only now: most commands need one of them at most, and many end well.
    import psycopg
    from sqlalchemy.exc import DBAPIError

    cause = error.orig if isinstance(error, DBAPIError) else error
    return cause if isinstance(cause, psycopg.Error) else None


def _fail(sentence: str) -> int:
    print(f"cmbs: {sentence}", file=sys.stderr)
    return 1


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of all commands, of which only the one that is called is built and imported."""
    parser = argparse.ArgumentParser(prog="cmbs", description="A belief server on PostgreSQL.")
    parser.add_argument("--version", action="version", version=f"cmbs {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    called = next((word for word in arguments if not word.startswith("-")), None)
    if called in COMMANDS:
        import_module(f"cmbs.cli.commands.{COMMANDS[called].module}").add(commands)
    for name, command in COMMANDS.items():
        if name not in commands.choices:
            commands.add_parser(name, help=command.summary)
    return parser
