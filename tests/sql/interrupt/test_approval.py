"""Conformance cases 65 to 72 and 75: questions, their answers, and going on."""

from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.verdict.scene import (
    ALLOWED,
    BLOCKED,
    GRANT,
    Scene,
    allow,
    codes,
    delta,
    deny,
    op,
    setting,
    told,
    tool_call,
    value,
)
from tests.support.beliefs import NO_EVENT, Connection, refused
from tests.support.callers import caller

ASK = GRANT | {"constraint.ask": deny("A", on_fail="ask", reason="a person looks at it")}
ASKED = ("defer", "ask", "CONSTRAINT_DENIED")


@pytest.fixture
def scene(tx: Connection) -> Scene:
    return Scene(tx, ASK)


def ask(scene: Scene, *items: object, **more: object) -> tuple[Any, str]:
    asked = scene.propose(*items or (tool_call(),), **more)
    assert asked["disposition"] == "ask", asked["reasons"]
    question = next(i["interrupt_id"] for i in asked["items"] if "interrupt_id" in i)
    return asked, question


def status(scene: Scene, question: str) -> str:
    found: str = scene("read_interrupt", interrupt_id=question)["status"]
    return found


def test_case_65_approved_and_gone_on_with(scene: Scene) -> None:
    asked, question = ask(scene, tool_call("A", {"n": 1}))
    shown = scene("read_interrupt", interrupt_id=question)
    assert shown["action"] == tool_call("A", {"n": 1})
    assert shown["question"] == "agent asks for a call of A: a person looks at it"
    assert (shown["status"], shown["constraint_keys"]) == ("pending", ["constraint.ask"])
    assert shown["action_digest"] == asked["items"][0]["interrupt"]["action_digest"]
    answered = scene.resolve(question, comment="go")
    assert (answered["status"], answered["proposal_id"]) == ("approved", asked["proposal_id"])
    again = scene.resume(asked, tool_call("A", {"n": 1}))
    assert told(again) == ALLOWED
    assert "permit_id" in again["items"][0]
    shown = scene("read_interrupt", interrupt_id=question)
    assert (shown["status"], shown["consumed_by"]) == ("consumed", again["proposal_id"])
    assert shown["resolution"]["by"] == "approver"
    assert scene.left() == 999
    explained = scene("explain_decision", proposal_id=again["proposal_id"])
    assert explained["resumes"]["approvals"][0]["interrupt_id"] == question
    (constraint,) = explained["items"][0]["constraints"]
    assert (constraint["outcome"], "unlock" in constraint) == ("waived", False)
    assert scene.is_whole()


@pytest.mark.parametrize(
    "changed",
    [
        [tool_call("A", {"n": 2})],
        [tool_call("A", {"n": 1.0})],
        [tool_call("A", {"n": 1}, intent_summary="other")],
        [tool_call("B", {"n": 1})],
        [tool_call("A", {"n": 1}), tool_call("A", {"n": 1})],
        [tool_call("A", {"n": 1}), delta({"goal.x": value(1)})],
    ],
)
def test_case_66_something_else(scene: Scene, changed: list[Any]) -> None:
    asked, question = ask(scene, tool_call("A", {"n": 1}))
    scene.resolve(question)
    scene.refuses("APPROVAL_ACTION_MISMATCH", scene.resume, asked, *changed)
    # The approval is still there for what it was given for.
    assert told(scene.resume(asked, tool_call("A", {"n": 1}))) == ALLOWED


def test_case_67_the_waived_constraint_changes(scene: Scene) -> None:
    asked, question = ask(scene)
    scene.resolve(question)
    scene.apply(ASK | {"constraint.ask": deny("A", on_fail="ask", reason="another reason")})
    assert status(scene, question) == "superseded"
    scene.refuses("APPROVAL_SUPERSEDED", scene.resume, asked, tool_call())
    # What is changed back is not what was asked about either.
    scene.apply(ASK)
    scene.refuses("APPROVAL_SUPERSEDED", scene.resume, asked, tool_call())
    unanswered, another = ask(scene)
    scene.apply(GRANT)
    scene.refuses("APPROVAL_SUPERSEDED", scene.resolve, another)
    scene.refuses("APPROVAL_SUPERSEDED", scene.resume, unanswered, tool_call())
    assert scene.is_whole()


