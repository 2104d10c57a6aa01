"""cmbs.read_context_eliminated"""

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, begin_context, refused


@pytest.mark.cold
def test_what_is_gone(tx: Connection) -> None:
    begin_context(tx, "k", "c", "unknown", "b")
    begin_context(tx, "other", "a")
    assert call(tx, "read_context_eliminated", context_id="k") == {"eliminated": ["b", "c"]}


def test_refused(tx: Connection) -> None:
    refused(tx, errors.SessionNotFound, "read_context_eliminated", context_id="")
    refused(tx, errors.InvalidRequest, "read_context_eliminated", context_id=None)
