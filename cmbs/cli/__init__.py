"""The command line: `cmbs COMMAND`, or `python -m cmbs COMMAND`."""

import argparse
import errno
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from cmbs import __version__
from cmbs.cli.commands import COMMANDS, GROUPS
from cmbs.cli.parser import Parser
from cmbs.common.failure import Failure, Status

# What a full or broken place says of what is printed; a file that is written has a name.
_UNWRITABLE = (errno.EBADF, errno.EIO, errno.ENOSPC)
_STATUSES = """\
exit status:
  0  done; what was checked is as it should be, what was proposed is allowed
  1  a check found something: a log is BROKEN, a fixture fails, the doctor has findings
  2  usage: wrong arguments, or something that does not exist
  3  decided against: a policy or a gate denied or deferred, or you answered no
  4  refused: not allowed in this state, or to this caller
  5  failed: the database is away, a file cannot be written
"""


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    if sys.stderr is None:
        # Nobody is to be told, or it would stand in the answer.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if is_closed := sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        # What this terminal cannot show is spelled out.
        sys.stdout.reconfigure(errors="backslashreplace")
    options = _parser(given).parse_args(given)
    if is_closed and hasattr(options, "json"):
        return _fail("standard output is closed, and the answer goes there", Status.FAILED)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except Failure as failure:
        return _fail(str(failure), failure.status)
    except KeyboardInterrupt:
        return Status.INTERRUPTED
    except BrokenPipeError:
        from cmbs.cli.arguments import mute

        mute()
        return Status.NOBODY_READS
    except OSError as error:
        if error.filename is not None or error.errno not in _UNWRITABLE:
            raise
        from cmbs.cli.arguments import mute

        mute()
        return _fail(f"standard output cannot be written: {error.strerror}", Status.FAILED)
    except Exception as error:
        cause = _database_error(error)
        if cause is None:
            raise
        # libpq may explain itself over several lines, one for each address it tried.
        return _fail(" ".join(str(cause).split()), Status.FAILED)
    return status


def _database_error(error: Exception) -> BaseException | None:
    """What the driver said, also through SQLAlchemy; None if it is no error of a database."""
    # Imported only now: most commands need one of them at most, and many end well.
    import psycopg
    from sqlalchemy.exc import DBAPIError

    cause = error.orig if isinstance(error, DBAPIError) else error
    return cause if isinstance(cause, psycopg.Error) else None


def _fail(sentence: str, status: int) -> int:
    print(f"cmbs: {sentence}", file=sys.stderr)
    return status


def _parser(arguments: Sequence[str]) -> Parser:
    """The parser of all commands, of which only the one that is called is built and imported."""
    parser = _Top(
        prog="cmbs",
        usage="cmbs COMMAND ...",
        description=f"A belief server on PostgreSQL.\n\n{_listed()}",
        epilog=f"{_STATUSES}\ncmbs COMMAND --help tells more of each.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"cmbs {__version__}")
    commands = parser.add_subparsers(
        metavar="COMMAND",
        required=True,
        help=argparse.SUPPRESS,
        prog="cmbs",
        parser_class=Parser,
    )
    called = next((word for word in arguments if not word.startswith("-")), None)
    if called in COMMANDS:
        import_module(f"cmbs.cli.commands.{COMMANDS[called].module}").add(commands)
    for name, command in COMMANDS.items():
        if name not in commands.choices:
            commands.add_parser(name, help=command.summary)
    return parser


class _Top(Parser):
    """Knows what the actions of commands are called, too: who types halt means policy halt."""

    def elsewhere(self, given: str) -> str:
        # Builds every command, which only a mistake is worth.
        from cmbs.cli.commands.completion import leaves, whole
        from cmbs.cli.parser import meant

        if len(given) < 2:
            return ""
        found = [name for name, _ in leaves(whole()) if given in name.split()]
        if not found:
            # In other words: who types backup means the one that begins with "back up".
            told = ((name, command.description or "") for name, command in leaves(whole()))
            found = [name for name, text in told if text.lower().replace(" ", "").startswith(given)]
        return meant([f"cmbs {name}" for name in found[:2]])


def _listed() -> str:
    """The commands under what they are for."""
    lines = []
    for title, names in GROUPS.items():
        lines += [f"{title}:", *(f"  {name:<18}{COMMANDS[name].summary}" for name in names), ""]
    return "\n".join(lines)
