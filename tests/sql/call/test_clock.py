"""A clock that is set back never makes what was granted last longer, and one that was wrong once
stops nothing.
"""

import datetime
import json
from typing import Any

import pytest

from cmbs import errors, verify
from cmbs.cli import report, verification
from cmbs.database.calls import call, stream
from cmbs.deploy import ahead, doctor
from tests.sql.verdict.scene import (
    ALLOWED,
    GRANT,
    Clock,
    Scene,
    deny,
    setting,
    told,
    tool_call,
    value,
)
from tests.support import forger
from tests.support.beliefs import Connection, Session
from tests.support.callers import principal, token

HOUR = 3600
DAY = 24 * HOUR
LONG_AGO = "2020-01-01T00:00:00.000000Z"
SHORT = setting("permits", ttl_ms=5000) | setting("interrupts", ttl_ms=20000)
ASK = {"constraint.ask": deny("A", on_fail="ask", reason="a person looks at it")}


@pytest.fixture
def scene(db: Connection) -> Scene:
    return Scene(db, GRANT | SHORT)


def permitted(scene: Scene) -> str:
    answer = scene.propose(tool_call())
    assert told(answer) == ALLOWED, answer["reasons"]
    permit: str = answer["items"][0]["permit_id"]
    return permit


def until(scene: Scene, seconds: float) -> str:
    row = scene.connection.execute(
        "select cmbs_store.timestamp_v1(cmbs_store.clock() + %s * interval '1 second')", [seconds]
    ).fetchone()
    assert row
    return str(row[0])


def swept(scene: Scene) -> Any:
    """What the upkeep of a server does."""
    due = call(scene.connection, "list_due", credential=None)["sessions"]
    return [call(scene.connection, "sweep_expired", session_id=one) for one in due]


def last(scene: Scene) -> Any:
    return scene.last_event()["verb"], scene.last_event()["payload"]


def is_whole(scene: Scene) -> bool:
    """For the server, and for somebody who has nothing but the log."""
    log = verify.Log()
    for line in stream(scene.connection, "audit_lines", session_id=scene.id):
        log.feed(line.encode())
    return scene.is_whole()


def test_an_hour_back_ends_a_permit(scene: Scene) -> None:
    # The views look at the clock itself, so it is the one that is behind.
    scene.at(HOUR)
    permit = permitted(scene)
    scene.at(-HOUR)
    scene.at(7)
    scene.refuses("PERMIT_EXPIRED", scene.begin, permit)
    assert scene("read_permit", permit_id=permit)["status"] == "expired"
    view = "select status from cmbs.permit where permit_id = %s"
    assert scene.connection.execute(view, [permit]).fetchone() == ("expired",)
    assert is_whole(scene)


@pytest.mark.parametrize("seconds", [0.5, 3])
def test_a_small_step_ends_nothing(scene: Scene, seconds: float) -> None:
    permit, question = permitted(scene), scene.issue(expires_at=until(scene, 60))
    scene.at(-seconds)
    assert told(scene.propose(tool_call(), capability_token=question["secret"])) == ALLOWED
    scene.begin(permit)
    assert "clock" not in scene.last_event()["payload"]


def test_what_is_granted_after_lasts_as_long_as_it_should(scene: Scene) -> None:
    permitted(scene)
    scene.at(-HOUR)
    first, second = (scene.issue(), permitted_with_new_token(scene))
    scene.at(3)
    scene.begin(second)
    third = permitted_with_new_token(scene)
    scene.at(6)
    scene.refuses("PERMIT_EXPIRED", scene.begin, third)
    assert first["token_id"]
    assert is_whole(scene)


def permitted_with_new_token(scene: Scene) -> str:
    secret = scene.issue()["secret"]
    answer = scene.propose(tool_call(), capability_token=secret)
    assert told(answer) == ALLOWED, answer["reasons"]
    permit: str = answer["items"][0]["permit_id"]
    return permit


