"""Whoever has every privilege and makes the hashes fit: `cmbs.verify` replays the log by the rules
and names the first event that does not follow from those before it.

What a chain of hashes cannot show alone, and is not asked of it here: a log that was cut or written
anew from some event on, hashes, stored state and all, by the rules of the protocol. A head that was
written down elsewhere before (`cmbs.chain_head`) shows it, see the last tests.
"""

import json
from collections.abc import Iterator
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmbs import verify
from cmbs.database.calls import stream
from cmbs.kernel.canonical import canonical, parse
from tests.support.databases import copy_of_a_module
from tests.support.forger import LOG, Edit, Scene
from tests.support.oracle import ONTOLOGY, Json
from tests.support.sizes import IS_NIGHTLY, size
from tests.support.tables import of_kind


@pytest.fixture(scope="module")
def _scene(server: SimpleNamespace, template: Any) -> Iterator[Scene]:
    with copy_of_a_module(server, template, "forged") as connection:
        yield Scene(connection)


@pytest.fixture
def scene(_scene: Scene) -> Iterator[Scene]:
    with _scene.connection.transaction(force_rollback=True):
        yield _scene


# An event of each verb in the rich session.
RICH = {
    "DECLARE_SESSION": 1,
    "ELIMINATE": 2,
    "DECLARE_CONCLUSION": 3,
    "ENTER_OBLIGATION": 4,
    "REQUEST_EXIT": 5,
    "REQUEST_TERMINATION": 7,
    "WAIVE_OBLIGATION": 12,
}


def payload(**members: Any) -> Edit:
    return lambda record: record | {"payload": record["payload"] | members}


def without(*members: str) -> Edit:
    def edit(record: Json) -> Json:
        kept = {name: of for name, of in record["payload"].items() if name not in members}
        return record | {"payload": kept}

    return edit


def record(**members: Any) -> Edit:
    return lambda record: record | members


def text(made: Any) -> Edit:
    return lambda record: str(made(canonical(record)))


def digest(made: Any) -> Edit:
    def edit(record: Json) -> Json:
        other = {"universe_digest": made(record["payload"]["universe_digest"])}
        return record | {"payload": record["payload"] | other}

    return edit


