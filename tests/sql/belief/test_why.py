"""cmbs.why"""

import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import NOBODY, Connection, Session, refused, rich_session


@pytest.mark.cold
def test_a_survivor(tx: Connection) -> None:
    assert Session(tx)("why", hypothesis_id="a") == {
        "hypothesis_id": "a",
        "survives": True,
        "eliminated_by": None,
    }


def test_the_first_event_that_eliminated_it(tx: Connection) -> None:
    session = Session(tx)
    session.eliminate(
        "b", "a", source_id='s"', observation_id="o\\", justification=Json({"why": "so"})
    )
    session.eliminate("a", source_id="later")
    event = session.events()[1]
    assert session("why", hypothesis_id="a") == {
        "hypothesis_id": "a",
        "survives": False,
        "eliminated_by": {
            "event_id": event["event_id"],
            "seq": 2,
            "ts": event["ts"],
            "source_id": 's"',
            "observation_id": "o\\",
            "justification": {"why": "so"},
            "actor": event["actor"],
        },
    }


def test_agrees_with_the_survivors(tx: Connection) -> None:
    session, _ = rich_session(tx)
    survivors = session.snapshot()["survivors"]
    for hypothesis_id in session.events()[0]["payload"]["hypotheses"]:
        found = session("why", hypothesis_id=hypothesis_id)
        assert found["hypothesis_id"] == hypothesis_id
        assert found["survives"] is (hypothesis_id in survivors)
        assert (found["eliminated_by"] is None) is found["survives"]


def test_refused(tx: Connection) -> None:
    session = Session(tx)
    for unknown in ("x", "A", "a "):
        error = session.refuses(errors.InvalidHypothesisId, "why", hypothesis_id=unknown)
        assert error.details["invalid"] == [unknown]
    refused(tx, errors.SessionNotFound, "why", session_id=NOBODY, hypothesis_id="a")
    refused(tx, errors.InvalidRequest, "why", session_id=None, hypothesis_id="a")


@pytest.mark.parametrize("nothing", [None, "", "x" * 513])
def test_what_is_no_id(tx: Connection, nothing: str | None) -> None:
    error = Session(tx).refuses(errors.InvalidRequest, "why", hypothesis_id=nothing)
    assert error.details["member"] == "hypothesis_id"
