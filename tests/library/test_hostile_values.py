"""Whatever is passed to a method is refused with an error of the protocol, and changes nothing."""

import itertools
import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pytest

from cmbs.answers import BeliefServerError, OntologyBundle
from cmbs.belief_server import BeliefServer
from cmbs.spi.elimination_store import RecoveredState
from tests.library.kit import (
    BATCH,
    CONCLUDE,
    ELIMINATE,
    ENTER,
    EXIT,
    IDS,
    NO_ID,
    ONTOLOGY,
    TERMINATE,
    VERBS,
    WAIVE,
    Call,
    Provider,
    check,
    declared,
    refused,
    state,
)
from tests.support.sizes import sampled


class Opaque:
    """Says nothing of itself."""

    def __repr__(self) -> str:
        raise AssertionError("nobody is to print what a caller passed")


def nested(levels: int, kind: type = dict) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"k": value} if kind is dict else [value]
    return value


def doubled(levels: int) -> Any:
    """Little memory, and a text of two to the power of the levels."""
    value: Any = 1
    for _ in range(levels):
        value = [value, value]
    return {"k": value}


ENDLESS: dict[str, Any] = {}
ENDLESS["k"] = [ENDLESS]
LOOP: list[Any] = []
LOOP += [LOOP, LOOP]
HUGE = 10**5000

NO_TEXT = [5, 0, 1.5, True, b"s", ["s"], {"s": 1}, HUGE, Decimal("NaN"), object, Opaque(), ENDLESS]
BAD_TEXT = ["", "x" * 513, "é" * 256 + "x", "a\0b", "\ud800", "\udfff\ud800"]
NO_LIST = [5, "abc", b"abc", True, {"a": 1}, {}, HUGE, 1.5, Opaque(), object]
BAD_LISTS: list[Any] = [[None], ["a", None], [5], [True], [b"a"], [["a"]], [{}], ["a", ""], [LOOP]]
BAD_LISTS += [["a", "x" * 513], ["\ud800"], ["a\0b"], bytearray(b"abc"), range(3), [HUGE]]
NO_OBJECT = [5, True, "{}", b"{}", [], ["a"], HUGE, Opaque(), {1}]
BAD_OBJECTS: list[Any] = [{"k": one} for one in (float("nan"), float("inf"), -float("inf"))]
BAD_OBJECTS += [{"k": Decimal(one)} for one in ("NaN", "sNaN", "Infinity", "1e1001", "1e-1001")]
BAD_OBJECTS += [{"k": Decimal("1e999999999")}, {"k": HUGE}, {"k": -HUGE}, {"k": 10**1000}]
BAD_OBJECTS += [{"k": one} for one in (b"b", {1}, object(), Opaque(), 1j, "\ud800", "a\0b", LOOP)]
BAD_OBJECTS += [{one: 1} for one in (1, None, True, 1.5, b"k", ("a",), HUGE, "\ud800", "a\0b")]
BAD_OBJECTS += [{"$redactable": 1}, {"k": [{"$redactable": None}]}, {1: 1, "k": 2}, ENDLESS]
BAD_OBJECTS += [nested(129), {"k": nested(128, list)}, nested(5000), doubled(128)]
# Canonical text of just over 1 MiB, and of far more than there is memory for.
TOO_LARGE: list[Any] = [{"k": "x" * ((1 << 20) - 8)}, {"k": ["é" * 1000] * 600}, doubled(100)]
TOO_LARGE += [{"k": ["x" * 1_000_000] * 1_000_000}, {"k": [10**999] * 1_000_000}]
TOO_LARGE += [{"k" * 600_000: 1, "l" * 600_000: 1}, dict.fromkeys(map(str, range(200_000)), 0)]
BAD_IDS = [None, *NO_TEXT, *BAD_TEXT]
BAD_ID_LISTS = [None, *NO_LIST, *BAD_LISTS]
BAD_FREE = [*NO_OBJECT, *BAD_OBJECTS]
BAD_SESSIONS = [None, *NO_TEXT]
BAD_COUNTS = [None, True, False, -1, 1.0, "1", b"1", 2**63, HUGE, Decimal(1), float("nan"), [1], {}]
BAD_POLICIES: list[Any] = [5, [], "{}", {"other": 1}, {1: 1}, {HUGE: 1}, {None: 1}, {b"k": 1}]
BAD_POLICIES += [{"stability_window": one} for one in (-1, 1001, True, 1.0, "1", None, HUGE)]
BAD_POLICIES += [{"validate_hypotheses": one} for one in (None, 0, 1, "true", [])]
BAD_POLICIES += [{"allow_forced_termination": one} for one in (None, 0, 1, "true", ENDLESS)]
BAD_ONTOLOGIES: list[Any] = [None, 5, "x", [], {}, {"other": 1}, {HUGE: 1}]
BAD_ONTOLOGIES += [
    OntologyBundle(**ONTOLOGY.to_dict() | {field: bad})
    for field in ONTOLOGY.to_dict()
    for bad in [None, 5, True, b"x", "", "x" * 2049, "é" * 1025, "\ud800", "a\0b", ENDLESS, HUGE]
]
BAD_MESSAGES: list[Any] = [
    None,
    *NO_LIST,
    [],
    [None],
    [5],
    ["a"],
    [[]],
    [{}],
    [{1: 1}],
    [{HUGE: 1}],
]
BAD_NOTES = [*NO_TEXT, "a\0b", "\ud800"]

