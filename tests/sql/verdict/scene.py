"""A session with a policy, and the principals that arbitration knows, for its tests."""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import uuid4

import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, Session, contents
from tests.support.callers import Held, caller

ALWAYS = "2100-01-01T00:00:00Z"
# What a session without arbitration of its own would be denied by.
GRANT = {"policy.arbitration": {"v": 1, "default": "grant"}}
CLAIMS = {"policy.claims": {"v": 1, "threshold": 0.80}}


def setting(name: str, **members: object) -> dict[str, Any]:
    return {f"policy.{name}": {"v": 1, **members}}


def allow(tool: str | None = None, capability: str | None = None, **more: object) -> dict[str, Any]:
    return constraint("allow", tool, capability, **more)


def deny(tool: str | None = None, capability: str | None = None, **more: object) -> dict[str, Any]:
    return constraint("deny", tool, capability, **more)


def constraint(
    effect: str, tool: str | None = None, capability: str | None = None, **more: object
) -> dict[str, Any]:
    subject = {"tool_id": tool} if tool else {"capability": capability} if capability else None
    return {"v": 1, "effect": effect, "subject": subject, **more}


def op(name: str, *args: object) -> dict[str, Any]:
    return {"op": name, "args": list(args)}


def value(of: object) -> dict[str, Any]:
    return {"v": 1, "value": of}


def delta(patch: Mapping[str, object], **more: object) -> dict[str, Any]:
    return {"kind": "state_delta", "patch": dict(patch), **more}


def tool_call(tool: str = "A", args: Mapping[str, object] | None = None, **more: object) -> Any:
    return {"kind": "tool_call", "tool_id": tool, "args": dict(args or {}), **more}