def test_what_else_changes_does_not_matter(scene: Scene) -> None:
    asked, question = ask(scene)
    scene.apply(ASK | {"constraint.other": allow("B")})
    scene.fact("fact.x", 1)
    scene.resolve(question)
    assert told(scene.resume(asked, tool_call())) == ALLOWED
    assert scene.is_whole()


def test_case_67_also_once_it_is_permitted(db: Connection) -> None:
    scene = Scene(db, ASK)
    asked, question = ask(scene)
    scene.resolve(question)
    permit = scene.resume(asked, tool_call())["items"][0]["permit_id"]
    asked, question = ask(scene)
    scene.resolve(question)
    other = scene.resume(asked, tool_call())["items"][0]["permit_id"]
    scene.apply(ASK | {"constraint.more": allow("B")})
    assert scene.begin(other)["status"] == "executing"
    scene.apply(ASK | {"constraint.ask": deny("A", on_fail="ask")})
    scene.refuses("APPROVAL_SUPERSEDED", scene.begin, permit)
    assert scene.is_whole()


@pytest.mark.parametrize("is_approved", [False, True])
def test_case_68_silence_is_no_answer(db: Connection, is_approved: bool) -> None:
    scene = Scene(db, ASK | setting("interrupts", ttl_ms=1000))
    asked, question = ask(scene)
    scene.refuses("APPROVAL_PENDING", scene.resume, asked, tool_call())
    if is_approved:
        scene.resolve(question)
    scene.at(1)
    assert status(scene, question) == "expired"
    if not is_approved:
        scene.refuses("APPROVAL_EXPIRED", scene.resolve, question)
    scene.refuses("APPROVAL_EXPIRED", scene.resume, asked, tool_call())
    assert call(db, "list_inbox")["interrupts"] == []
    assert scene.is_whole()


def test_case_69_no_is_not_never_mind(scene: Scene) -> None:
    for resolution, becomes in (("decline", "declined"), ("cancel", "cancelled")):
        asked, question = ask(scene)
        assert scene.resolve(question, resolution, comment="because")["status"] == becomes
        event = scene.last_event()
        assert (event["verb"], event["actor"]) == ("RESOLVE_INTERRUPT", "approver")
        assert (event["payload"]["resolution"], event["payload"]["comment"]) == (
            resolution,
            "because",
        )
        scene.refuses("APPROVAL_" + becomes.upper(), scene.resume, asked, tool_call())
        assert status(scene, question) == becomes
    assert scene.is_whole()


def test_case_70_not_by_who_proposed(tx: Connection) -> None:
    scene = Scene(tx, ASK)
    both = caller(tx, "both", "agent", "approver")
    token = scene.issue(holder="both")["secret"]
    asked, question = ask(scene, who=both, capability_token=token)
    for resolution in ("approve", "decline", "cancel"):
        scene.refuses("APPROVAL_OWN_REQUEST", scene.resolve, question, resolution, who=both)
    for who in (scene.agent, scene.policy, scene.tool):
        sent = {"session_id": scene.id, "interrupt_id": question, "credential": who}
        refused(tx, errors.Forbidden, "resolve_interrupt", resolution="approve", **sent)
    assert scene.resolve(question)["status"] == "approved"
    # Nor does anybody else go on with it.
    scene.refuses("APPROVAL_HOLDER_MISMATCH", scene.resume, asked, tool_call())
    assert told(scene.resume(asked, tool_call(), who=both)) == ALLOWED