# Name, seq of the rich session's event, what happens to it, a word of the reason.
FORGED: list[tuple[str, int, Edit, str]] = [
    ("delta of nothing", 2, record(delta={"eliminated": []}), "delta"),
    ("delta of more", 2, record(delta={"eliminated": ["a", "b"]}), "delta"),
    ("delta of what is gone", 8, record(delta={"eliminated": ["b"]}), "delta"),
    ("delta of a gate", 4, record(delta={"eliminated": ["a"]}), "delta"),
    ("delta of a declare", 1, record(delta={"eliminated": ["a"]}), "delta"),
    ("delta without a list", 2, record(delta={}), "delta"),
    ("asked for more", 2, payload(eliminated=["b", "a"]), "delta"),
    ("asked for nothing", 2, payload(eliminated=[]), "delta"),
    ("survivors after", 2, record(survivors_after_hash="0" * 64), "survivors hash"),
    ("survivors before", 2, record(survivors_before_hash="0" * 64), ""),
    ("survivors before the first", 1, record(survivors_before_hash="0" * 64), ""),
    ("previous hash", 3, record(prev_event_hash="f" * 64), ""),
    ("previous hash of the first", 1, record(prev_event_hash="f" * 64), ""),
    ("exit approved", 5, payload(approved=True), "decision"),
    ("exit approved with reason", 5, payload(approved=True, reason="approved"), "decision"),
    ("exit denied", 10, payload(approved=False), "decision"),
    ("exit with another reason", 5, payload(reason="approved"), "decision"),
    ("exit of another", 5, payload(obligation_id="other"), "not active"),
    ("waiver denied", 12, payload(approved=False), "decision"),
    ("waiver of another", 12, payload(obligation_id="o"), "not active"),
    ("conclusion denied", 3, payload(accepted=False), "decision"),
    ("conclusion accepted", 6, payload(accepted=True, reason="accepted"), "decision"),
    ("termination approved", 7, payload(approved=True, reason="approved"), "decision"),
    ("termination denied", 21, payload(approved=False), "decision"),
    ("force not asked", 18, payload(context={}), "decision"),
    ("decision as text", 5, payload(approved="false"), ""),
    ("an obligation easier", 4, payload(min_total_eliminations=1), ""),
    (
        "obligation inside another",
        5,
        record(
            verb="ENTER_OBLIGATION", payload={"obligation_id": "x", "min_total_eliminations": 1}
        ),
        "active",
    ),
    ("earlier than before", 9, record(ts="2001-01-01T00:00:00.000000Z"), "earlier"),
    ("another time form", 9, record(ts="now"), ""),
    ("second declare", 9, record(verb="DECLARE_SESSION"), ""),
    ("first is no declare", 1, record(verb="ELIMINATE"), ""),
    ("unknown verb", 9, record(verb="RESURRECT"), "verb"),
    ("verb in small letters", 9, record(verb="eliminate"), "verb"),
    ("no verb", 9, record(verb=None), ""),
    ("another seq", 9, record(seq=10), ""),
    ("another session", 9, record(session_id="00000000-0000-4000-8000-000000000000"), ""),
    ("an event id of another seq", 9, record(event_id="9d3c6a52-7b1e-4f08-a1c4-00000000000a"), ""),
    ("another version", 9, record(v=2), ""),
    ("notes of null", 9, record(notes=None), ""),
    ("a member more", 9, record(x=1), ""),
    ("no payload", 9, record(payload=None), ""),
    ("payload of a list", 9, record(payload=[]), ""),
    ("payload of a list, gate", 4, record(payload=[]), ""),
    ("another ontology", 1, payload(ontology={}), ""),
    ("another policy", 1, payload(policy={}), ""),
    ("a window of text", 1, payload(policy={"stability_window": "x"}), ""),
    ("another universe", 1, payload(universe_digest="0" * 64), "universe"),
    ("hex in capitals", 1, digest(str.upper), "hexadecimal"),
    ("hex with a space", 1, digest(lambda made: made[:2] + " " + made[2:]), "hexadecimal"),
    ("no hex", 1, payload(universe_digest="xyz"), "read"),
    ("fewer hypotheses", 1, payload(n_hypotheses=9), "universe"),
    ("hypotheses below none", 1, payload(n_hypotheses=-1), ""),
    ("very many hypotheses", 1, payload(n_hypotheses=2**31 - 1), ""),
    ("too many hypotheses", 1, payload(n_hypotheses=2**40), "read"),
    ("no number of hypotheses", 1, payload(n_hypotheses=None), ""),
    ("asked for no list", 2, payload(eliminated={"b": 1}), ""),
    ("asked for text", 2, payload(eliminated="b"), ""),
    ("asked for null", 2, payload(eliminated=[None]), ""),
    ("a minimum of text", 4, payload(min_total_eliminations="many"), ""),
    ("a minimum too large", 4, payload(min_total_eliminations=10**30), "read"),
    ("no record", 9, text(lambda _: ""), ""),
    ("no JSON", 9, text(lambda _: "nonsense"), ""),
    ("half of it", 9, text(lambda made: made[:-1]), ""),
    ("half in front", 9, text(lambda made: made[1:]), "read"),
    ("a list", 9, text(lambda made: f"[{made}]"), ""),
    ("JSON null", 9, text(lambda _: "null"), ""),
    ("a number beyond all", 9, text(lambda made: made.replace('"v": 1', '"v": 1e999999')), "read"),
    ("a NUL", 9, text(lambda made: made.replace('"v": 1', r'"v": "\u0000"')), "read"),
    ("half a surrogate", 9, text(lambda made: made.replace('"v": 1', r'"v": "\ud800"')), "read"),
    ("deep", 9, text(lambda made: made.replace('"v": 1', '"v": ' + "[" * 99_999)), "read"),
    (
        "deeper",
        9,
        text(lambda made: made.replace('"v": 1', '"v": ' + "[" * 99_999 + "]" * 99_999)),
        "read",
    ),
    ("a space more", 9, text(lambda made: made.replace('"v": 1', '"v":  1')), ""),
    ("a space before", 9, text(lambda made: " " + made), ""),
    ("a line after", 9, text(lambda made: made + "\n"), ""),
    ("other digits", 9, text(lambda made: made.replace('"v": 1', '"v": 1.0')), ""),
    ("other escapes", 9, text(lambda made: made.replace('"verb"', r'"\u0076erb"')), ""),
    ("other order", 9, text(lambda made: '{"seq": 9, ' + made[1:].replace('"seq": 9, ', "")), ""),
    ("a key twice", 9, text(lambda made: '{"v": 1, ' + made[1:]), ""),
]


