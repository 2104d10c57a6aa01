"""cmbs.create_context"""

import hashlib

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import (
    Connection,
    Session,
    background,
    begin_context,
    eliminate_in_context,
    refused,
)

AB = hashlib.sha256(b'["a", "b"]').hexdigest()


@pytest.mark.cold
def test_the_same_set_again(tx: Connection) -> None:
    answer = call(tx, "create_context", context_id="k", hypotheses=["b", "a", "b"])
    expected = {"context_id": "k", "n_hypotheses": 2, "universe_digest": AB}
    assert answer == expected | {"duplicate": False}
    eliminate_in_context(tx, "k", "a")
    answer = call(tx, "create_context", context_id="k", hypotheses=["a", "b"])
    assert answer == expected | {"duplicate": True}
    assert call(tx, "read_context_eliminated", context_id="k") == {"eliminated": ["a"]}


def test_another_set(tx: Connection) -> None:
    begin_context(tx, "k")
    for other in ([], ["a"], ["a", "b", "c", "d", ""]):
        error = refused(tx, errors.Conflict, "create_context", context_id="k", hypotheses=other)
        assert error.details["context_id"] == "k"
        assert error.details["n_hypotheses"] == 4


@pytest.mark.parametrize("ids", [[], [""], ["", " ", "'", "\U0001f600", "x" * 512]])
def test_any_set_of_texts(tx: Connection, ids: list[str]) -> None:
    answer = call(tx, "create_context", context_id="", hypotheses=ids)
    assert (answer["context_id"], answer["n_hypotheses"]) == ("", len(ids))
    assert call(tx, "read_context_survivors", context_id="")["survivors"] == sorted(ids)


@pytest.mark.parametrize("wrong", [None, [None], ["a", None], ["x" * 513], [["a"], ["b"]]])
def test_no_list_of_ids(tx: Connection, wrong: object) -> None:
    error = refused(tx, errors.InvalidRequest, "create_context", context_id="k", hypotheses=wrong)
    assert error.details["member"] == "hypotheses"


@pytest.mark.parametrize("wrong", [None, "x" * 513, "\u00e9" * 257])
def test_no_id(tx: Connection, wrong: object) -> None:
    error = refused(tx, errors.InvalidRequest, "create_context", context_id=wrong, hypotheses=["a"])
    assert error.details["member"] == "context_id"


@pytest.mark.nightly
def test_too_much_at_once(tx: Connection) -> None:
    statement = (
        "select cmbs.create_context('k', "
        "array(select rpad(g::text, 512) from generate_series(1, 131073) as g))"
    )
    with pytest.raises(errors.PayloadTooLarge) as caught, tx.transaction():
        tx.execute(statement)
    assert caught.value.details == {"member": "hypotheses", "limit": "64 MiB of ids"}


def test_contexts_over_one_set_share_it(tx: Connection) -> None:
    for number in range(100):
        begin_context(tx, f"k{number}", "a")
    tables = "cmbs_store.context_universe", "cmbs_store.context_hypothesis", "cmbs_store.context"
    counts = [tx.execute(f"select count(*) from {table}".encode()).fetchone() for table in tables]
    assert counts == [(1,), (4,), (100,)]


def test_a_context_is_no_session(tx: Connection) -> None:
    session = Session(tx, "abcd")
    begin_context(tx, str(session.id), "a")
    assert session.snapshot()["survivors"] == ["a", "b", "c", "d"]
    session.eliminate("b")
    found = call(tx, "recover_context", context_id=str(session.id))
    assert found["eliminated"] == ["a"]
    assert session.is_whole()


@pytest.mark.parametrize("other", [["b", "a"], ["a"]], ids=["same", "other"])
def test_two_at_once(database: str, other: list[str]) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        mine = call(first, "create_context", context_id="k", hypotheses=["a", "b"])
        second = calls.call("create_context", context_id="k", hypotheses=other)
        calls.wait_until_blocked()
        first.commit()
        if len(other) == 2:
            assert second.result() == mine | {"duplicate": True}
        else:
            with pytest.raises(errors.Conflict):
                second.result()
        counted = first.execute("select count(*) from cmbs_store.context_hypothesis")
        assert counted.fetchone() == (2,), "what was refused left nothing"
