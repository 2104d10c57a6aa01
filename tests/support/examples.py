"""Records the examples of the documentation from a server: `python -m tests.support.examples`."""

import hashlib
import itertools
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg

from cmbs.api.docs import examples
from cmbs.database.calls import call
from cmbs.database.connections import connect
from cmbs.deploy import embedded, migrate

# The application looks for the examples when it is made; these are the ones to come.
for _name in ("REQUESTS", "ANSWERS", "ERRORS"):
    setattr(examples, _name, defaultdict(dict))

from cmbs.api.docs import page  # noqa: E402
from cmbs.api.shell import refusals  # noqa: E402
from cmbs.database import tokens  # noqa: E402
from tests.support.web import Client, serving, token_of  # noqa: E402

# The page shows the examples, of which there are none yet.
page.render = lambda _, needs_token: b""  # type: ignore[assignment]

SESSION = "6f9619ff-8b86-4d01-b42d-00c04fc964ff"
# One whose proposals a policy decides.
GATED = "7a20c3d1-4f0e-4b2c-9d6a-00c04fc964ff"
# One in which people are asked.
HELD = "8b31d4e2-5a1f-4c3d-8e7b-00c04fc964ff"
ONTOLOGY = {
    "hypothesis_space_id": "incident",
    "hypothesis_version": "v1",
    "causal_graph_ref": "graph://checkout",
    "causal_graph_version": "v17",
}
CAUSES = ["bad_deploy", "disk_full", "dns", "pool_exhausted", "replication_lag"]


# Recorded again, the same examples have the same ids, times and hashes.
_PINNED = """
create sequence cmbs_store.example;
grant usage on sequence cmbs_store.example to cmbs_kernel;
create or replace function cmbs_store.random_id() returns uuid language sql volatile
as $$ select md5(nextval('cmbs_store.example')::text)::uuid $$;
create or replace function cmbs_store.clock() returns timestamptz language sql volatile
as $$ select '2026-11-18T10:02:00Z'::timestamptz
    + nextval('cmbs_store.example') * '1.000250 s'::interval $$;
"""


class Recorder:
    def __init__(self, client: Client) -> None:
        self._client = client
        self.requests: dict[str, Any] = {}
        self.answers: dict[str, Any] = {}
        self.errors: dict[str, Any] = {}

    def send(
        self, shapes: tuple[str | None, str], method: str, path: str, body: Any = None, **more: Any
    ) -> httpx.Response:
        """An example of a request and of its answer, under the names of their shapes."""
        sent = {} if body is None else {"json": body}
        answer = self._client.request(method, path, **sent, **more)
        assert answer.is_success, answer.text
        takes, gives = shapes
        if takes:
            self.requests[takes] = body
        self.answers[gives] = answer.json()
        return answer

    def fail(self, told: str, method: str, path: str, body: Any = None, **more: Any) -> None:
        sent = {} if body is None else {"json": body}
        answer = self._client.request(method, path, **sent, **more)
        found = answer.json()
        assert found["error"]["code"] == told.partition(" ")[0], answer.text
        self.errors[told] = found

    def tell(self, code: str, details: Any = None) -> None:
        """An error that cannot be had by asking for it."""
        self.errors[code] = json.loads(refusals.body(code, refusals.MESSAGES[code], details))


