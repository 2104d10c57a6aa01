"""A log that somebody changed is not restored, also when every hash was computed anew."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields, replace
from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest

from cmbs.answers import AuditEntry, BeliefServerError
from cmbs.belief_server import BeliefServer
from cmbs.kernel.canonical import hash_text
from cmbs.spi.elimination_store import RecoveredState
from tests.library.kit import IDS, NO_ID, declared, play, refused, ticking
from tests.library.test_hostile_values import HUGE, nested
from tests.support.sizes import sampled

OTHER: list[Any] = [None, "", "x", 0, 1, 7, -1.0, True, [], {}, ["a"], NO_ID, "0" * 64, HUGE]
OTHER += [float("nan"), float("inf"), 1e300, Decimal("NaN"), b"x", "\ud800", nested(3000), object()]
Log = list[AuditEntry]


@pytest.fixture(scope="module")
def entries() -> Log:
    # One that is written otherwise in capitals.
    server = BeliefServer(clock=ticking(), new_id=lambda: "9d3c6a52-7b1e-4f08-a1c4-000000000000")
    session_id = declared(server)
    play(server, session_id)
    return server.audit_trace(session_id)


def linked(entries: Log) -> Log:
    """Numbers, ids, links and hashes as whoever forges would make them."""
    made: Log = []
    for seq, entry in enumerate(map(deepcopy, entries), start=1):
        entry.seq, entry.event_id = seq, f"{entry.event_id[:24]}{seq:012x}"
        entry.prev_event_hash = made[-1].event_hash if made else "0" * 64
        if made:
            entry.survivors_before_hash = made[-1].survivors_after_hash
        entry.event_hash = hash_text(entry.record())
        made.append(entry)
    return made


def is_refused(entries: Log, session_id: str, code: str = "CONFLICT") -> None:
    server = BeliefServer()
    gone = {one for entry in entries for one in entry.delta["eliminated"]}
    for survivors in (frozenset(IDS) - gone, frozenset("d")):
        told = RecoveredState(frozenset(IDS), frozenset(gone), survivors)
        details = _details(code, server.restore_session, session_id, told, entries)
        assert details
    refused("SESSION_NOT_FOUND", server.query_belief, session_id)


def _details(code: str, call: Callable[..., Any], *given: Any) -> Any:
    # Not `refused`: what was forged is named, and need not be JSON.
    with pytest.raises(BeliefServerError) as caught:
        call(*given)
    assert caught.value.code == code, str(caught.value)
    return caught.value.details


def test_what_is_not_forged_is_restored(entries: Log) -> None:
    server = BeliefServer()
    told = RecoveredState(frozenset(IDS), frozenset("abc"), frozenset("d"))
    assert linked(entries) == entries
    server.restore_session(entries[0].session_id, told, linked(entries))
    assert server.audit_trace(entries[0].session_id) == entries


# Without new hashes


@pytest.mark.parametrize("name", sampled(field.name for field in fields(AuditEntry)))
def test_any_field_of_any_entry(entries: Log, name: str) -> None:
    for at, entry in enumerate(entries):
        others = [value for other in entries if (value := getattr(other, name)) is not None]
        for value in [*OTHER, *others]:
            if name == "delta" and not (isinstance(value, dict) and "eliminated" in value):
                continue
            changed = replace(entry, **{name: value})
            # An entry that leaves its session out is one of the session that it is sent for.
            if _is_same(changed, entry, name) or (name, value) == ("session_id", ""):
                continue
            code = "CONFLICT"
            if name == "payload" and not isinstance(value, dict):
                code = "INVALID_REQUEST"
            if at == 0 and name in ("verb", "payload"):
                code = "INVALID_REQUEST" if value != "APPLY_PROBE" else "CONFLICT"
            forged = [*entries[:at], changed, *entries[at + 1 :]]
            server = BeliefServer()
            told = RecoveredState(frozenset(IDS), frozenset("abc"), frozenset("d"))
            assert _details(code, server.restore_session, entries[0].session_id, told, forged)


def _is_same(changed: AuditEntry, entry: AuditEntry, name: str) -> bool:
    value, own = getattr(changed, name), getattr(entry, name)
    return type(value) is type(own) and bool(value == own)


def test_a_member_of_any_payload(entries: Log) -> None:
    session_id = entries[0].session_id
    for at, entry in enumerate(entries):
        for name in [*entry.payload, "more"]:
            if at == 0 and name == "ontology":
                continue
            for value in ("x", 9, None, [], {"force": True}, ["a"], not entry.payload.get(name)):
                forged = deepcopy(entries)
                forged[at].payload[name] = value
                if type(value) is not type(entry.payload.get(name, ...)):
                    is_refused(forged, session_id)
            if name in entry.payload and name != "hypotheses":
                forged = deepcopy(entries)
                del forged[at].payload[name]
                is_refused(forged, session_id)


@pytest.mark.parametrize("forge", [list, linked])
def test_an_event_dropped_repeated_or_swapped(entries: Log, forge: Callable[[Log], Log]) -> None:
    session_id, n = entries[0].session_id, len(entries)
    for at in range(1, n):
        if forge is list or _matters(entries[at]) or _has_identity(entries[at]):
            is_refused(forge([*entries[:at], entries[at], *entries[at:]]), session_id)
        if at < n - 1 and _matters(entries[at]):
            is_refused(forge([*entries[:at], *entries[at + 1 :]]), session_id)
    for at, other in permutations(range(1, n), 2):
        swapped = [*entries]
        swapped[at], swapped[other] = swapped[other], swapped[at]
        if forge is list:
            is_refused(swapped, session_id)
    is_refused(forge([*entries[1:], entries[0]]), session_id, "INVALID_REQUEST")


def _has_identity(entry: AuditEntry) -> bool:
    return entry.verb == "ELIMINATE" or "request_id" in entry.payload


def _matters(entry: AuditEntry) -> bool:
    """Whether what follows cannot be as it is without it. Of the others nobody can tell, once
    everything that names them was made anew, but whoever noted a head.
    """
    if entry.verb in ("ENTER_OBLIGATION", "WAIVE_OBLIGATION"):
        return True
    is_exit = entry.verb == "REQUEST_EXIT" and entry.payload["approved"]
    return is_exit or bool(entry.delta["eliminated"])


def test_an_error_says_which_event_and_why(entries: Log) -> None:
    told = RecoveredState(frozenset(IDS), frozenset("abc"), frozenset("d"))
    forged: list[tuple[int, Log, str]] = [
        (5, [*entries[:3], entries[4]], "its number is not 4"),
        (3, [*entries[:2], replace(entries[2], prev_event_hash="0" * 64)], "it does not follow"),
        (2, [entries[0], replace(entries[1], notes="other")], "its hash is not that of its record"),
        (2, [entries[0], replace(entries[1], session_id=NO_ID)], "it is of another session"),
        (1, [replace(entries[0], ts=float("nan"))], "it is no event"),
        (3, linked([*entries[:2], entries[1]]), "its message was recorded before"),
        (2, linked([entries[0], entries[11]]), "sent again it is refused: OBLIGATION_NOT_FOUND"),
    ]
    for seq, log, reason in forged:
        call = BeliefServer().restore_session
        details = _details("CONFLICT", call, entries[0].session_id, told, log)
        assert details["reason"].startswith(reason)
        assert (details["seq"], details["event_id"]) == (seq, log[-1].event_id)


def test_an_entry_of_another_session(entries: Log) -> None:
    is_refused(entries, NO_ID)
    server = BeliefServer()
    play(server, declared(server, session_id=NO_ID))
    others = server.audit_trace(NO_ID)
    for at in range(1, len(entries)):
        is_refused([*entries[:at], others[at], *entries[at + 1 :]], entries[0].session_id)
        is_refused([*entries[:at], *others[at:]], entries[0].session_id)


# With every hash made anew


def edited(entries: Log, at: int, edit: Callable[[AuditEntry], object]) -> Log:
    made = deepcopy(entries)
    edit(made[at])
    return linked(made)


def test_another_decision(entries: Log) -> None:
    decided = [no for no, entry in enumerate(entries) if "reason" in entry.payload]
    assert len(decided) == 7
    for at in decided:
        name = "accepted" if "accepted" in entries[at].payload else "approved"
        was = entries[at].payload[name]
        for change in ({name: not was}, {"reason": "waived"}, {"reason": "x"}, {name: None}):
            if entries[at].payload | change != entries[at].payload:
                forged = edited(entries, at, lambda one, new=change: one.payload.update(new))  # type: ignore[misc]
                is_refused(forged, entries[0].session_id)


def test_another_delta_or_survivors(entries: Log) -> None:
    for at, entry in enumerate(entries):
        for delta in ([], ["a"], ["d"], ["nowhere"], ["c", "a"]):
            if entry.delta["eliminated"] == delta:
                continue
            made = deepcopy(entries)
            made[at].delta = {"eliminated": delta}
            is_refused(linked(made), entries[0].session_id)
        made = deepcopy(entries)
        made[at].survivors_after_hash = "1" * 64
        is_refused(linked(made), entries[0].session_id)
        made = deepcopy(entries)
        made[at].delta["more"] = []
        is_refused(linked(made), entries[0].session_id)


def test_a_payload_that_no_verb_takes(entries: Log) -> None:
    for at, entry in enumerate(entries):
        for change in ({"more": 1}, {"request_id": None}, {"request_id": ""}, {"$redactable": 1}):
            made = deepcopy(entries)
            made[at].payload |= change
            is_refused(linked(made), entries[0].session_id)
        for name in entry.payload:
            if (at == 0 and name == "ontology") or name in ("hypotheses", "request_id"):
                continue
            for value in (None, [None], {"$redactable": 1}, nested(200), "x" * 5000, [5]):
                made = deepcopy(entries)
                made[at].payload[name] = value
                is_refused(linked(made), entries[0].session_id)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("actor", one) for one in (None, "", "x" * 513, 5, [])],
        *[("notes", one) for one in (5, "n" * 4097, [], True)],
        *[("verb", one) for one in ("", "eliminate", "APPLY_PROBE", None, [])],
        ("ts", 1.0),
        ("session_id", NO_ID),
    ],
)
def test_what_no_server_writes(entries: Log, name: str, value: Any) -> None:
    for at in range(1, len(entries)):
        forged = edited(entries, at, lambda one: setattr(one, name, value))
        is_refused(forged, entries[0].session_id)


@pytest.mark.parametrize("write", [str.upper, "urn:uuid:{}".format, lambda one: one + "\n"])
def test_an_event_id_written_otherwise(entries: Log, write: Callable[[str], str]) -> None:
    for at in range(len(entries)):
        made = linked(entries)
        made[at].event_id = write(made[at].event_id)
        made[at].event_hash = hash_text(made[at].record())
        for one, other in zip(made[at:], made[at + 1 :], strict=False):
            other.prev_event_hash = one.event_hash
            other.event_hash = hash_text(other.record())
        is_refused(made, entries[0].session_id)


def test_hypotheses_that_are_not_those_of_the_digest(entries: Log) -> None:
    for ids in (
        ["a", "b", "c"],
        ["d", "c", "b", "a"],
        [*IDS, "d"],
        [*IDS, "e"],
        [[]],
        None,
        "abcd",
    ):
        made = deepcopy(entries)
        made[0].payload["hypotheses"] = ids
        is_refused(made, entries[0].session_id)
    made = deepcopy(entries)
    made[0].payload["universe_digest"] = "0" * 64
    is_refused(linked(made), entries[0].session_id)
    made[0].payload["n_hypotheses"] = 3
    is_refused(linked(made), entries[0].session_id)