# By verb and argument: what is INVALID_REQUEST.
ABOUT = {"request_id": [one for one in BAD_IDS if one is not None], "notes": BAD_NOTES}
HEAD = {"expected_head": [[5], *(one for one in NO_TEXT if not isinstance(one, str | list))]}
CASES: list[tuple[Call, dict[str, list[Any]]]] = [
    (
        ELIMINATE,
        {
            "source_id": BAD_IDS,
            "observation_id": BAD_IDS,
            "eliminated": BAD_ID_LISTS,
            "justification": BAD_FREE,
            "notes": BAD_NOTES,
            **HEAD,
        },
    ),
    (BATCH, {"messages": BAD_MESSAGES, **HEAD}),
    (ENTER, {"obligation_id": BAD_IDS, "min_total_eliminations": BAD_COUNTS, **ABOUT, **HEAD}),
    (EXIT, {"obligation_id": BAD_IDS, "context": BAD_FREE, **ABOUT, **HEAD}),
    (WAIVE, {"obligation_id": BAD_IDS, "reason": [*BAD_IDS[:13], "x" * 4097], **ABOUT, **HEAD}),
    (CONCLUDE, {"conclusion_id": BAD_IDS, "context": BAD_FREE, **ABOUT, **HEAD}),
    (TERMINATE, {"context": BAD_FREE, **ABOUT, **HEAD}),
    (("audit_trace", {}), {"since_event_id": NO_TEXT}),
    (("query_belief", {}), {}),
]
DECLARE = {
    "ontology": BAD_ONTOLOGIES,
    # The keys of a mapping are a list of ids.
    "hypotheses": [one for one in BAD_ID_LISTS if not isinstance(one, dict)],
    "metadata": BAD_FREE,
    "policy": BAD_POLICIES,
    "session_id": [*NO_TEXT, "", "nothing", "\ud800", NO_ID + "0"],
    "notes": BAD_NOTES,
}
FREE = [(ELIMINATE, "justification"), (EXIT, "context"), (CONCLUDE, "context")]
FREE += [(TERMINATE, "context")]


def invalid(call: Any, *given: Any, **more: Any) -> None:
    """As soon as a value is one of a kind, it is refused; whatever it is."""
    with pytest.raises(BeliefServerError) as caught:
        call(*given, **more)
    assert caught.value.code == "INVALID_REQUEST"
    json.dumps(caught.value.details)
    assert len(str(caught.value)) < 1000


def arguments(cases: Iterable[tuple[Call, dict[str, list[Any]]]]) -> Any:
    for call, values in cases:
        for name in ("session_id", *values):
            bad = BAD_SESSIONS if name == "session_id" else values[name]
            yield pytest.param(call, name, bad, id=f"{call[0]}-{name}")


@pytest.mark.parametrize(("call", "name", "values"), [*arguments(CASES)])
def test_a_wrong_value_is_an_invalid_request(
    server: BeliefServer, session_id: str, call: Call, name: str, values: list[Any]
) -> None:
    server.enter_obligation(session_id, "o", 0)
    before = state(server, session_id)
    for value in values:
        given = {"session_id": session_id} | call[1] | {name: value}
        invalid(getattr(server, call[0]), **given)
    assert state(server, session_id) == before


@pytest.mark.parametrize("name", DECLARE)
def test_a_wrong_value_of_a_declare(server: BeliefServer, name: str) -> None:
    good = {"ontology": ONTOLOGY, "hypotheses": IDS, "session_id": NO_ID}
    for value in DECLARE[name]:
        invalid(server.declare_session, **good | {name: value})
    refused("SESSION_NOT_FOUND", server.query_belief, NO_ID)


@pytest.mark.parametrize("name", ["source_id", "observation_id", "eliminated", "justification"])
def test_a_wrong_value_in_a_batch(server: BeliefServer, session_id: str, name: str) -> None:
    before = state(server, session_id)
    good = ELIMINATE[1] | {"observation_id": "0"}
    for value in CASES[0][1][name]:
        batch = [good, ELIMINATE[1] | {name: value}]
        invalid(server.eliminate_batch, session_id, batch)
    assert state(server, session_id) == before


