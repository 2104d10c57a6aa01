#!/usr/bin/env python3
"""An agent that must not restart a database before others have shown that it is the cause.

    cmbs demo gated-agent                           on a server of its own
    python examples/gated_agent.py [URL]            URL is http://127.0.0.1:8000 unless given

Five principals play, each with a token of its own: who writes the policy, the agent that proposes,
two tools that observe, who approves, and who runs the restart, which is a simulation. Everything
is said over HTTP with the standard library alone. CMBS_TOKEN holds an administrator's token, who
makes the five and disables them in the end. It ends with status 0 if every step came out as told,
and else with 1 and one sentence that says which did not.
"""

import http.client
import ipaddress
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path
from typing import Any

TOOL = "db.restart"
HOST = {"type": "object", "required": ["host"], "additionalProperties": False}
HOST |= {"properties": {"host": {"type": "string"}}}
DEFINITION = {"version": "1", "authorities": ["db"], "mutating": True, "effect_class": "local"}
DEFINITION |= {"args_schema": HOST}
RESTART = {"kind": "tool_call", "tool_id": TOOL, "args": {"host": "db-1"}}
RESTART["intent_summary"] = "the pool is exhausted; a restart frees it"
ONTOLOGY = {"hypothesis_space_id": "checkout-slow", "hypothesis_version": "v1"}
ONTOLOGY |= {"causal_graph_ref": "graph://checkout", "causal_graph_version": "v17"}
SUSPECTS = ["bad_deploy", "disk_full", "dns", "pool_exhausted", "replication_lag"]
CAUSE = "pool_exhausted"
# What the pack of the story has beyond belief-gated: a person has the last word.
ASKS = {"v": 1, "effect": "deny", "subject": {"tool_id": TOOL}, "on_fail": "ask"}
ASKS |= {"reason": "a person approves each restart"}
PACK = "belief-gated-ask"
PLAYERS = {
    "author": ("human", "policy", []),
    "planner": ("agent", "agent", ["agent://planner"]),
    "metrics": ("tool", "tool", ["tool://metrics"]),
    "tracing": ("tool", "tool", ["tool://tracing"]),
    "on-call": ("human", "approver", []),
    "runner": ("tool", "tool", ["tool://runner"]),
}
# The server is asked directly, whatever proxy the environment names.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Fault(Exception):
    """No answer, or another than the story tells; the text is one sentence."""


