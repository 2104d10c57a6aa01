"""What a verb refuses, as the one sentence that a command ends with."""

import contextlib
from collections.abc import Iterator
from typing import Any

from cmbs.common.failure import RefusedError, UsageError
from cmbs.common.words import as_json, shown
from cmbs.errors import BeliefError


@contextlib.contextmanager
def refusals_as_failures() -> Iterator[None]:
    """What a verb refuses, with its details, as one clear sentence."""
    try:
        yield
    except BeliefError as error:
        details, message = error.details, error.diag.message_primary or error.message
        if "problem" in details:
            subject = f"{details['member']} " if "member" in details else ""
            sentence = f"{message.removesuffix('.')}: {subject}{details['problem']}"
        else:
            sentence = " ".join(filter(None, (message, error.diag.message_hint, _shown(details))))
        # What is not there was mistyped, or is looked for in the wrong place.
        kind = UsageError if error.status == 404 else RefusedError
        raise kind(sentence) from error


def _shown(details: dict[str, Any]) -> str:
    """The values that belong to a message: `(name: planner, tenant: default)`."""
    pairs = (
        f"{name}: {shown(value) if isinstance(value, str) else as_json(value)}"
        for name, value in details.items()
    )
    return f"({', '.join(pairs)})" if details else ""