class Clock:
    """The clock of the kernel, which tests set forward and back."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._ahead = connection, 0.0

    def at(self, seconds: float) -> None:
        """Let so many seconds pass besides those that do."""
        self._ahead += seconds
        self._connection.execute(
            "create or replace function cmbs_store.clock() returns timestamptz language sql "
            "volatile as $$ select clock_timestamp() "
            f"+ interval '{self._ahead} seconds' $$".encode()
        )


class Scene:
    """Five principals, two tools that write (A, B) and one that reads (R), and a session."""

    def __init__(
        self,
        connection: Connection,
        entries: Mapping[str, object] | None = None,
        hypotheses: Iterable[str] = "abcd",
    ) -> None:
        self.connection = connection
        self.agent = caller(connection, "agent", "agent")
        self.tool = caller(connection, "tool", "tool")
        self.encoder = caller(connection, "encoder", "encoder")
        self.policy = caller(connection, "policy", "policy")
        self.approver = caller(connection, "approver", "approver")
        self._names = {
            self.agent: "agent",
            self.tool: "tool",
            self.encoder: "encoder",
        }
        for name in "AB":
            self.register(name, authorities=[name.lower()])
        self.register("R", mutating=False)
        self.session = Session(connection, hypotheses, credential=self.agent)
        self.id = self.session.id
        self._n = 0
        self.at = Clock(connection).at
        if entries is not None:
            self.apply(entries)
        self.tokens = {who: self.issue(holder=name) for who, name in self._names.items()}

    def __call__(self, verb: str, credential: bytes | None = None, **arguments: object) -> Any:
        sent = {"session_id": self.id, **arguments, "credential": credential or self.agent}
        return call(self.connection, verb, **sent)

    def register(self, tool: str, **definition: object) -> Any:
        sent = {"version": 1, "mutating": True, **definition}
        arguments = {"tool_id": tool, "definition": Json(sent), "credential": self.policy}
        return call(self.connection, "register_tool", **arguments)

    def publish(self, entries: Mapping[str, object], pack: str = "pack", **more: object) -> Any:
        sent = {"pack": pack, "entries": Json(dict(entries)), "credential": self.policy}
        return call(self.connection, "publish_policy", **sent, **more)

    def apply(self, entries: Mapping[str, object], pack: str = "pack") -> Any:
        published = self.publish(entries, pack)
        return self("apply_policy", self.policy, pack=pack, version=published["version"])

    def inject(self, entries: Mapping[str, object]) -> None:
        """A policy as somebody would put it there who is above all checks."""
        texts = {
            key: text if isinstance(text, str) else json.dumps(text)
            for key, text in entries.items()
        }
        execute = self.connection.execute
        row = execute("select cmbs_store.store_policy(%s)", [json.dumps(texts)]).fetchone()
        assert row
        execute(
            "select cmbs_store.new_policy_version('default', 'injected', %s, '[]', 'test')",
            [row[0]],
        )
        newest = execute(
            "select max(version) from cmbs_store.policy_version where pack = 'injected'"
        ).fetchone()
        assert newest
        self("apply_policy", self.policy, pack="injected", version=newest[0])

    def issue(self, holder: str = "agent", **more: object) -> Any:
        grant = {
            "holder": holder,
            "tools": ["A", "B", "R", "nowhere"],
            "state_prefixes": ["goal.", "fact."],
            "capabilities": ["state.write.core"],
            "budgets": {"max_calls": 1000},
            "expires_at": ALWAYS,
            **more,
        }
        return self("issue_capability", self.policy, grant=Json(grant), minimal=True)

    def head(self) -> str:
        head: str = self("query_belief", minimal=True)["audit_head_event_id"]
        return head

    def propose(self, *items: object, who: bytes | None = None, **more: Any) -> Any:
        """The answer to a proposal in the state as it is, under a key of its own."""
        who = who or self.agent
        self._n += 1
        proposal = {
            "state_snapshot_id": self.head(),
            "provenance": {"source": "agent://test", "inputs": []},
            "capability_token": self.tokens[who]["secret"] if who in self.tokens else None,
            "idempotency_key": f"key {self._n}",
            "items": list(items),
            **more,
        }
        proposal = {name: sent for name, sent in proposal.items() if sent is not None}
        return self("propose", who, proposal=Json(proposal))

    def write(self, patch: Mapping[str, object], **more: Any) -> Any:
        """A fact or goal that is written, whatever the policy is."""
        return self.propose(delta(patch), **more)

    def fact(self, key: str, of: object) -> None:
        written = self.write({key: value(of)}, who=self.tool)
        assert written["decision"] == "allow", written["reasons"]

    def claim(self, who: bytes | None = None, **claim: object) -> Any:
        return self("record_claim", who or self.tool, claim=Json(claim), minimal=True)

    def begin(self, permit: str, who: bytes | None = None, **more: object) -> Any:
        return self("begin_execution", who, permit_id=permit, minimal=True, **more)

    def complete(
        self, permit: str, outcome: str = "ok", who: bytes | None = None, **more: object
    ) -> Any:
        sent = {"permit_id": permit, "outcome": outcome, "minimal": True}
        return self("complete_execution", who, **sent, **more)

    def resolve(
        self, question: str, resolution: str = "approve", who: bytes | None = None, **more: object
    ) -> Any:
        sent = {"interrupt_id": question, "resolution": resolution, "minimal": True}
        return self("resolve_interrupt", who or self.approver, **sent, **more)

    def resume(self, asked: Any, *items: object, who: bytes | None = None, **more: object) -> Any:
        proposal = Json({"items": list(items), **more})
        return self("resume", who, proposal_id=asked["proposal_id"], proposal=proposal)

    def refuses(self, code: str, do: Callable[..., Any], *items: Any, **more: Any) -> Any:
        """What is refused with this reason code, and changes nothing."""
        before = contents(self.connection)
        with pytest.raises(errors.Conflict) as caught, self.connection.transaction():
            do(*items, **more)
        assert contents(self.connection) == before, "a refused call changed something"
        detail = json.loads(str(caught.value.diag.message_detail))
        assert detail["reason_code"] == code, detail
        return detail

    def left(self, token: Any = None, unit: str = "max_calls") -> int:
        """What is left of the budget of a token, by default of the agent's."""
        token = token or self.tokens[self.agent]
        found: dict[str, int] = {
            one["token_id"]: one["left"][unit]
            for one in self("list_capabilities")["capability_tokens"]
            if unit in one["left"]
        }
        return found[token["token_id"]]

    def state(self) -> dict[str, str]:
        state: dict[str, str] = self("read_state")["f_sparse"]
        return state

    def is_whole(self) -> bool:
        found = call(self.connection, "verify", session_id=self.id)
        assert found["ok"], found
        return bool(found["ok"])

    def declared_event(self) -> str:
        event: str = self.session.declared["audit_event_id"]
        return event

    def last_event(self) -> Any:
        return self.session("audit_trace", credential=self.agent)["events"][-1]


def told(answer: Mapping[str, Any]) -> tuple[str, str, str]:
    return answer["decision"], answer["disposition"], answer["reason_code"]


def codes(answer: Mapping[str, Any]) -> list[str]:
    return [reason["code"] for reason in answer["reasons"]]


BLOCKED = ("deny", "block")
ALLOWED = ("allow", "execute", "ALLOWED")