@pytest.mark.parametrize(
    ("seq", "edit", "word"), [case[1:] for case in FORGED], ids=[case[0] for case in FORGED]
)
def test_a_forged_event(scene: Scene, seq: int, edit: Edit, word: str) -> None:
    scene.forge(scene.rich, seq, edit)
    bad, reason = scene.first_bad(scene.rich)
    # A change that is as good as the record itself shows in what it leads to.
    assert bad == seq or (not word and bad > seq and bad <= 21)
    assert word in reason


def test_an_event_that_is_earlier_by_no_more_than_the_session_is_old(scene: Scene) -> None:
    declared, *_, before = (parse(text)["ts"] for text in scene.records(scene.rich)[:8])
    assert declared < before
    scene.forge(scene.rich, 9, record(ts=declared))
    assert scene.first_bad(scene.rich) == (9, "the event is earlier than the one before it")


def test_a_changed_record_that_was_not_hashed_anew(scene: Scene) -> None:
    for seq in (1, 2, 11, 21):
        with scene.connection.transaction(force_rollback=True):
            scene.run(
                f"update {LOG} set record = replace(record, '}}}}', '}} }}') || ' ' "
                "where session_id = %s and seq = %s",
                scene.rich,
                seq,
            )
            assert scene.first_bad(scene.rich, of_all=True)[0] == seq


APPENDED: list[tuple[str, Edit, str]] = [
    ("after termination", record(), "terminated"),
    (
        "an elimination",
        record(
            verb="ELIMINATE",
            payload={
                "source_id": "s",
                "observation_id": "new",
                "eliminated": [],
                "justification": {},
            },
        ),
        "terminated",
    ),
    ("a declare", record(verb="DECLARE_SESSION"), ""),
    ("nonsense", text(lambda _: "nonsense"), ""),
]


@pytest.mark.parametrize(
    ("edit", "word"), [case[1:] for case in APPENDED], ids=[case[0] for case in APPENDED]
)
def test_an_event_after_termination(scene: Scene, edit: Edit, word: str) -> None:
    scene.append(scene.rich, edit)
    bad, reason = scene.first_bad(scene.rich)
    assert bad == 22
    assert word in reason


