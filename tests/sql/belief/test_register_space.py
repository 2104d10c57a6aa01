"""cmbs.register_space"""

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, background, refused

SPACE = {"hypothesis_space_id": "s", "hypothesis_version": "1"}


@pytest.mark.cold
def test_for_ever(tx: Connection) -> None:
    answer = call(tx, "register_space", **SPACE, hypotheses=["b", "a", "b"])
    assert answer["n_hypotheses"] == 2
    assert answer["duplicate"] is False
    again = call(tx, "register_space", **SPACE, hypotheses=["a", "b"])
    assert again == {**answer, "duplicate": True}


def test_other_hypotheses(tx: Connection) -> None:
    first = call(tx, "register_space", **SPACE, hypotheses=["a", "b"])
    error = refused(tx, errors.Conflict, "register_space", **SPACE, hypotheses=["a"])
    assert error.details == {**SPACE, "universe_digest": first["universe_digest"]}
    other = {**SPACE, "hypothesis_version": "2"}
    assert call(tx, "register_space", **other, hypotheses=["a"])["duplicate"] is False


@pytest.mark.parametrize(
    "wrong",
    [
        {"hypothesis_space_id": None},
        {"hypothesis_space_id": ""},
        {"hypothesis_version": None},
        {"hypothesis_version": ""},
        {"hypotheses": None},
        {"hypotheses": []},
        {"hypotheses": [None]},
        {"hypotheses": [""]},
    ],
    ids=str,
)
def test_refused(tx: Connection, wrong: dict[str, object]) -> None:
    sent = {**SPACE, "hypotheses": ["a"], **wrong}
    error = refused(tx, errors.InvalidRequest, "register_space", **sent)
    assert [error.details["member"]] == list(wrong)


def test_two_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        mine = call(first, "register_space", **SPACE, hypotheses=["a"])
        same = calls.call("register_space", **SPACE, hypotheses=["a"])
        other = calls.call("register_space", **SPACE, hypotheses=["b"])
        calls.wait_until_blocked(2)
        first.commit()
        assert same.result() == {**mine, "duplicate": True}
        error = other.exception()
        assert isinstance(error, errors.Conflict)
        assert error.details["universe_digest"] == mine["universe_digest"]
