"""Arbitration in a log, with no policy evaluated: what must be so under any of them. `cmbs.verify`
decides again and names the same event.
"""

import copy
import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cmbs.database.calls import stream
from cmbs.kernel.canonical import canonical, hash_text, parse
from cmbs.verify.payloads import is_payload
from cmbs.verify.verdicts import OFFERS
from tests.support import forger
from tests.support.forger import Edit
from tests.support.oracle import Json
from tests.verify.arbitrated import Rich
from tests.verify.shipped import Both, fault


class Made:
    """A log with all of it, and somebody above all checks."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.rich, self.forger = Rich(connection), forger.Scene(connection)
        self.connection, self.id, self.at = connection, self.rich.id, self.rich.at

    def lines(self) -> list[bytes]:
        # All of them: one that is left in the middle cancels its query, and the transaction.
        lines = stream(self.connection, "audit_lines", session_id=self.id)
        return [line.encode() for line in lines]

    def fault(self) -> tuple[int, str] | None:
        return fault(self.lines(), self.id)


@pytest.fixture(scope="module")
def made(_shared_database: str) -> Iterator[Made]:
    with psycopg.connect(_shared_database) as connection:
        yield Made(connection)
        connection.rollback()


def test_a_whole_log(made: Made) -> None:
    assert made.fault() is None
    assert made.forger.verdict(made.id)["ok"]


def put(*path: str | int, to: Any) -> Edit:
    """Another value at this place of the payload."""

    def edit(record: Json) -> Json:
        inside: Any = record["payload"]
        for name in path[:-1]:
            inside = inside[name]
        inside[path[-1]] = to
        return record

    return edit


def allowed(record: Json) -> Json:
    """All is allowed, nothing spoke against it."""
    payload = record["payload"]
    verdict: Json = {"decision": "allow", "disposition": "execute", "reason_code": "ALLOWED"}
    verdict["reasons"] = []
    payload |= verdict
    for item in payload.get("items", ()):
        item |= verdict | {"effective": True}
        for offer in OFFERS:
            item.pop(offer, None)
    payload.pop("halt", None)
    return record


def both(*edits: Edit) -> Edit:
    def edit(record: Json) -> Json:
        for one in edits:
            record = one(record)  # type: ignore[assignment]
        return record

    return edit


def by(actor: str) -> Edit:
    return lambda record: record | {"actor": actor}


LATE, EARLY = "2999-01-01T00:00:00.000000Z", "2001-01-01T00:00:00.000000Z"
NOBODY = str(UUID(int=7))
WIDER = "the token is wider than the one that it is made from: "
VERDICT = "not what its reasons come to"
# The step whose event is forged, how, and what is said of it.
FORGED: dict[str, tuple[str, Edit, str]] = {
    "decided before": ("call", put("decided_at", to=EARLY), "between"),
    "decided after": ("cited", put("decided_at", to=LATE), "between"),
    "issued after": ("issue", put("decided_at", to=LATE), "between"),
    "a time in another form": ("call", put("decided_at", to="2026-01-01T00:00:00Z"), "payload"),
    "another policy": ("call", put("policy", "policy_hash", to="0" * 64), "in force"),
    "another pack": ("call", put("policy", "pack", to="other"), "in force"),
    "another version": ("cited", put("policy", "version", to=2), "in force"),
    "another deny-all": ("deny-all again", put("policy", "policy_hash", to="0" * 64), "in force"),
    "a policy that was refused": ("unfit", put("approved", to=True), "decision is another"),
    "no policy where one was applied": ("apply", put("approved", to=False), "decision is another"),
    "no reason for an approval": ("apply", put("reason", to="so"), "decision is another: applied"),
    "a token of nowhere": ("call", put("token_id", to=NOBODY), "not one of the session"),
    "a parent of nowhere": ("attenuate", put("parent_id", to=NOBODY), "not one of the session"),
    "revoked, and not there": ("revoke", put("token_id", to=NOBODY), "not one of the session"),
    "denied, with an effect": (
        "unknown",
        put("items", 0, "effective", to=True),
        f"item 1 is {VERDICT}",
    ),
    "allowed, with none": ("call", put("items", 0, "effective", to=False), VERDICT),
    "a number for a yes": ("call", put("items", 0, "effective", to=1), VERDICT),
    "half of what belongs together": ("whole", put("items", 0, "effective", to=True), VERDICT),
    "allowed for a reason": ("call", put("reason_code", to="TOOL_UNKNOWN"), VERDICT),
    "deferred without effect": ("ask", put("decision", to="deny"), VERDICT),
    "allowed in spite of reasons": ("unknown", put("decision", to="allow"), VERDICT),
    "an item asked, not blocked": ("some", put("items", 2, "disposition", to="ask"), "item 3"),
    "a digest": ("call", put("items", 0, "digest", to="0" * 64), "digest of item 1"),
    "a digest of arguments": ("call", put("items", 0, "args_hash", to="0" * 64), "args_hash of"),
    "other arguments": ("call", put("proposal", "items", 0, "args", to={}), "digest of item 1"),
    "another delta": ("delta", put("proposal", "items", 0, "patch", to={"goal.y": None}), "digest"),
    "one verdict too many": ("call", put("items", to=[{}, {}]), "no verdict on each"),
    "a key that was not used": (
        "call",
        both(
            put("reason_code", to="IDEMPOTENCY_MISMATCH"),
        ),
        "the key was not used for other items",
    ),
    "a key used again": ("reused", allowed, "the key was used for other items"),
    "a tool that is not registered": ("unknown", allowed, "not registered"),
    "a tool that was withdrawn": ("whole", allowed, "not registered"),
    "beyond the budget": ("spent", allowed, "not so many calls left"),
    "by a revoked token": ("revoked", allowed, "is revoked"),
    "without a token": ("unshown", allowed, "without a token"),
    "what no token covers": ("write", allowed, "does not cover"),
    "the token of another": ("call", by("tool"), "without a token of the proposer"),
    "while it was halted": (
        "halted",
        both(allowed, put("halt", to="a drill")),
        "while the kill switch was on",
    ),
    "a room that is not full": ("call", put("is_full", to=False), "is_full is not true"),
    "a claim while it was halted": (
        "halted claim",
        both(allowed, put("halt", to="a drill")),
        "while the kill switch was on",
    ),
    "never valid": ("issue", put("expires_at", to=EARLY), "never valid"),
    "a token again": ("attenuate mine", put("token_id", to="$attenuate.token_id"), "issued before"),
    "wider in tools": ("attenuate", put("tools", to=["X"]), WIDER + "tools"),
    "wider in capabilities": ("attenuate", put("capabilities", to=["x"]), WIDER + "capabilities"),
    "wider in state prefixes": ("attenuate", put("state_prefixes", to=["p"]), WIDER + "state_pre"),
    "valid for longer": ("attenuate", put("expires_at", to=LATE), WIDER + "expires_at"),
    "valid earlier": ("attenuate", put("valid_from", to=EARLY), WIDER + "valid_from"),
    "more of a budget": ("attenuate", put("budgets", to={"max_calls": 1001}), WIDER + "budgets"),
    "another budget": ("attenuate", put("budgets", to={"euros": 1}), WIDER + "budgets"),
    "a fact that is no longer confirmed": (
        "cited",
        put("confirmed", to=False),
        "a fact was recorded that nothing confirms",
    ),
    "a fact that nothing confirms": ("unconfirmed", allowed, "a fact was recorded that nothing"),
    "confirmed by nothing": (
        "unconfirmed",
        both(allowed, put("confirmed", to=True)),
        "nothing confirms the claim",
    ),
    "another value than was confirmed": (
        "promoted",
        put("claim", "value", to=2),
        "nothing confirms the claim",
    ),
    "another key than was confirmed": (
        "promoted",
        put("claim", "key", to="k"),
        "nothing confirms the claim",
    ),
    "confirmed, and denied that": ("promoted", put("confirmed", to=False), "was confirmed"),
    "promoted from nothing": ("promoted", put("promotes", to=NOBODY), "was not recorded"),
    "a fact for a hypothesis": ("demoted", put("kind", to="fact"), "a fact was recorded"),
    "a preference for a hypothesis": ("demoted", put("kind", to="preference"), "another kind"),
    "a hypothesis for ever": ("demoted", put("expires_at", to=None), "nothing confirms"),
    "an elimination": (
        "call",
        lambda record: record | {"delta": {"eliminated": ["b"]}},
        "the delta is not",
    ),
    "a hash that is none": ("call", put("tools", "R", to="x"), "no hash"),
    "a proposal that is none": ("call", put("proposal", to={}), "payload"),
    "verdicts that are none": ("call", put("items", to=[1]), "payload"),
    "reasons that are none": ("call", put("reasons", to=[1]), "payload"),
    "a tool without a name": ("call", put("proposal", "items", 0, "tool_id", to=1), "no call"),
    "a member more": ("revoke", put("why", to="so"), "payload"),
    "a member less": ("promoted", lambda record: less(record, "promotes"), "payload"),
}
# `cmbs.verify` finds that the tables are not those of this event, which is earlier.
ELSEWHERE: dict[str, tuple[str, Edit, str, str]] = {
    "expired": ("issue", put("expires_at", to="$call.decided_at"), "call", "expired"),
    "not yet valid": ("issue", put("valid_from", to="$delta.decided_at"), "call", "not valid yet"),
    "a smaller budget": ("issue", put("budgets", to={"max_calls": 1}), "delta", "not so many"),
    "no budget": ("issue", put("budgets", to={}), "call", "not so many"),
    "another holder": ("issue", put("holder", to="tool"), "call", "of the proposer"),
    "an approval for each call": ("issue", put("approval", to="required"), "call", "nobody"),
    "a key that was another's": (
        "delta",
        put("proposal", "idempotency_key", to="x"),
        "reused",
        "was not used",
    ),
}


def less(record: Json, name: str) -> Json:
    del record["payload"][name]
    return record


def forge(made: Made, step: str, edit: Edit) -> int:
    """Rewrite the event of a step and hash the log anew; its seq."""

    def told(record: Json) -> Json | str:
        edited = edit(record)
        assert isinstance(edited, dict)
        for name, value in edited["payload"].items():
            if isinstance(value, str) and value.startswith("$"):
                other, _, member = value[1:].partition(".")
                of = parse(made.forger.records(made.id)[made.at[other] - 1])
                edited["payload"][name] = of["payload"][member]
        return edited

    made.forger.forge(made.id, made.at[step], told)
    return made.at[step]


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_event(made: Made, name: str) -> None:
    step, edit, words = FORGED[name]
    with made.connection.transaction(force_rollback=True):
        seq = forge(made, step, edit)
        found = made.fault()
        assert found is not None, "the log passed as good"
        assert found[0] == seq
        assert words in found[1], found
        assert made.forger.first_bad(made.id)[0] == seq


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_shows_later(made: Made, name: str) -> None:
    step, edit, later, words = ELSEWHERE[name]
    with made.connection.transaction(force_rollback=True):
        seq = forge(made, step, edit)
        found = made.fault()
        assert found is not None, "the log passed as good"
        assert found[0] == made.at[later]
        assert words in found[1], found
        assert made.forger.first_bad(made.id)[0] == seq


def test_the_same_proposal_twice(made: Made) -> None:
    """What a repeat gets is the recorded answer, and no event."""
    with made.connection.transaction(force_rollback=True):
        first = parse(made.forger.records(made.id)[made.at["delta"] - 1])["payload"]
        kept = ("proposal", "decision", "disposition", "reason_code", "reasons", "items")
        same = {name: first[name] for name in kept}
        seq = forge(made, "reused", lambda record: record | {"payload": record["payload"] | same})
        assert made.fault() == (seq, "the same was proposed under this key before")


def test_a_digest_that_is_none(made: Made) -> None:
    with made.connection.transaction(force_rollback=True):
        seq = forge(made, "confirm", put("value_digest", to="f" * 63))
        assert made.fault() == (seq, "the payload is not one that this verb records")


@pytest.mark.parametrize("step", ["call", "apply", "attenuate", "revoke", "promoted", "confirm"])
def test_the_members_of_a_payload(made: Made, step: str) -> None:
    """What `cmbs.verify` does not take for a payload, this does not, either."""
    record = parse(made.forger.records(made.id)[made.at[step] - 1])
    verb, payload = record["verb"], record["payload"]
    tried = [payload, payload | {"x": 1}, payload | {"request_id": "r"}, payload | {"halt": "h"}]
    for name in [*payload, "token_id", "halt", "request_id", "parent_id", "promotes"]:
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


def test_nothing_follows_a_termination(made: Made) -> None:
    with made.connection.transaction(force_rollback=True):
        terminated = {"context": {"force": True}, "approved": True, "reason": "approved by force"}

        def end(record: Json) -> Json:
            record["payload"]["policy"]["allow_forced_termination"] = True
            return record

        made.forger.forge(made.id, 1, end)
        made.forger.forge(
            made.id, 4,
            lambda record: record | {"verb": "REQUEST_TERMINATION", "payload": terminated},
        )  # fmt: skip
        assert made.fault() == (5, "the session was terminated before")


VALUES: list[Any] = [None, True, 0, -1, 1, 2.5, 10**30, "", "x", LATE, "0" * 64, NOBODY]
VALUES += [[], {}, [None], ["x"], [[]], {"x": 1}, [{}], "block", "ALLOWED", "tool_call"]


def mutated(random: Random, value: Any) -> Any:
    """The same but for one value somewhere inside."""
    if isinstance(value, dict | list) and value and random.random() < 0.9:
        inside: Any = value.copy()
        name = random.choice([*value] if isinstance(value, dict) else range(len(value)))
        if random.random() < 0.1:
            del inside[name]
        else:
            inside[name] = mutated(random, value[name])
        return inside
    return random.choice(VALUES)


def test_no_forged_payload_makes_a_traceback(made: Made) -> None:
    random, faults = Random(3), Counter[str]()
    lines = made.lines()
    for at in range(1, len(lines)):
        before = Both(made.id)
        for line in lines[:at]:
            before.feed(line)
        record = parse(json.loads(lines[at])["record"])
        for _ in range(100):
            text = canonical(record | {"payload": mutated(random, record["payload"])})
            forged = json.dumps({"event_hash": hash_text(text), "record": text}).encode()
            found = copy.deepcopy(before).feed(forged)
            faults[found[1] if found else "none"] += 1
    assert len(faults) > 20
    assert faults["none"] < sum(faults.values()) / 3
