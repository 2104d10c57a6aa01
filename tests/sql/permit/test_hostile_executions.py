"""Arguments of execution, approval, modes, deferrals and webhooks made to hurt: each is refused by
the member that is wrong, and nothing has changed.
"""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.verdict.scene import GRANT, Scene, deny, tool_call
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, refused
from tests.support.databases import copy_of_a_module

DEEP = "[" * 200 + "]" * 200
LONG = "x" * 1_000_000
ID = "10496c15-c8a0-49f1-865f-1212bd6fa47d"
NOW = "2026-01-01T00:00:00.000000Z"


class Asked(Scene):
    """With a call that may be begun, one that was, and one that somebody is asked about."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, GRANT | {"constraint.asked": deny("B", on_fail="ask")})
        self.permit = self.propose(tool_call("A"))["items"][0]["permit_id"]
        self.begun = self.propose(tool_call("A"))["items"][0]["permit_id"]
        self("begin_execution", permit_id=self.begun)
        asked = self.propose(tool_call("B"))
        self.proposal, self.question = asked["proposal_id"], asked["items"][0]["interrupt_id"]

    def arguments(self, verb: str) -> dict[str, Any]:
        """What is right, and would be taken."""
        of_it: dict[str, dict[str, Any]] = {
            "begin_execution": {"permit_id": self.permit},
            "complete_execution": {"permit_id": self.begun, "outcome": "ok"},
            "resolve_interrupt": {"interrupt_id": self.question, "resolution": "approve"},
            "apply_policy": {"pack": "pack", "version": 1},
            "resume": {"proposal_id": self.proposal, "proposal": items(tool_call("B"))},
            "set_mode": {"mode": "eco"},
            "set_webhook": {"url": "https://example.org/", "secret": "s" * 24},
        }
        by = {"resolve_interrupt": self.approver, "set_mode": self.policy}
        by |= {"apply_policy": self.policy}
        if verb in ("set_webhook", "take_webhooks", "list_due"):
            return of_it.get(verb, {})
        whose = {"credential": by.get(verb, self.agent)}
        of_a_session = {} if verb == "list_inbox" else {"session_id": self.id}
        return of_a_session | of_it.get(verb, {}) | whose


def items(*sent: object, **more: object) -> Json:
    return Json({"items": list(sent), **more})


def usage(text: str) -> dict[str, str]:
    return {"usage": text}


@pytest.fixture(scope="module")
def _scene(server: SimpleNamespace, template: Any) -> Iterator[Asked]:

    with copy_of_a_module(server, template, "hostile") as connection:
        yield Asked(connection)


@pytest.fixture
def scene(_scene: Asked) -> Asked:
    return _scene


CALL = tool_call("B")
# The verb, what is wrong with its arguments, the code, and the member that is told.
WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("begin_execution", {"session_id": None}, "MB201", "session_id"),
    ("begin_execution", {"session_id": NOBODY}, "MB001", "session_id"),
    ("begin_execution", {"permit_id": None}, "MB011", "permit_id"),
    ("begin_execution", {"permit_id": NOBODY}, "MB011", "permit_id"),
    ("begin_execution", {"request_id": ""}, "MB201", "request_id"),
    ("begin_execution", {"request_id": LONG}, "MB201", "request_id"),
    ("begin_execution", {"notes": "n" * 4097}, "MB203", "notes"),
    ("begin_execution", {"expected_head": NO_EVENT}, "MB103", "expected_head"),
    ("complete_execution", {"permit_id": None}, "MB011", "permit_id"),
    ("complete_execution", {"outcome": None}, "MB201", "outcome"),
    ("complete_execution", {"outcome": ""}, "MB201", "outcome"),
    ("complete_execution", {"outcome": "OK"}, "MB201", "outcome"),
    ("complete_execution", {"outcome": LONG}, "MB201", "outcome"),
    ("complete_execution", {"result": "[]"}, "MB201", "result"),
    ("complete_execution", {"result": "null"}, "MB201", "result"),
    ("complete_execution", {"result": '{"a": 1, "a": 1}'}, "MB201", "result"),
    ("complete_execution", {"result": f'{{"a": {DEEP}}}'}, "MB201", "result"),
    ("complete_execution", {"result": f'{{"a": {"9" * 1001}}}'}, "MB201", "result"),
    ("complete_execution", {"result": '{"$redactable": 1}'}, "MB201", "result"),
    ("complete_execution", {"result": json.dumps({"a": "x" * (1 << 20)})}, "MB203", "result"),
    ("complete_execution", usage("[]"), "MB201", "usage"),
    ("complete_execution", usage("null"), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": 0}'), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": -1}'), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": 1.5}'), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": 1.0}'), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": "1"}'), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": null}'), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": 1e400}'), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": 9223372036854775807}'), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": 9223372036854775808}'), "MB201", "usage"),
    ("complete_execution", usage('{"max_calls": 1, "max_calls": 2}'), "MB201", "usage"),
    ("complete_execution", usage('{"apples": 1}'), "MB201", "usage"),
    ("complete_execution", usage('{"": 1}'), "MB201", "usage"),
    ("complete_execution", usage(json.dumps({"u" * 600: 1})), "MB201", "usage"),
    ("complete_execution", {"request_id": LONG}, "MB201", "request_id"),
    ("complete_execution", {"notes": "n" * 4097}, "MB203", "notes"),
    ("resolve_interrupt", {"interrupt_id": None}, "MB012", "interrupt_id"),
    ("resolve_interrupt", {"interrupt_id": NOBODY}, "MB012", "interrupt_id"),
    ("resolve_interrupt", {"resolution": None}, "MB201", "resolution"),
    ("resolve_interrupt", {"resolution": "APPROVE"}, "MB201", "resolution"),
    ("resolve_interrupt", {"resolution": LONG}, "MB201", "resolution"),
    ("resolve_interrupt", {"comment": "é" * 2048 + "x"}, "MB203", "comment"),
    ("resolve_interrupt", {"request_id": ""}, "MB201", "request_id"),
    ("resolve_interrupt", {"notes": "n" * 4097}, "MB203", "notes"),
    ("resume", {"proposal_id": None}, "MB003", "event_id"),
    ("resume", {"proposal_id": NO_EVENT}, "MB003", "event_id"),
    ("resume", {"proposal": None}, "MB201", "items"),
    ("resume", {"proposal": "[]"}, "MB201", "proposal"),
    ("resume", {"proposal": "null"}, "MB201", "proposal"),
    ("resume", {"proposal": "{}"}, "MB201", "items"),
    ("resume", {"proposal": items()}, "MB201", "items"),
    ("resume", {"proposal": '{"items": {}}'}, "MB201", "items"),
    ("resume", {"proposal": items(*[CALL] * 101)}, "MB201", "items"),
    ("resume", {"proposal": items(1)}, "MB201", "items[0]"),
    ("resume", {"proposal": items(CALL, {})}, "MB201", "items[1].kind"),
    ("resume", {"proposal": items(CALL | {"more": 1})}, "MB201", "items[0]"),
    ("resume", {"proposal": items(CALL, more=1)}, "MB201", "proposal"),
    ("resume", {"proposal": items(CALL, capability_token=7)}, "MB201", "capability_token"),
    ("resume", {"proposal": items(CALL, idempotency_key=7)}, "MB201", "idempotency_key"),
    ("resume", {"proposal": items(CALL, idempotency_key="")}, "MB201", "request_id"),
    (
        "resume",
        {"proposal": items(CALL, idempotency_key="a"), "request_id": "b"},
        *("MB201", "idempotency_key"),
    ),
    ("resume", {"proposal": f'{{"items": {DEEP}}}'}, "MB201", "proposal"),
    ("resume", {"proposal": items(CALL | {"args": {"a": "x" * (4 << 20)}})}, "MB203", "proposal"),
    ("set_mode", {"mode": None}, "MB201", "mode"),
    ("set_mode", {"mode": ""}, "MB201", "mode"),
    ("set_mode", {"mode": "Eco"}, "MB201", "mode"),
    ("set_mode", {"mode": LONG}, "MB201", "mode"),
    ("set_mode", {"reason": "r" * 4097}, "MB203", "reason"),
    ("set_mode", {"request_id": ""}, "MB201", "request_id"),
    ("sweep_expired", {"session_id": None}, "MB201", "session_id"),
    ("sweep_expired", {"session_id": NOBODY}, "MB001", "session_id"),
    ("apply_policy", {"shadow": "[]"}, "MB201", "shadow"),
    ("apply_policy", {"shadow": "null"}, "MB201", "shadow"),
    ("apply_policy", {"shadow": "{}"}, "MB201", "shadow.pack"),
    ("apply_policy", {"shadow": '{"pack": null, "version": 1}'}, "MB201", "shadow.pack"),
    ("apply_policy", {"shadow": '{"pack": "pack"}'}, "MB201", "shadow.version"),
    ("apply_policy", {"shadow": '{"pack": "pack", "version": "1"}'}, "MB201", "shadow.version"),
    ("apply_policy", {"shadow": '{"pack": "pack", "version": 1e400}'}, "MB201", "shadow.version"),
    ("apply_policy", {"shadow": '{"pack": "pack", "version": 9}'}, "MB007", "version"),
    ("apply_policy", {"shadow": '{"pack": "pack", "version": 1, "x": 1}'}, "MB201", "shadow"),
    ("read_permit", {"permit_id": None}, "MB011", "permit_id"),
    ("read_interrupt", {"interrupt_id": None}, "MB012", "interrupt_id"),
    ("list_interrupts", {"status": ""}, "MB201", "status"),
    ("list_interrupts", {"status": LONG}, "MB201", "status"),
    ("list_permits", {"status": "open"}, "MB201", "status"),
    *(
        (verb, {"limit": limit}, "MB201", "limit")
        for verb in ("list_interrupts", "list_permits", "list_deferrals", "list_inbox", "list_due")
        for limit in (0, -1, 1001, 2147483647)
    ),
    *(("take_webhooks", {"limit": limit}, "MB201", "limit") for limit in (0, -1, 101)),
    ("list_inbox", {"status": "open"}, "MB201", "status"),
    *(
        ("list_inbox", {"cursor": cursor}, "MB201", "cursor")
        for cursor in ("", "x", f"{NOW}_{ID}", f" {NOW}_{ID}_{ID}", f"{NOW}_{ID}_{ID}\n", LONG)
    ),
    *(
        ("set_webhook", {"url": url}, "MB201", "url")
        for url in (
            *("", "x", "ftp://h/", "HTTP://h/", "javascript:1", "http://", "http:///x"),
            *("http://u@h/", "http://u:p@h/", "http://h\\@e/", "http://h/#f", "http://h#f"),
            *("http://h/ x", " http://h/", "http://h\n", "http://h/\x7f", "http://h/\r\nX: y"),
        )
    ),
    ("set_webhook", {"url": "https://" + "x" * 2041}, "MB203", "url"),
    ("set_webhook", {"secret": None}, "MB201", "secret"),
    ("set_webhook", {"secret": "s" * 23}, "MB201", "secret"),
    ("set_webhook", {"secret": "s" * 513}, "MB203", "secret"),
    ("set_webhook", {"tenant": ""}, "MB201", "tenant"),
    ("set_webhook", {"tenant": "a\tb"}, "MB201", "tenant"),
    ("set_webhook", {"tenant": "x" * 129}, "MB201", "tenant"),
]


@pytest.mark.parametrize(
    ("verb", "wrong", "code", "member"),
    WRONG,
    ids=[f"{verb} {str(wrong)[:40]}" for verb, wrong, *_ in WRONG],
)
def test_what_is_wrong_is_named(
    scene: Asked, verb: str, wrong: dict[str, Any], code: str, member: str
) -> None:
    sent = scene.arguments(verb) | wrong
    error = refused(scene.connection, errors.BeliefError, verb, **sent)
    assert error.sqlstate == code, error
    told = error.details.get("member", member)
    assert told == member, error.details
    assert member in error.details or "member" in error.details
    assert len(str(error)) < 4096


# What PostgreSQL reads before a verb does.
UNREAD: list[tuple[str, dict[str, Any]]] = [
    ("begin_execution", {"permit_id": "x"}),
    ("begin_execution", {"permit_id": "' or true --"}),
    ("complete_execution", {"result": "{"}),
    ("complete_execution", {"result": r'{"a": "\u0000"}'}),
    ("complete_execution", {"result": r'{"a": "\ud83d"}'}),
    ("complete_execution", {"usage": '{"max_calls": 1e999999}'}),
    ("complete_execution", {"usage": ""}),
    ("resolve_interrupt", {"interrupt_id": ""}),
    ("resume", {"proposal": "{"}),
    ("resume", {"proposal": r'{"items": [{"\u0000": 1}]}'}),
    ("resume", {"proposal_id": "x"}),
    ("apply_policy", {"shadow": "{"}),
    ("list_interrupts", {"limit": "x"}),
    ("list_permits", {"before": "9223372036854775808"}),
    ("list_deferrals", {"before": "1.5"}),
    ("list_inbox", {"limit": "NaN"}),
    ("list_inbox", {"cursor": f"2026-13-45T99:99:99.000000Z_{ID}_{ID}"}),
    ("list_inbox", {"cursor": f"0000-01-01T00:00:00.000000Z_{ID}_{ID}"}),
    ("list_inbox", {"cursor": f"{NOW}_{'-' * 36}_{ID}"}),
    ("take_webhooks", {"limit": "1e9"}),
]


@pytest.mark.parametrize(("verb", "wrong"), UNREAD, ids=str)
def test_what_cannot_be_read(scene: Asked, verb: str, wrong: dict[str, Any]) -> None:
    error = refused(scene.connection, psycopg.Error, verb, **scene.arguments(verb) | wrong)
    assert errors.classify(error) == ("INVALID_REQUEST", 400)


AWKWARD = "'; drop table cmbs_store.permit; --\t\n\"\\ %I \u2028 \U0001f600 e\u0301 \ufeff"


def test_any_text_is_kept_as_it_is(db: Connection) -> None:
    scene = Asked(db)
    texts: dict[str, Any] = {"request_id": AWKWARD, "notes": AWKWARD}
    begun = scene("begin_execution", **scene.arguments("begin_execution") | texts)
    result = {AWKWARD: [AWKWARD, 1.5, None, {}]}
    texts["request_id"] += "2"
    permit: dict[str, Any] = {"permit_id": begun["permit_id"], "outcome": "error"}
    scene("complete_execution", **permit, result=Json(result), **texts)
    assert scene("read_permit", permit_id=begun["permit_id"])["status"] == "rolled_back"
    assert scene.last_event()["payload"]["result"] == result
    said: dict[str, Any] = {"comment": AWKWARD, "notes": AWKWARD, "request_id": AWKWARD + "3"}
    scene("resolve_interrupt", **scene.arguments("resolve_interrupt") | said)
    assert scene.last_event()["payload"]["comment"] == AWKWARD
    scene("set_mode", scene.policy, mode="eco", reason=AWKWARD, notes=AWKWARD)
    assert scene.last_event()["payload"]["reason"] == AWKWARD
    views = db.execute("select i.comment from cmbs.interrupt as i").fetchall()
    assert views == [(AWKWARD,)]
    assert db.execute("select m.reason from cmbs.session_mode as m").fetchall() == [(AWKWARD,)]
    assert scene.is_whole()


def test_the_longest_texts_fit(db: Connection) -> None:
    scene = Asked(db)
    longest: dict[str, Any] = {"request_id": "é" * 256, "notes": "é" * 2048}
    answer = scene.arguments("resolve_interrupt") | {"comment": "é" * 2048}
    scene("resolve_interrupt", **answer | longest)
    result = json.dumps({"a": "x" * ((1 << 20) - len('{"a": ""}'))})
    ended: dict[str, Any] = {"permit_id": scene.begun, "outcome": "ok", "result": result}
    scene("complete_execution", **ended)
    url, secret = "https://" + "x" * 2040, "s" * 512
    assert call(db, "set_webhook", url=url, secret=secret)["url"] == url
    assert scene.is_whole()
