"""What a verb refuses, as the one sentence that a command ends with."""

import contextlib
from collections.abc import Iterator

from cmbs.common.failure import RefusedError, UsageError
from cmbs.common.words import as_json
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
            shown = as_json(details) if details else None
            sentence = " ".join(filter(None, (message, error.diag.message_hint, shown)))
        # What is not there was mistyped, or is looked for in the wrong place.
        kind = UsageError if error.status == 404 else RefusedError
        raise kind(sentence) from error