def test_the_last_seconds_of_a_capability_token_are_no_hour(scene: Scene) -> None:
    ending = scene.issue(expires_at=until(scene, 20))["secret"]
    assert told(scene.propose(tool_call(), capability_token=ending)) == ALLOWED
    scene.at(-HOUR)
    scene.at(25)
    answer = scene.propose(tool_call(), capability_token=ending)
    assert (answer["decision"], answer["reason_code"]) == ("deny", "TOKEN_EXPIRED")
    assert "set back" in answer["reasons"][0]["detail"]
    found = scene.last_event()["payload"]
    assert found["decided_at"] > found["clock"]
    # And never again, wherever the clock goes.
    for seconds in (1, HOUR - 27, 5):
        scene.at(seconds)
        answer = scene.propose(tool_call(), capability_token=ending)
        assert answer["reason_code"] == "TOKEN_EXPIRED"
        # Where it has caught up, too: what was granted while it was behind has ended.
        assert ("clock" in scene.last_event()["payload"]) is (seconds == HOUR - 27)
    assert is_whole(scene)


def test_an_approval_from_before_lets_nothing_pass(db: Connection) -> None:
    scene = Scene(db, GRANT | SHORT | ASK)
    scene.at(HOUR)
    asked = scene.propose(tool_call())
    question = asked["items"][0]["interrupt_id"]
    scene.resolve(question)
    waiting = scene.propose(tool_call())["items"][0]["interrupt_id"]
    scene.at(-HOUR)
    scene.refuses("APPROVAL_EXPIRED", scene.resume, asked, tool_call())
    scene.refuses("APPROVAL_EXPIRED", scene.resolve, waiting)
    for one in (question, waiting):
        assert scene("read_interrupt", interrupt_id=one)["status"] == "expired"
        view = "select status from cmbs.interrupt where interrupt_id = %s"
        assert db.execute(view, [one]).fetchone() == ("expired",)
    # Those that are asked after it go on as ever.
    scene.tokens[scene.agent] = scene.issue()
    again = scene.propose(tool_call())
    scene.resolve(again["items"][0]["interrupt_id"])
    assert told(scene.resume(again, tool_call())) == ALLOWED
    assert is_whole(scene)


def test_the_upkeep_ends_what_nobody_asks_about(scene: Scene) -> None:
    """Else it would count again as soon as the clock has caught up."""
    permit, n_left = permitted(scene), scene.left() + 1
    assert swept(scene) == []
    scene.at(-HOUR)
    scene.at(2)
    (found,) = swept(scene)
    assert found["n_released"] == 1
    verb, payload = last(scene)
    assert (verb, payload["permits"]) == ("SWEEP_EXPIRED", [permit])
    assert payload["decided_at"] > payload["clock"]
    assert scene.left() == n_left
    assert swept(scene) == []
    scene.at(HOUR - 1)
    scene.refuses("PERMIT_EXPIRED", scene.begin, permit)
    answer = scene.propose(tool_call())
    assert answer["reason_code"] == "TOKEN_EXPIRED", "the token is from before, too"
    assert is_whole(scene)


def test_a_session_with_nothing_granted_is_left_alone(db: Connection) -> None:
    bare, ended = Session(db, "ab"), Scene(db, hypotheses="a")
    assert ended("request_termination", minimal=True)["approved"]
    swept(ended)
    ended.at(-HOUR)
    n_events = db.execute("select count(*) from cmbs.audit_event").fetchone()
    assert swept(ended) == []
    assert db.execute("select count(*) from cmbs.audit_event").fetchone() == n_events
    assert bare.is_whole()


def test_a_step_within_what_a_session_has_slept(scene: Scene) -> None:
    """Its last event is earlier than the clock is even now: the server alone knows better."""
    ending = scene.issue(expires_at=until(scene, 2 * HOUR))["secret"]
    scene.at(2 * HOUR - 20)
    assert swept(scene) == [], "which leaves no event behind"
    scene.at(-HOUR)
    answer = scene.propose(tool_call(), capability_token=ending)
    assert answer["reason_code"] == "TOKEN_EXPIRED"
    assert "clock" in scene.last_event()["payload"]
    scene.at(30)
    assert scene.propose(tool_call(), capability_token=ending)["reason_code"] == "TOKEN_EXPIRED"
    assert permitted_with_new_token(scene)
    assert is_whole(scene)


