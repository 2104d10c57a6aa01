"""A session with every event of arbitration, allowed and denied, for tests of its log."""

from typing import Any
from uuid import UUID

from psycopg.types.json import Json

from cmbs.database.calls import call
from tests.sql.verdict.scene import CLAIMS, GRANT, Scene, delta, deny, op, tool_call, value
from tests.support.beliefs import Connection, Session
from tests.support.callers import digest
from tests.support.oracle import Json as Members

PACK = {
    **GRANT,
    **CLAIMS,
    "policy.budgets": {"v": 1, "soft": {"max_calls": 50}},
    "constraint.asked": deny("B", on_fail="ask", reason='a person is "asked", ä'),
    "constraint.schema": deny("R", when=op("schema", "never", "args")),
}
UNFIT = {"constraint.invariant.x": {"v": 1, "effect": "deny", "when": op("exists", "goal.x")}}
CAUSE: Members = {"value": {"is": 1.5}, "key": "cause", "kind": "fact", "confidence": 0.8}


class Rich:
    """The scene, and the seq of each step's event by the name of the step."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.scene = scene = Scene(connection)
        self.id, self.at = scene.id, dict[str, int]()
        for schema, document in (("never", False), ("args", {"type": "object"})):
            sent = {"schema_id": schema, "document": Json(document), "credential": scene.policy}
            call(connection, "register_schema", **sent)
        scene.register("S", mutating=False, args_schema="args")
        scene.register("gone", mutating=False)
        call(connection, "withdraw_tool", tool_id="gone", credential=scene.policy)
        self._propose()
        self._claim()
        self._delegate()
        self.note("eliminate", scene.session.eliminate("a", credential=scene.agent))
        declared = {"arbitration": Json({"pack": "pack", "version": 1})}
        self.other = Session(connection, "xy", credential=scene.agent, **declared).id

    def note(self, name: str, answer: Any, reason: str | None = None) -> Any:
        assert answer.get("reason_code") == reason, (name, answer)
        self.at[name] = UUID(answer["audit_event_id"]).int & (1 << 48) - 1
        return answer

    def propose(self, name: str, *items: object, reason: str = "ALLOWED", **more: Any) -> Any:
        return self.note(name, self.scene.propose(*items, **more), reason)

    def claim(self, name: str, reason: str = "ALLOWED", **sent: Any) -> Any:
        return self.note(name, self.scene.claim(**CAUSE | sent), reason)

    def _propose(self) -> None:
        scene = self.scene
        for name in ("deny-all", "deny-all again"):
            self.propose(name, tool_call("R"), reason="NO_APPLICABLE_ALLOW")
        self.note("apply", scene.apply(PACK))
        grant: Members = {
            "tools": ["A", "R"],
            "state_prefixes": ["goal."],
            "budgets": {"max_calls": 4},
        }
        scene.tokens[scene.agent] = self.note("issue", scene.issue(**grant, capabilities=[]))
        self.propose("call", tool_call("R", {"host": "db", "n": 1.50}))
        self.propose(
            "write",
            delta({"goal.x": value(1), "goal.y": None}, s_core=[]),
            reason="SCOPE_NOT_ALLOWED",
        )
        self.propose("delta", delta({"goal.x": value(1)}), tool_call("A"), idempotency_key="used")
        self.propose(
            "reused", tool_call("A"), idempotency_key="used", reason="IDEMPOTENCY_MISMATCH"
        )
        self.propose("unshown", tool_call("R"), capability_token="?", reason="TOKEN_UNKNOWN")
        self.propose("soft", tool_call("R"), reason="BUDGET_EXHAUSTED")
        more: Members = {
            "tools": ["A", "B", "R", "S", "gone"],
            "capabilities": ["state.write.goal"],
        }
        scene.tokens[scene.agent] = self.note("issue more", scene.issue(**more))
        self.propose("ask", tool_call("B"), reason="CONSTRAINT_DENIED")
        self.propose("some", tool_call("B"), tool_call("S"), tool_call("gone"), atomic=False)
        self.propose("whole", tool_call("S"), tool_call("gone"), reason="TOOL_WITHDRAWN")
        self.propose("unknown", tool_call("nowhere"), reason="SCOPE_NOT_ALLOWED")
        scene.publish(UNFIT, "unfit")
        self.note("unfit", scene("apply_policy", scene.policy, pack="unfit", version=1))
        self._halt(True)
        self.propose("halted", tool_call("R"), reason="CONSTRAINT_DENIED")
        self.claim("halted claim", "CONSTRAINT_DENIED", source_chunk_ids=["chunk"])
        self._halt(False)

    def _halt(self, is_halted: bool) -> None:
        sent = {"is_halted": is_halted, "reason": "a drill", "credential": self.scene.policy}
        call(self.connection, "halt_policy", **sent)

    def _claim(self) -> None:
        scene = self.scene
        self.claim("cited", source_chunk_ids=["chunk"])
        self.claim("unconfirmed", "CLAIM_NOT_CONFIRMED", confidence=0.5)
        weak = self.claim("demoted", on_unconfirmed="demote", confidence=0.5)
        confirmed = {"key": "cause", "value_digest": digest('{"is": 1.5}').hex(), "comment": "so"}
        by = self.note("confirm", scene("confirm_claim", scene.approver, **confirmed))
        evidence = Json({"confirmed_by_event_id": by["audit_event_id"]})
        sent = {"claim_id": weak["claim_id"], "evidence": evidence, "request_id": "promotion"}
        self.note("promoted", scene("promote_claim", scene.tool, **sent), "ALLOWED")

    def _delegate(self) -> None:
        scene = self.scene
        mine = scene.tokens[scene.agent]["token_id"]
        grant = {
            "holder": "tool",
            "tools": ["R"],
            "state_prefixes": [],
            "budgets": {"max_calls": 9},
        }
        sent = {"parent_id": mine, "grant": Json(grant), "request_id": "attenuation"}
        child = self.note("attenuate", scene("narrow_capability", **sent))
        assert child["secret"]
        grant |= {"holder": "agent", "budgets": {"max_calls": 1}}
        sent = {"parent_id": mine, "grant": Json(grant)}
        last = self.note("attenuate mine", scene("narrow_capability", **sent))
        self.propose("by child", tool_call("R"), capability_token=last["secret"])
        self.propose(
            "spent", tool_call("R"), capability_token=last["secret"], reason="BUDGET_EXHAUSTED"
        )
        self.note("revoke", scene("revoke_capability", scene.policy, token_id=mine))
        self.propose(
            "revoked", tool_call("R"), capability_token=last["secret"], reason="TOKEN_REVOKED"
        )