def test_case_71_once(scene: Scene) -> None:
    asked, question = ask(scene)
    scene.resolve(question)
    first = scene.resume(asked, tool_call(), idempotency_key="r")
    again = scene.resume(asked, tool_call(), idempotency_key="r")
    assert (again["duplicate"], again["proposal_id"]) == (True, first["proposal_id"])
    assert again["items"] == first["items"]
    scene.refuses("APPROVAL_CONSUMED", scene.resume, asked, tool_call())
    scene.refuses("APPROVAL_CONSUMED", scene.resume, asked, tool_call(), idempotency_key="s")
    scene.refuses(
        "APPROVAL_ACTION_MISMATCH", scene.resume, asked, tool_call("B"), idempotency_key="r"
    )
    assert scene.left() == 999
    assert scene.is_whole()


def test_case_72_a_constraint_that_blocks(scene: Scene) -> None:
    asked, question = ask(scene)
    scene.resolve(question)
    scene.apply(ASK | {"constraint.block": deny("A", when=op("missing", "fact.ok"))})
    answer = scene.resume(asked, tool_call())
    assert told(answer) == (*BLOCKED, "CONSTRAINT_DENIED")
    assert [reason["key"] for reason in answer["reasons"]] == ["constraint.block"]
    # The approval was not used by a denial.
    scene.fact("fact.ok", 1)
    assert told(scene.resume(asked, tool_call())) == ALLOWED
    assert scene.is_whole()


def test_an_approval_is_no_leave_of_the_policy(scene: Scene) -> None:
    """Whoever approves an ask away does not supply an allow that was never there."""
    scene.apply({"constraint.ask": deny("A", on_fail="ask")})
    asked, question = ask(scene)
    scene.resolve(question)
    assert told(scene.resume(asked, tool_call())) == (*BLOCKED, "NO_APPLICABLE_ALLOW")
    scene.apply({"constraint.maybe": allow("A", when=op("exists", "fact.x"), on_fail="ask")})
    asked, question = ask(scene)
    assert codes(asked) == ["NO_APPLICABLE_ALLOW"]
    scene.resolve(question)
    assert told(scene.resume(asked, tool_call())) == ALLOWED
    assert scene.is_whole()


def test_of_unmet_allows_the_one_is_asked_about_that_may_be_waived(scene: Scene) -> None:
    near = allow("A", when=op("exists", "fact.x"))
    far = allow("A", when=op("all", op("exists", "fact.y"), op("exists", "fact.z")), on_fail="ask")
    scene.apply({"constraint.a": near, "constraint.b": far})
    asked, question = ask(scene)
    assert asked["items"][0]["interrupt"]["constraint_keys"] == ["constraint.b"]
    scene.resolve(question)
    assert told(scene.resume(asked, tool_call())) == ALLOWED
    assert scene.is_whole()


def test_a_token_that_takes_an_approval_for_each_call(scene: Scene) -> None:
    scene.apply(GRANT)
    token = scene.issue(approval_requirement="required")["secret"]
    asked, question = ask(scene, capability_token=token)
    assert codes(asked) == ["APPROVAL_REQUIRED"]
    scene.resolve(question)
    # With the token that was shown, or another that is shown now.
    assert told(scene.resume(asked, tool_call())) == ALLOWED
    scene.refuses("APPROVAL_CONSUMED", scene.resume, asked, tool_call(), capability_token=token)
    assert scene.is_whole()


def test_going_on_is_decided_anew(scene: Scene) -> None:
    asked, question = ask(scene)
    scene.resolve(question)
    scene("revoke_capability", scene.policy, token_id=scene.tokens[scene.agent]["token_id"])
    assert codes(scene.resume(asked, tool_call())) == ["TOKEN_REVOKED"]
    other = scene.issue()["secret"]
    assert told(scene.resume(asked, tool_call(), capability_token=other)) == ALLOWED
    assert scene.is_whole()