LATE, EARLY = "2999-01-01T00:00:00.000000Z", "2001-01-01T00:00:00.000000Z"
# What a beginning that was decided anew was given.
ANEW = ("policy_hash", "tools", "schemas", "reads")
# Shapes that no verb can have written: 2.2 of the contract says which members are always there.
MALFORMED = [
    *((verb, edit) for verb in RICH for edit in (record(payload={}), payload(unknown=1))),
    ("ELIMINATE", without("source_id", "observation_id")),
    ("ELIMINATE", without("justification")),
    ("ELIMINATE", payload(justification=[])),
    ("REQUEST_EXIT", without("context")),
    ("REQUEST_EXIT", payload(accepted=False)),
    ("DECLARE_CONCLUSION", payload(context=1)),
    ("REQUEST_TERMINATION", without("context")),
    ("WAIVE_OBLIGATION", without("waive_reason")),
    ("ENTER_OBLIGATION", payload(request_id=1)),
    ("DECLARE_SESSION", payload(request_id="r")),
    ("REQUEST_TERMINATION", payload(**{"request_id string, request_id": "x"})),
    ("ENTER_OBLIGATION", record(payload={"min_total_eliminations number, obligation_id": "x"})),
    ("DECLARE_SESSION", record(payload={"n_hypotheses": 10})),
]


def nested(levels: int) -> Any:
    found: Any = 1
    for _ in range(levels):
        found = [found]
    return found


# Beyond what the verbs let through: section 1 of the contract says how long and how large.
BEYOND = [
    ("ELIMINATE", payload(source_id="")),
    ("ELIMINATE", payload(observation_id="é" * 257)),
    ("ELIMINATE", payload(eliminated=["b", "zz", ""])),
    ("ELIMINATE", payload(eliminated=["b", "z" * 513])),
    ("ELIMINATE", record(notes="n" * 4097)),
    ("ENTER_OBLIGATION", payload(obligation_id="")),
    ("ENTER_OBLIGATION", payload(request_id="")),
    ("ENTER_OBLIGATION", payload(min_total_eliminations=-1)),
    ("WAIVE_OBLIGATION", payload(waive_reason="")),
    ("WAIVE_OBLIGATION", payload(waive_reason="x" * 4097)),
    ("DECLARE_CONCLUSION", payload(conclusion_id="x" * 513)),
    (
        "DECLARE_SESSION",
        payload(
            policy={
                "stability_window": 1001,
                "validate_hypotheses": False,
                "allow_forced_termination": False,
            }
        ),
    ),
    ("DECLARE_SESSION", payload(ontology=dict.fromkeys(ONTOLOGY, "x" * 2049))),
    ("ELIMINATE", record(actor="")),
    ("ELIMINATE", payload(justification={"$redactable": 1})),
    ("ELIMINATE", payload(justification={"in": [{"a list": {"$redactable": {}}}]})),
    ("ELIMINATE", payload(justification={"": "x" * (1 << 20)})),
    ("ELIMINATE", payload(justification={"n": nested(128)})),
    ("ELIMINATE", payload(justification={"n": 10**1000})),
    ("ELIMINATE", payload(justification={"n": Decimal("1." + "0" * 1001)})),
    ("REQUEST_EXIT", payload(context={"n": nested(128)})),
    ("DECLARE_CONCLUSION", payload(context={"n": -(10**1000)})),
    ("REQUEST_TERMINATION", payload(context={"$redactable": None})),
    ("DECLARE_SESSION", payload(metadata={"n": "x" * (1 << 20)})),
]
WITHIN = [
    payload(justification={"": "x" * ((1 << 20) - len('{"": ""}'))}),
    payload(justification={"n": nested(127)}),
    payload(justification={"n": [10**1000 - 1, -(10**1000 - 1), Decimal("1." + "1" * 1000)]}),
    payload(justification={"redactable": "$redactable", "long": "1" * 5000}),
]


# Events of execution, approval and upkeep in the session of arbitration.
ARBITRATED = {
    "allowed": 4,
    "begin": 5,
    "complete": 6,
    "mode": 14,
    "forbidden by the mode": 15,
    "asked": 18,
    "approve": 19,
    "resumed": 20,
    "rolled back": 22,
    "asked again": 23,
    "decline": 24,
    "deferred": 27,
    "tried again": 29,
    "sweep": 30,
}
SOMEBODY = "00000000-0000-4000-8000-000000000000"


