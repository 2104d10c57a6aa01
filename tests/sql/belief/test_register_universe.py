"""cmbs.register_universe"""

import hashlib

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, background, declare, refused


@pytest.mark.cold
def test_a_set_has_one_digest(tx: Connection) -> None:
    answer = call(tx, "register_universe", hypotheses=["b", "a", "b"])
    assert answer == {
        "universe_digest": hashlib.sha256(b'["a", "b"]').hexdigest(),
        "n_hypotheses": 2,
    }
    assert call(tx, "register_universe", hypotheses=["a", "b"]) == answer
    assert declare(tx, ["a", "b"])["snapshot"]["survivors"] == ["a", "b"]


@pytest.mark.parametrize("wrong", [None, [], [None], ["a", ""]])
def test_refused(tx: Connection, wrong: object) -> None:
    error = refused(tx, errors.InvalidRequest, "register_universe", hypotheses=wrong)
    assert error.details["member"] == "hypotheses"


def test_two_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        mine = call(first, "register_universe", hypotheses=["a", "b"])
        same = calls.call("register_universe", hypotheses=["b", "a"])
        calls.wait_until_blocked()
        first.commit()
        assert same.result() == mine
        counted = first.execute("select count(*) from cmbs_store.universe_member")
        assert counted.fetchone() == (2,)
