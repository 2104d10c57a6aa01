"""What can be wrong: with a file, or with a log."""

from typing import Any


class Unreadable(Exception):
    """The file is not what it should be."""


class Fault(Exception):
    """A log that does not follow the rules: the first bad seq and why."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"event {seq}: {reason}")
        self.seq, self.reason = seq, reason


def sentence(error: ValueError) -> str:
    if isinstance(error, UnicodeError):
        return "it is not UTF-8"
    return str(error)


def refuse(faults: dict[str, Any]) -> None:
    """Say the first of these sentences that is so."""
    for reason in filter(faults.get, faults):
        raise ValueError(reason)