def inside(*path: str | int, to: Any) -> Edit:
    """Another value at this place of the payload."""

    def edit(record: Json) -> Json:
        found: Any = record["payload"]
        for name in path[:-1]:
            found = found[name]
        found[path[-1]] = to
        return record

    return edit


# Name, event of the arbitrated session, what happens to it, a word of the reason.
EXECUTED: list[tuple[str, str, Edit, str]] = [
    ("a permit of nowhere", "begin", payload(permit_id=SOMEBODY), "not one of the session"),
    ("a permit of no id", "begin", payload(permit_id="x"), "read"),
    ("begun by other roles", "begin", payload(roles=["agent"]), "not the one that follows"),
    ("begun when it had run out", "begin", payload(decided_at=LATE), "between"),
    ("begun before it was decided", "begin", payload(decided_at=EARLY), "between"),
    ("begun by a new verdict", "begin", payload(**{name: {} for name in ANEW}), ""),
    ("begun twice", "complete", record(verb="BEGIN_EXECUTION", payload={}), ""),
    ("begun without a verdict", "begin", without("roles"), ""),
    ("ended by somebody else", "complete", record(actor="somebody"), "not begun by who ended it"),
    ("another result", "complete", payload(result={"n": 2}), "the recorded end"),
    ("another hash of a result", "complete", payload(result_hash="0" * 64), "the recorded end"),
    ("failed, and committed", "complete", payload(outcome="error"), "the recorded end"),
    ("committed, and rolled back", "complete", payload(status="rolled_back"), "the recorded end"),
    ("an outcome of its own", "complete", payload(outcome="maybe"), "limits of the verb"),
    ("a unit of nowhere", "complete", payload(usage={"apples": 1}), "limits of the verb"),
    ("used less than nothing", "complete", payload(usage={"cents": -1}), "limits of the verb"),
    ("never called", "complete", payload(usage={"max_calls": 0}), ""),
    ("another use", "complete", payload(usage={"cents": 8, "max_calls": 2}), ""),
    ("an end of nothing begun", "rolled back", payload(permit_id=SOMEBODY), "not one of"),
    ("a mode of its own", "mode", payload(mode="party"), "no such mode"),
    ("no mode", "mode", without("mode"), ""),
    ("another mode", "mode", payload(mode="eco"), ""),
    ("a reason too long", "mode", payload(reason="x" * 4097), "limits"),
    ("allowed in spite of the mode", "forbidden by the mode", payload(decision="allow"), ""),
    ("answered by the proposer", "approve", record(actor="postgres"), "APPROVAL_OWN_REQUEST"),
    ("an answer to nothing", "approve", payload(interrupt_id=SOMEBODY), "not one of the session"),
    ("an answer about another", "approve", payload(action_digest="0" * 64), "something else"),
    ("an answer of its own", "approve", payload(resolution="perhaps"), "no such answer"),
    ("an answer too late", "approve", payload(decided_at=LATE), "between"),
    ("declined, and gone on with", "approve", payload(resolution="decline"), ""),
    ("a comment too long", "approve", payload(comment="x" * 4097), "limits"),
    ("approved after all", "decline", payload(resolution="approve"), ""),
    ("gone on with what was not asked", "resumed", inside("resumes", "seq", to=4), ""),
    ("gone on with another item", "resumed", inside("resumes", "item_nos", to=[2]), ""),
    ("gone on without an answer", "resumed", inside("resumes", "approvals", to=[]), ""),
    ("gone on with no approval", "resumed", without("resumes"), "not the one that follows"),
    (
        "gone on with an approval of something else",
        "resumed",
        inside("resumes", "approvals", 0, "interrupt_id", to=SOMEBODY),
        "",
    ),
    (
        "another constraint waived",
        "resumed",
        inside("resumes", "approvals", 0, "waives", 0, "key", to="constraint.other"),
        "",
    ),
    (
        "other arguments than were approved",
        "resumed",
        inside("proposal", "items", 0, "args", to={"n": 1}),
        "",
    ),
    ("gone on with by another", "resumed", record(actor="somebody"), ""),
    ("a permit of another id", "allowed", inside("items", 0, "permit_id", to=SOMEBODY), "follows"),
    (
        "a permit for longer",
        "allowed",
        inside("items", 0, "permit", "expires_at", to="2099-01-01T00:00:00.000000Z"),
        "not the one that follows",
    ),
    ("as it was decided before permits", "allowed", without("v"), ""),
    ("as it will be decided", "allowed", payload(v=3), ""),
    ("another version in other digits", "allowed", payload(v=Decimal("2.0")), ""),
    ("a version of text", "allowed", payload(v="2"), ""),
    ("waiting for nothing", "deferred", inside("deferral", "missing", to=[]), "follows"),
    ("waiting for longer", "deferred", inside("deferral", "max_attempts", to=99), "follows"),
    ("waiting no more", "deferred", without("deferral"), ""),
    ("tried a third time", "tried again", inside("retries", "attempt", to=3), ""),
    ("tried in nobody's name", "tried again", without("retries"), ""),
    (
        "tried in the place of another",
        "tried again",
        inside("retries", "deferral_id", to=SOMEBODY),
        "",
    ),
    ("the shadow says something else", "deferred", inside("shadow", "decision", to="allow"), ""),
    ("no shadow was asked", "deferred", without("shadow"), ""),
    ("a shadow where none was set", "asked", payload(shadow={}), ""),
    ("released too early", "sweep", payload(decided_at=EARLY), "between"),
    ("released a permit of nowhere", "sweep", payload(permits=[SOMEBODY]), "had not run out"),
    ("released nothing", "sweep", payload(permits=[]), "had not run out"),
    ("released no permit", "sweep", payload(permits=["x"]), "read"),
]


