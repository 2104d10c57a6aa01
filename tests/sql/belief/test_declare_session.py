"""cmbs.declare_session"""

import hashlib
import json
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import ONTOLOGY, Connection, Session, background, declare, refused


@pytest.mark.cold
def test_the_universe_is_a_sorted_set(tx: Connection) -> None:
    answer = declare(tx, ["b", "\U0001f600", "a", "\ue000", "b", "B", " a"])
    survivors = [" a", "B", "a", "b", "\ue000", "\U0001f600"]
    snapshot = answer["snapshot"]
    assert answer["duplicate"] is False
    assert snapshot["survivors"] == survivors
    assert (snapshot["n_survivors"], snapshot["n_hypotheses"]) == (6, 6)
    digest = hashlib.sha256(json.dumps(survivors, ensure_ascii=False).encode()).digest()
    assert snapshot["survivors_hash"] == hashlib.sha256(digest + b"\x3f").hexdigest()
    assert snapshot["ontology"] == ONTOLOGY
    assert snapshot["audit_seq"] == 1
    assert snapshot["audit_head_event_id"] == answer["audit_event_id"]


def test_ids_that_are_there_twice_are_counted(tx: Connection) -> None:
    first = declare(tx, "abca", session_id=uuid4())
    assert (first["n_duplicates"], first["snapshot"]["n_hypotheses"]) == (1, 3)
    again = declare(tx, "aabbcc", session_id=UUID(first["session_id"]))
    assert (again["duplicate"], again["n_duplicates"]) == (True, 3)
    other = declare(tx, "abc", session_id=UUID(first["session_id"]))
    assert (other["duplicate"], "n_duplicates" in other) == (True, False)


def test_without_the_survivors(tx: Connection) -> None:
    snapshot = declare(tx, minimal=True)["snapshot"]
    assert "survivors" not in snapshot
    assert snapshot["n_survivors"] == 4


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"metadata": Json({"b": 1, "a": [2]}), "policy": Json({"stability_window": 3})},
        {"metadata": Json({}), "policy": Json({}), "notes": "n"},
    ],
)
def test_repeated(tx: Connection, more: dict[str, object]) -> None:
    first = Session(tx, **more)
    first.eliminate("a")
    again = declare(tx, "dcbaa", session_id=first.id, **more)
    assert again["duplicate"] is True
    assert again["audit_event_id"] == first.declared["audit_event_id"]
    assert again["session_id"] == str(first.id)
    assert again["snapshot"] == first.snapshot(), "the current one, not that of then"
    assert len(first.events()) == 2


def test_repeated_after_termination_and_with_other_notes(tx: Connection) -> None:
    session = Session(tx, "a", notes="one")
    assert session.terminate()["approved"]
    again = declare(tx, "a", session_id=session.id, notes="two")
    assert (again["duplicate"], again["snapshot"]["terminated"]) == (True, True)


def test_repeated_by_the_name_of_the_space(tx: Connection) -> None:
    space = {"hypothesis_space_id": "space", "hypothesis_version": "1"}
    call(tx, "register_space", hypotheses=list("dcba"), **space)
    session = Session(tx)
    assert declare(tx, None, session_id=session.id)["duplicate"] is True


@pytest.mark.parametrize(
    "other",
    [
        {"hypotheses": ["a", "b", "c"]},
        {"hypotheses": ["a", "b", "c", "d", "e"]},
        {"ontology": Json({**ONTOLOGY, "causal_graph_version": "3"})},
        {"metadata": Json({"k": 2})},
        {"metadata": None},
        {"policy": Json({"stability_window": 1, "validate_hypotheses": False})},
        {"policy": None},
    ],
    ids=str,
)
def test_another_request_under_the_same_id(tx: Connection, other: dict[str, object]) -> None:
    sent: dict[str, object] = {
        "ontology": Json(ONTOLOGY),
        "hypotheses": list("abcd"),
        "metadata": Json({"k": 1}),
        "policy": Json({"stability_window": 1}),
    }
    session = Session(tx, **sent)
    error = session.refuses(errors.Conflict, "declare_session", **{**sent, **other})
    assert error.details["audit_event_id"] == session.declared["audit_event_id"]


def test_a_conflict_is_found_before_a_missing_space(tx: Connection) -> None:
    session = Session(tx)
    other = Json({**ONTOLOGY, "hypothesis_space_id": "not registered"})
    error = session.refuses(errors.Conflict, "declare_session", ontology=other)
    assert error.details["audit_event_id"] == session.declared["audit_event_id"]


def test_an_explicit_list_wins_over_the_space(tx: Connection) -> None:
    call(
        tx,
        "register_space",
        hypothesis_space_id="space",
        hypothesis_version="1",
        hypotheses=["x", "y"],
    )
    assert declare(tx, None)["snapshot"]["survivors"] == ["x", "y"]
    assert declare(tx, ["x", "z"])["snapshot"]["survivors"] == ["x", "z"]


