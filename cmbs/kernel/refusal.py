"""What every refused verb raises, wherever it was called."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any


class Refusal(Exception):
    """A verb refused the call; nothing was changed.

    In this process it is a `BeliefServerError`, from a database or over HTTP a `BeliefError`: to
    catch this is to catch either.
    """

    if TYPE_CHECKING:

        @property
        def code(self) -> str:
            """The code of the protocol: `SESSION_NOT_FOUND`."""

        @property
        def message(self) -> str:
            """A constant sentence or two."""

        @property
        def details(self) -> Mapping[str, Any] | None:
            """The values that belong to the message."""