def test_the_upkeep_finds_what_has_slept(scene: Scene) -> None:
    scene.at(2 * HOUR)
    swept(scene)
    scene.at(-HOUR)
    assert [one["n_released"] for one in swept(scene)] == [0]
    assert last(scene)[0] == "SWEEP_EXPIRED"
    assert swept(scene) == []
    assert scene.propose(tool_call())["reason_code"] == "TOKEN_EXPIRED"


def test_when_the_clock_has_caught_up_nothing_lives_again(scene: Scene) -> None:
    """The time of the session was ahead, and is that of the clock again."""
    scene.at(HOUR)
    scene.session.eliminate("a", credential=scene.agent)
    scene.at(-HOUR)
    scene.issue()
    assert "clock" in scene.last_event()["payload"]
    short = scene.issue(expires_at=until(scene, HOUR + 600))["secret"]
    assert told(scene.propose(tool_call(), capability_token=short)) == ALLOWED
    permit = permitted_with_new_token(scene)
    scene.at(HOUR + 60)
    scene.refuses("PERMIT_EXPIRED", scene.begin, permit)
    answer = scene.propose(tool_call(), capability_token=short)
    assert answer["reason_code"] == "TOKEN_EXPIRED"
    assert "clock" in scene.last_event()["payload"]
    scene.begin(permitted_with_new_token(scene))
    assert is_whole(scene)


def test_a_later_and_smaller_step_ends_all_the_same(scene: Scene) -> None:
    scene.at(HOUR)
    scene.session.eliminate("a", credential=scene.agent)
    scene.at(-HOUR)
    secret = scene.issue()["secret"]
    assert told(scene.propose(tool_call(), capability_token=secret)) == ALLOWED
    # The clock is set right, which nobody in this session sees, and back by half an hour.
    scene.at(HOUR)
    swept(scene)
    scene.at(-HOUR / 2)
    before = scene.last_event()["ts"]
    answer = scene.propose(tool_call(), capability_token=secret)
    assert answer["reason_code"] == "TOKEN_EXPIRED"
    assert scene.last_event()["ts"] == before, "nor has its time leapt ahead"
    assert is_whole(scene)


def test_one_event_that_was_far_ahead_freezes_nothing(db: Connection) -> None:
    scene = Scene(db, GRANT | SHORT | setting("claims", threshold=0.8))
    scene.at(80 * DAY)
    scene.session.eliminate("a", credential=scene.agent)
    scene.at(-80 * DAY)
    scene.tokens = {scene.agent: scene.issue(), scene.tool: scene.issue(holder="tool")}
    claim = {"key": "k", "kind": "hypothesis", "value": 1, "confidence": 0.5, "ttl_ms": 5000}
    assert scene.claim(**claim)["decision"] == "allow"
    begun, left = permitted(scene), permitted(scene)
    n_left = scene.left()
    scene.at(2)
    scene.begin(begun)
    assert len(scene("list_claims")["claims"]) == 1
    scene.at(4)
    scene.refuses("PERMIT_EXPIRED", scene.begin, left)
    assert scene("list_claims")["claims"] == []
    assert [one["n_released"] for one in swept(scene)] == [1]
    assert scene.left() == n_left + 1
    assert swept(scene) == []
    assert is_whole(scene)


def test_a_clock_that_is_right_again_is_followed(scene: Scene) -> None:
    scene.at(-HOUR)
    permitted_with_new_token(scene)
    scene.at(HOUR)
    answer = scene.write({"goal.a": value(1)})
    ahead = datetime.datetime.fromisoformat(scene.last_event()["ts"]) - datetime.datetime.now(
        datetime.UTC
    )
    assert abs(ahead) < datetime.timedelta(minutes=1), answer
    assert is_whole(scene)


