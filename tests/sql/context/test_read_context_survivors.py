"""cmbs.read_context_survivors"""

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, begin_context, refused


@pytest.mark.cold
def test_what_nothing_has_eliminated(tx: Connection) -> None:
    begin_context(tx, "k", "c", "unknown")
    begin_context(tx, "other", "a")
    assert call(tx, "read_context_survivors", context_id="k") == {"survivors": ["a", "b", "d"]}


def test_refused(tx: Connection) -> None:
    refused(tx, errors.SessionNotFound, "read_context_survivors", context_id="")
    refused(tx, errors.InvalidRequest, "read_context_survivors", context_id=None)
