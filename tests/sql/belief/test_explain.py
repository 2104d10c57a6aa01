"""cmbs.explain"""

from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import NOBODY, Connection, Session, refused, rich_session

NOTHING = {"n_eliminated": 0, "n_events": 0, "n_sources": 0, "sources": [], "events": []}


@pytest.mark.cold
def test_a_new_session(tx: Connection) -> None:
    session = Session(tx)
    assert session("explain") == {
        "hypothesis": None,
        "eliminations": NOTHING,
        "obligation": None,
        "conclusion": {
            "accepted": True,
            "reason": "accepted",
            "error": None,
            "conclusion_id": None,
            "n_in_a_row": 0,
            "stability_window": 0,
            "missing": 0,
        },
        "termination": {
            "approved": False,
            "reason": "termination requires a singleton survivor",
            "error": None,
            "with_force": {
                "approved": False,
                "reason": "force not allowed by policy",
                "error": None,
            },
            "missing": [{"condition": "a singleton survivor", "missing": 3}],
        },
        "snapshot": session.snapshot(minimal=True),
    }


def test_who_eliminated_what_newest_first(tx: Connection) -> None:
    session = Session(tx, "abcdef")
    session.eliminate("b", "a", source_id='s"', justification=Json({"why": 1.10}))
    session.eliminate("a", source_id="late")
    session.eliminate("c", "zz", source_id="t")
    session.eliminate("d", source_id="t")
    events = {event["seq"]: event for event in session.events()}
    found = session("explain")["eliminations"]
    assert (found["n_eliminated"], found["n_events"], found["n_sources"]) == (4, 3, 2)
    assert found["sources"] == [
        {"source_id": 's"', "n_events": 1, "n_eliminated": 2},
        {"source_id": "t", "n_events": 2, "n_eliminated": 2},
    ]
    assert [event["seq"] for event in found["events"]] == [5, 4, 2]
    for event in found["events"]:
        recorded = events[event["seq"]]
        assert event["eliminated"] == recorded["delta"]["eliminated"]
        assert event["n_eliminated"] == len(event["eliminated"])
        for member in ("event_id", "ts", "actor"):
            assert event[member] == recorded[member]
        for member in ("source_id", "observation_id", "justification"):
            assert event[member] == recorded["payload"][member]


def test_lists_are_bounded_and_numbers_are_not(tx: Connection) -> None:
    session = Session(tx, [f"h{n:03}" for n in range(300)])
    session.eliminate(*(f"h{n:03}" for n in range(150)), source_id="first")
    for n in range(150, 280):
        session.eliminate(f"h{n:03}", source_id=f"source {n}")
    found = session("explain")["eliminations"]
    assert (found["n_eliminated"], found["n_events"], found["n_sources"]) == (280, 131, 131)
    assert len(found["events"]) == len(found["sources"]) == 100
    found = session("explain", limit=1_000)["eliminations"]
    assert len(found["events"]) == len(found["sources"]) == 131
    first = found["events"][-1]
    assert (first["n_eliminated"], first["eliminated"]) == (150, [f"h{n:03}" for n in range(100)])
    found = session("explain", limit=1)["eliminations"]
    assert [event["source_id"] for event in found["events"]] == ["source 279"]
    assert [source["source_id"] for source in found["sources"]] == ["first"]


def test_long_evidence_stays_in_its_event(tx: Connection) -> None:
    session = Session(tx)
    for hypothesis, length in (("a", 4096), ("b", 4097)):
        text = "x" * (length - len('{"why": ""}'))
        session.eliminate(hypothesis, justification=Json({"why": text}))
    long, short = session("explain")["eliminations"]["events"]
    assert long["justification"] is None
    assert short["justification"] == session.events()[1]["payload"]["justification"]
    assert session("why", hypothesis_id="b")["eliminated_by"]["justification"] is not None


def test_a_hypothesis(tx: Connection) -> None:
    session, _ = rich_session(tx)
    whole = session("explain", limit=1_000)
    survivors = session.snapshot()["survivors"]
    for hypothesis_id in session.events()[0]["payload"]["hypotheses"]:
        found = session("explain", hypothesis_id=hypothesis_id)
        assert found["hypothesis"] == session("why", hypothesis_id=hypothesis_id)
        events = found["eliminations"]["events"]
        assert found["eliminations"]["n_events"] == len(events) == (hypothesis_id not in survivors)
        for event in events:
            assert event in whole["eliminations"]["events"]
            assert hypothesis_id in event["eliminated"]
        same = whole.keys() - {"hypothesis", "eliminations"}
        assert {name: found[name] for name in same} == {name: whole[name] for name in same}


def decided(answer: dict[str, Any]) -> tuple[bool, str]:
    return answer.get("approved", answer.get("accepted")), answer["reason"]


