"""Executions, answers, tries and shadows in a log that somebody hashed anew: what must be so under
any policy. `cmbs.verify` decides again and names the same event.
"""

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cmbs.database.calls import stream
from cmbs.kernel.canonical import canonical, hash_text, parse
from cmbs.verify.payloads import ARBITRATION, is_payload
from tests.sql.verdict.scene import GRANT, deny, tool_call
from tests.support import forger
from tests.support.databases import copy_of_a_module
from tests.support.forger import Edit
from tests.support.oracle import Json
from tests.verify.executed import Executed, another, ended
from tests.verify.shipped import Both, fault
from tests.verify.test_arbitration import EARLY, LATE, NOBODY, less, mutated, put


class Made:
    """Logs with all of it, and somebody above all checks."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection, self.steps = connection, Executed(connection)
        self.ended = ended(self.steps.scene)
        self.forger, self.id, self.at = forger.Scene(connection), self.steps.id, self.steps.at

    def payload(self, step: str) -> Any:
        return self.steps.payload(step)

    def permit(self, step: str, no: int = 1) -> str:
        permit: str = self.payload(step)["items"][no - 1]["permit_id"]
        return permit

    def question(self, step: str) -> str:
        question: str = self.payload(step)["items"][0]["interrupt_id"]
        return question

    def lines(self, session_id: UUID) -> list[bytes]:
        return [
            line.encode() for line in stream(self.connection, "audit_lines", session_id=session_id)
        ]

    def fault(self, session_id: UUID | None = None, bundle: Any = None) -> tuple[int, str] | None:
        return fault(self.lines(session_id or self.id), bundle=bundle)


@pytest.fixture(scope="module")
def made(server: SimpleNamespace, template: Any) -> Iterator[Made]:
    """In a database of its own: a permit counts when the transaction of its verdict is over."""
    with copy_of_a_module(server, template, "executed") as connection:
        yield Made(connection)


def test_whole_logs(made: Made) -> None:
    for session_id in (made.id, made.ended):
        assert made.fault(session_id) is None
        assert made.forger.verdict(session_id)["ok"]


# In the place of an event


def items(*path: str | int, to: Any) -> Edit:
    return put("items", 0, *path, to=to)


def no(name: str, *path: str | int) -> Edit:
    """Without a member of the payload, or of something inside."""

    def edit(record: Json) -> Json:
        inside: Any = record["payload"]
        for member in path:
            inside = inside[member]
        del inside[name]
        return record

    return edit


def by(actor: str) -> Edit:
    return lambda record: record | {"actor": actor}


def other_item(record: Json) -> Json:
    """Goes on with other arguments than were asked about, and has the digests of those."""
    payload = record["payload"]
    item = payload["proposal"]["items"][0]
    item["args"] = {"to": "nobody"}
    told = payload["items"][0]
    told["digest"], told["args_hash"] = hash_text(canonical(item)), hash_text('{"to": "nobody"}')
    return record


OFFER = "what is offered with the verdict on item 1"
# The step whose event is forged, how, and what is said of it.
FORGED: dict[str, tuple[str, Edit, str]] = {
    "a version that is not known": ("call", put("v", to=3), "version"),
    "no version": ("call", no("v"), "payload"),
    "a permit of another name": ("call", items("permit_id", to=NOBODY), OFFER),
    "no permit": ("call", no("permit", "items", 0), "without a permit"),
    "no id of a permit": ("call", no("permit_id", "items", 0), OFFER),
    "a permit that ran out before": (
        "call",
        items("permit", "expires_at", to=EARLY),
        "does not run out in time",
    ),
    "a permit for ever": ("call", items("permit", "expires_at", to=LATE), "does not run out"),
    "a permit that is none": ("call", items("permit", to={}), "without a permit"),
    "a permit for what is asked": ("ask", items("permit_id", to=NOBODY), OFFER),
    "a request of a proposal": ("call", put("request_id", to="r"), "payload"),
    # Shadows
    "no shadow": ("call", no("shadow"), "was not asked"),
    "the shadow of another policy": (
        "call",
        put("shadow", "policy", "version", to=2),
        "the policy beside the one in force is another",
    ),
    "a shadow with an effect": (
        "call",
        put("shadow", "items", 0, "effective", to=True),
        "not what its reasons come to",
    ),
    "a shadow that asks": (
        "call",
        put("shadow", "items", 0, "interrupt_id", to=NOBODY),
        "follows from a verdict that is not in force",
    ),
    "a shadow that permits": (
        "ask",
        put("shadow", "items", 0, "permit_id", to=NOBODY),
        "follows from a verdict that is not in force",
    ),
    "a shadow of other items": ("ask", put("shadow", "items", 0, "digest", to="0" * 64), "digest"),
    # Executions
    "begun as if nothing had changed": (
        "begin anew",
        lambda record: less(less(less(less(record, "reads"), "tools"), "schemas"), "policy_hash"),
        "something had changed",
    ),
    "begun with other roles": ("begin", put("roles", to=[]), "something had changed"),
    "begun by half": ("begin anew", no("reads"), "payload"),
    "begun by another policy": (
        "begin anew",
        put("policy_hash", to="0" * 64),
        "the policy is not the one in force",
    ),
    "begun without the tool": ("begin anew", put("tools", to={}), "not registered"),
    "begun on nothing": ("begin", put("permit_id", to=NOBODY), "not one of the session"),
    "begun before it was allowed": ("begin", put("decided_at", to=EARLY), "between"),
    "ended by another": ("complete", by("tool"), "not begun by who ended it"),
    "ended, and no status of that": (
        "complete",
        put("status", to="rolled_back"),
        "the status does not follow",
    ),
    "an error that is committed": (
        "rolled back",
        put("status", to="committed"),
        "the status does not follow",
    ),
    "another outcome": ("complete", put("outcome", to="error"), "the status does not follow"),
    "an outcome that is none": ("complete", put("outcome", to="so"), "neither ok nor error"),
    "another result": ("complete", put("result", to={"b": [2]}), "not that of the result"),
    "the hash of another result": ("complete", put("result_hash", to="0" * 64), "not that of"),
    "a unit that is not granted": (
        "complete",
        put("usage", to={"euros": 1}),
        "what no budget names",
    ),
    "a call that counts nothing": ("complete", put("usage", to={"max_calls": 0}), "payload"),
    "something given back": ("complete", put("usage", to={"cents": -1}), "payload"),
    "an end of nothing": ("complete", put("permit_id", to=NOBODY), "not one of the session"),
    # Questions and answers
    "a question of another name": ("ask", items("interrupt_id", to=NOBODY), OFFER),
    "a question about something else": (
        "ask",
        items("interrupt", "action_digest", to="0" * 64),
        OFFER,
    ),
    "a question that waives more": (
        "ask",
        items("interrupt", "constraint_keys", to=["constraint.asked", "constraint.never"]),
        OFFER,
    ),
    "a question that waives nothing": ("ask", items("interrupt", "constraint_keys", to=[]), OFFER),
    "a question for ever": (
        "ask",
        items("interrupt", "expires_at", to=LATE),
        "does not run out in time",
    ),
    "no question": ("ask", no("interrupt", "items", 0), "asked nothing"),
    "approved by who asked": ("approve", by("agent"), "APPROVAL_OWN_REQUEST"),
    "approved something else": ("approve", put("action_digest", to="0" * 64), "something else"),
    "an answer that is none": ("approve", put("resolution", to="perhaps"), "no such answer"),
    "an answer to nothing": ("approve", put("interrupt_id", to=NOBODY), "not one of the session"),
    "gone on with another item": ("resume", other_item, "not what was asked about"),
    "gone on with nothing": ("resume", put("resumes", "seq", to=1), "is not there"),
    "gone on for another": ("resume", by("tool"), "somebody else"),
    "gone on with more items": (
        "resume",
        put("resumes", "item_nos", to=[1, 1]),
        "not what was asked about",
    ),
    "gone on without an approval": (
        "resume",
        put("resumes", "approvals", to=[]),
        "not what was asked about",
    ),
    "an approval that waives more": (
        "resume",
        put("resumes", "approvals", 0, "waives", to=[{"code": "APPROVAL_REQUIRED"}]),
        "not what was asked about",
    ),
    "gone on in another state": (
        "resume",
        put("proposal", "state_snapshot_id", to=NOBODY),
        "not what was asked about",
    ),
    "gone on as if for the first time": ("resume each", no("resumes"), "nobody approved a call"),
    # What waits
    "waits under another name": ("wait", put("deferral", "deferral_id", to=NOBODY), "is another"),
    "waits in one place and not the other": (
        "wait",
        items("deferral_id", to=NOBODY),
        OFFER,
    ),
    "waits, and was allowed": (
        "call",
        lambda record: (
            record
            | {
                "payload": record["payload"]
                | {
                    "deferral": {
                        "deferral_id": NOBODY,
                        "attempt": 0,
                        "missing": [],
                        "next_at": None,
                    }
                }
            }
        ),
        "what is deferred is another",
    ),
    "waits and does not say so": ("wait", no("deferral"), OFFER),
    "waits for no time": ("wait", put("deferral", "next_at", to=EARLY), "waits for no time"),
    "waits for ever": ("wait", put("deferral", "next_at", to=None), "waits for nothing"),
    "waits for a key twice": (
        "wait",
        put("deferral", "missing", to=["fact.ready", "fact.ready"]),
        "sorted, each once",
    ),
    "tried without an attempt left": (
        "retry",
        put("deferral", "max_attempts", to=1),
        "tried again too often",
    ),
    "tried a second time at first": ("retry", put("retries", "attempt", to=2), "not what was def"),
    "tried for another": ("retry", by("tool"), "somebody else"),
    "tried under another name": ("retry", put("retries", "deferral_id", to=NOBODY), "not there"),
    "tried with another item": ("tried", other_item, "not what was deferred"),
    "tried without its token": ("tried", no("token_id"), "not what was deferred"),
    "tried with a request": (
        "tried",
        lambda record: record | {"payload": record["payload"] | {"request_id": "r"}},
        "payload",
    ),
    "tried, and not said what came of it": ("tried", no("deferral"), "what became of what"),
    "tried in another state": (
        "tried",
        put("proposal", "state_snapshot_id", to=NOBODY),
        "not what was deferred",
    ),
    "tried too often for the first time": ("exhausted", no("retries"), "and that too often"),
    # Upkeep
    "a mode that is none": ("mode", put("mode", to="turbo"), "no such mode"),
    "nothing released": ("sweep", put("permits", to=[]), "had not run out"),
    "released what is not there": ("sweep", put("permits", to=[NOBODY]), "not one of"),
    "released twice at once": (
        "sweep",
        lambda record: put("permits", to=record["payload"]["permits"] * 2)(record),
        "had not run out",
    ),
}


def forge(made: Made, step: str, edit: Edit) -> int:
    made.forger.forge(made.id, made.at[step], edit)
    return made.at[step]


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_event(made: Made, name: str) -> None:
    step, edit, words = FORGED[name]
    with made.connection.transaction(force_rollback=True):
        seq = forge(made, step, edit)
        found = made.fault()
        assert found is not None, "the log passed as good"
        assert found[0] == seq, found
        assert words in found[1], found
        assert made.forger.first_bad(made.id)[0] == seq


# `cmbs.verify` knows how long the policy lets something wait, or finds that the tables are not
# those of this event; what is against it in the log alone is a later one.
ELSEWHERE: dict[str, tuple[str, Callable[[Made], Edit], str, str]] = {
    "a permit ran out before it was used": (
        "before",
        lambda made: items("permit", "expires_at", to=made.payload("begin anew")["decided_at"]),
        "begin anew",
        "PERMIT_EXPIRED",
    ),
    "a question ran out before its answer": (
        "ask",
        lambda made: items("interrupt", "expires_at", to=made.payload("approve")["decided_at"]),
        "approve",
        "APPROVAL_EXPIRED",
    ),
    "a question ran out before it was used": (
        "ask",
        lambda made: items("interrupt", "expires_at", to=made.payload("resume")["decided_at"]),
        "resume",
        "APPROVAL_EXPIRED",
    ),
    "a no that becomes a maybe": (
        "approve",
        lambda made: put("resolution", to="cancel"),
        "resume",
        "APPROVAL_CANCELLED",
    ),
    "a yes that becomes a no": (
        "approve",
        lambda made: put("resolution", to="decline"),
        "resume",
        "APPROVAL_DECLINED",
    ),
    "the answer is to another question": (
        "approve",
        lambda made: (
            lambda record: record | {"verb": "SET_MODE", "payload": {"mode": "eco", "reason": ""}}
        ),
        "resume",
        "APPROVAL_PENDING",
    ),
    "tried again before it was due": (
        "wait",
        lambda made: put("deferral", "next_at", to=LATE),
        "retry",
        "had not come",
    ),
    "what came is not what it waits for": (
        "retry",
        lambda made: put("deferral", "missing", to=["fact.other"]),
        "tried",
        "had not come",
    ),
    "a permit ran out later than it was released": (
        "unused",
        lambda made: items("permit", "expires_at", to=made.payload("ask")["decided_at"]),
        "sweep",
        "had not run out",
    ),
    "it cost more": (
        "complete",
        lambda made: put("usage", to={"max_calls": 28}),
        "tried",
        "not so many calls left",
    ),
    "it used up what calls use up": (
        "complete",
        lambda made: put("usage", to={"cents": 100}),
        "other",
        "nothing left of what calls use up",
    ),
    "who began is another": ("begin", lambda made: by("tool"), "complete", "not begun by who"),
    "the shadow is another": (
        "apply",
        lambda made: put("shadow", "version", to=2),
        "call",
        "beside the one in force is another",
    ),
    "there is no shadow": ("apply", lambda made: no("shadow"), "call", "was not asked"),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_shows_later(made: Made, name: str) -> None:
    step, edit, later, words = ELSEWHERE[name]
    with made.connection.transaction(force_rollback=True):
        seq = forge(made, step, edit(made))
        found = made.fault()
        assert found is not None, "the log passed as good"
        assert found[0] == made.at[later], found
        assert words in found[1], found
        assert seq <= made.forger.first_bad(made.id)[0] <= made.at[later]


# One event more


def event(verb: str, actor: str, payload: Json, at: str | None = None) -> Edit:
    """One that was decided at this time, by default when the last was."""

    def edit(record: Json) -> Json:
        ts = at or record["ts"]
        decided = {"decided_at": ts} if "decided_at" in ARBITRATION[verb] else {}
        return record | {"verb": verb, "actor": actor, "ts": ts, "payload": payload | decided}

    return edit


def begin(permit: str, at: str | None = None) -> Edit:
    return event("BEGIN_EXECUTION", "agent", {"permit_id": permit, "roles": ["agent"]}, at)


def complete(permit: str, actor: str = "agent") -> Edit:
    payload: Json = {"permit_id": permit, "outcome": "ok", "status": "committed", "usage": {}}
    payload |= {"result": {}, "result_hash": hash_text("{}")}
    return event("COMPLETE_EXECUTION", actor, payload)


def answer(made: Made, step: str, resolution: str, actor: str, at: str | None = None) -> Edit:
    told = made.payload(step)["items"][0]
    payload: Json = {"interrupt_id": told["interrupt_id"], "resolution": resolution, "comment": ""}
    payload["action_digest"] = told["interrupt"]["action_digest"]
    return event("RESOLVE_INTERRUPT", actor, payload, at)


def again(made: Made, step: str, **more: Any) -> Edit:
    """What a proposal says once more; with what it goes on with."""
    payload = made.payload(step) | more
    return event("PROPOSE", "agent", payload)


def resumed(made: Made, asked: str) -> Edit:
    resumes = made.payload("resume")["resumes"] | {"seq": made.at[asked]}
    return again(made, "resume", resumes=resumes)


def tried(made: Made, step: str) -> Edit:
    deferral = made.payload(step)["deferral"]
    retries = {"deferral_id": deferral["deferral_id"], "attempt": deferral["attempt"] + 1}
    return again(made, "retry", retries=retries | {"by": "agent"})


APPENDED: dict[str, tuple[Callable[[Made], Edit], str]] = {
    "begun twice": (lambda made: begin(made.permit("call")), "PERMIT_USED"),
    "begun too late": (lambda made: begin(made.permit("idle"), LATE), "PERMIT_EXPIRED"),
    "begun after it was released": (
        lambda made: begin(made.permit("unused")),
        "PERMIT_EXPIRED",
    ),
    "ended by another": (lambda made: complete(made.permit("open"), "tool"), "not begun by who"),
    "ended twice": (lambda made: complete(made.permit("call")), "had ended before"),
    "ended and not begun": (lambda made: complete(made.permit("idle")), "not begun by who"),
    "answered by who asks": (
        lambda made: answer(made, "apart", "approve", "agent"),
        "APPROVAL_OWN_REQUEST",
    ),
    "answered too late": (
        lambda made: answer(made, "apart", "approve", "approver", LATE),
        "APPROVAL_EXPIRED",
    ),
    "answered twice": (
        lambda made: answer(made, "ask in vain", "approve", "approver"),
        "APPROVAL_RESOLVED",
    ),
    "answered when it was used": (
        lambda made: answer(made, "ask", "decline", "approver"),
        "APPROVAL_RESOLVED",
    ),
    "gone on twice": (lambda made: resumed(made, "ask"), "APPROVAL_CONSUMED"),
    "gone on after a no": (lambda made: resumed(made, "ask in vain"), "APPROVAL_DECLINED"),
    "gone on without an answer": (lambda made: resumed(made, "apart"), "APPROVAL_PENDING"),
    "gone on with what was never asked": (lambda made: resumed(made, "call"), "it "),
    "tried too early": (lambda made: tried(made, "apart"), "had not come"),
    "tried when it was done": (lambda made: tried(made, "tried"), "had not come"),
    "released too early": (
        lambda made: event("SWEEP_EXPIRED", "agent", {"permits": [made.permit("idle")]}),
        "had not run out",
    ),
    "released twice": (
        lambda made: event("SWEEP_EXPIRED", "agent", {"permits": [made.permit("unused")]}, LATE),
        "had not run out",
    ),
    "released while it is executed": (
        lambda made: event("SWEEP_EXPIRED", "agent", {"permits": [made.permit("open")]}, LATE),
        "had not run out",
    ),
}


@pytest.mark.parametrize("name", APPENDED)
def test_one_event_more(made: Made, name: str) -> None:
    edit, words = APPENDED[name]
    with made.connection.transaction(force_rollback=True):
        made.forger.append(made.id, edit(made))
        seq = made.forger.length(made.id)
        found = made.fault()
        assert found is not None, "the log passed as good"
        assert found[0] == seq, found
        assert words in found[1], found
        assert made.forger.first_bad(made.id)[0] == seq


@pytest.mark.parametrize(
    ("verb", "payload"),
    [
        ("SET_MODE", {"mode": "eco", "reason": ""}),
        ("SWEEP_EXPIRED", {"permits": [NOBODY]}),
        ("BEGIN_EXECUTION", {"permit_id": NOBODY, "roles": []}),
        ("TOKEN_REVOKE", {"token_id": NOBODY}),
    ],
)
def test_what_ended_takes_no_more_than_ends(made: Made, verb: str, payload: Json) -> None:
    with made.connection.transaction(force_rollback=True):
        made.forger.append(made.ended, event(verb, "agent", payload))
        seq = made.forger.length(made.ended)
        assert made.fault(made.ended) == (seq, "the session was terminated before")
        assert made.forger.first_bad(made.ended)[0] == seq


def test_an_end_after_the_end_is_of_a_beginning(made: Made) -> None:
    with made.connection.transaction(force_rollback=True):
        seq = made.forger.length(made.ended)
        made.forger.forge(made.ended, seq, by("tool"))
        found = (seq, "the execution was not begun by who ended it")
        assert made.fault(made.ended) == found
        assert made.forger.first_bad(made.ended) == found


# What a bundle adds: the constraints that a person waives, as they were


class Contents:
    """The policies of a database, as a bundle has them."""

    def __init__(self, connection: psycopg.Connection[Any], session_id: UUID) -> None:
        rows = connection.execute(
            "select distinct on (kind, content_hash) kind, content_hash, content "
            "from cmbs.arbitration_content where session_id = %s",
            [session_id],
        )
        folders = {"policy": "policies", "schema": "schemas", "tool": "tools"}
        self.contents = {f"{folders[kind]}/{name}.json": text for kind, name, text in rows}

    def content(self, name: str) -> str:
        return str(self.contents[name])


ASKED = GRANT | {"constraint.asked": deny("B", on_fail="ask")}
OTHER = ASKED | {"constraint.other": deny("A")}
CHANGED = GRANT | {"constraint.asked": deny("B", on_fail="ask", reason="another")}
SUPERSEDED = "the question does not take this answer: APPROVAL_SUPERSEDED"


@pytest.mark.parametrize(
    ("packs", "is_changed"), [([OTHER], False), ([CHANGED], True), ([CHANGED, ASKED], True)]
)
def test_an_approval_of_what_has_changed_since(
    made: Made, packs: list[Json], is_changed: bool
) -> None:
    """Only who has the constraints sees that what a person would waive is another one."""
    with made.connection.transaction(force_rollback=True):
        scene = another(made.steps.scene, ASKED)
        told = scene.propose(tool_call("B"))["items"][0]
        for pack in packs:
            scene.apply(pack, "another")
        payload: Json = {"interrupt_id": told["interrupt_id"], "resolution": "approve"}
        payload |= {"comment": "", "action_digest": told["interrupt"]["action_digest"]}
        made.forger.append(scene.id, event("RESOLVE_INTERRUPT", "approver", payload))
        assert made.fault(scene.id) is None
        seq = made.forger.length(scene.id)
        bad = made.forger.first_bad(scene.id)
        whole = Contents(made.connection, scene.id)
        if is_changed:
            assert made.fault(scene.id, whole) == bad == (seq, SUPERSEDED)
        else:
            assert made.fault(scene.id, whole) is None
            assert bad == (seq, "the rows of arbitration are not those of the log")


# Members and noise


@pytest.mark.parametrize(
    "step",
    ["call", "resume", "tried", "begin", "begin anew", "complete", "approve", "mode", "sweep"],
)
def test_the_members_of_a_payload(made: Made, step: str) -> None:
    """What `cmbs.verify` does not take for a payload, this does not, either."""
    record = parse(made.forger.records(made.id)[made.at[step] - 1])
    verb, payload = record["verb"], record["payload"]
    tried = [payload, payload | {"x": 1}, payload | {"request_id": "r"}, payload | {"halt": "h"}]
    names = [*payload, "v", "resumes", "retries", "deferral", "shadow", "request_id", "decided_at"]
    for name in names:
        tried.append({member: value for member, value in payload.items() if member != name})
        others: list[Any] = [None, True, 1, "x", [], {}]
        tried += [payload | {name: value} for value in others]
    in_sql = made.connection.execute(
        "select cmbs_store.is_payload(%s, p.payload) is true "
        "from jsonb_array_elements(%s) with ordinality as p (payload, no) order by p.no",
        [verb, json.dumps(tried, default=float)],
    )
    accepted = 0
    for made_up, (is_one,) in zip(tried, in_sql, strict=True):
        is_taken = is_payload(verb, made_up)
        differing = [value for name, value in made_up.items() if payload.get(name) != value]
        # A text may still be no uuid, no hash or no time, and an object not a policy.
        assert is_taken == is_one or (is_one and differing[0] in ("x", {}, None)), made_up
        accepted += is_taken
    assert 2 <= accepted < len(tried) / 2


def test_no_forged_payload_makes_a_traceback(made: Made) -> None:
    random, faults = Random(5), Counter[str]()
    for session_id in (made.id, made.ended):
        lines = made.lines(session_id)
        before = Both()
        for at, line in enumerate(lines):
            record = parse(json.loads(line)["record"])
            for _ in range(60 if at else 0):
                text = canonical(record | {"payload": mutated(random, record["payload"])})
                forged = json.dumps({"event_hash": hash_text(text), "record": text}).encode()
                found = copy.deepcopy(before).feed(forged)
                faults[found[1] if found else "none"] += 1
            before.feed(line)
    assert len(faults) > 40
    assert faults["none"] < sum(faults.values()) / 4
