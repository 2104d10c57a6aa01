"""cmbs.whatif against brute force: the log is really sent again without the messages left out."""

import random
from collections import Counter
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import Connection, Session
from tests.support.sizes import size

Story = list[tuple[str, Any, Any]]
N_STORIES = size(100, 160)
# Few of everything, so that messages get into each other's way.
IDS = "abcdef"
SOURCES = ["s", "t", 's"\\u00e9\n']
OBLIGATIONS = ["o", "p"]
CONCLUSIONS = ["c", "c", "c", "d"]
CONTEXTS = [{}, {}, {"force": True}, {"force": 1}]
KINDS = {"eliminate": 9, "enter": 3, "exit": 4, "waive": 1, "conclude": 3, "terminate": 3}


def story(chance: random.Random) -> Story:
    """Messages as they come: kind, whom it is about, what is said."""

    def message(kind: str) -> tuple[str, Any, Any]:
        # Exits and waivers mostly name the obligation that is active; `None` stands for it.
        active = chance.choice([None, None, None, *OBLIGATIONS])
        context = chance.choice(CONTEXTS)
        match kind:
            case "eliminate":
                asked = chance.choices([*IDS, *IDS, "unknown"], k=chance.randrange(4))
                return kind, chance.choice(SOURCES), asked
            case "enter":
                return kind, chance.choice(OBLIGATIONS), chance.randrange(4)
            case "conclude":
                return kind, chance.choice(CONCLUSIONS), context
            case "waive":
                return kind, active, "r"
        return kind, active, context

    n_messages = chance.randrange(3, 40)
    kinds = chance.choices([*KINDS], weights=[*KINDS.values()], k=n_messages)
    return [message(kind) for kind in kinds]


def policy(chance: random.Random) -> Json:
    return Json(
        {
            "stability_window": chance.choice([0, 0, 1, 2, 3]),
            "allow_forced_termination": chance.random() < 0.4,
            "validate_hypotheses": chance.random() < 0.3,
        }
    )


def send(session: Session, verb: str, **arguments: Any) -> Any:
    """The answer, or the code of the error with which the message was refused."""
    try:
        with session.connection.transaction():
            return session(verb, **arguments)
    except psycopg.Error as error:
        return errors.classify(error)[0]


def live(session: Session, told: Story) -> None:
    """Tell a session a story; observations have names that two sources share."""
    for number, (kind, first, second) in enumerate(told):
        identity = {"request_id": f"r{number}"} if number % 2 else {}
        active = None
        if kind in ("exit", "waive"):
            active = first or session.snapshot(minimal=True)["active_obligation_id"] or "o"
        match kind:
            case "eliminate":
                named = {"source_id": first, "observation_id": f"observation {number // 2}"}
                send(session, "eliminate", eliminated=second, **named)
            case "enter":
                named = {"obligation_id": first, "min_total_eliminations": second}
                send(session, "enter_obligation", **named, **identity)
            case "exit":
                context = Json(second)
                send(session, "request_exit", obligation_id=active, context=context, **identity)
            case "waive":
                send(session, "waive_obligation", obligation_id=active, reason=second, **identity)
            case "conclude":
                named = {"conclusion_id": first, "context": Json(second)}
                send(session, "declare_conclusion", **named, **identity)
            case "terminate":
                send(session, "request_termination", context=Json(second), **identity)


VERBS = {
    "ELIMINATE": ("eliminate", ("source_id", "observation_id", "eliminated")),
    "ENTER_OBLIGATION": ("enter_obligation", ("obligation_id", "min_total_eliminations")),
    "REQUEST_EXIT": ("request_exit", ("obligation_id",)),
    "WAIVE_OBLIGATION": ("waive_obligation", ("obligation_id",)),
    "DECLARE_CONCLUSION": ("declare_conclusion", ("conclusion_id",)),
    "REQUEST_TERMINATION": ("request_termination", ()),
}


def send_again(session: Session, event: dict[str, Any]) -> Any:
    """The message of an event, as its sender sent it."""
    payload = event["payload"]
    verb, members = VERBS[event["verb"]]
    sent = {name: payload[name] for name in members}
    if "context" in payload:
        sent["context"] = Json(payload["context"])
    if "request_id" in payload:
        sent["request_id"] = payload["request_id"]
    if "waive_reason" in payload:
        sent["reason"] = payload["waive_reason"]
    return send(session, verb, **sent)


def decision(answer: Any) -> dict[str, Any]:
    """What a gate said, in the form of cmbs.whatif."""
    if isinstance(answer, str):
        return {"approved": None, "reason": None, "error": answer}
    approved = answer.get("approved", answer.get("accepted"))
    return {"approved": approved, "reason": answer.get("reason"), "error": None}