@pytest.mark.parametrize("window", [0, 2])
@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("n_eliminated", [0, 2, 3, 4])
@pytest.mark.parametrize("minimum", [None, 0, 3])
def test_the_gates_say_what_the_verbs_would_say(
    tx: Connection, window: int, allowed: bool, n_eliminated: int, minimum: int | None
) -> None:
    terms = Json({"stability_window": window, "allow_forced_termination": allowed})
    session = Session(tx, policy=terms)
    for n_conclusions in range(4):
        if n_conclusions:
            session.conclude("c")
        if n_conclusions == 1 and minimum is not None:
            session.enter("o", minimum)
        if n_conclusions == 2:
            session.eliminate(*"abcd"[:n_eliminated])
        if n_conclusions == 3 and minimum is not None:
            session.waive("o")
        said = session("explain")
        tries = [
            (said["termination"], {}),
            (said["termination"]["with_force"], {"context": Json({"force": True})}),
        ]
        for expected, arguments in tries:
            with tx.transaction(force_rollback=True):
                assert decided(session.terminate(**arguments)) == decided(expected)
        with tx.transaction(force_rollback=True):
            assert decided(session.conclude("c")) == decided(said["conclusion"])
        assert (said["termination"]["missing"] == []) is said["termination"]["approved"]
        if said["obligation"]:
            with tx.transaction(force_rollback=True):
                assert session.exit("o")["approved"] is (said["obligation"]["missing"] == 0)


def test_how_near_an_obligation_is_to_its_exit(tx: Connection) -> None:
    session = Session(tx)
    session.eliminate("a")
    session.enter("o", 2)
    entered = session.last_event()
    expected = {
        "obligation_id": "o",
        "min_total_eliminations": 2,
        "eliminated_since_entry": 0,
        "satisfiable": True,
        "missing": 2,
        "entered_event_id": entered["event_id"],
        "since": entered["ts"],
    }
    assert session("explain")["obligation"] == expected
    session.eliminate("a", "b")
    expected |= {"eliminated_since_entry": 1, "missing": 1}
    said = session("explain")
    assert said["obligation"] == expected
    assert said["termination"]["missing"][0] == {"condition": "no active obligation", "missing": 1}
    session.eliminate("c", "d")
    said = session("explain")
    assert said["obligation"]["missing"] == 0
    assert said["termination"]["missing"] == [
        {"condition": "no active obligation", "missing": 0},
        {"condition": "a singleton survivor", "missing": None},
    ]


def test_what_can_never_be_met_is_said(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 2**63 - 1)
    said = session("explain")
    assert said["obligation"]["missing"] == 2**63 - 1
    assert said["obligation"]["satisfiable"] is False
    never = {"condition": "no active obligation", "missing": None}
    assert said["termination"]["missing"][0] == never


def test_a_threshold_of_all_that_are_left_can_be_met(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 4)
    said = session("explain")
    assert said["obligation"]["satisfiable"] is True
    assert said["termination"]["missing"][0] == {"condition": "no active obligation", "missing": 4}


def test_how_near_the_stability_window_is(tx: Connection) -> None:
    session = Session(tx, "a", policy=Json({"stability_window": 3}))
    for conclusion, n_in_a_row in (("c", 1), ("c", 2), ("d", 1), ("d", 2), ("d", 3), ("d", 4)):
        session.conclude(conclusion)
        said = session("explain")
        missing = max(0, 3 - n_in_a_row)
        assert said["conclusion"]["conclusion_id"] == conclusion
        assert said["conclusion"]["n_in_a_row"] == n_in_a_row
        assert said["conclusion"]["missing"] == missing
        lacking = [{"condition": "a stable conclusion", "missing": missing}] if missing else []
        assert said["termination"]["missing"] == lacking


def test_a_session_that_is_over_takes_nothing(tx: Connection) -> None:
    session, _ = rich_session(tx)
    said = session("explain")
    over = {"approved": False, "reason": None, "error": "SESSION_TERMINATED"}
    assert said["termination"] == {**over, "with_force": over, "missing": []}
    assert (said["conclusion"]["accepted"], said["conclusion"]["error"]) == (False, over["error"])
    assert said["obligation"] is None
    assert said["snapshot"] == session.snapshot(minimal=True)


def test_refused(tx: Connection) -> None:
    session = Session(tx)
    for unknown in ("x", "A", "a "):
        error = session.refuses(errors.InvalidHypothesisId, "explain", hypothesis_id=unknown)
        assert error.details["invalid"] == [unknown]
    for limit in (0, -1, 1_001):
        error = session.refuses(errors.InvalidRequest, "explain", limit=limit)
        assert error.details["member"] == "limit"
    for nothing in ("", "x" * 513):
        error = session.refuses(errors.InvalidRequest, "explain", hypothesis_id=nothing)
        assert error.details["member"] == "hypothesis_id"
    refused(tx, errors.SessionNotFound, "explain", session_id=NOBODY)
    refused(tx, errors.InvalidRequest, "explain", session_id=None)
