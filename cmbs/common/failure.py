"""What ends a command with one sentence instead of a traceback, and with which status.

0 is what was asked for, done; 130 and 141 are a signal's, as shells count them.
"""

from enum import IntEnum


class Status(IntEnum):
    """How a command ends: one status for each class of outcome."""

    DONE = 0
    WRONG = 1
    USAGE = 2
    DECIDED_AGAINST = 3
    REFUSED = 4
    FAILED = 5
    INTERRUPTED = 130
    NOBODY_READS = 141


class Failure(Exception):
    """Something a person can mend; the text is the one clear sentence they read."""

    status = Status.FAILED


class CommandError(Failure):
    """The command cannot go on."""


class WrongError(Failure):
    """A check found that something is not as it should be."""

    status = Status.WRONG


class UsageError(Failure):
    """The command was called in a way that has no meaning, or names what is not there."""

    status = Status.USAGE


class RefusedError(Failure):
    """The kernel does not take it: another state, another caller, or not valid."""

    status = Status.REFUSED