def rich_arbitration(connection: Connection, credential: bytes | None = None) -> Session:
    """A session with every verb of arbitration, by somebody who may everything.

    Executions are left out in a transaction: a permit counts in a later one than its verdict.
    """
    by = {"credential": credential} if credential else {}
    me = call(connection, "identify", **by)
    tenant = me["tenant"] if credential else None
    approver = caller(connection, f"approver {uuid4()}", "approver", tenant=tenant)
    schema = {"type": "object", "properties": {"n": {"maximum": 3}}}
    call(connection, "register_schema", schema_id="rich", document=Json(schema), **by)
    definition = Json({"version": 1, "effect_class": "network"})
    call(connection, "register_tool", tool_id="rich.tool", definition=definition, **by)
    pack = (
        GRANT
        | CLAIMS
        | {
            "constraint.n": deny("rich.tool", when=op("not", op("schema", "rich"))),
            "constraint.invariant.i": deny(when=op("exists", "fact.never")),
        }
    )
    call(connection, "publish_policy", pack="rich", entries=Json(pack), **by)
    waits = deny("rich.tool", when=op("missing", "fact.ready"), on_fail="defer")
    brief = GRANT | {"policy.permits": {"v": 1, "ttl_ms": 1}, "constraint.waits": waits}
    call(connection, "publish_policy", pack="rich brief", entries=Json(brief), **by)
    shadow = {"pack": "observe-only", "version": 1}
    named = {"arbitration": Json({"pack": "rich", "version": 1, "shadow": shadow})}
    session = Held(connection, credential, **named) if credential else Session(connection, **named)
    grant = {
        "holder": me["name"],
        "tools": ["rich.tool"],
        "state_prefixes": ["fact."],
        "capabilities": ["state.write.core"],
        "budgets": {"max_calls": 9, "cents": 100},
        "expires_at": ALWAYS,
    }
    token = session("issue_capability", grant=Json(grant))

    def propose(*items: object, **more: object) -> Any:
        proposal = {
            "state_snapshot_id": session.snapshot()["audit_head_event_id"],
            "provenance": {"source": "rich"},
            "capability_token": token["secret"],
            "items": list(items),
            **more,
        }
        return session("propose", proposal=Json(proposal))

    def execute(answer: Any, outcome: str, **more: object) -> None:
        if connection.autocommit:
            permit = answer["items"][0]["permit_id"]
            session("begin_execution", permit_id=permit)
            session("complete_execution", permit_id=permit, outcome=outcome, **more)

    propose(delta({"fact.x": value("\u00e4\u2028\U0001f600 1.10")}, s_core=[0.1, -1e-30, 3e38]))
    called = propose(tool_call("rich.tool", {"n": 1.10}), idempotency_key="k")
    execute(called, "ok", result='{"n": 1.50}', usage=Json({"cents": 7, "max_calls": 2}))
    propose(tool_call("rich.tool", {"n": 4}), idempotency_key="k2")
    narrow = {"holder": "other", "tools": ["rich.tool"], "budgets": {"max_calls": 1}}
    session("narrow_capability", parent_id=token["token_id"], grant=Json(narrow))
    session.eliminate("a")
    digest = hashlib.sha256(b"1.50").hexdigest()
    event = session("confirm_claim", key="k", value_digest=digest)["audit_event_id"]
    for claim in (
        '{"kind": "fact", "key": "k", "value": 1.50, "confirmed_by_event_id": "' + event + '"}',
        '{"kind": "hypothesis", "key": "h", "value": {}, "confidence": 0.12345, "ttl_ms": 1}',
        '{"kind": "fact", "key": "no", "value": 1}',
    ):
        session("record_claim", claim=claim)
    session("set_mode", mode="offline_safe", reason="the line is down")
    propose(tool_call("rich.tool"), idempotency_key="k3")
    session("set_mode", mode="normal")
    session("apply_policy", pack="supervised", version=1)
    for key, resolution in (("k4", "approve"), ("k5", "decline")):
        asked = propose(tool_call("rich.tool"), idempotency_key=key)
        question = asked["items"][0]["interrupt_id"]
        answer = {"interrupt_id": question, "resolution": resolution, "comment": "as asked"}
        session("resolve_interrupt", **answer, credential=approver)
        if resolution == "approve":
            again = Json({"items": [tool_call("rich.tool")]})
            resumed = session("resume", proposal_id=asked["proposal_id"], proposal=again)
            execute(resumed, "error", result=Json({"told": "no"}))
    propose(tool_call("rich.tool"), idempotency_key="k6")
    session("apply_policy", pack="rich brief", version=1, shadow=Json(shadow))
    propose(tool_call("rich.tool"), idempotency_key="k7")
    propose(delta({"fact.ready": value(True)}))
    time.sleep(0.002)
    session("sweep_expired")
    session("revoke_capability", token_id=token["token_id"])
    assert session.is_whole()
    return session