@pytest.mark.parametrize(
    ("event", "edit", "word"), [case[1:] for case in EXECUTED], ids=[case[0] for case in EXECUTED]
)
def test_a_forged_execution(scene: Scene, event: str, edit: Edit, word: str) -> None:
    seq = ARBITRATED[event]
    scene.forge(scene.arbitrated, seq, edit)
    bad, reason = scene.first_bad(scene.arbitrated)
    assert bad == seq, reason
    assert word in reason


# Once is enough: the event that is repeated at the end of the log, and a word of the reason.
REPEATED = {
    "begin": "PERMIT_USED",
    "complete": "had ended before",
    "approve": "APPROVAL_RESOLVED",
    "decline": "APPROVAL_RESOLVED",
    "resumed": "",
    "tried again": "",
    "sweep": "had not run out",
}


@pytest.mark.parametrize("event", REPEATED)
def test_an_execution_that_is_repeated(scene: Scene, event: str) -> None:
    again = parse(scene.records(scene.arbitrated)[ARBITRATED[event] - 1])

    def edit(last: Json) -> Json:
        found = dict(again["payload"])
        if "decided_at" in found:
            found["decided_at"] = last["ts"]
        return last | {"verb": again["verb"], "actor": again["actor"], "payload": found}

    length = scene.length(scene.arbitrated)
    scene.append(scene.arbitrated, edit)
    bad, reason = scene.first_bad(scene.arbitrated)
    assert bad == length + 1
    assert REPEATED[event] in reason, reason


def in_a_file(scene: Scene) -> int | None:
    """The first bad event by the verifier of files."""
    log = verify.Log()
    try:
        for line in stream(scene.connection, "audit_lines", session_id=scene.rich):
            log.feed(line.encode())
    except verify.Fault as fault:
        return fault.seq
    return None


@pytest.mark.parametrize("edit", WITHIN)
def test_a_record_at_the_limits(scene: Scene, edit: Edit) -> None:
    scene.forge(scene.rich, RICH["ELIMINATE"], edit)
    assert scene.verdict(scene.rich)["ok"]
    assert in_a_file(scene) is None


