"""The views of execution, approval, deferral, modes and shadows: what the verbs answer."""

from collections import Counter
from datetime import datetime
from typing import Any

import pytest

from cmbs.database.calls import call
from tests.sql.schema.test_privileges import WEBHOOK
from tests.sql.verdict.scene import rich_arbitration
from tests.sql.views.test_views import logged, rows, same_time
from tests.support.beliefs import Connection, Session


@pytest.fixture
def session(db: Connection) -> Session:
    """Committed call by call: a permit counts in a later transaction than its verdict."""
    call(db, "set_webhook", **WEBHOOK)
    return rich_arbitration(db)


def events(session: Session, verb: str) -> dict[int, Any]:
    return {event["seq"]: event for event in logged(session, verb)}


def test_permit(session: Session) -> None:
    found = rows(session, "permit", "seq desc, item_no")
    listed = session("list_permits")["permits"]
    assert [row["status"] for row in found] == ["expired", "rolled_back", "committed"]
    begun = {event["payload"]["permit_id"]: event for event in logged(session, "BEGIN_EXECUTION")}
    ended = {
        event["payload"]["permit_id"]: event for event in logged(session, "COMPLETE_EXECUTION")
    }
    for row, one in zip(found, listed, strict=True):
        permit = str(row["permit_id"])
        assert (permit, row["status"]) == (one["permit_id"], one["status"])
        verdict = events(session, "PROPOSE")[row["seq"]]["payload"]["items"][row["item_no"] - 1]
        assert verdict["permit_id"] == permit
        assert same_time(row["expires_at"], verdict["permit"]["expires_at"])
        assert (row["tool_id"], row["actor"]) == ("rich.tool", logged(session)[0]["actor"])
        assert (row["begun_at"] is not None) is (permit in begun)
        if permit in begun:
            assert row["begun_by"] == begun[permit]["actor"]
            assert same_time(row["begun_at"], begun[permit]["ts"])
            assert same_time(row["ended_at"], ended[permit]["ts"])
            assert row["result_hash"] == ended[permit]["payload"]["result_hash"]


def test_interrupt_and_approval_latency(session: Session) -> None:
    found = rows(session, "interrupt", "seq desc, item_no")
    listed = session("list_interrupts")["interrupts"]
    assert [row["status"] for row in found] == ["superseded", "declined", "consumed"]
    for row, one in zip(found, listed, strict=True):
        assert (str(row["interrupt_id"]), row["status"]) == (one["interrupt_id"], one["status"])
        proposed = events(session, "PROPOSE")[row["seq"]]["payload"]
        assert row["action"] == proposed["proposal"]["items"][row["item_no"] - 1]
        asked = proposed["items"][row["item_no"] - 1]["interrupt"]
        assert row["action_digest"] == asked["action_digest"]
        assert row["constraint_keys"] == asked["constraint_keys"] == ["constraint.writes"]
        assert same_time(row["expires_at"], asked["expires_at"])
    answers = logged(session, "RESOLVE_INTERRUPT")
    unanswered, declined, approved = found
    assert (unanswered["resolution"], unanswered["resolved_by"]) == (None, None)
    for row, answer in zip((approved, declined), answers, strict=True):
        told = answer["payload"]
        assert (row["resolution"], row["comment"]) == (told["resolution"], told["comment"])
        assert row["resolved_by"] == answer["actor"]
        assert same_time(row["resolved_at"], answer["ts"])
    resumed = events(session, "PROPOSE")[approved["consumed_seq"]]["payload"]
    assert resumed["resumes"]["seq"] == approved["seq"]
    assert [row["consumed_seq"] for row in found[:2]] == [None, None]
    (latency,) = session.connection.execute("select * from cmbs.approval_latency").fetchall()
    assert latency[:6] == ("constraint.writes", 3, 1, 1, 0, 1)
    waited = [row["resolved_at"] - row["ts"] for row in (approved, declined)]
    longest = max(one.total_seconds() for one in waited)
    middle = sum(one.total_seconds() for one in waited) / 2
    assert latency[6] == pytest.approx(middle, rel=0, abs=1e-5)
    assert middle <= latency[7] <= longest + 1e-5


def test_deferral(session: Session) -> None:
    first, last = rows(session, "deferral", "seq")
    (listed,) = session("list_deferrals")["deferrals"]
    assert {str(row["deferral_id"]) for row in (first, last)} == {listed["deferral_id"]}
    assert [(row["attempt"], row["is_last"]) for row in (first, last)] == [(0, False), (1, True)]
    assert [row["missing"] for row in (first, last)] == [["fact.ready"], []]
    assert [row["decision"] for row in (first, last)] == ["defer", "allow"]
    for row in (first, last):
        payload = events(session, "PROPOSE")[row["seq"]]["payload"]
        assert row["reason_code"] == payload["reason_code"]
        next_at = payload["deferral"].get("next_at")
        assert row["next_at"] == (next_at and datetime.fromisoformat(next_at))
        assert row["tried_by"] == row["actor"]


def test_session_mode(session: Session) -> None:
    found = rows(session, "session_mode", "seq")
    told = logged(session, "SET_MODE")
    assert [(row["seq"], row["mode"], row["reason"], row["actor"]) for row in found] == [
        (event["seq"], event["payload"]["mode"], event["payload"]["reason"], event["actor"])
        for event in told
    ]
    assert [row["is_in_force"] for row in found] == [False, True]


def test_shadow_divergence(session: Session) -> None:
    found = rows(session, "shadow_divergence", "seq, item_no")
    assert found
    members = ("decision", "disposition", "reason_code")
    n_alike = 0
    for seq, event in events(session, "PROPOSE").items():
        payload = event["payload"]
        shadow = payload.get("shadow", {"items": []})
        for verdict, other in zip(payload["items"], shadow["items"], strict=False):
            mine = [
                row for row in found if (row["seq"], row["item_no"]) == (seq, verdict["item_no"])
            ]
            if all(verdict[name] == other[name] for name in members):
                n_alike += 1
                assert mine == []
                continue
            (row,) = mine
            assert [row[name] for name in members] == [verdict[name] for name in members]
            assert [row[f"shadow_{name}"] for name in members] == [other[name] for name in members]
            assert (row["shadow_pack"], row["shadow_version"]) == ("observe-only", 1)
            assert row["effective"] is verdict["effective"]
    assert len(found) + n_alike == sum(
        len(event["payload"]["shadow"]["items"])
        for event in logged(session, "PROPOSE")
        if "shadow" in event["payload"]
    )


def test_webhook_message(session: Session) -> None:
    found = rows(session, "webhook_message", "created_at, message_id")
    assert Counter(row["event"] for row in found) == {
        "interrupt.opened": 3,
        "interrupt.resolved": 2,
    }
    asked = {row["interrupt_id"] for row in rows(session, "interrupt", "seq")}
    assert {row["interrupt_id"] for row in found} == asked
    assert {(row["state"], row["n_attempts"], row["last_error"]) for row in found} == {
        ("pending", 0, None)
    }
    columns = set(found[0])
    assert not {"url", "secret"} & columns