class Forger(forger.Scene):
    """Somebody above all checks, in a session of others."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        for table in ("session", "audit_event"):
            connection.execute(f"alter table cmbs_store.{table} disable trigger all".encode())

    def says(self, scene: Scene, seq: int, **members: str) -> None:
        """Put members into the payload of an event."""

        def edit(record: Any) -> Any:
            record["payload"] |= members
            return record

        self.forge(scene.id, seq, edit)


def faults(scene: Scene, made: Forger) -> Any:
    """Of the server, and of somebody who has nothing but the log."""
    with pytest.raises(verify.Fault) as caught:
        is_whole(scene)
    return made.first_bad(scene.id, of_all=False), (caught.value.seq, caught.value.reason)


def test_a_clock_later_than_the_decision(scene: Scene) -> None:
    scene.write({"goal.a": value(1)})
    made, seq = Forger(scene.connection), scene.last_event()["seq"]
    made.says(scene, seq, clock="2999-01-01T00:00:00.000000Z")
    bad = (seq, "the clock is later than the decision")
    assert faults(scene, made) == (bad, bad)


def test_a_step_between_a_permit_and_its_use(scene: Scene) -> None:
    scene.tokens[scene.encoder] = scene.issue(holder="encoder")
    permit = permitted(scene)
    scene.claim(key="k", kind="hypothesis", value=1, confidence=0.5, ttl_ms=5000)
    made, seq = Forger(scene.connection), scene.last_event()["seq"]
    scene.begin(permit)
    made.says(scene, seq, clock=LONG_AGO)
    server, log = faults(scene, made)
    assert server[0] == seq
    assert log == (seq + 1, "the execution could not be begun: PERMIT_EXPIRED")


def test_an_expired_token_never_lives_again(db: Connection) -> None:
    principal(db, "ann", "agent")
    ends = "select cmbs_store.clock() + interval '30 seconds'"
    credential = token(db, "ann", expires_at=db.execute(ends).fetchone()[0])  # type: ignore[index]
    later = token(db, "ann", "another")
    clock = Clock(db)
    assert call(db, "identify", credential=credential)["name"] == "ann"
    clock.at(40)
    with pytest.raises(errors.Unauthenticated):
        call(db, "identify", credential=credential)
    call(db, "list_due")
    clock.at(-HOUR)
    for noted in (False, True):
        if noted:
            call(db, "list_due")
        with pytest.raises(errors.Unauthenticated):
            call(db, "identify", credential=credential)
        assert call(db, "identify", credential=later)["name"] == "ann"
    # One that is made now lasts as long as it says.
    ends = "select cmbs_store.clock() + interval '30 seconds'"
    third = token(db, "ann", "third", expires_at=db.execute(ends).fetchone()[0])  # type: ignore[index]
    clock.at(20)
    assert call(db, "identify", credential=third)["name"] == "ann"
    clock.at(20)
    with pytest.raises(errors.Unauthenticated):
        call(db, "identify", credential=third)
    assert call(db, "verify_identities")["ok"]
    # Nor where somebody has taken away what was noted.
    db.execute("delete from cmbs_store.clock_mark")
    with pytest.raises(errors.Unauthenticated):
        call(db, "identify", credential=third)


def test_the_last_seconds_of_a_token_are_no_hour(db: Connection) -> None:
    principal(db, "ann", "agent")
    ends = "select cmbs_store.clock() + interval '20 seconds'"
    credential = token(db, "ann", expires_at=db.execute(ends).fetchone()[0])  # type: ignore[index]
    clock = Clock(db)
    clock.at(-HOUR)
    call(db, "list_due")
    clock.at(15)
    assert call(db, "identify", credential=credential)["name"] == "ann"
    clock.at(10)
    with pytest.raises(errors.Unauthenticated):
        call(db, "identify", credential=credential)


def test_logs_that_end_in_the_future_are_named(
    db: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = Scene(db, GRANT)
    url = db.info.dsn
    assert ahead.found(url) == []
    scene.at(DAY)
    scene.session.eliminate("a", credential=scene.agent)
    principal(db, "later", "agent")
    scene.at(-DAY)
    sessions, identities = ahead.found(url)
    assert (sessions["n"], sessions["session"]) == (1, str(scene.id))
    assert (identities["n"], identities["tenant"]) == (1, "default")
    assert verification.verify(url, [], 1) == 0
    assert report.status(url, "0012", None) == 0
    doctor.tell(doctor.examine(url), doctor.MIGRATE)
    said = capsys.readouterr().out
    assert said.count(f"1 session ends in the future, {scene.id} at ") == 3
    assert said.count("1 log of identities ends in the future, default at ") == 3
    assert said.count("*A clock that was set back* in docs/operating.md") == 6
    assert report.status(url, "0012", None, as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["heads_in_future"] == [sessions, identities]