def record(
    client: Client, principal: Callable[..., str], mirror: Callable[[], object]
) -> dict[str, Any]:
    """Every example; `principal` makes one with these roles, of whom this is a token, and `mirror`
    mirrors what is declared from then on."""
    to = Recorder(client)
    here = f"/v1/sessions/{SESSION}"
    to.send((None, "Alive"), "GET", "/healthz")
    to.send((None, "Ready"), "GET", "/readyz")
    space = "/v1/hypothesis-spaces/incident/versions/v1"
    to.send(("RegisterSpace", "RegisteredSpace"), "PUT", space, {"hypotheses": CAUSES})
    to.send((None, "Space"), "GET", space)
    to.fail("CONFLICT of a space", "PUT", space, {"hypotheses": ["dns"]})
    declare = {"session_id": SESSION, "ontology": ONTOLOGY, "hypotheses": CAUSES}
    to.send(("Declare", "Declared"), "POST", "/v1/sessions", declare)
    other = {**declare, "hypotheses": ["dns"]}
    to.fail("CONFLICT of a session", "POST", "/v1/sessions", other)
    look = {"obligation_id": "look first", "min_total_eliminations": 3}
    to.send(("EnterObligation", "Entered"), "POST", f"{here}/obligations", look)
    observed = {
        "source_id": "tool://df",
        "observation_id": "df -h, 10:02",
        "eliminated": ["disk_full", "gremlins"],
        "justification": {"used": 0.41},
    }
    to.send(("Eliminate", "Eliminated"), "POST", f"{here}/eliminate", observed)
    other = {**observed, "eliminated": ["dns"]}
    to.fail("CONFLICT of an observation", "POST", f"{here}/eliminate", other)
    messages = [
        {"source_id": "tool://dig", "observation_id": "dig", "eliminated": ["dns"]},
        {
            "source_id": "human://ann",
            "observation_id": "deploy log",
            "eliminated": ["bad_deploy", "pool_exhausted"],
        },
    ]
    batch = {"messages": messages}
    to.send(("EliminateBatch", "EliminatedBatch"), "POST", f"{here}/eliminate/batch", batch)
    to.send((None, "Why"), "GET", f"{here}/hypotheses/disk_full")
    to.send((None, "Snapshot"), "GET", here)
    to.send((None, "Explained"), "GET", f"{here}/explain?hypothesis_id=disk_full")
    never = {"reason": "nothing is left to eliminate"}
    leave = f"{here}/obligations/look%20first/exit"
    to.send(("RequestExit", "Approved"), "POST", leave, {"context": {"step": 4}})
    more = {"obligation_id": "look again", "min_total_eliminations": 9}
    client.post(f"{here}/obligations", json=more)
    lift = f"{here}/obligations/look%20again/waive"
    to.fail("OBLIGATION_NOT_FOUND", "POST", f"{here}/obligations/nothing/exit")
    to.send(("WaiveObligation", "Approved"), "POST", lift, never)
    to.send((None, "Obligations"), "GET", f"{here}/obligations")
    used = {"Idempotency-Key": "conclude-1"}
    client.post(f"{here}/conclusions", json={"conclusion_id": "pool_exhausted"}, headers=used)
    conclude = {"conclusion_id": "replication_lag"}
    path = f"{here}/conclusions"
    to.fail("CONFLICT of a request id", "POST", path, conclude, headers=used)
    to.send(("DeclareConclusion", "Accepted"), "POST", f"{here}/conclusions", conclude)
    to.send((None, "Conclusions"), "GET", f"{here}/conclusions")
    stale = {"If-Match": '"00000000-0000-4000-8000-000000000001"'}
    to.fail("CONFLICT as 412", "POST", f"{here}/terminate", headers=stale)
    end = {"context": {"ticket": "INC-7"}}
    to.send(("RequestTermination", "Approved"), "POST", f"{here}/terminate", end)
    to.fail("SESSION_TERMINATED", "POST", f"{here}/conclusions", conclude)
    to.send((None, "Sessions"), "GET", "/v1/sessions")
    trace = to.send((None, "Trace"), "GET", f"{here}/audit?limit=3").json()
    second, third = (event["event_id"] for event in trace["events"][1:])
    to.send((None, "Event"), "GET", f"{here}/audit/{third}")
    to.send((None, "Diff"), "GET", f"{here}/diff?from={second}&to={third}")
    to.send((None, "WhatIf"), "GET", f"{here}/whatif?without_source=human://ann")
    to.fail("EVENT_NOT_FOUND of a message", "GET", f"{here}/whatif?without_source=human://bob")
    to.send((None, "Verified"), "GET", f"{here}/verify")
    to.fail("SESSION_NOT_FOUND", "GET", "/v1/sessions/00000000-0000-4000-8000-000000000000")
    to.fail("EVENT_NOT_FOUND", "GET", f"{here}/audit/{SESSION}")
    to.fail("SPACE_NOT_FOUND", "GET", "/v1/hypothesis-spaces/incident/versions/v2")
    to.fail("INVALID_HYPOTHESIS_ID as 404", "GET", f"{here}/hypotheses/gremlins")
    strict = client.declare("dns", policy={"validate_hypotheses": True})
    to.fail("INVALID_HYPOTHESIS_ID", "POST", f"{strict}/eliminate", observed)
    of_none = {"ontology": ONTOLOGY, "universe_from": {"tee_incident": "INC-8"}}
    to.fail("INCIDENT_NOT_FOUND", "POST", "/v1/sessions", of_none)
    record_arbitration(to, client)
    to.fail("INVALID_REQUEST", "GET", "/v1/sessions?limt=3")
    to.fail("UNSUPPORTED_MEDIA_TYPE", "POST", "/v1/sessions", content="a=b")
    to.tell("PAYLOAD_TOO_LARGE", {"member": "body", "limit": "8 MiB"})
    to.tell("RATE_LIMITED", {"limit": 1000, "of": "principal"})
    to.tell("UNAVAILABLE")
    to.tell("INTERNAL", {"request_id": "4f1f1c8e-0f5f-4b5e-9d56-3d5f0a1c9f11"})
    lines = client.get(f"{here}/audit?limit=2", headers={"Accept": "application/x-ndjson"})
    client.headers["Authorization"] = f"Bearer {principal('root', 'admin', 'auditor')}"
    record_identities(to)
    record_execution(to, client, principal)
    mirror()
    ann = {"Authorization": f"Bearer {principal('ann', 'agent')}"}
    client.post("/v1/sessions", json={"ontology": ONTOLOGY, "hypotheses": ["dns"]}, headers=ann)
    return {
        "requests": to.requests,
        "answers": to.answers,
        "errors": to.errors,
        "lines": lines.text,
        "metrics": some_of(client.get("/metrics").text),
    }


