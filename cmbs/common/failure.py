"""What ends a command with one sentence instead of a traceback."""


class Failure(Exception):
    """Something a person can mend; the text is the one clear sentence they read."""


class CommandError(Failure):
    """The command cannot go on."""