class Story:
    def __init__(self, server: str, token: str) -> None:
        self.server, self.id = server, str(uuid.uuid4())
        self.here = f"/v1/sessions/{self.id}"
        self.tokens = {"administrator": token}
        self.names = {player: f"{player}-{self.id[:8]}" for player in PLAYERS}
        # What is simulated: which hosts were restarted.
        self.restarts: list[str] = []
        self.secret = ""

    def play(self) -> None:
        self.look_for_another_tool()
        try:
            for player in PLAYERS:
                self.enrol(player)
            self.declare()
            self.too_early()
            self.by_its_own_word()
            self.by_the_evidence_of_others()
            question = self.ask_a_person()
            self.execute(self.go_on(question))
            self.look_back(question["proposal_id"])
        finally:
            for player in PLAYERS.keys() & self.tokens.keys():
                path = f"/v1/principals/{self.names[player]}"
                self.ask("administrator", "PATCH", path, {"is_enabled": False})

    def look_for_another_tool(self) -> None:
        """One of this name may be real, and this is a story: it leaves such a server as it is."""
        for found in self.get("administrator", "/v1/tools")["tools"]:
            if found["tool_id"] == TOOL and found["definition"] not in (DEFINITION, None):
                raise Fault(f"there is a tool {TOOL} already, which is not the one of the story")

    def enrol(self, player: str) -> None:
        kind, role, sources = PLAYERS[player]
        principal = {"name": self.names[player], "kind": kind, "roles": [role]}
        self.post("administrator", "/v1/principals", principal | {"source_prefixes": sources})
        made = self.post("administrator", f"/v1/principals/{self.names[player]}/tokens", {})
        self.tokens[player] = made["token"]

    def declare(self) -> None:
        print("\n1. The agent declares a session under the pack belief-gated, with five suspects.")
        message = {"session_id": self.id, "ontology": ONTOLOGY, "hypotheses": SUSPECTS}
        message["arbitration"] = {"pack": "belief-gated", "version": 1}
        self.post("planner", "/v1/sessions", message)
        say(f"session {self.id}")
        self.ask("author", "PUT", f"/v1/tools/{TOOL}", DEFINITION)
        grant = {"holder": self.names["planner"], "tools": [TOOL], "budgets": {"max_calls": 1}}
        grant["expires_at"] = "2099-01-01T00:00:00Z"
        self.secret = self.post("author", f"{self.here}/capability-tokens", grant)["secret"]
        say("it gets a capability token: one call of db.restart, and nothing else")
        duty = {"obligation_id": "look first", "min_total_eliminations": 4}
        self.post("planner", f"{self.here}/obligations", duty)
        say("it enters the obligation to rule four suspects out first")

    def too_early(self) -> None:
        print("\n2. It proposes the restart at once.")
        self.denied("early", "constraint.isolated", "constraint.no-obligation")
        check("permits", [], self.get("planner", f"{self.here}/permits")["permits"])
        check("restarts", [], self.restarts)

    def by_its_own_word(self) -> None:
        print("\n3. It says itself that everything else is ruled out, and proposes again.")
        gone = [suspect for suspect in SUSPECTS if suspect != CAUSE]
        self.observe("planner", "agent://planner", "a hunch", gone, 1)
        exit_ = self.post("planner", f"{self.here}/obligations/look%20first/exit", {})
        check("the obligation", True, exit_["approved"])
        self.denied("by its word", "constraint.isolated")
        say("its own word does not count: independent evidence has ruled out nothing")
        check("restarts", [], self.restarts)

    def by_the_evidence_of_others(self) -> None:
        print("\n4. Two tools look, and say the same for reasons of their own.")
        self.observe("metrics", "tool://metrics", "df, dig", ["disk_full", "dns"], 1)
        self.observe("tracing", "tool://tracing", "spans", ["bad_deploy", "replication_lag"], 1)
        check("survivors", [CAUSE], self.get("planner", self.here)["survivors"])

    def ask_a_person(self) -> dict[str, Any]:
        print("\n5. The author puts a pack in force that also asks a person before each restart.")
        entries = self.get("author", "/v1/policies/belief-gated/versions/1")["entries"]
        entries["constraint.restart-asks"] = ASKS
        made = self.post("author", f"/v1/policies/{PACK}/versions", {"entries": entries})
        named = {"pack": PACK, "version": made["version"]}
        query = urllib.parse.urlencode(named)
        flips = self.get("author", f"{self.here}/policy-replay?{query}")
        check("recorded verdicts that it would flip", 0, flips["n_flips"])
        check("applied", True, self.post("author", f"{self.here}/arbitration", named)["approved"])

        print("\n6. The agent proposes: now only the person is missing.")
        answer = self.propose("asked")
        check("disposition", "ask", answer["disposition"])
        check("waived by a yes", ["constraint.restart-asks"], keys(answer))
        (item,) = answer["items"]
        check("permit", None, item.get("permit_id"))
        path = f"{self.here}/interrupts/{item['interrupt_id']}"
        yes = {"resolution": "approve", "comment": "traffic is drained"}
        self.refused("it approves that itself", "planner", f"{path}/resolve", yes, "FORBIDDEN")
        resume = f"{self.here}/proposals/{answer['proposal_id']}/resume"
        again = {"items": [RESTART]}
        self.refused("it goes on without an answer", "planner", resume, again, "APPROVAL_PENDING")

        print("\n7. The person on call sees exactly what is asked, and approves it.")
        question = self.get("on-call", path)
        say(question["question"])
        check("action", RESTART, question["action"])
        say(f"digest of the action {question['action_digest']}")
        check("status", "approved", self.post("on-call", f"{path}/resolve", yes)["status"])
        return dict(question)

    def go_on(self, question: dict[str, Any]) -> str:
        print("\n8. The approval is for this action alone, and for one use.")
        resume = f"{self.here}/proposals/{question['proposal_id']}/resume"
        other, same = {"items": [{**RESTART, "args": {"host": "db-2"}}]}, {"items": [RESTART]}
        mismatch = "APPROVAL_ACTION_MISMATCH"
        self.refused("it goes on with another host", "planner", resume, other, mismatch)
        answer = self.post("planner", resume, same)
        check("decision", "allow", answer["decision"])
        self.refused("it goes on once more", "planner", resume, same, "APPROVAL_CONSUMED")
        check("restarts", [], self.restarts)
        return str(answer["items"][0]["permit_id"])

    def execute(self, permit: str) -> None:
        print("\n9. The runner begins with the permit, restarts, and tells how it ended.")
        path = f"{self.here}/permits/{permit}"
        begun = self.post("runner", f"{path}/begin", {})
        check("status", "executing", begun["status"])
        self.restarts.append(begun["args"]["host"])
        self.refused("it begins again", "runner", f"{path}/begin", {}, "PERMIT_USED")
        ended = {"outcome": "ok", "result": {"connections": 3}, "usage": {"max_calls": 1}}
        check("status", "committed", self.post("runner", f"{path}/complete", ended)["status"])
        check("restarts", ["db-1"], self.restarts)
        self.denied("once more", "BUDGET_EXHAUSTED", "constraint.restart-asks")

    def look_back(self, proposal: str) -> None:
        print("\n10. Who comes later asks why it was asked, and checks all of it.")
        why = self.get("on-call", f"{self.here}/proposals/{proposal}/explain")
        outcomes = {one["key"]: one["outcome"] for one in why["items"][0]["constraints"]}
        for key, outcome in outcomes.items():
            say(f"{key} {outcome}")
        said_no = [key for key, outcome in outcomes.items() if outcome == "denies"]
        check("denied by", ["constraint.restart-asks"], said_no)
        verified = self.get("on-call", f"{self.here}/verify")
        check("the server verifies the session", True, verified["ok"])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "audit.ndjson")
            path.write_bytes(self.ask("on-call", "GET", f"{self.here}/audit"))
            done = verify_offline(path, verified["head_hash"])
        check("verify.py replays the exported log without a server", 0, done.returncode)
        for line in (done.stdout + done.stderr).splitlines():
            say(line.replace(str(path), path.name))

    def observe(self, player: str, source: str, what: str, gone: list[str], n_survive: int) -> None:
        message = {"source_id": source, "observation_id": what, "eliminated": gone}
        self.post(player, f"{self.here}/eliminate", message)
        say(f"{source} rules out {', '.join(gone)} ({what})")
        check("survivors", n_survive, self.get(player, self.here)["n_survivors"])

    def propose(self, key: str) -> Any:
        proposal = {
            "state_snapshot_id": self.get("planner", self.here)["audit_head_event_id"],
            "provenance": {"source": "agent://planner"},
            "capability_token": self.secret,
            "idempotency_key": key,
            "items": [RESTART],
        }
        return self.post("planner", f"{self.here}/proposals", proposal)

    def denied(self, key: str, *by: str) -> None:
        answer = self.propose(key)
        check("decision", "deny", answer["decision"])
        for reason in answer["reasons"]:
            say(f"{reason.get('key', reason['code'])}: {reason['detail']}")
        check("because of", sorted(by), keys(answer))

    def refused(self, what: str, player: str, path: str, body: object, code: str) -> None:
        """What must not be, and is not."""
        status = 403 if code == "FORBIDDEN" else 409
        error = json.loads(self.ask(player, "POST", path, body, status=status))["error"]
        check(f"{what}, refused", code, error["details"].get("reason_code", error["code"]))

    def get(self, player: str, path: str) -> Any:
        return json.loads(self.ask(player, "GET", path))

    def post(self, player: str, path: str, body: object) -> Any:
        return json.loads(self.ask(player, "POST", path, body))

    def ask(self, player: str, method: str, path: str, body: object = None, status: int = 0) -> Any:
        """The bytes of an answer, which has this status, or any that says it went well."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        headers["Authorization"] = f"Bearer {self.tokens[player]}"
        if path.endswith("/audit"):
            headers["Accept"] = "application/x-ndjson"
        try:
            request = urllib.request.Request(self.server + path, data, headers, method=method)
            with DIRECT.open(request, timeout=60) as answer:
                got, content = int(answer.status), bytes(answer.read())
        except urllib.error.HTTPError as error:
            got, content = error.code, error.read()
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise Fault(f"no answer from {self.server}{path}: {reason}") from None
        if got != status and (status or got >= 300):
            raise Fault(f"{method} {path} by {player} was answered {got}: {content[:1000]!r}")
        return content


def keys(answer: dict[str, Any]) -> list[str]:
    """What stands in the way: constraints by their keys, other checks by their codes."""
    return sorted(reason.get("key", reason["code"]) for reason in answer["reasons"])


def verify_offline(log: Path, head: str) -> "subprocess.CompletedProcess[str]":
    """By the verifier of this checkout or installation, written as one file beside the log."""
    here = Path(__file__).resolve().parent.parent
    (package,) = (path for path in (here / "verify", here / "cmbs/verify") if path.is_dir())
    program, alone = log.with_name("verify.py"), (sys.executable, "-I", "-S")
    subprocess.run([*alone, str(package / "build.py"), str(program)], check=False)
    command = [*alone, str(program), "--head", head, str(log)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def is_private(url: str) -> bool:
    """Whether nobody on the way can read what is sent there."""
    to = urllib.parse.urlsplit(url)
    try:
        return to.scheme == "https" or ipaddress.ip_address(to.hostname or "").is_loopback
    except ValueError:
        return to.hostname == "localhost"


def check(name: str, expected: object, found: object) -> None:
    if expected != found:
        raise Fault(f"{name} should be {expected!r} and is {found!r}")
    say(f"{name}: {json.dumps(found)}")


def say(text: str) -> None:
    print(textwrap.fill(text, 100, initial_indent="   ", subsequent_indent=" " * 8))


if __name__ == "__main__":
    given = sys.argv[1:] or ["http://127.0.0.1:8000"]
    if len(given) > 1 or given[0].startswith("-"):
        sys.exit(str(__doc__).strip())
    shown = os.environ.get("CMBS_TOKEN", "")
    if not (shown and shown.isascii() and shown.isprintable()):
        sys.exit(
            "gated_agent: CMBS_TOKEN must hold an administrator's token; cmbs principal create and "
            "cmbs token create make one, and cmbs demo gated-agent without --url needs none"
        )
    if not is_private(given[0]):
        sys.exit("gated_agent: tokens are sent over plain http only to this machine: use https")
    try:
        Story(given[0].rstrip("/"), shown).play()
    except Fault as fault:
        sys.exit(f"gated_agent: {fault}")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        sys.exit(f"gated_agent: an answer has not the form that the protocol gives it: {error!r}")
    print("\nOne restart, after all that had to come before it; every step is in the log.")