def some_of(scrape: str) -> str:
    """A part of what Prometheus reads: what is the same whenever it is recorded."""
    wanted = r"cmbs_(?:sessions|questions_pending|tee_mirror_(?!lag)\w+)"
    families = re.findall(rf"# HELP {wanted} .*\n# TYPE .*\n(?:cmbs_.*\n)+", scrape)
    return "".join(families) + "# and more: docs/monitoring.md lists every metric\n"


def record_arbitration(to: Recorder, client: Client) -> None:
    """An agent that may restart a database as soon as the evidence has isolated it."""
    record_registry(to)
    record_policies(to)
    pack = {"pack": "incident", "version": 1, "shadow": {"pack": "supervised", "version": 1}}
    declare = {"session_id": GATED, "ontology": ONTOLOGY, "hypotheses": CAUSES}
    here = f"/v1/sessions/{GATED}"
    client.post("/v1/sessions", json=declare)
    to.send(("ApplyPolicy", "Applied"), "POST", f"{here}/arbitration", pack)
    no_pack = {"pack": "incident", "version": 7}
    to.fail("POLICY_NOT_FOUND", "POST", f"{here}/arbitration", no_pack)
    grant = {
        "holder": "api",
        "tools": ["db.restart"],
        "state_prefixes": ["goal."],
        "budgets": {"max_calls": 2},
        "expires_at": "2027-01-31T00:00:00Z",
    }
    path = f"{here}/capability-tokens"
    made = to.send(("IssueToken", "TokenIssued"), "POST", path, grant).json()
    wider = {**grant, "parent": made["token_id"], "budgets": {"max_calls": 9}}
    to.fail("CONFLICT of a narrower token", "POST", path, wider)
    proposal = {
        "state_snapshot_id": made["snapshot"]["audit_head_event_id"],
        "provenance": {"source": "agent://planner", "inputs": []},
        "capability_token": made["secret"],
        "items": [
            {
                "kind": "tool_call",
                "tool_id": "db.restart",
                "args": {"host": "db-1"},
                "intent_summary": "restart the database that lags",
            }
        ],
    }
    path = f"{here}/proposals"
    goal = {"kind": "state_delta", "patch": {"goal.repair": {"v": 1, "value": "replication"}}}
    answer = to.send((None, "Proposed"), "POST", path, {**proposal, "items": [goal]}).json()
    assert answer["decision"] == "allow", answer
    proposal["state_snapshot_id"] = answer["audit_event_id"]
    key = {"Idempotency-Key": "restart-1"}
    denied = to.send(("Propose", "Proposed"), "POST", path, proposal, headers=key).json()
    to.send((None, "Proposals"), "GET", path)
    to.send((None, "DecisionExplained"), "GET", f"{path}/{denied['proposal_id']}/explain")
    to.send((None, "Replayed"), "GET", f"{here}/policy-replay?pack=supervised")
    shown = {"X-Capability-Token": made["secret"]}
    to.send((None, "Permitted"), "GET", f"{here}/permitted", headers=shown)
    to.send((None, "State"), "GET", f"{here}/state")
    record_claims(to, here)
    path = f"{here}/capability-tokens"
    to.send((None, "CapabilityTokens"), "GET", path)
    to.send((None, "TokenRevoked"), "DELETE", f"{path}/{made['token_id']}")
    to.fail("TOKEN_NOT_FOUND of a session", "DELETE", f"{path}/{SESSION}")