@pytest.mark.parametrize(("verb", "edit"), BEYOND)
def test_a_record_beyond_the_limits(scene: Scene, verb: str, edit: Edit) -> None:
    scene.forge(scene.rich, RICH[verb], edit)
    assert scene.first_bad(scene.rich) == (
        RICH[verb],
        "the record is beyond the limits of the verb",
    )
    assert in_a_file(scene) == RICH[verb]


@pytest.mark.parametrize(("verb", "edit"), MALFORMED)
def test_a_payload_that_no_verb_writes(scene: Scene, verb: str, edit: Edit) -> None:
    scene.forge(scene.rich, RICH[verb], edit)
    assert scene.first_bad(scene.rich)[0] == RICH[verb]


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.sampled_from(
            ["", "a", "b", "o", "x" * 64, "0" * 64, "\u2028", "-infinity", "10000-01-01"]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(["eliminated", "k"]), inner)
    ),
    max_leaves=4,
)


@pytest.mark.slow("a search")
@settings(
    max_examples=size(40, 150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seq=st.integers(1, 21), data=st.data())
def test_verify_never_raises(scene: Scene, seq: int, data: st.DataObject) -> None:
    """Some of these only say other things than was said at the time, which nothing can show."""

    def edit(record: Json) -> Json:
        inside = record if data.draw(st.booleans(), "outside") else record["payload"]
        name = data.draw(st.sampled_from(sorted(inside)), "member")
        if data.draw(st.booleans(), "removed"):
            del inside[name]
        else:
            inside[name] = data.draw(values, "value")
        return record

    with scene.connection.transaction(force_rollback=True):
        scene.forge(scene.rich, seq, edit)
        found = scene.verdict(scene.rich, of_all=IS_NIGHTLY)
        assert found["ok"] or found["first_bad"]["seq"] >= min(seq, 1)
        assert found["rows_checked"] == 21


# What cannot be seen from inside


def test_a_log_cut_with_all_its_state_shows_in_its_head_alone(scene: Scene) -> None:
    head = "select (c.audit_seq, c.audit_head_hash)::text from cmbs.chain_head as c "
    head += "where c.session_id = %s"
    written_down = scene.value(head, scene.open)
    scene.run(f"delete from {LOG} where session_id = %s and seq = 8", scene.open)
    scene.set_head(scene.open)
    scene.run("delete from cmbs_store.tombstone where session_id = %s and seq = 8", scene.open)
    last = parse(scene.records(scene.open)[-1])
    scene.run(
        "update cmbs_store.session set n_survivors = n_survivors + 1, "
        "mask = set_bit(mask, 3, 1), survivors_hash = decode(%s, 'hex') "
        "where session_id = %s",
        last["survivors_after_hash"],
        scene.open,
    )
    assert scene.verdict(scene.open)["ok"] is True
    assert scene.value(head, scene.open) != written_down


def test_words_put_into_a_mouth_show_in_the_head_alone(scene: Scene) -> None:
    head = "select audit_head_hash from cmbs.chain_head where session_id = %s"
    written_down = scene.value(head, scene.rich)
    scene.forge(scene.rich, 2, payload(justification={"because": "of something else"}))
    assert scene.verdict(scene.rich)["ok"] is True
    assert scene.value(head, scene.rich) != written_down


def test_a_session_of_which_nothing_is_left_is_not_found(scene: Scene) -> None:
    for table in of_kind("session"):
        scene.run(f"delete from cmbs_store.{table} where session_id = %s", scene.rich)
    everyone = scene.connection.execute("select session_id from cmbs.verify_all()").fetchall()
    assert (scene.rich,) not in everyone
    with pytest.raises(psycopg.DatabaseError) as refused, scene.connection.transaction():
        scene.verdict(scene.rich)
    assert refused.value.sqlstate == "MB001"
    assert json.loads(refused.value.diag.message_detail or "")["session_id"] == str(scene.rich)