def test_several_questions_need_every_answer(scene: Scene) -> None:
    items = [tool_call("A", {"n": 1}), delta({"goal.x": value(1)}), tool_call("A", {"n": 2})]
    asked = scene.propose(*items)
    questions = [i["interrupt_id"] for i in asked["items"] if "interrupt_id" in i]
    assert len(questions) == 2
    scene.resolve(questions[0])
    detail = scene.refuses("APPROVAL_PENDING", scene.resume, asked, *items)
    assert detail["interrupt_id"] == questions[1]
    scene.resolve(questions[1])
    answer = scene.resume(asked, *items)
    assert told(answer) == ALLOWED
    assert scene.state().keys() == {"goal.x"}
    assert [status(scene, question) for question in questions] == ["consumed"] * 2
    assert scene.is_whole()


@pytest.mark.parametrize("sends_all", [True, False])
def test_apart_only_what_was_asked_goes_on(scene: Scene, sends_all: bool) -> None:
    items = [tool_call("B"), tool_call("A", {"n": 1}), delta({"goal.x": value(1)})]
    asked = scene.propose(*items, atomic=False)
    assert [item["effective"] for item in asked["items"]] == [True, False, True]
    assert asked["decision"] == "allow"
    question = asked["items"][1]["interrupt_id"]
    scene.resolve(question)
    answer = scene.resume(asked, *(items if sends_all else items[1:2]))
    assert (told(answer), len(answer["items"])) == (ALLOWED, 1)
    assert scene.left() == 998
    assert scene.is_whole()


def test_asked_again_for_something_else(scene: Scene) -> None:
    """What more is asked about on the way is answered as well, and the first answer stays."""
    asked, question = ask(scene)
    scene.resolve(question)
    scene.apply(ASK | {"constraint.second": deny("A", on_fail="ask")})
    second = scene.resume(asked, tool_call())
    assert told(second) == ASKED
    assert second["items"][0]["interrupt"]["constraint_keys"] == ["constraint.second"]
    scene.resolve(second["items"][0]["interrupt_id"])
    assert told(scene.resume(second, tool_call())) == ALLOWED
    scene.refuses("APPROVAL_CONSUMED", scene.resume, asked, tool_call())
    assert scene.is_whole()


def test_nothing_was_asked(scene: Scene) -> None:
    answer = scene.propose(tool_call("B"))
    scene.refuses("APPROVAL_NOT_ASKED", scene.resume, answer, tool_call("B"))
    mine = {"session_id": scene.id, "credential": scene.agent}
    items = {"proposal": Json({"items": [tool_call()]})}
    sent = {**mine, **items, "proposal_id": scene.declared_event()}
    refused(scene.connection, errors.InvalidRequest, "resume", **sent)
    sent = {**mine, **items, "proposal_id": NO_EVENT}
    refused(scene.connection, errors.EventNotFound, "resume", **sent)
    sent = {**mine, "interrupt_id": NO_EVENT}
    refused(scene.connection, errors.InterruptNotFound, "read_interrupt", **sent)
    sent = {**sent, "credential": scene.approver, "resolution": "approve"}
    refused(scene.connection, errors.InterruptNotFound, "resolve_interrupt", **sent)
    asked, question = ask(scene)
    sent = {**sent, "interrupt_id": question, "resolution": "yes"}
    refused(scene.connection, errors.InvalidRequest, "resolve_interrupt", **sent)
    sent = {**mine, "proposal_id": asked["proposal_id"]}
    for broken in ({"items": []}, {"item": []}, {"items": [tool_call()], "mode": "dry_run"}):
        refused(scene.connection, errors.InvalidRequest, "resume", proposal=Json(broken), **sent)