def test_a_space_that_is_not_registered(tx: Connection) -> None:
    call(
        tx, "register_space", hypothesis_space_id="space", hypothesis_version="2", hypotheses=["x"]
    )
    error = refused(
        tx, errors.SpaceNotFound, "declare_session", session_id=uuid4(), ontology=Json(ONTOLOGY)
    )
    assert error.details == {"hypothesis_space_id": "space", "hypothesis_version": "1"}


@pytest.mark.parametrize("missing", [None, *ONTOLOGY])
@pytest.mark.parametrize("value", ["", None, 1, ["x"], "absent"], ids=str)
def test_the_ontology_is_four_strings(tx: Connection, missing: str | None, value: object) -> None:
    sent: dict[str, object] = dict(ONTOLOGY)
    if missing is None:
        sent["more"] = value
    elif value == "absent":
        del sent[missing]
    else:
        sent[missing] = value
    error = refused(
        tx,
        errors.InvalidRequest,
        "declare_session",
        session_id=uuid4(),
        ontology=Json(sent),
        hypotheses=["a"],
    )
    if missing is None:
        assert error.details == {"member": "ontology", "unknown": ["more"]}
    else:
        assert error.details["member"] == f"ontology.{missing}"


@pytest.mark.parametrize(
    "wrong",
    [
        {"session_id": None},
        {"ontology": None},
        {"hypotheses": []},
        {"hypotheses": ["a", None]},
        {"hypotheses": ["a", ""]},
        {"metadata": Json([1])},
        {"policy": Json({"stability_windo": 1})},
    ],
    ids=str,
)
def test_refused(tx: Connection, wrong: dict[str, object]) -> None:
    sent = {"session_id": uuid4(), "ontology": Json(ONTOLOGY), "hypotheses": ["a"], **wrong}
    refused(tx, errors.InvalidRequest, "declare_session", **sent)


def test_sessions_of_one_set_share_its_universe(tx: Connection) -> None:
    declare(tx, ["shared", "b"])
    declare(tx, ["b", "shared", "shared"])
    shared = "select count(*) from cmbs_store.universe_member where hypothesis_id = 'shared'"
    assert tx.execute(shared).fetchone() == (1,)


def test_the_same_declare_twice_at_once(database: str) -> None:
    sent = {"session_id": uuid4(), "ontology": Json(ONTOLOGY), "hypotheses": ["a", "b"]}
    with background(database) as calls, psycopg.connect(database) as first:
        mine = call(first, "declare_session", **sent)
        theirs = [calls.call("declare_session", **sent) for _ in range(3)]
        other = calls.call("declare_session", **{**sent, "hypotheses": ["c"]})
        calls.wait_until_blocked(4)
        first.commit()
        for answer in theirs:
            assert answer.result()["duplicate"] is True
            assert answer.result()["audit_event_id"] == mine["audit_event_id"]
        error = other.exception()
        assert isinstance(error, errors.Conflict)
        assert error.details["audit_event_id"] == mine["audit_event_id"]
        assert call(first, "query_belief", session_id=sent["session_id"])["audit_seq"] == 1


def test_a_declare_whose_rival_is_rolled_back(database: str) -> None:
    sent = {"session_id": uuid4(), "ontology": Json(ONTOLOGY), "hypotheses": ["a", "b"]}
    with background(database) as calls, psycopg.connect(database) as first:
        mine = call(first, "declare_session", **sent)
        theirs = calls.call("declare_session", **sent)
        calls.wait_until_blocked()
        first.rollback()
        assert theirs.result()["duplicate"] is False
        assert theirs.result()["audit_event_id"] != mine["audit_event_id"]
        assert call(first, "verify", session_id=UUID(mine["session_id"]))["first_bad"] is None


def test_what_is_refused_was_not_written_first(tx: Connection) -> None:
    """Rolled back or not, every id of it would have taken its place on the disk."""
    query = "select pg_stat_get_xact_tuples_inserted('cmbs_store.universe_member'::regclass)"
    sent = {"session_id": uuid4(), "ontology": Json(ONTOLOGY), "hypotheses": ["a", "new here"]}
    unknown, supervised = {"pack": "nobody's", "version": 1}, {"pack": "supervised", "version": 1}
    before = tx.execute(query).fetchone()
    for error, wrong in (
        (errors.PolicyNotFound, {"arbitration": Json(unknown)}),
        (errors.PolicyNotFound, {"arbitration": Json(supervised | {"shadow": unknown})}),
        (errors.InvalidRequest, {"arbitration": Json(unknown), "hypotheses": ["", "b"]}),
        (errors.InvalidRequest, {"policy": Json({"allow_forced_termination": 1})}),
    ):
        refused(tx, error, "declare_session", **sent | wrong)
    assert tx.execute(query).fetchone() == before
    call(tx, "declare_session", **sent, arbitration=Json(supervised))
    assert tx.execute(query).fetchone() != before
