"""Proposals, policies, tokens and claims over HTTP: what each route gives, refuses and misses."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import msgspec
import psycopg
import pytest

from cmbs.api.rooms.belief import answers as of_sessions
from cmbs.api.rooms.capability.answers import CapabilityTokens, TokenIssued, TokenRevoked
from cmbs.api.rooms.claim.answers import Claims, ClaimTold, Confirmed
from cmbs.api.rooms.policy import answers as of_policies
from cmbs.api.rooms.registry.answers import (
    Schema,
    SchemaRegistered,
    Schemas,
    Tool,
    ToolRegistered,
    Tools,
)
from cmbs.api.rooms.rollout import answers as of_rollout
from cmbs.api.rooms.rollout.answers import Applied, Replayed
from cmbs.api.rooms.verdict import answers
from cmbs.api.shell.admission import Terms
from tests.http.test_identities import has, is_example
from tests.http.wire import JSON, NO_EVENT, NOBODY, answered, events, exchange, post
from tests.support.web import ONTOLOGY, Client, bearer, refusal, site_over, token_of

# Calls of tools that write wait for a single survivor, and everything else needs a token alone.
GATED = {"pack": "belief-gated", "version": 1}
CALL = {"kind": "tool_call", "tool_id": "db.restart", "args": {"host": "db-1"}}
GOAL = {"kind": "state_delta", "patch": {"goal.repair": '{"v":1,"value":"db"}'}}
ENDS = "2099-01-01T00:00:00Z"
ALLOW = {"v": 1, "effect": "allow", "subject": {"tool_id": "db.restart"}}
CLAIM = {"key": "lag", "kind": "hypothesis", "value": {"s": 1.1}, "ttl_ms": 60_000}


@pytest.fixture(scope="module")
def site(server: SimpleNamespace, template: Any) -> Iterator[SimpleNamespace]:
    with site_over(server, template, "arbitration", Terms(rate=0)) as site:
        yield site


def client_of(site: SimpleNamespace, name: str, *roles: str, tenant: str = "default") -> Client:
    token = token_of(site.database, name, *roles, tenant=tenant)
    return Client(base_url=site.address, headers=bearer(token), timeout=60)


@pytest.fixture(scope="module")
def policy(site: SimpleNamespace) -> Iterator[Client]:
    with client_of(site, "ann", "policy") as client:
        assert client.put("/v1/tools/db.restart", json={}).status_code == 201
        yield client


@pytest.fixture(scope="module")
def agent(site: SimpleNamespace) -> Iterator[Client]:
    with client_of(site, "bob", "agent") as client:
        yield client


@pytest.fixture(scope="module")
def approver(site: SimpleNamespace) -> Iterator[Client]:
    with client_of(site, "carl", "approver") as client:
        yield client


class Case(SimpleNamespace):
    """A session of the agent, and a token that lets it call the tool and write goals."""

    agent: Client
    path: str
    token_id: str
    secret: str

    def head(self) -> str:
        return str(self.agent.get(self.path).json()["audit_head_event_id"])

    def body(self, *items: Any, **more: Any) -> dict[str, Any]:
        source = {"source": "agent://bob"}
        sent = {"state_snapshot_id": self.head(), "provenance": source, "items": items or (CALL,)}
        return {**sent, "capability_token": self.secret, **more}

    def propose(self, *items: Any, headers: dict[str, str] | None = None, **more: Any) -> Any:
        keyed = {"Idempotency-Key": str(uuid4())} if headers is None else headers
        path = f"{self.path}/proposals"
        return self.agent.post(path, json=self.body(*items, **more), headers=keyed)


@pytest.fixture
def case(agent: Client, policy: Client) -> Case:
    path = agent.declare("a", "b", arbitration=GATED)
    made = policy.post(f"{path}/capability-tokens", json=grant()).json()
    return Case(agent=agent, path=path, token_id=made["token_id"], secret=made["secret"])


def grant(**more: Any) -> dict[str, Any]:
    limits = {"tools": ["db.restart"], "state_prefixes": ["goal."], "budgets": {"max_calls": 5}}
    return {"holder": "bob", "expires_at": ENDS, **limits, **more}


def pack(policy: Client, entries: Any = None, **more: Any) -> str:
    """The path of the first version of a new pack."""
    path = f"/v1/policies/{uuid4()}/versions"
    made = policy.post(path, json={"entries": entries or {"constraint.a": ALLOW}, **more})
    assert made.status_code == 201, made.text
    return str(made.headers["location"])


def is_new(answer: Any, shape: type[msgspec.Struct], client: Client) -> Any:
    """What was made, and is found where the answer says."""
    found = client.get(answer.headers["location"])
    assert found.status_code == 200, found.text
    return has(answer, shape, 201)


def test_a_session_names_its_pack(agent: Client, policy: Client) -> None:
    declare = {"session_id": str(uuid4()), "ontology": ONTOLOGY, "hypotheses": ["a"]}
    declare["arbitration"] = GATED
    for status in (201, 200):
        has(agent.post("/v1/sessions", json=declare), of_sessions.Declared, status)
    path = f"/v1/sessions/{declare['session_id']}"
    assert has(agent.get(f"{path}/state"), answers.State)["pack"]["pack"] == "belief-gated"
    (event,) = events(agent, path)
    assert event["payload"]["arbitration"].items() > GATED.items()
    without = agent.declare("a", arbitration=None)
    assert agent.get(f"{without}/state").json()["pack"]["pack"] == "deny-all"
    other = declare | {"session_id": str(uuid4()), "arbitration": {**GATED, "version": 9}}
    is_example(agent.post("/v1/sessions", json=other), "POLICY_NOT_FOUND")
    for wrong in ({"pack": "deny-all"}, {**GATED, "x": 1}, {**GATED, "version": "1"}, [], 1):
        answer = agent.post("/v1/sessions", json=other | {"arbitration": wrong})
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST")


def test_another_pack_decides_from_now_on(agent: Client, policy: Client) -> None:
    session = agent.declare("a")
    key = {"Idempotency-Key": "k"}
    first = policy.post(f"{session}/arbitration", json=GATED, headers=key)
    told = has(first, Applied)
    assert (told["approved"], told["reason"]) == (True, "applied")
    assert first.headers["etag"] == f'"{told["audit_event_id"]}"'
    again = policy.post(f"{session}/arbitration", json=GATED, headers=key)
    assert has(again, Applied)["duplicate"]
    other = policy.post(f"{session}/arbitration", json={**GATED, "pack": "x"}, headers=key)
    is_example(other, "CONFLICT of a request id")
    assert refusal(agent.post(f"{session}/arbitration", json=GATED))[:2] == (403, "FORBIDDEN")
    balance = {"op": "eq", "args": ["fact.balance", 1]}
    entries = {"constraint.invariant.b": {"v": 1, "effect": "allow", "when": balance}}
    name = pack(policy, entries).split("/")[3]
    sent = {"pack": name, "version": 1, "notes": "n", "session_id": session[-36:]}
    refused = has(policy.post(f"{session}/arbitration", json=sent), Applied)
    assert refused["approved"] is False
    assert [one["key"] for one in refused["reasons"]] == ["constraint.invariant.b"]
    assert events(agent, session)[-1]["notes"] == "n"


def test_what_is_proposed_is_decided_and_takes_effect(case: Case) -> None:
    denied = case.propose()
    told = has(denied, answers.Proposed)
    assert (told["decision"], told["disposition"]) == ("deny", "block")
    assert told["items"][0]["reasons"][0]["key"] == "constraint.isolated"
    assert denied.headers["etag"] == f'"{told["snapshot"]["audit_head_event_id"]}"'
    allowed = has(case.propose(GOAL), answers.Proposed)
    assert (allowed["decision"], allowed["reason_code"]) == ("allow", "ALLOWED")
    state = has(case.agent.get(f"{case.path}/state"), answers.State)
    assert state["f_sparse"].keys() == {"goal.repair"}
    assert state["state_snapshot_id"] == allowed["audit_event_id"]
    assert "policy" not in state
    before = case.agent.get(f"{case.path}/state", params={"as_of": told["proposal_id"]})
    assert has(before, answers.State)["f_sparse"] == {}
    whole = case.agent.get(f"{case.path}/state?include=policy")
    assert "constraint.isolated" in has(whole, answers.State)["policy"]
    assert case.agent.get(f"{case.path}/verify").json()["ok"]


def test_a_proposal_has_the_identity_that_its_header_gives_it(case: Case) -> None:
    body, key = case.body(), {"Idempotency-Key": "one"}
    path = f"{case.path}/proposals"
    first = case.agent.post(path, json=body, headers=key)
    again = case.agent.post(path, json=body | {"idempotency_key": "one"})
    assert has(first, answers.Proposed) | {"duplicate": True} == has(again, answers.Proposed)
    both = case.agent.post(path, json=body | {"idempotency_key": "two"}, headers=key)
    assert refusal(both)[2]["member"] == "idempotency_key"
    other = case.agent.post(path, json=body | {"items": [GOAL]}, headers=key)
    assert has(other, answers.Proposed)["reason_code"] == "IDEMPOTENCY_MISMATCH"
    without = case.propose(headers={})
    assert has(without, answers.Proposed)["reason_code"] == "IDEMPOTENCY_REQUIRED"


def test_a_dry_run_is_told_and_leaves_no_trace(case: Case) -> None:
    before = events(case.agent, case.path)
    told = has(case.propose(GOAL, mode="dry_run"), answers.Proposed)
    assert (told["decision"], told["proposal_id"]) == ("allow", None)
    assert events(case.agent, case.path) == before


def test_a_proposal_depends_on_a_head_and_may_be_told_shortly(case: Case) -> None:
    stale = {"If-Match": f'"{NO_EVENT}"', "Idempotency-Key": "k"}
    is_example(case.propose(headers=stale), "CONFLICT as 412")
    either = {"If-Match": f'"{NO_EVENT}", "{case.head()}"', "Prefer": "return=minimal"}
    answer = case.propose(GOAL, headers=either)
    assert answer.headers["preference-applied"] == "return=minimal"
    assert "survivors" not in has(answer, answers.Proposed)["snapshot"]


def test_proposals_are_listed_by_page_and_decision(case: Case) -> None:
    made = [case.propose(item).json()["proposal_id"] for item in (CALL, GOAL, CALL)]

    def listed(**asked: Any) -> Any:
        return has(case.agent.get(f"{case.path}/proposals", params=asked), answers.Proposals)

    assert [one["proposal_id"] for one in listed()["proposals"]] == made[::-1]
    page = listed(limit=2)
    assert [one["proposal_id"] for one in page["proposals"]] == made[:0:-1]
    rest = listed(limit=2, before=page["next_before"])
    assert [one["proposal_id"] for one in rest["proposals"]] == made[:1]
    assert rest["next_before"] is None
    (allowed,) = listed(decision="allow")["proposals"]
    assert allowed["items"] == [{"kind": "state_delta", "keys": ["goal.repair"]}]
    for wrong in ("decision=maybe", "before=x", "limit=0", "limit=1001", "offset=1"):
        answer = case.agent.get(f"{case.path}/proposals?{wrong}")
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST")


def test_a_decision_is_explained(case: Case) -> None:
    made = case.propose(CALL, GOAL, atomic=False).json()["proposal_id"]
    told = has(case.agent.get(f"{case.path}/proposals/{made}/explain"), answers.DecisionExplained)
    first = told["items"][0]["constraints"][0]
    assert (first["key"], first["outcome"]) == ("constraint.isolated", "denies")
    assert first["condition"]["args"][0]["read"] == {"fact.belief.n_survivors_independent": 2}
    assert case.secret not in str(told)
    for unknown in ("x", NO_EVENT):
        answer = case.agent.get(f"{case.path}/proposals/{unknown}/explain")
        assert refusal(answer)[:2] == (404, "EVENT_NOT_FOUND")
    declared = events(case.agent, case.path)[0]["event_id"]
    answer = case.agent.get(f"{case.path}/proposals/{declared}/explain")
    assert refusal(answer)[2]["member"] == "proposal_id"


def test_what_is_permitted_is_told_to_who_shows_the_secret(case: Case) -> None:
    path = f"{case.path}/permitted"
    shown = {"X-Capability-Token": case.secret}
    told = has(case.agent.get(path, headers=shown), answers.Permitted)
    (tool,) = (one for one in told["tools"] if one["tool_id"] == "db.restart")
    assert {one["code"] for one in tool["reasons"]} == {"CONSTRAINT_DENIED"}
    (tool,) = has(case.agent.get(path), answers.Permitted)["tools"][:1]
    assert tool["reason_code"] == "TOKEN_MISSING"
    twice = case.agent.get(path, headers=[*shown.items(), *shown.items()])
    assert refusal(twice)[2] == {"member": "X-Capability-Token", "problem": "may be sent once"}
    in_url = case.agent.get(path, params={"capability_token": case.secret})
    assert refusal(in_url)[2] == {"unknown": ["capability_token"]}
    strange = case.agent.get(path, headers={"X-Capability-Token": "ü".encode()})
    assert has(strange, answers.Permitted)["tools"][0]["reason_code"] == "TOKEN_UNKNOWN"


def test_another_policy_is_tried_on_what_was_proposed(case: Case) -> None:
    made = case.propose().json()["proposal_id"]
    path = f"{case.path}/policy-replay"
    asked = {"pack": "supervised", "version": "1", "limit": "1"}
    told = has(case.agent.get(path, params=asked), Replayed)
    assert (told["n_proposals"], told["n_flips"]) == (1, 1)
    assert told["flips"][0]["proposal_id"] == made
    assert told["flips"][0]["replayed"]["disposition"] == "ask"
    assert has(case.agent.get(f"{path}?pack=belief-gated"), Replayed)["n_flips"] == 0
    is_example(case.agent.get(f"{path}?pack=none"), "POLICY_NOT_FOUND")
    assert refusal(case.agent.get(path))[2] == {"member": "pack", "problem": "is missing"}
    assert refusal(case.agent.get(f"{path}?pack=a&version=x"))[2]["member"] == "version"


def test_a_token_shows_its_secret_once(case: Case, policy: Client) -> None:
    path, key = f"{case.path}/capability-tokens", {"Idempotency-Key": "k"}
    first = policy.post(path, json=grant(), headers=key)
    told = has(first, TokenIssued, 201)
    assert first.headers["location"] == f"{path}/{told['token_id']}"
    again = has(policy.post(path, json=grant(), headers=key), TokenIssued)
    assert again["secret"] is None
    assert again | {"secret": told["secret"], "duplicate": False} == told
    listed = policy.get(path)
    found = has(listed, CapabilityTokens)["capability_tokens"]
    assert [one["token_id"] for one in found] == [case.token_id, told["token_id"]]
    assert told["secret"] not in listed.text
    assert refusal(case.agent.post(path, json=grant()))[:2] == (403, "FORBIDDEN")
    assert refusal(policy.post(path, json=grant(expires_at=None)))[2]["member"] == "expires_at"


def test_a_holder_makes_a_narrower_token_and_no_wider_one(case: Case, policy: Client) -> None:
    path, parent = f"{case.path}/capability-tokens", {"parent": case.token_id}
    narrow = {"holder": "bob", "tools": ["db.restart"], "budgets": {"max_calls": 1}, **parent}
    made = has(case.agent.post(path, json=narrow), TokenIssued, 201)
    (_, child) = policy.get(path).json()["capability_tokens"]
    assert (child["token_id"], child["parent_id"]) == (made["token_id"], case.token_id)
    wide = narrow | {"budgets": {"max_calls": 6}}
    is_example(case.agent.post(path, json=wide), "CONFLICT of a narrower token")
    unknown = narrow | {"parent": NO_EVENT}
    is_example(case.agent.post(path, json=unknown), "TOKEN_NOT_FOUND of a session")
    answer = case.agent.post(path, json=narrow | {"parent": "x"})
    problem = "must be the id of a capability token"
    assert refusal(answer)[2] == {"member": "parent", "problem": problem}


def test_a_token_that_is_revoked_counts_no_more(case: Case) -> None:
    path = f"{case.path}/capability-tokens/{case.token_id}"
    stale = {"If-Match": f'"{NO_EVENT}"'}
    is_example(case.agent.delete(path, headers=stale), "CONFLICT as 412")
    answer = case.agent.delete(path, headers={"Prefer": "return=minimal"})
    told = has(answer, TokenRevoked)
    assert "survivors" not in told["snapshot"]
    assert answer.headers["etag"] == f'"{told["audit_event_id"]}"'
    assert has(case.agent.delete(path), TokenRevoked)["duplicate"]
    assert case.propose(GOAL).json()["reason_code"] == "TOKEN_REVOKED"
    for unknown in ("x", NO_EVENT):
        answer = case.agent.delete(f"{case.path}/capability-tokens/{unknown}")
        is_example(answer, "TOKEN_NOT_FOUND of a session")


def test_a_claim_is_recorded_or_denied(case: Case) -> None:
    path, key = f"{case.path}/claims", {"Idempotency-Key": "k"}
    made = case.agent.post(path, json=CLAIM, headers=key)
    told = is_new(made, ClaimTold, case.agent)
    assert (told["kind"], told["confirmed"], told["decision"]) == ("hypothesis", False, "allow")
    assert made.headers["etag"] == f'"{told["audit_event_id"]}"'
    again = case.agent.post(path, json=CLAIM, headers=key)
    assert has(again, ClaimTold) == told | {"duplicate": True}
    denied = has(case.agent.post(path, json=CLAIM | {"kind": "fact"}), ClaimTold)
    assert (denied["claim_id"], denied["reason_code"]) == (None, "CLAIM_NOT_CONFIRMED")
    (listed,) = has(case.agent.get(path), Claims)["claims"]
    assert listed["claim_id"] == told["claim_id"]
    content = msgspec.json.encode(CLAIM).replace(b"1.1}", b"1.10}")
    case.agent.post(path, content=content, headers=JSON)
    assert '"value": {"s": 1.10}' in case.agent.get(path).text
    assert has(case.agent.get(f"{path}?key=other"), Claims)["claims"] == []
    gone = CLAIM | {"ttl_ms": 1, "key": "gone"}
    assert case.agent.post(path, json=gone).status_code == 201
    whole = {"key": "gone", "history": "true", "limit": "1"}
    assert len(has(case.agent.get(path, params=whole), Claims)["claims"]) == 1
    assert refusal(case.agent.get(f"{path}?history=1"))[2]["member"] == "history"


def test_a_claim_is_confirmed_and_promoted(case: Case, approver: Client) -> None:
    path = f"{case.path}/claims"
    claim_id = case.agent.post(path, json=CLAIM).json()["claim_id"]
    digest = case.agent.get(path).json()["claims"][0]["value_digest"]
    confirm = {"value_digest": digest, "comment": "seen", "notes": "n"}
    assert refusal(case.agent.post(f"{path}/lag/confirm", json=confirm))[:2] == (403, "FORBIDDEN")
    confirmed = has(approver.post(f"{path}/lag/confirm", json=confirm), Confirmed)
    evidence = {"confirmed_by_event_id": confirmed["audit_event_id"]}
    promote = f"{path}/{claim_id}/promote"
    told = has(case.agent.post(promote, json=evidence), ClaimTold)
    assert (told["kind"], told["confirmed"], told["decision"]) == ("fact", True, "allow")
    assert case.agent.get(path).json()["claims"][0]["promotes"] == claim_id
    again = has(case.agent.post(promote), ClaimTold)
    assert again["reason_code"] == "CLAIM_NEW_EVIDENCE_REQUIRED"
    for unknown in ("x", NO_EVENT):
        answer = case.agent.post(f"{path}/{unknown}/promote", json=evidence)
        is_example(answer, "CLAIM_NOT_FOUND")
    assert refusal(approver.post(f"{path}/lag/confirm", json={"value_digest": "x"}))[2] == {
        "member": "value_digest",
        "problem": "must be the sha-256 of the value in lower-case hexadecimal",
    }


KEYS = ["a/b", "/", "//", "%2F", "promote", "confirm", "a/promote", "x/confirm", "ä ", ".", "?&="]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_any_text(
    site: SimpleNamespace, case: Case, approver: Client, policy: Client, key: str
) -> None:
    path, body = f"{case.path}/claims", {"value_digest": "0" * 64}
    made = case.agent.post(path, json=CLAIM | {"key": key})
    is_new(made, ClaimTold, case.agent)
    (listed,) = case.agent.get(made.headers["location"]).json()["claims"]
    assert listed["key"] == key
    written = "%2E" if key == "." else quote(key, safe="")
    answer = approver.post(f"{path}/{written}/confirm", json=body)
    assert answer.status_code == 200, answer.text
    assert events(case.agent, case.path)[-1]["payload"]["key"] == key
    if set(key) <= set("/abcdefghijklmnopqrstuvwxyz"):
        shown = f"Authorization: {approver.headers['Authorization']}"
        sent = post(f"{path}/{key}/confirm", msgspec.json.encode(body), shown)
        assert answered(exchange(site.address, sent))[0] == 200
        assert events(case.agent, case.path)[-1]["payload"]["key"] == key


FIXTURE = {"item": CALL, "expect": {"decision": "allow"}}


def test_a_pack_is_published_in_versions(policy: Client, agent: Client) -> None:
    name, entries = f"p {uuid4()}", {"constraint.a": ALLOW}
    path = f"/v1/policies/{quote(name)}/versions"
    body = {"entries": entries, "fixtures": [FIXTURE]}
    made = is_new(policy.post(path, json=body), of_rollout.Published, policy)
    assert (made["version"], made["n_fixtures"]) == (1, 1)
    assert has(policy.post(path, json=body), of_rollout.Published) == made | {"duplicate": True}
    entries |= {"constraint.b": '{"v":1,"effect":"deny","subject":{"capability":"x"}}'}
    second = policy.post(path, json=body)
    assert is_new(second, of_rollout.Published, policy)["version"] == 2
    assert second.headers["location"] == f"{path}/2"
    found = has(agent.get(f"{path}/2"), of_policies.PolicyVersion)
    assert (found["pack"], found["fixtures"]) == (name, [FIXTURE])
    assert found["entries"].keys() == entries.keys()
    listed = has(agent.get(path), of_policies.Policies)["policies"]
    assert [one["version"] for one in listed] == [1, 2]
    packs = [
        one["pack"] for one in has(agent.get("/v1/policies"), of_policies.Policies)["policies"]
    ]
    assert {name, "deny-all", "supervised"} <= {*packs}
    assert refusal(agent.post(path, json=body))[:2] == (403, "FORBIDDEN")
    taken = "/v1/policies/supervised/versions"
    is_example(policy.post(taken, json=body), "CONFLICT of a policy pack")


def test_a_pack_that_is_wrong_is_not_published(policy: Client) -> None:
    path = f"/v1/policies/{uuid4()}/versions"
    bad = policy.post(path, json={"entries": {"constraint.a": {"v": 2}}})
    assert refusal(bad)[2]["findings"][0]["key"] == "constraint.a"
    fails = {**FIXTURE, "name": "f", "expect": {"decision": "deny"}}
    body = {"entries": {"constraint.a": ALLOW}, "fixtures": [fails]}
    assert refusal(policy.post(path, json=body))[2]["failed"][0]["name"] == "f"
    for entries in (None, [], 1, "x"):
        answer = policy.post(path, json={"entries": entries})
        assert refusal(answer)[2]["member"] == "entries"
    assert refusal(policy.get(path)) == (
        404,
        "POLICY_NOT_FOUND",
        {"pack": path.split("/")[3], "version": None},
    )


def test_a_large_pack_is_taken(policy: Client) -> None:
    """Of more than 8 MiB, as a declare may have."""
    path = f"/v1/policies/{uuid4()}/versions"
    content = msgspec.json.encode({"entries": {"constraint.a": ALLOW}}) + b" " * 9 * 2**20
    has(policy.post(path, content=content, headers=JSON), of_rollout.Published, 201)
    more = content + b" " * 56 * 2**20
    answer = policy.post(path, content=more, headers=JSON)
    assert refusal(answer) == (413, "PAYLOAD_TOO_LARGE", {"member": "body", "limit": "64 MiB"})


@pytest.mark.parametrize("rest", ["", "/diff?to=1", "/lint", "/test"])
def test_a_version_that_is_not_there_is_not_found(policy: Client, rest: str) -> None:
    method = "POST" if rest == "/test" else "GET"
    there = pack(policy).removesuffix("/1")
    for path in (f"{there}/2", f"/v1/policies/{uuid4()}/versions/1"):
        is_example(policy.request(method, path + rest), "POLICY_NOT_FOUND")
    for version in ("x", "0", "-1", "1.0", "9" * 30, "%00", "latest"):
        answer = policy.request(method, f"{there}/{version}{rest}")
        assert refusal(answer)[:2] == (404, "POLICY_NOT_FOUND"), version


def test_versions_are_compared(policy: Client, agent: Client) -> None:
    path = pack(policy, {"constraint.a": ALLOW, "policy.x": {"v": 1}})
    deny = {**ALLOW, "effect": "deny"}
    entries = {"constraint.a": deny, "constraint.b": ALLOW}
    policy.post(path.removesuffix("/1"), json={"entries": entries})
    told = has(agent.get(f"{path}/diff?to=2"), of_policies.PolicyDiff)
    assert [one["key"] for one in told["added"]] == ["constraint.b"]
    assert [one["key"] for one in told["removed"]] == ["policy.x"]
    assert msgspec.json.decode(told["changed"][0]["to"]) == deny
    other = has(agent.get(f"{path}/diff?to=1&to_pack=deny-all"), of_policies.PolicyDiff)
    assert other["to"] == {"pack": "deny-all", "version": 1}
    is_example(agent.get(f"{path}/diff?to=3"), "POLICY_NOT_FOUND")
    assert refusal(agent.get(f"{path}/diff"))[2] == {"member": "to", "problem": "is missing"}
    assert refusal(agent.get(f"{path}/diff?to=x"))[2]["member"] == "to"


def test_entries_are_linted_before_and_after(policy: Client, agent: Client) -> None:
    unknown = {**ALLOW, "subject": {"tool_id": "no.such.tool"}}
    found = has(agent.get(f"{pack(policy, {'constraint.a': unknown})}/lint"), of_policies.Linted)
    assert (found["n_errors"], found["n_warnings"]) == (0, 1)
    body = {"entries": {"constraint.a": unknown, "constraint.b": {"v": 3}}}
    found = has(agent.post("/v1/policies/lint", json=body), of_policies.Linted)
    assert (found["n_errors"], found["n_warnings"]) == (1, 1)


def test_fixtures_are_run(policy: Client, agent: Client) -> None:
    path = pack(policy, fixtures=[{**FIXTURE, "name": "own"}])
    own = has(agent.post(f"{path}/test"), of_rollout.Tested)
    assert (own["n_failed"], own["results"][0]["name"]) == (0, "own")
    fails = {**FIXTURE, "expect": {"decision": "deny"}}
    told = has(agent.post(f"{path}/test", json={"fixtures": [fails, FIXTURE]}), of_rollout.Tested)
    assert (told["n_fixtures"], told["n_failed"]) == (2, 1)
    assert [one["ok"] for one in told["results"]] == [False, True]
    assert refusal(agent.post(f"{path}/test", json={"fixtures": [1]}))[2]["member"] == "fixtures[0]"


def test_the_kill_switch_stops_all_and_lets_go(case: Case, policy: Client) -> None:
    path, on = "/v1/policies/halt", {"is_halted": True, "reason": "it loops"}
    assert refusal(case.agent.put(path, json=on))[:2] == (403, "FORBIDDEN")
    try:
        assert has(policy.put(path, json=on), of_policies.Halted)["halted"] == "it loops"
        assert policy.get("/v1/policies").json()["halted"] == "it loops"
        assert case.propose(GOAL).json()["decision"] == "deny"
    finally:
        off = policy.put(path, json=on | {"is_halted": False})
    assert has(off, of_policies.Halted) == {"tenant": "default", "halted": None}
    assert case.propose(GOAL).json()["decision"] == "allow"
    wrong = policy.put(path, json=on | {"is_halted": "yes"})
    assert refusal(wrong)[2] == {"member": "is_halted", "problem": "must be true or false"}


@pytest.mark.parametrize("name", ["fs.write", "a/b", "%2F", "ü ñ", "..", "x/"])
def test_a_tool_is_registered_and_withdrawn(policy: Client, agent: Client, name: str) -> None:
    path = f"/v1/tools/{'%2E%2E' if name == '..' else quote(name, safe='')}"
    definition = {"version": "1", "authorities": ["fs"], "mutating": False}
    made = policy.put(path, json=definition)
    told = is_new(made, ToolRegistered, agent)
    again = policy.put(path, json=definition)
    assert has(again, ToolRegistered) == told | {"duplicate": True}
    other = policy.put(path, json=definition | {"mutating": True})
    assert has(other, ToolRegistered, 201)["tool_hash"] != told["tool_hash"]
    found = has(agent.get(made.headers["location"]), Tool)
    assert (found["tool_id"], found["definition"]["mutating"]) == (name, True)
    assert found in has(agent.get("/v1/tools"), Tools)["tools"]
    assert refusal(agent.delete(path))[:2] == (403, "FORBIDDEN")
    assert has(policy.delete(path), ToolRegistered)["withdrawn"]
    assert has(policy.delete(path), ToolRegistered)["duplicate"]
    assert has(agent.get(path), Tool)["definition"] is None


def test_slashes_in_an_id_may_stand_as_they_are(policy: Client, agent: Client) -> None:
    has(policy.put("/v1/tools/git/push/force", json={}), ToolRegistered, 201)
    assert agent.get("/v1/tools/git%2Fpush%2Fforce").json()["tool_id"] == "git/push/force"
    path = "/v1/schemas/https://example.org/x.json"
    has(policy.put(path, json={}), SchemaRegistered, 201)
    assert agent.get(path).json()["schema_id"] == "https://example.org/x.json"


def test_a_tool_that_is_not_there_is_not_found(policy: Client) -> None:
    for method in ("GET", "DELETE"):
        is_example(policy.request(method, "/v1/tools/none"), "TOOL_NOT_FOUND")
    unknown = policy.put("/v1/tools/t", json={"args_schema": "none"})
    is_example(unknown, "SCHEMA_NOT_FOUND")
    for member, wrong in (("mutating", 1), ("effect_class", "x"), ("authorities", "fs")):
        answer = policy.put("/v1/tools/t", json={member: wrong})
        assert refusal(answer)[2]["member"] == member


def test_a_schema_is_registered_for_ever(policy: Client, agent: Client) -> None:
    path = f"/v1/schemas/{uuid4()}"
    document = {"type": "object", "properties": {"a": {"type": "integer", "maximum": 500}}}
    made = is_new(policy.put(path, json=document), SchemaRegistered, agent)
    again = policy.put(path, json=document)
    assert has(again, SchemaRegistered) == made | {"duplicate": True}
    is_example(policy.put(path, json={"type": "object"}), "CONFLICT of a schema")
    found = has(agent.get(path), Schema)
    assert found.pop("document") == document
    assert found in has(agent.get("/v1/schemas"), Schemas)["schemas"]
    is_example(agent.get("/v1/schemas/none"), "SCHEMA_NOT_FOUND")
    assert refusal(agent.put(path, json=document))[:2] == (403, "FORBIDDEN")
    for wrong in ({"frmat": "x"}, {"type": "nothing"}, {"$ref": "https://x"}):
        answer = policy.put(f"/v1/schemas/{uuid4()}", json=wrong)
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST")
    for content in (b"", b"[]", b"true", b'{"type": "object", "type": "object"}'):
        answer = policy.put(f"/v1/schemas/{uuid4()}", content=content, headers=JSON)
        assert refusal(answer)[2]["member"] == "body"


def test_who_sees_all_names_a_tenant(site: SimpleNamespace, policy: Client) -> None:
    with (
        client_of(site, "root", "policy", tenant="*") as root,
        client_of(site, "eve", "policy", tenant="red") as eve,
    ):
        name = f"p{uuid4()}"
        path = f"/v1/policies/{name}/versions"
        body = {"entries": {"constraint.a": ALLOW}}
        made = root.post(path, json=body, params={"tenant": "red"})
        assert made.headers["location"] == f"{path}/1?tenant=red"
        is_new(made, of_rollout.Published, root)
        assert eve.get(path).status_code == 200
        assert refusal(policy.get(path))[:2] == (404, "POLICY_NOT_FOUND")
        for where in ("/v1/tools/t.red", "/v1/schemas/s.red"):
            made = root.put(where, json={}, params={"tenant": "red"})
            assert root.get(made.headers["location"]).status_code == 200
            assert eve.get(where).status_code == 200
            assert policy.get(where).status_code == 404
        assert root.get("/v1/tools?tenant=red").json()["tools"][0]["tool_id"] == "t.red"
        assert root.get("/v1/schemas?tenant=red").json()["schemas"][0]["schema_id"] == "s.red"
        assert refusal(policy.get("/v1/tools?tenant=red"))[:2] == (403, "FORBIDDEN")
        session = eve.declare("a")
        for rest in ("/state", "/proposals", "/claims", "/capability-tokens", "/permitted"):
            assert refusal(policy.get(session + rest))[:2] == (404, "SESSION_NOT_FOUND")


DIGEST = {"value_digest": "0" * 64}
PROPOSAL = {"state_snapshot_id": NO_EVENT, "provenance": {"source": "s"}, "items": [GOAL]}
# Of each route with a body: method, path, a body that is whole, and the members it must have.
BODIES: dict[str, tuple[str, dict[str, Any], str]] = {
    "/arbitration": ("POST", GATED, "pack version"),
    "/proposals": ("POST", PROPOSAL, "state_snapshot_id provenance items"),
    "/capability-tokens": ("POST", grant(), "holder"),
    "/claims": ("POST", CLAIM, "key kind value"),
    f"/claims/{NO_EVENT}/promote": ("POST", {}, ""),
    "/claims/k/confirm": ("POST", DIGEST, "value_digest"),
    "/v1/policies/p/versions": ("POST", {"entries": {}}, "entries"),
    "/v1/policies/lint": ("POST", {"entries": {}}, "entries"),
    "/v1/policies/halt": ("PUT", {"is_halted": False, "reason": "r"}, "is_halted reason"),
    "/v1/policies/deny-all/versions/1/test": ("POST", {}, ""),
    "/v1/tools/t": ("PUT", {}, ""),
}


@pytest.fixture
def anybody(web: Client) -> Client:
    """Who needs no token, and may all."""
    return web


def contents(database: str) -> list[Any]:
    tables = ("audit_event", "policy_version", "policy_halt", "tool_registration", "json_schema")
    with psycopg.connect(database) as store:
        counted = [f"select count(*) from cmbs_store.{table}" for table in tables]
        return [store.execute(query.encode()).fetchone() for query in counted]


def test_bodies_have_known_members_each_once_and_all_that_are_needed(
    anybody: Client, database: str
) -> None:
    session = anybody.declare("a")
    before = contents(database)
    for path, (method, body, needed) in BODIES.items():
        where = path if path.startswith("/v1") else session + path

        def sent(content: bytes, method: str = method, where: str = where) -> Any:
            return refusal(anybody.request(method, where, content=content, headers=JSON))

        unknown = msgspec.json.encode({**body, "zz": 1, "a": {}})
        assert sent(unknown) == (400, "INVALID_REQUEST", {"unknown": ["a", "zz"]}), path
        for name in needed.split():
            rest = {key: of for key, of in body.items() if key != name}
            details = {"member": name, "problem": "is missing"}
            assert sent(msgspec.json.encode(rest)) == (400, "INVALID_REQUEST", details), path
            twice = msgspec.json.encode(body)[:-1] + b',"%s":1}' % name.encode()
            assert sent(twice)[2]["problem"] == "a key may appear once in an object", path
        assert sent(b"[1]")[2] == {"member": "body", "problem": "must be a JSON object"}, path
        problem = "must be a JSON text; it ends too early, at line 1, column 4"
        assert sent(b'{"a')[2] == {"member": "body", "problem": problem}
        large = 64 if "/versions" in path or path.endswith("lint") else 8
        details = {"member": "body", "limit": f"{large} MiB"}
        assert sent(b" " * (large * 2**20 + 1)) == (413, "PAYLOAD_TOO_LARGE", details), path
        text = anybody.request(method, where, content=b"{}", headers={"Content-Type": "text/plain"})
        assert refusal(text)[:2] == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert contents(database) == before


def test_messages_go_to_a_session_that_is_there_and_not_over(anybody: Client) -> None:
    over = anybody.declare("a")
    assert anybody.post(f"{over}/terminate").json()["approved"]
    other = anybody.declare("b")[-36:]
    for path, (_, body, _) in BODIES.items():
        if path.startswith("/v1"):
            continue
        assert refusal(anybody.post(NOBODY + path, json=body))[:2] == (404, "SESSION_NOT_FOUND")
        nowhere = anybody.post(f"/v1/sessions/x{path}", json=body)
        assert refusal(nowhere)[:2] == (404, "SESSION_NOT_FOUND")
        if "promote" not in path:
            answer = anybody.post(over + path, json=body)
            assert refusal(answer)[:2] == (409, "SESSION_TERMINATED"), path
        if "arbitration" in path or "confirm" in path:
            answer = anybody.post(over + path, json=body | {"session_id": other})
            problem = "must be the one in the path"
            assert refusal(answer)[2] == {"member": "session_id", "problem": problem}
    for path in ("state", "proposals", "claims", "capability-tokens", "permitted"):
        assert refusal(anybody.get(f"{NOBODY}/{path}"))[:2] == (404, "SESSION_NOT_FOUND")
    for path in (f"proposals/{NO_EVENT}/explain", "policy-replay?pack=deny-all"):
        assert refusal(anybody.get(f"{NOBODY}/{path}"))[:2] == (404, "SESSION_NOT_FOUND")
    revoke = anybody.delete(f"{NOBODY}/capability-tokens/{NO_EVENT}")
    assert refusal(revoke)[:2] == (404, "SESSION_NOT_FOUND")
    for wrong in ("include=all", "include=", "as_of=x", "as_of=2026-11-18T07:49:06Z"):
        assert refusal(anybody.get(f"{over}/state?{wrong}"))[:2] == (400, "INVALID_REQUEST")
    foreign = anybody.get(f"{over}/state", params={"as_of": NO_EVENT})
    assert refusal(foreign)[:2] == (404, "EVENT_NOT_FOUND")
    assert anybody.get(f"{over}/state").status_code == 200
