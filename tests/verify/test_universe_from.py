"""Sessions declared from an incident: what their first event may say of it, here and in SQL."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from cmbs import verify
from cmbs.kernel.canonical import parse
from cmbs.verify.payloads import is_payload
from tests.support import forger
from tests.support.oracle import Json
from tests.tee.scene import rich_tee
from tests.verify.test_arbitration import Made as OfArbitration
from tests.verify.test_arbitration import less, put

INCIDENT = "listed"
BROKEN = "the payload is not one that this verb records"


class Made(OfArbitration):
    """A log that begins with what an incident had ruled out, and somebody above all checks."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.session = rich_tee(connection).session
        self.session.eliminate("a")
        self.connection, self.id = connection, self.session.id
        self.forger = forger.Scene(connection)


@pytest.fixture(scope="module")
def made(_shared_database: str) -> Iterator[Made]:
    with psycopg.connect(_shared_database) as connection:
        yield Made(connection)
        connection.rollback()


def test_a_whole_log(made: Made) -> None:
    assert made.fault() is None
    assert made.forger.verdict(made.id)["ok"]
    declared, ruled_out, eliminated = map(parse, made.forger.records(made.id))
    assert declared["payload"]["universe_from"] == {"tee_incident": INCIDENT, "edges": True}
    assert ruled_out["payload"]["source_id"] == "tee"
    assert eliminated["delta"]["eliminated"] == ["a", "edge:a|b|DEPENDS_ON"]


TAKEN: list[Any] = [
    {"tee_incident": INCIDENT},
    {"tee_incident": INCIDENT, "edges": True},
    {"tee_incident": "x" * 512},
    {"tee_incident": "ä" * 256},
    {"tee_incident": " "},
]
REFUSED: list[Any] = [
    *({}, [], "", "x", 7, 2.5, True, False, None, ["tee_incident"], [INCIDENT], [{}]),
    *({"tee_incident": value} for value in ("", None, 7, True, [], {}, "x" * 513, "ä" * 257)),
    *(
        {"tee_incident": INCIDENT, "edges": value}
        for value in (False, None, 1, 0, "true", [], {}, [True])
    ),
    *({"edges": True}, {"tee_incident": INCIDENT, "x": 1}, {"incident": INCIDENT}),
    {"tee_incident": INCIDENT, "edges": True, "x": None},
]


@pytest.mark.parametrize(
    ("value", "is_taken"),
    [*((value, True) for value in TAKEN), *((value, False) for value in REFUSED)],
    ids=lambda value: str(value)[:40],
)
def test_the_member_of_the_payload(made: Made, value: Any, is_taken: bool) -> None:
    payload = parse(made.forger.records(made.id)[0])["payload"] | {"universe_from": value}
    sent = json.dumps(payload)
    with made.connection.transaction(force_rollback=True):
        in_sql = made.forger.value(
            "select cmbs_store.is_payload('DECLARE_SESSION', %s) is true", sent
        )
    assert in_sql is is_payload("DECLARE_SESSION", verify.parse(sent)) is is_taken


@pytest.mark.parametrize("value", REFUSED, ids=lambda value: str(value)[:40])
def test_a_forged_one(made: Made, value: Any) -> None:
    with made.connection.transaction(force_rollback=True):
        made.forger.forge(made.id, 1, put("universe_from", to=value))
        assert made.fault() == (1, BROKEN)
        assert made.forger.first_bad(made.id)[0] == 1


def test_another_incident_is_another_session(made: Made) -> None:
    """In a log alone nothing tells which incident it was; the database knows the session's."""
    with made.connection.transaction(force_rollback=True):
        for edit in (put("universe_from", "tee_incident", to="other"), without):
            made.forger.forge(made.id, 1, edit)
            assert made.fault() is None
            _, reason = made.forger.first_bad(made.id)
            assert reason == "the stored session differs from the log: universe_from"


def without(record: Json) -> Json:
    return less(record, "universe_from")


def test_a_gate_is_from_nowhere(made: Made) -> None:
    """What the first event may say, no other may."""
    with made.connection.transaction(force_rollback=True):
        made.forger.forge(made.id, 3, put("universe_from", to={"tee_incident": INCIDENT}))
        assert made.fault() == (3, BROKEN)
        assert made.forger.first_bad(made.id)[0] == 3