def record_registry(to: Recorder) -> None:
    arguments = {
        "type": "object",
        "properties": {"host": {"type": "string", "maxLength": 64}},
        "required": ["host"],
    }
    schema, tool = "/v1/schemas/restart", "/v1/tools/db.restart"
    to.send(("RegisterSchema", "SchemaRegistered"), "PUT", schema, arguments)
    to.fail("CONFLICT of a schema", "PUT", schema, {"type": "object"})
    to.send((None, "Schemas"), "GET", "/v1/schemas")
    to.send((None, "Schema"), "GET", schema)
    to.fail("SCHEMA_NOT_FOUND", "GET", "/v1/schemas/start")
    definition = {
        "version": "1.4",
        "authorities": ["db.admin"],
        "mutating": True,
        "effect_class": "network",
        "args_schema": "restart",
    }
    to.send(("RegisterTool", "ToolRegistered"), "PUT", tool, definition)
    to.send((None, "Tools"), "GET", "/v1/tools")
    to.send((None, "Tool"), "GET", tool)
    to.fail("TOOL_NOT_FOUND", "GET", "/v1/tools/db.start")


def record_policies(to: Recorder) -> None:
    restart = {
        "v": 1,
        "effect": "allow",
        "subject": {"tool_id": "db.restart"},
        "when": {"op": "eq", "args": ["fact.belief.n_survivors", 1]},
    }
    entries = {
        "constraint.restart": restart,
        "constraint.goals": {
            "v": 1,
            "effect": "allow",
            "subject": {"capability": "state.write.goal"},
        },
        "constraint.facts": {
            "v": 1,
            "effect": "allow",
            "subject": {"capability": "claim.write.fact"},
        },
        "policy.claims": {"v": 1, "threshold": 0.80},
    }
    fixtures = [
        {
            "name": "one cause is left",
            "given": {"fact.belief.n_survivors": {"v": 1, "value": 1}},
            "item": {"kind": "tool_call", "tool_id": "db.restart"},
            "expect": {"decision": "allow"},
        }
    ]
    path = "/v1/policies/incident/versions"
    pack = {"entries": entries, "fixtures": fixtures}
    to.send(("PublishPolicy", "Published"), "POST", path, pack)
    taken = "/v1/policies/supervised/versions"
    to.fail("CONFLICT of a policy pack", "POST", taken, {"entries": {}})
    less = {"entries": {"constraint.restart": {**restart, "when": {"op": "any", "args": []}}}}
    to.send(("LintPolicy", "Linted"), "POST", "/v1/policies/lint", less)
    to.send((None, "Policies"), "GET", path)
    to.send((None, "PolicyVersion"), "GET", f"{path}/1")
    to.send((None, "PolicyDiff"), "GET", f"{path}/1/diff?to=1&to_pack=supervised")
    to.send(("RunFixtures", "Tested"), "POST", f"{path}/1/test", {"fixtures": fixtures})
    for is_halted in (True, False):
        halt = {"is_halted": is_halted, "reason": "the planner loops"}
        to.send(("HaltPolicy", "Halted"), "PUT", "/v1/policies/halt", halt)


