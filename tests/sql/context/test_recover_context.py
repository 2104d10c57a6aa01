"""cmbs.recover_context"""

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, begin_context, eliminate_in_context, refused


@pytest.mark.cold
def test_everything(tx: Connection) -> None:
    begin_context(tx, "k", "c")
    eliminate_in_context(tx, "k", "a", "unknown")
    assert call(tx, "recover_context", context_id="k") == {
        "hypotheses": ["a", "b", "c", "d"],
        "eliminated": ["a", "c"],
        "survivors": ["b", "d"],
    }


def test_nothing(tx: Connection) -> None:
    call(tx, "create_context", context_id="", hypotheses=[])
    found = call(tx, "recover_context", context_id="")
    assert found == {"hypotheses": [], "eliminated": [], "survivors": []}


def test_refused(tx: Connection) -> None:
    refused(tx, errors.SessionNotFound, "recover_context", context_id="k")
    refused(tx, errors.InvalidRequest, "recover_context", context_id="x" * 513)
