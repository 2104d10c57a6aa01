"""Sessions in which verdicts are executed, approved, tried again and swept, for tests of logs."""

import copy
from typing import Any
from uuid import UUID

from psycopg.types.json import Json

from cmbs.database.calls import call
from cmbs.kernel.canonical import parse
from tests.sql.verdict.scene import GRANT, Scene, delta, deny, op, tool_call, value
from tests.support.beliefs import Connection, Session

WAITS = deny("A", when=op("missing", "fact.ready"), on_fail="defer")
NEVER = deny("W", when=op("missing", "fact.never"), on_fail="defer")
ASKED = deny("B", on_fail="ask", reason="a person is asked")
PACK = {
    **GRANT,
    "constraint.asked": ASKED,
    "constraint.waits": WAITS,
    "constraint.never": NEVER,
    "policy.permits": {"v": 1, "ttl_ms": 60_000},
    "policy.interrupts": {"v": 1, "ttl_ms": 600_000},
    "policy.deferrals": {"v": 1, "max_attempts": 2, "backoff_ms": 1000},
}
SHADOW = {
    **GRANT,
    "constraint.shadow": deny("R", on_fail="ask"),
    "constraint.schema": deny("W", when=op("not", op("schema", "beside"))),
}


class Executed:
    """A session with all of it, the seq of each step's event by the name of the step.

    At its end something of each kind is open: a permit, an execution, a question, a deferral.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.scene = scene = Scene(connection)
        self.id, self.at = scene.id, dict[str, int]()
        scene.register("W", mutating=False, effect_class="local")
        document = Json({"type": "object"})
        sent = {"schema_id": "beside", "document": document, "credential": scene.policy}
        call(connection, "register_schema", **sent)
        scene.publish(SHADOW, "shadow")
        scene.publish(PACK)
        pinned = {"pack": "pack", "version": 1, "shadow": Json({"pack": "shadow", "version": 1})}
        self.note("apply", scene("apply_policy", scene.policy, **pinned))
        grant: dict[str, Any] = {
            "tools": ["A", "B", "R", "W"],
            "budgets": {"max_calls": 30, "cents": 100},
        }
        scene.tokens[scene.agent] = self.note("issue", scene.issue(**grant))
        self._execute()
        self._ask()
        self._wait()
        self._leave_open()
        assert scene.is_whole()

    def note(self, name: str, answer: Any) -> Any:
        self.at[name] = UUID(answer["audit_event_id"]).int & (1 << 48) - 1
        return answer

    def last(self, name: str) -> None:
        self.at[name] = self.scene.last_event()["seq"]

    def payload(self, name: str) -> Any:
        """What the event of a step records."""
        query = "select record from cmbs_store.audit_event where session_id = %s and seq = %s"
        row = self.connection.execute(query, [self.id, self.at[name]]).fetchone()
        assert row
        return parse(row[0])["payload"]

    def propose(self, name: str, *items: object, **more: Any) -> Any:
        return self.note(name, self.scene.propose(*items, **more))

    def begin(self, name: str, answer: Any, item_no: int = 1, **more: Any) -> str:
        permit: str = answer["items"][item_no - 1]["permit_id"]
        self.note(name, self.scene.begin(permit, **more))
        return permit

    def _execute(self) -> None:
        scene = self.scene
        permit = self.begin("begin", self.propose("call", tool_call("R", {"n": 1.50})))
        usage = Json({"cents": 7, "max_calls": 2})
        self.note("complete", scene.complete(permit, result='{"b": [1.50]}', usage=usage))
        permit = self.begin("begin other", self.propose("other", tool_call("R")), who=scene.tool)
        sent = {"who": scene.tool, "result": Json({"why": "no"}), "request_id": "ended"}
        self.note("rolled back", scene.complete(permit, "error", **sent))
        answer = self.propose("before", tool_call("R"))
        self.note("eliminate", scene.session.eliminate("a", credential=scene.agent))
        scene.register("R", mutating=False, version=2)
        self.begin("begin anew", answer, request_id="begun")
        scene.register("R", mutating=False)
        self.propose("unused", tool_call("R"))
        scene.at(100)
        scene("sweep_expired")
        self.last("sweep")
        self.note("mode", scene("set_mode", scene.policy, mode="eco", reason="a drill"))

    def _ask(self) -> None:
        scene = self.scene
        asked = self.propose("ask", tool_call("B", {"to": "all"}))
        question = asked["items"][0]["interrupt_id"]
        self.note("approve", scene.resolve(question, comment="as asked"))
        resumed = scene.resume(asked, tool_call("B", {"to": "all"}))
        self.begin("begin approved", self.note("resume", resumed))
        asked = self.propose("ask in vain", tool_call("B"))
        self.note("decline", scene.resolve(asked["items"][0]["interrupt_id"], "decline"))
        grant: Any = {"tools": ["R"], "approval_requirement": "required"}
        secret = self.note("issue careful", scene.issue(**grant))["secret"]
        asked = self.propose("ask each", tool_call("R"), capability_token=secret)
        self.note("approve each", scene.resolve(asked["items"][0]["interrupt_id"]))
        self.note("resume each", scene.resume(asked, tool_call("R")))

    def _wait(self) -> None:
        scene = self.scene
        self.propose("wait", tool_call("A"))
        self.note("other fact", scene.write({"fact.other": value(1)}, who=scene.tool))
        scene.at(2)
        scene("sweep_expired")
        self.last("retry")
        self.note("ready", scene.write({"fact.ready": value(1)}, who=scene.tool))
        self.last("tried")
        assert self.payload("tried")["decision"] == "allow"
        self.propose("wait for ever", tool_call("W"))
        for _ in range(2):
            scene.at(10)
            scene("sweep_expired")
        self.last("exhausted")
        assert self.payload("exhausted")["reason_code"] == "DEFER_EXHAUSTED"

    def _leave_open(self) -> None:
        items = tool_call("B"), tool_call("R"), tool_call("W"), delta({"goal.x": value(1)})
        asked = self.propose("apart", *items, atomic=False)
        offers = ("interrupt_id", "permit_id", "deferral_id")
        assert [offers[no] in asked["items"][no] for no in range(3)] == [True] * 3
        self.propose("idle", tool_call("R"))
        self.begin("begin open", self.propose("open", tool_call("R")))


def another(scene: Scene, entries: dict[str, Any], hypotheses: str = "abcd") -> Scene:
    """Another session of the same principals, by a policy of its own."""
    other = copy.copy(scene)
    other.session = Session(scene.connection, hypotheses, credential=scene.agent)
    other.id = other.session.id
    other.apply(entries, "another")
    other.tokens = {scene.agent: other.issue()}
    return other


def ended(scene: Scene) -> UUID:
    """A session that ends while a call is executed, whose result comes then."""
    other = another(scene, GRANT, "ab")
    permit = other.propose(tool_call("R"))["items"][0]["permit_id"]
    other.begin(permit)
    other.session.eliminate("b", credential=scene.agent)
    other.session.conclude("a", credential=scene.agent)
    told = other.session("request_termination", credential=scene.agent)
    assert told["approved"], told
    other.complete(permit)
    assert other.is_whole()
    return other.id