def record_claims(to: Recorder, here: str) -> None:
    path = f"{here}/claims"
    claim = {
        "key": "replica.lag",
        "kind": "fact",
        "value": {"seconds": 940},
        "confidence": 0.9,
        "source_chunk_ids": ["grafana:replica-lag:10:02"],
    }
    made = to.send(("RecordClaim", "ClaimTold"), "POST", path, claim).json()
    listed = to.send((None, "Claims"), "GET", path).json()["claims"]
    confirm = {"value_digest": listed[0]["value_digest"], "comment": "seen by ann"}
    told = to.send(("ConfirmClaim", "Confirmed"), "POST", f"{path}/replica.lag/confirm", confirm)
    evidence = {"confirmed_by_event_id": told.json()["audit_event_id"]}
    promote = f"{path}/{made['claim_id']}/promote"
    to.send(("PromoteClaim", "ClaimTold"), "POST", promote, evidence)
    to.fail("CLAIM_NOT_FOUND", "POST", f"{path}/{SESSION}/promote", evidence)


def record_identities(to: Recorder) -> None:
    principals = "/v1/principals"
    agent = {
        "name": "agent7",
        "kind": "agent",
        "roles": ["agent"],
        "source_prefixes": ["tool://", "human://ann"],
    }
    to.send(("CreatePrincipal", "PrincipalTold"), "POST", principals, agent)
    other = {**agent, "roles": ["agent", "policy"]}
    to.fail("CONFLICT of a principal", "POST", principals, other)
    to.send((None, "Principals"), "GET", f"{principals}?limit=1")
    to.send((None, "Principal"), "GET", f"{principals}/agent7")
    fewer = {"source_prefixes": ["tool://"]}
    to.send(("ChangePrincipal", "PrincipalTold"), "PATCH", f"{principals}/agent7", fewer)
    to.fail("PRINCIPAL_NOT_FOUND", "PATCH", f"{principals}/agent8", fewer)
    limits = {"verbs": ["eliminate", "query_belief"], "expires_at": "2027-01-31T00:00:00Z"}
    path = f"{principals}/agent7/tokens"
    made = to.send(("CreateToken", "NewToken"), "POST", path, limits).json()
    used = {"Authorization": f"Bearer {made['token']}"}
    to.fail("FORBIDDEN", "GET", "/v1/tokens", headers=used)
    to.send((None, "Tokens"), "GET", "/v1/tokens?name=agent7")
    token, later = f"/v1/tokens/{made['token_id']}", {"expires_at": "2027-06-30T00:00:00Z"}
    new = to.send(("RotateToken", "RotatedToken"), "POST", f"{token}/rotate", later).json()
    to.fail("UNAUTHENTICATED", "GET", "/v1/sessions", headers=used)
    to.fail("CONFLICT of a token", "POST", f"{token}/rotate")
    to.send((None, "Token"), "GET", f"/v1/tokens/{new['token_id']}")
    to.send((None, "RevokedToken"), "DELETE", f"/v1/tokens/{new['token_id']}")
    to.fail("TOKEN_NOT_FOUND", "DELETE", f"/v1/tokens/{SESSION}")
    to.send((None, "Identified"), "GET", "/v1/whoami")
    to.send((None, "IdentityLog"), "GET", "/v1/identities/audit?limit=2")
    to.send((None, "IdentitiesVerified"), "GET", "/v1/identities/verify")