def test_the_same_answer_again(scene: Scene) -> None:
    _, question = ask(scene)
    other = caller(scene.connection, "second", "approver")
    first = scene.resolve(question, comment="go")
    again = scene.resolve(question, comment="go")
    assert (again["duplicate"], again["audit_event_id"]) == (True, first["audit_event_id"])
    for resolution, more in (("decline", {}), ("approve", {"comment": "no"})):
        scene.refuses("APPROVAL_RESOLVED", scene.resolve, question, resolution, **more)
    scene.refuses("APPROVAL_RESOLVED", scene.resolve, question, who=other, comment="go")
    assert scene.is_whole()


def test_case_75_no_more_questions(scene: Scene) -> None:
    scene.apply(ASK | setting("clarifications", max_questions=2))
    both = [tool_call("A", {"n": 1}), tool_call("A", {"n": 2})]
    asked = scene.propose(*both, tool_call("A", {"n": 3}), atomic=False)
    assert ["interrupt_id" in item for item in asked["items"]] == [True, True, False]
    assert codes(asked["items"][2]) == ["CONSTRAINT_DENIED", "CLARIFICATION_BUDGET_EXHAUSTED"]
    answer = scene.propose(tool_call())
    assert told(answer) == (*BLOCKED, "CONSTRAINT_DENIED")
    assert codes(answer)[-1] == "CLARIFICATION_BUDGET_EXHAUSTED"
    assert "interrupt_id" not in answer["items"][0]
    assert len(scene("list_interrupts")["interrupts"]) == 2
    assert scene.is_whole()


def test_a_session_that_is_over_asks_nobody(tx: Connection) -> None:
    scene = Scene(tx, ASK, hypotheses="a")
    _, question = ask(scene)
    assert scene.session("request_termination", credential=scene.agent)["approved"]
    assert call(tx, "list_inbox")["interrupts"] == []
    assert status(scene, question) == "ended"
    sent = {"session_id": scene.id, "interrupt_id": question, "resolution": "approve"}
    refused(tx, errors.SessionTerminated, "resolve_interrupt", credential=scene.approver, **sent)
    assert scene.is_whole()


def test_one_inbox_for_all_sessions(tx: Connection) -> None:
    scene = Scene(tx, ASK)
    questions = [ask(scene)[1] for _ in range(3)]
    other = Scene.__new__(Scene)
    other.__dict__.update(scene.__dict__)
    named = Json({"pack": "pack", "version": 1})
    other.session = type(scene.session)(tx, "ab", credential=scene.agent, arbitration=named)
    other.id = other.session.id
    other.tokens = {scene.agent: other.issue()}
    questions.append(ask(other)[1])
    pages, cursor = [], None
    while True:
        page = call(tx, "list_inbox", limit=3, cursor=cursor, credential=scene.approver)
        pages.append([one["interrupt_id"] for one in page["interrupts"]])
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [len(page) for page in pages] == [3, 1]
    assert {one for page in pages for one in page} == set(questions)
    ends = [one["expires_at"] for one in call(tx, "list_inbox")["interrupts"]]
    assert ends == sorted(ends)
    scene.resolve(questions[0])
    shown = call(tx, "list_inbox", status="approved")["interrupts"]
    assert [one["interrupt_id"] for one in shown] == questions[:1]
    assert len(call(tx, "list_inbox")["interrupts"]) == 3
    refused(tx, errors.InvalidRequest, "list_inbox", cursor="x")
    refused(tx, errors.InvalidRequest, "list_inbox", status="x")
    first = scene("list_interrupts", limit=1)
    assert len(first["interrupts"]) == 1
    rest = scene("list_interrupts", before=first["next_before"])["interrupts"]
    assert len(rest) == 2


def test_a_permit_counts_no_longer_than_its_approval(tx: Connection) -> None:
    scene = Scene(tx, ASK | setting("interrupts", ttl_ms=10_000))
    asked, question = ask(scene)
    scene.resolve(question)
    permit = scene.resume(asked, tool_call())["items"][0]["permit"]
    assert permit["expires_at"] == asked["items"][0]["interrupt"]["expires_at"]
    assert scene.is_whole()