def test_a_wrong_value_of_a_probe() -> None:
    server = BeliefServer(belief_provider=Provider())
    session_id = declared(server)
    before = state(server, session_id)
    good = {"session_id": session_id, "probe_id": "low", "response": "a"}
    wrong: dict[str, list[Any]] = {"session_id": BAD_SESSIONS, "probe_id": BAD_IDS}
    wrong |= {"source_id": BAD_IDS, "response": [*BAD_OBJECTS, b"b", {1}, Opaque(), LOOP, HUGE]}
    for name, values in wrong.items():
        for value in values:
            invalid(server.apply_probe, **good | {name: value})
    assert state(server, session_id) == before


def test_a_wrong_value_of_a_restore(server: BeliefServer, session_id: str) -> None:
    entries = server.audit_trace(session_id)
    told = RecoveredState(frozenset(IDS), frozenset(), frozenset(IDS))
    other = BeliefServer()
    for bad in [*NO_TEXT, None, "nothing"]:
        invalid(other.restore_session, bad, told, entries)
    for bad in [
        None,
        5,
        {},
        "x",
        (1, 2, 3),
        RecoveredState(5, 5, 5),
        RecoveredState({1}, {1}, {1}),
    ]:  # type: ignore[arg-type]
        invalid(other.restore_session, session_id, bad, entries)
    for bad in [None, 5, "x", b"x", {}, [None], [5], [entries[0].to_dict()], [entries[0], None]]:
        invalid(other.restore_session, session_id, told, bad)
    other.restore_session(session_id, told, iter(entries))  # type: ignore[arg-type]
    assert state(other, session_id) == state(server, session_id)


def test_a_wrong_value_of_the_server() -> None:
    for bad in BAD_IDS:
        invalid(BeliefServer, actor=bad)
    for bad in (None, 0, 1, "true", [], HUGE):
        invalid(BeliefServer, validate_hypotheses=bad)


@pytest.mark.parametrize(("call", "name"), sampled(FREE), ids=str)
def test_an_object_that_is_too_large(
    server: BeliefServer, session_id: str, call: Call, name: str
) -> None:
    server.enter_obligation(session_id, "o", 0)
    before = state(server, session_id)
    for value in TOO_LARGE:
        given = call[1] | {name: value}
        details = refused("PAYLOAD_TOO_LARGE", getattr(server, call[0]), session_id, **given)
        assert details["member"] == name
    assert state(server, session_id) == before


def test_what_is_too_large(server: BeliefServer, session_id: str) -> None:
    before = state(server, session_id)
    eliminate, batch = server.eliminate, server.eliminate_batch
    for notes in ("n" * 4097, "é" * 2048 + "n"):
        refused("PAYLOAD_TOO_LARGE", eliminate, session_id, "s", "1", [], notes=notes)
    refused("PAYLOAD_TOO_LARGE", eliminate, session_id, "s", "1", ["a"] * 1_000_001)
    refused("PAYLOAD_TOO_LARGE", eliminate, session_id, "s", "1", itertools.repeat("a"))
    refused("PAYLOAD_TOO_LARGE", eliminate, session_id, "s", "1", ["x" * 512] * 131_073)
    refused("PAYLOAD_TOO_LARGE", batch, session_id, [ELIMINATE[1]] * 1001)
    refused("PAYLOAD_TOO_LARGE", batch, session_id, itertools.repeat(ELIMINATE[1]))
    refused("PAYLOAD_TOO_LARGE", server.declare_session, ONTOLOGY, IDS, TOO_LARGE[0])
    assert state(server, session_id) == before


@pytest.mark.nightly
def test_what_is_just_small_enough(server: BeliefServer, session_id: str) -> None:
    justification = {"k": "x" * ((1 << 20) - 9)}
    server.eliminate(session_id, "é" * 256, "1", ["a"], justification, notes="n" * 4096)
    server.eliminate(session_id, "s", "2", ["a"] * 1_000_000, nested(128))
    numbers = [10**1000 - 1, Decimal("1e-1000"), Decimal("-0"), 5e-324, 1.7e308, -0.0]
    server.declare_conclusion(session_id, "\U0001f52c" * 128, {"k": numbers})
    server.enter_obligation(session_id, "x" * 512, 2**63 - 1)
    server.eliminate_batch(
        session_id, [ELIMINATE[1] | {"observation_id": str(no)} for no in range(1000)]
    )
    assert server.audit_trace(session_id)[1].payload["justification"] == justification
    check(server, session_id)


def test_verbs_are_all_tried() -> None:
    assert [call[0] for call, _ in CASES[:7]] == [call[0] for call in VERBS]