def record_execution(to: Recorder, client: Client, principal: Callable[..., str]) -> None:
    """A call that a person approves and a tool executes, and one that waits for a fact."""
    here = f"/v1/sessions/{HELD}"
    roles = {"planner": "agent", "paul": "policy", "carl": "approver"}
    told = {name: f"Bearer {principal(name, role)}" for name, role in roles.items()}
    planner, paul, carl = ({"Authorization": told[name]} for name in roles)
    hook = {"url": "https://ops.example.org/questions", "secret": "at least 24 characters"}
    hook["secret"] += " that only the receiver knows"
    to.send(("SetWebhook", "WebhookSet"), "PUT", "/v1/webhook", hook)
    declare = {"session_id": HELD, "ontology": ONTOLOGY, "hypotheses": CAUSES}
    declare["arbitration"] = {"pack": "supervised", "version": 1}
    client.post("/v1/sessions", json=declare, headers=paul)
    grant = {"holder": "planner", "tools": ["db.restart"], "budgets": {"max_calls": 9}}
    grant["expires_at"] = "2027-01-31T00:00:00Z"
    made = client.post(f"{here}/capability-tokens", json=grant, headers=paul).json()
    call = {"kind": "tool_call", "tool_id": "db.restart", "args": {"host": "db-1"}}
    proposal = {
        "state_snapshot_id": made["snapshot"]["audit_head_event_id"],
        "provenance": {"source": "agent://planner"},
        "capability_token": made["secret"],
        "items": [call],
    }

    def propose() -> Any:
        answer = client.post(f"{here}/proposals", json=proposal, headers=planner)
        return answer.json()

    proposal["idempotency_key"] = "restart-7"
    asked = propose()
    (question,) = (item["interrupt_id"] for item in asked["items"])
    path, again = f"{here}/proposals/{asked['proposal_id']}/resume", {"items": [call]}
    to.fail("CONFLICT of a question", "POST", path, again, headers=planner)
    to.send((None, "Questions"), "GET", f"{here}/interrupts")
    to.send((None, "Inbox"), "GET", "/v1/interrupts?wait=30")
    to.send((None, "WatchedQuestion"), "GET", f"{here}/interrupts/{question}")
    to.fail("INTERRUPT_NOT_FOUND", "GET", f"{here}/interrupts/{HELD}")
    answer = {"resolution": "approve", "comment": "after the backup at 10:20"}
    resolve = f"{here}/interrupts/{question}/resolve"
    to.send(("ResolveInterrupt", "Resolved"), "POST", resolve, answer, headers=carl)
    allowed = to.send(("Resume", "Proposed"), "POST", path, again, headers=planner).json()
    (permit,) = (item["permit_id"] for item in allowed["items"])
    path = f"{here}/permits/{permit}"
    begin = {"notes": "by the runner on ops-2"}
    to.send(("BeginExecution", "Begun"), "POST", f"{path}/begin", begin, headers=planner)
    to.fail("CONFLICT of a permit", "POST", f"{path}/begin", begin, headers=planner)
    end = {"outcome": "ok", "result": {"seconds": 4.20}, "usage": {"max_calls": 1}}
    shapes = ("CompleteExecution", "Completed")
    to.send(shapes, "POST", f"{path}/complete", end, headers=planner)
    to.send((None, "Permits"), "GET", f"{here}/permits")
    to.send((None, "Permit"), "GET", path)
    to.fail("PERMIT_NOT_FOUND", "GET", f"{here}/permits/{HELD}")
    wait = {"v": 1, "effect": "deny", "subject": {"tool_id": "db.restart"}, "on_fail": "defer"}
    wait["when"] = {"op": "missing", "args": ["fact.backup"]}
    entries = {"policy.arbitration": {"v": 1, "default": "grant"}, "constraint.backup": wait}
    client.post("/v1/policies/patient/versions", json={"entries": entries}, headers=paul)
    pack = {"pack": "patient", "version": 1}
    applied = client.post(f"{here}/arbitration", json=pack, headers=paul).json()
    proposal |= {"idempotency_key": "restart-8", "state_snapshot_id": applied["audit_event_id"]}
    assert propose()["decision"] == "defer"
    to.send((None, "Deferrals"), "GET", f"{here}/deferrals")
    slow = {"mode": "eco", "reason": "the budget of the month is nearly spent"}
    to.send(("SetMode", "ModeSet"), "POST", f"{here}/mode", slow, headers=paul)
    to.send(("Sweep", "Swept"), "POST", f"{here}/sweep", {}, headers=paul)


def pinned_tokens() -> Iterator[tokens.Token]:
    """The same tokens each time, and none that counts anywhere."""
    for number in itertools.count():
        text = "cmbs_" + hashlib.sha256(b"example %d" % number).hexdigest()[:43]
        yield tokens.Token(text, tokens.digest(text), text[:13])


def main() -> None:
    made = pinned_tokens()
    tokens.new = lambda: next(made)
    with tempfile.TemporaryDirectory(prefix="cmbs-examples-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        with embedded.start(Path(folder) / "data", durable=False) as server:
            database = server.conninfo()
            migrate.migrate(database)
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute(_PINNED)

            def principal(name: str, *roles: str) -> str:
                return token_of(database, name, *roles).text

            def mirror() -> None:
                with connect(database, autocommit=True) as owner:
                    call(owner, "set_mirror", endpoint="tee.example:50051")

            with serving(database) as address, Client(base_url=address) as client:
                recorded = record(client, principal, mirror)
    text = json.dumps(recorded, indent=1, ensure_ascii=False) + "\n"
    examples.FILE.write_text(text)


if __name__ == "__main__":
    main()