def standing(snapshot: dict[str, Any]) -> dict[str, Any]:
    members = ("n_survivors", "entropy_proxy", "survivors_hash", "terminated", "active_obligation")
    return {name: snapshot[name] for name in members}


def is_left_out(event: dict[str, Any], left_out: dict[str, str]) -> bool:
    payload = event["payload"]
    return event["verb"] == "ELIMINATE" and all(
        payload[member.replace("without_", "") + "_id"] == value
        for member, value in left_out.items()
    )


def check(session: Session, fresh: Session, left_out: dict[str, str]) -> Counter[str]:
    """Compare what is said of a session with what really happens; count what was seen."""
    said = session("whatif", **left_out)
    before = session.snapshot()
    removed, refused, flips = 0, 0, []
    for event in session.events()[1:]:
        if is_left_out(event, left_out):
            removed += 1
            continue
        answer = send_again(fresh, event)
        refused += isinstance(answer, str)
        recorded, instead = decision(event["payload"]), decision(answer)
        if event["verb"] != "ELIMINATE" and recorded != instead:
            flip = {name: event[name] for name in ("event_id", "seq", "verb")}
            flips.append({**flip, "recorded": recorded, "instead": instead})
    after = fresh.snapshot()
    assert said["removed"] == removed > 0
    assert said["refused"] == refused
    assert said["flips"] == flips
    assert said["n_flips"] == len(flips)
    assert said["recorded"] == standing(before)
    assert said["instead"] == standing(after)
    assert said["returning"] == sorted(set(after["survivors"]) - set(before["survivors"]))
    assert said["n_returning"] == len(said["returning"])
    assert said["n_gates"] == sum(
        event["verb"] not in ("DECLARE_SESSION", "ELIMINATE") for event in session.events()
    )
    seen = Counter(f"{flip['verb']} {flip['instead']['error']}" for flip in flips)
    seen["returning"] += bool(said["returning"])
    seen["taken over"] += before["n_survivors"] == after["n_survivors"]
    seen["unstable"] += any(flip["instead"]["reason"] == "conclusion not stable" for flip in flips)
    seen["ended earlier"] += (
        after["terminated"] and after["audit_seq"] + removed < (before["audit_seq"])
    )
    return seen


def choices(session: Session) -> list[dict[str, str]]:
    """All of a source, one observation of it, and an observation of any source."""
    sent = [event["payload"] for event in session.events() if event["verb"] == "ELIMINATE"]
    found: list[dict[str, str]] = [{"without_source": one["source_id"]} for one in sent]
    found += [{"without_observation": one["observation_id"]} for one in sent[:1]]
    found += [found[0] | found[-1]] if sent else []
    return [choice for number, choice in enumerate(found) if choice not in found[:number]]


# Each has to be met, or the comparison would not be worth much.
SEEN = {
    "returning",
    "taken over",
    "unstable",
    "ended earlier",
    "ENTER_OBLIGATION CONFLICT",
    "ENTER_OBLIGATION SESSION_TERMINATED",
    "REQUEST_EXIT None",
    "REQUEST_EXIT OBLIGATION_NOT_FOUND",
    "REQUEST_EXIT SESSION_TERMINATED",
    "WAIVE_OBLIGATION OBLIGATION_NOT_FOUND",
    "DECLARE_CONCLUSION None",
    "DECLARE_CONCLUSION SESSION_TERMINATED",
    "REQUEST_TERMINATION None",
    "REQUEST_TERMINATION SESSION_TERMINATED",
}


@pytest.mark.slow("a search")
def test_what_is_said_is_what_happens(tx: Connection) -> None:
    seen: Counter[str] = Counter()
    for seed in range(N_STORIES):
        chance = random.Random(seed)
        with tx.transaction(force_rollback=True):
            terms = policy(chance)
            universe = IDS[: chance.randrange(2, 7)]
            session = Session(tx, universe, policy=terms)
            live(session, story(chance))
            for left_out in choices(session):
                seen["comparisons"] += 1
                with tx.transaction(force_rollback=True):
                    try:
                        seen.update(check(session, Session(tx, universe, policy=terms), left_out))
                    except AssertionError as error:
                        error.add_note(f"seed {seed}, without {left_out}")
                        raise
    assert seen["comparisons"] > size(300, 500), seen
    missed = {name for name in SEEN if not seen[name]}
    assert not missed, f"never met: {missed} of {seen}"
