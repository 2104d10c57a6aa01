"""Permits, questions, deferrals, modes and shadows over HTTP: what each route gives and refuses."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from cmbs.api.rooms.interrupt.answers import Inbox, Questions, Resolved, WatchedQuestion, WebhookSet
from cmbs.api.rooms.permit import answers
from cmbs.api.rooms.rollout.answers import Applied, ModeSet
from cmbs.api.rooms.upkeep.answers import Swept
from cmbs.api.rooms.verdict import answers as of_arbitration
from cmbs.api.rooms.verdict.answers import Deferrals
from cmbs.api.shell.admission import Terms
from tests.http.test_arbitration import ENDS, client_of
from tests.http.test_identities import has, is_example
from tests.http.wire import JSON, NO_EVENT, NOBODY, answered, events, exchange, post
from tests.support.web import ONTOLOGY, Client, bearer, refusal, site_over, token_of

TOOL = "db.restart"
CALL = {"kind": "tool_call", "tool_id": TOOL, "args": {"host": "db-1"}}
ASKS = {"pack": "supervised", "version": 1}
WAITS = {
    "v": 1,
    "effect": "deny",
    "subject": {"tool_id": TOOL},
    "when": {"op": "missing", "args": ["fact.ready"]},
    "on_fail": "defer",
}
GRANT = {"policy.arbitration": {"v": 1, "default": "grant"}}


@pytest.fixture(scope="module")
def site(server: SimpleNamespace, template: Any) -> Iterator[SimpleNamespace]:
    with site_over(server, template, "execution", Terms(rate=0)) as site:
        yield site


@pytest.fixture(scope="module")
def policy(site: SimpleNamespace) -> Iterator[Client]:
    with client_of(site, "ann", "policy") as client:
        assert client.put(f"/v1/tools/{TOOL}", json={}).status_code == 201
        yield client


@pytest.fixture(scope="module")
def agent(site: SimpleNamespace, policy: Client) -> Iterator[Client]:
    with client_of(site, "bob", "agent", "tool") as client:
        yield client


@pytest.fixture(scope="module")
def approver(site: SimpleNamespace) -> Iterator[Client]:
    with client_of(site, "carl", "approver") as client:
        yield client


@pytest.fixture(scope="module")
def admin(site: SimpleNamespace) -> Iterator[Client]:
    with client_of(site, "ada", "admin", tenant="*") as client:
        yield client


class Held(SimpleNamespace):
    """A session of the agent under a pack, and a token that lets it call the tool."""

    agent: Client
    policy: Client
    path: str
    secret: str

    def propose(self, *items: Any, key: str | None = None, **more: Any) -> Any:
        sent = {
            "state_snapshot_id": self.agent.get(self.path).json()["audit_head_event_id"],
            "provenance": {"source": "agent://bob"},
            "items": items or (CALL,),
            "capability_token": self.secret,
            "idempotency_key": key or str(uuid4()),
        }
        answer = self.agent.post(f"{self.path}/proposals", json=sent | more)
        return has(answer, of_arbitration.Proposed)

    def permit(self) -> str:
        """The path of a permit for a call that is allowed."""
        told = self.propose()
        assert told["decision"] == "allow", told["reasons"]
        return f"{self.path}/permits/{told['items'][0]['permit_id']}"

    def ask(self) -> tuple[str, str]:
        """The paths of a question, and of the proposal that goes on when it is answered."""
        told = self.propose()
        assert told["disposition"] == "ask", told["reasons"]
        question = f"{self.path}/interrupts/{told['items'][0]['interrupt_id']}"
        return question, f"{self.path}/proposals/{told['proposal_id']}/resume"


def held(agent: Client, policy: Client, **arbitration: Any) -> Held:
    path = agent.declare("a", "b", arbitration=arbitration)
    grant = {"holder": "bob", "tools": [TOOL], "budgets": {"max_calls": 9}, "expires_at": ENDS}
    grant["state_prefixes"] = ["fact."]
    made = policy.post(f"{path}/capability-tokens", json=grant).json()
    return Held(agent=agent, policy=policy, path=path, secret=made["secret"])


def published(policy: Client, **entries: Any) -> dict[str, Any]:
    """The name and version of a new pack, in which a token is enough but for these entries."""
    more = {key.replace("_", "."): entry for key, entry in entries.items()}
    name = str(uuid4())
    made = policy.post(f"/v1/policies/{name}/versions", json={"entries": GRANT | more})
    assert made.status_code == 201, made.text
    return {"pack": name, "version": 1}


@pytest.fixture
def allowed(agent: Client, policy: Client) -> Held:
    return held(agent, policy, **published(policy))


@pytest.fixture
def asked(agent: Client, policy: Client) -> Held:
    return held(agent, policy, **ASKS)


def reason(answer: Any) -> str:
    status, code, details = refusal(answer)
    assert (status, code) == (409, "CONFLICT")
    return str(details["reason_code"])


def test_a_call_is_executed_once(agent: Client, allowed: Held) -> None:
    told = allowed.propose()
    item = told["items"][0]
    path = f"{allowed.path}/permits/{item['permit_id']}"
    permit = has(agent.get(path), answers.Permit)
    assert (permit["status"], permit["expires_at"]) == ("issued", item["permit"]["expires_at"])
    begun = agent.post(f"{path}/begin", headers={"Idempotency-Key": "b"})
    answer = has(begun, answers.Begun)
    assert (answer["tool_id"], answer["args"]) == (TOOL, CALL["args"])
    assert begun.headers["etag"] == f'"{answer["audit_event_id"]}"'
    again = agent.post(f"{path}/begin", json={"notes": "n"}, headers={"Idempotency-Key": "b"})
    assert has(again, answers.Begun) == answer | {"duplicate": True}
    for sent in ({}, {"json": {}}):
        refused = agent.post(f"{path}/begin", **sent)
        assert reason(refused) == "PERMIT_USED"
        is_example(refused, "CONFLICT of a permit")
    end = {"outcome": "ok", "result": {"n": 1}, "usage": {"max_calls": 2}, "notes": "n"}
    ended = has(agent.post(f"{path}/complete", json=end), answers.Completed)
    assert (ended["status"], ended["duplicate"]) == ("committed", False)
    again = agent.post(f"{path}/complete", json=end)
    assert has(again, answers.Completed) == ended | {"duplicate": True}
    other = agent.post(f"{path}/complete", json=end | {"outcome": "error"})
    assert reason(other) == "PERMIT_COMPLETED"
    shown = has(agent.get(path), answers.Permit)
    assert shown["ended"].items() > {"result": {"n": 1}, "usage": {"max_calls": 2}}.items()
    assert events(agent, allowed.path)[-1]["notes"] == "n"
    assert agent.get(f"{allowed.path}/verify").json()["ok"]


def test_what_failed_is_rolled_back_also_after_the_end(agent: Client, allowed: Held) -> None:
    path = allowed.permit()
    end = {"outcome": "error", "session_id": allowed.path[-36:], "result": None, "usage": None}
    assert reason(agent.post(f"{path}/complete", json=end)) == "PERMIT_NOT_BEGUN"
    minimal = {"Prefer": "return=minimal"}
    begun = agent.post(f"{path}/begin", json={}, headers=minimal)
    assert "survivors" not in has(begun, answers.Begun)["snapshot"]
    assert begun.headers["preference-applied"] == "return=minimal"
    agent.post(f"{allowed.path}/eliminate", json=message("a"))
    ended = agent.post(f"{allowed.path}/terminate")
    assert ended.json()["approved"]
    assert has(agent.post(f"{path}/complete", json=end), answers.Completed)["status"] == (
        "rolled_back"
    )


def message(*ids: str) -> dict[str, Any]:
    return {"source_id": "s", "observation_id": str(uuid4()), "eliminated": ids}


def test_a_result_keeps_its_digits(site: SimpleNamespace, agent: Client, allowed: Held) -> None:
    path = allowed.permit()
    agent.post(f"{path}/begin")
    body = b'{"outcome": "ok", "result": {"n": 1.10, "m": 1e2}}'
    sent = ("Authorization: " + agent.headers["authorization"],)
    status, _, _ = answered(exchange(site.address, post(f"{path}/complete", body, *sent)))
    assert status == 200
    assert '"result": {"m": 100, "n": 1.10}' in agent.get(path).text.replace(" :", ":")


def test_permits_are_listed_by_what_became_of_them(agent: Client, allowed: Held) -> None:
    first, second, third = (allowed.permit() for _ in "123")
    agent.post(f"{second}/begin")
    agent.post(f"{third}/begin")
    agent.post(f"{third}/complete", json={"outcome": "ok"})

    def listed(**query: Any) -> Any:
        return has(agent.get(f"{allowed.path}/permits", params=query), answers.Permits)

    newest = [path[-36:] for path in (third, second, first)]
    assert [one["permit_id"] for one in listed()["permits"]] == newest
    assert [one["status"] for one in listed()["permits"]] == ["committed", "executing", "issued"]
    assert [one["permit_id"] for one in listed(status="issued")["permits"]] == [newest[2]]
    page = listed(limit=2)
    after = listed(limit=2, before=page["next_before"])
    assert [one["permit_id"] for one in (*page["permits"], *after["permits"])] == newest
    assert after["next_before"] is None
    for wrong in ({"status": "x"}, {"limit": 0}, {"before": "x"}, {"wait": 1}):
        answer = agent.get(f"{allowed.path}/permits", params=wrong)
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST"), wrong


@pytest.mark.parametrize("name", ["x", NO_EVENT, "%00", "a%2Fb"])
def test_what_is_not_there_is_not_found(agent: Client, asked: Held, name: str) -> None:
    body = {"outcome": "ok"}
    permit, question = f"{asked.path}/permits/{name}", f"{asked.path}/interrupts/{name}"
    for answer in (
        agent.get(permit),
        agent.post(f"{permit}/begin"),
        agent.post(f"{permit}/complete", json=body),
    ):
        assert refusal(answer)[:2] == (404, "PERMIT_NOT_FOUND")
        is_example(answer, "PERMIT_NOT_FOUND")
    for answer in (agent.get(question), agent.get(question, params={"wait": 55})):
        assert refusal(answer)[:2] == (404, "INTERRUPT_NOT_FOUND")
        is_example(answer, "INTERRUPT_NOT_FOUND")
    resume = f"{asked.path}/proposals/{name}/resume"
    again = agent.post(resume, json={"items": [CALL]})
    assert refusal(again)[:2] == (404, "EVENT_NOT_FOUND")


ROUTES = {
    "permits": ("GET", None, answers.Permits),
    f"permits/{NO_EVENT}": ("GET", None, answers.Permit),
    f"permits/{NO_EVENT}/begin": ("POST", None, answers.Begun),
    f"permits/{NO_EVENT}/complete": ("POST", {"outcome": "ok"}, answers.Completed),
    "interrupts": ("GET", None, Questions),
    f"interrupts/{NO_EVENT}": ("GET", None, WatchedQuestion),
    f"interrupts/{NO_EVENT}/resolve": ("POST", {"resolution": "cancel"}, Resolved),
    f"proposals/{NO_EVENT}/resume": ("POST", {"items": [CALL]}, of_arbitration.Proposed),
    "deferrals": ("GET", None, Deferrals),
    "mode": ("POST", {"mode": "eco"}, ModeSet),
    "sweep": ("POST", {}, Swept),
}


@pytest.mark.parametrize("route", ROUTES)
def test_of_no_session_there_is_nothing(site: SimpleNamespace, agent: Client, route: str) -> None:
    method, body, _ = ROUTES[route]
    roles = ("agent", "approver", "policy")
    with client_of(site, str(uuid4()), *roles) as client:
        more = {} if body is None else {"json": body}
        for session in (NOBODY, "/v1/sessions/x"):
            answer = client.request(method, f"{session}/{route}", **more)
            assert refusal(answer)[:2] == (404, "SESSION_NOT_FOUND")
    with client_of(site, str(uuid4()), *roles, tenant="elsewhere") as client:
        answer = client.request(method, f"{agent.declare('a')}/{route}", **more)
        assert refusal(answer)[:2] == (404, "SESSION_NOT_FOUND"), "of another tenant"


TOLD = [route for route, (method, *_) in ROUTES.items() if method == "POST"]


@pytest.mark.parametrize("route", TOLD)
def test_what_is_not_known_is_not_valid(agent: Client, route: str) -> None:
    _, body, _ = ROUTES[route]
    session = agent.declare("a")
    for wrong in ({"x": 1}, {"session_id": str(uuid4())}, {"notes": 1}, []):
        sent = {**(body or {}), **wrong} if isinstance(wrong, dict) else wrong
        answer = agent.post(f"{session}/{route}", json=sent)
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST"), wrong
    answer = agent.post(f"{session}/{route}?wait=1", json=body or {})
    assert refusal(answer) == (400, "INVALID_REQUEST", {"unknown": ["wait"]})


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("permits/x/complete", {}),
        ("permits/x/complete", {"outcome": "done"}),
        ("permits/x/complete", {"outcome": "ok", "usage": {"max_calls": 0}}),
        ("permits/x/complete", {"outcome": "ok", "usage": {"cents": 1.5}}),
        ("permits/x/complete", {"outcome": "ok", "result": [1]}),
        ("proposals/x/resume", {}),
        ("proposals/x/resume", {"items": []}),
        ("proposals/x/resume", {"items": [CALL], "mode": "dry_run"}),
    ],
)
def test_what_is_malformed_is_not_valid(
    agent: Client, asked: Held, route: str, body: dict[str, Any]
) -> None:
    answer = agent.post(f"{asked.path}/{route}", json=body)
    assert refusal(answer)[:2] == (400, "INVALID_REQUEST")


def test_the_head_that_is_expected_is_that_of_now(
    agent: Client, policy: Client, approver: Client, asked: Held
) -> None:
    question, resume = asked.ask()
    stale = {"If-Match": f'"{NO_EVENT}"'}
    for client, path, body in (
        (approver, f"{question}/resolve", {"resolution": "approve"}),
        (agent, resume, {"items": [CALL]}),
        (policy, f"{asked.path}/mode", {"mode": "eco"}),
    ):
        assert refusal(client.post(path, json=body, headers=stale))[:2] == (412, "CONFLICT")
        head = {"If-Match": agent.get(asked.path).headers["etag"]}
        answer = client.post(path, json=body, headers=head)
        assert answer.status_code == 200, answer.text
    (issued,) = agent.get(f"{asked.path}/permits").json()["permits"]
    permit = f"{asked.path}/permits/{issued['permit_id']}"
    for path, sent in ((f"{permit}/begin", {}), (f"{permit}/complete", {"outcome": "ok"})):
        assert refusal(agent.post(path, json=sent, headers=stale))[:2] == (412, "CONFLICT")
        assert agent.post(path, json=sent, headers={"If-Match": "*"}).status_code == 200


def test_a_person_is_asked_and_the_action_goes_on(
    agent: Client, approver: Client, asked: Held
) -> None:
    question, resume = asked.ask()
    (listed,) = has(agent.get(f"{asked.path}/interrupts"), Questions)["interrupts"]
    shown = has(agent.get(question), WatchedQuestion)
    assert listed == {name: told for name, told in shown.items() if name != "resume_id"}
    assert (shown["status"], shown["action"], shown["asked_by"]) == ("pending", CALL, "bob")
    again = {"items": [CALL]}
    early = agent.post(resume, json=again)
    assert reason(early) == "APPROVAL_PENDING"
    is_example(early, "CONFLICT of a question")
    yes = {"resolution": "approve", "comment": "c", "notes": "n"}
    assert refusal(agent.post(f"{question}/resolve", json=yes))[:2] == (403, "FORBIDDEN")
    key = {"Idempotency-Key": "r"}
    answer = approver.post(f"{question}/resolve", json=yes, headers=key)
    told = has(answer, Resolved)
    assert (told["status"], told["proposal_id"]) == ("approved", shown["proposal_id"])
    repeat = approver.post(f"{question}/resolve", json=yes, headers=key)
    assert has(repeat, Resolved) == told | {"duplicate": True}
    other = approver.post(f"{question}/resolve", json={"resolution": "decline"})
    assert reason(other) == "APPROVAL_RESOLVED"
    changed = {"items": [{**CALL, "args": {"host": "db-2"}}]}
    assert reason(agent.post(resume, json=changed)) == "APPROVAL_ACTION_MISMATCH"
    key = {"Idempotency-Key": "go on"}
    resumed = has(agent.post(resume, json=again, headers=key), of_arbitration.Proposed)
    assert resumed["decision"] == "allow"
    assert reason(agent.post(resume, json=again)) == "APPROVAL_CONSUMED"
    explain = f"{asked.path}/proposals/{resumed['proposal_id']}/explain"
    why = has(agent.get(explain), of_arbitration.DecisionExplained)
    assert why["resumes"]["approvals"][0]["interrupt_id"] == question[-36:]
    assert "waived" in {one["outcome"] for one in why["items"][0]["constraints"]}
    repeat = agent.post(resume, json=again, headers=key)
    assert has(repeat, of_arbitration.Proposed)["duplicate"]
    used = has(agent.get(question), WatchedQuestion)
    assert (used["status"], used["consumed_by"]) == ("consumed", resumed["proposal_id"])
    assert used["resolution"].items() > {"by": "carl", "comment": "c"}.items()
    permit = f"{asked.path}/permits/{resumed['items'][0]['permit_id']}"
    assert agent.post(f"{permit}/begin").status_code == 200
    assert agent.get(f"{asked.path}/verify").json()["ok"]


@pytest.mark.parametrize(
    ("resolution", "status", "code"),
    [
        ("decline", "declined", "APPROVAL_DECLINED"),
        ("cancel", "cancelled", "APPROVAL_CANCELLED"),
    ],
)
def test_a_no_is_another_record_than_none(
    agent: Client, approver: Client, asked: Held, resolution: str, status: str, code: str
) -> None:
    question, resume = asked.ask()
    answer = approver.post(f"{question}/resolve", json={"resolution": resolution})
    assert has(answer, Resolved)["status"] == status
    assert reason(agent.post(resume, json={"items": [CALL]})) == code
    query = {"status": status}
    (found,) = agent.get(f"{asked.path}/interrupts", params=query).json()["interrupts"]
    assert found["resolution"]["resolution"] == resolution
    query = {"status": "pending"}
    assert agent.get(f"{asked.path}/interrupts", params=query).json()["interrupts"] == []
    for wrong in ({}, {"resolution": "yes"}, {"resolution": None}, {"resolution": 1}):
        answer = approver.post(f"{question}/resolve", json=wrong)
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST")


def test_nobody_approves_what_he_proposed(
    site: SimpleNamespace, policy: Client, agent: Client
) -> None:
    with client_of(site, "bea", "agent", "approver") as both:
        path = both.declare("a", arbitration=ASKS)
        grant = {"holder": "bea", "tools": [TOOL], "budgets": {"max_calls": 1}, "expires_at": ENDS}
        secret = policy.post(f"{path}/capability-tokens", json=grant).json()["secret"]
        question, _ = Held(agent=both, policy=policy, path=path, secret=secret).ask()
        answer = both.post(f"{question}/resolve", json={"resolution": "approve"})
        assert reason(answer) == "APPROVAL_OWN_REQUEST"


def test_what_goes_on_is_compared_to_the_digit(
    site: SimpleNamespace, agent: Client, approver: Client, asked: Held
) -> None:
    head = agent.get(asked.path).json()["audit_head_event_id"]
    items = '"items": [{"kind": "tool_call", "tool_id": "%s", "args": {"n": %s}}]'
    proposal = f'{{"state_snapshot_id": "{head}", "provenance": {{"source": "agent://bob"}}, '
    proposal += f'"capability_token": "{asked.secret}", "idempotency_key": "d", '
    proposal += items % (TOOL, "1.10") + "}"
    sent = {"content": proposal, "headers": JSON}
    told = has(agent.post(f"{asked.path}/proposals", **sent), of_arbitration.Proposed)
    question = f"{asked.path}/interrupts/{told['items'][0]['interrupt_id']}"
    assert '"n": 1.10' in agent.get(question).text
    approver.post(f"{question}/resolve", json={"resolution": "approve"})
    resume = f"{asked.path}/proposals/{told['proposal_id']}/resume"
    other = agent.post(resume, content="{" + items % (TOOL, "1.1") + "}", headers=JSON)
    assert reason(other) == "APPROVAL_ACTION_MISMATCH"
    # What else makes a proposal may stand there.
    same = agent.post(resume, content=proposal, headers=JSON)
    assert has(same, of_arbitration.Proposed)["decision"] == "allow"


def test_the_inbox_has_the_questions_of_all_sessions_of_a_tenant(
    site: SimpleNamespace, policy: Client, agent: Client
) -> None:
    questions = [held(agent, policy, **ASKS).ask()[0][-36:] for _ in "123"]

    def listed(**query: Any) -> Any:
        return has(agent.get("/v1/interrupts", params=query), Inbox)

    whole = [one["interrupt_id"] for one in listed()["interrupts"]]
    assert set(questions) <= set(whole)
    cursor, found = {}, []
    while True:
        page = listed(limit=2, **cursor)
        found += [one["interrupt_id"] for one in page["interrupts"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert found == whole
    assert listed(status="declined")["interrupts"] != listed()["interrupts"]
    for wrong in ({"status": "x"}, {"limit": 501}, {"cursor": "x"}, {"before": 1}):
        answer = agent.get("/v1/interrupts", params=wrong)
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST"), wrong
    with client_of(site, "zoe", "agent", tenant="elsewhere") as other:
        assert has(other.get("/v1/interrupts"), Inbox)["interrupts"] == []


def test_what_waits_is_tried_again_when_it_is_there(agent: Client, policy: Client) -> None:
    session = held(agent, policy, **published(policy, constraint_waits=WAITS))
    told = session.propose()
    assert (told["decision"], told["deferral"]["missing"]) == ("defer", ["fact.ready"])
    assert told["items"][0]["deferral_id"] == told["deferral"]["deferral_id"]
    path = f"{session.path}/deferrals"
    (waiting,) = has(agent.get(path), Deferrals)["deferrals"]
    assert (waiting["status"], len(waiting["tries"])) == ("waiting", 1)
    fact = {"kind": "state_delta", "patch": {"fact.ready": {"v": 1, "value": True}}}
    written = session.propose(fact)
    assert written["decision"] == "allow", written["reasons"]
    (done,) = has(agent.get(path, params={"limit": 1}), Deferrals)["deferrals"]
    assert (done["status"], len(done["tries"])) == ("allow", 2)
    answer = agent.get(path, params={"before": 1})
    assert has(answer, Deferrals) == {"deferrals": [], "next_before": None}
    explain = f"{session.path}/proposals/{done['tries'][-1]['proposal_id']}/explain"
    why = has(agent.get(explain), of_arbitration.DecisionExplained)
    assert (why["retries"]["attempt"], why["retries"]["by"]) == (1, "bob")
    (permit,) = agent.get(f"{session.path}/permits").json()["permits"]
    assert permit["proposal_id"] == done["tries"][-1]["proposal_id"]


def test_a_mode_forbids_and_offers_a_lower_one(agent: Client, policy: Client) -> None:
    modes = {"v": 1, "normal": {"forbids": ["external"]}, "eco": {"forbids": []}}
    session = held(agent, policy, **published(policy, policy_modes=modes))
    told = session.propose()
    assert told["reason_code"] == "MODE_FORBIDS"
    offer = told["items"][0]["offer"]
    assert (offer["kind"], offer["mode"]) == ("mode", "eco")
    path = f"{session.path}/mode"
    sent = {"mode": offer["mode"], "reason": "r", "notes": "n"}
    assert refusal(agent.post(path, json=sent))[:2] == (403, "FORBIDDEN")
    key = {"Idempotency-Key": "m"}
    told = has(policy.post(path, json=sent, headers=key), ModeSet)
    assert (told["mode"], told["reason"]) == ("eco", "r")
    again = policy.post(path, json=sent, headers=key)
    assert has(again, ModeSet) == told | {"duplicate": True}
    other = policy.post(path, json={"mode": "boost"}, headers=key)
    is_example(other, "CONFLICT of a request id")
    assert session.propose()["decision"] == "allow"
    for wrong in ({}, {"mode": "fast"}, {"mode": None}):
        assert refusal(policy.post(path, json=wrong))[:2] == (400, "INVALID_REQUEST")


def test_a_sweep_releases_what_ran_out(agent: Client, policy: Client) -> None:
    brief = published(policy, policy_permits={"v": 1, "ttl_ms": 1})
    session = held(agent, policy, **brief)
    permit = session.permit()
    path = f"{session.path}/sweep"
    told = has(agent.post(path), Swept)
    assert (told["n_released"], told["n_tried"]) == (1, 0)
    assert agent.get(session.path).json()["audit_head_event_id"] == told["audit_head_event_id"]
    again = has(policy.post(path, json={"session_id": session.path[-36:]}), Swept)
    assert again == told | {"n_released": 0}
    assert agent.get(permit).json()["status"] == "expired"
    assert reason(agent.post(f"{permit}/begin")) == "PERMIT_EXPIRED"


def test_a_shadow_is_asked_and_never_followed(agent: Client, policy: Client) -> None:
    shadow = {"pack": "deny-all", "version": 1}
    session = held(agent, policy, **published(policy), shadow=shadow)
    assert session.propose()["decision"] == "allow"
    seen = events(agent, session.path)[-1]["payload"]["shadow"]
    assert (seen["decision"], seen["policy"]["pack"]) == ("deny", "deny-all")
    path = f"{session.path}/arbitration"
    other = {**published(policy), "shadow": {"pack": "observe-only", "version": 1}}
    assert has(policy.post(path, json=other), Applied)["approved"]
    assert session.propose()["decision"] == "allow"
    seen = events(agent, session.path)[-1]["payload"]["shadow"]
    assert seen["policy"]["pack"] == "observe-only"
    none = {**published(policy), "shadow": None}
    assert has(policy.post(path, json=none), Applied)["approved"]
    session.propose()
    assert "shadow" not in events(agent, session.path)[-1]["payload"]
    missing = {"pack": "deny-all", "version": 9}
    is_example(policy.post(path, json=other | {"shadow": missing}), "POLICY_NOT_FOUND")
    declare = {"ontology": ONTOLOGY, "hypotheses": ["a"]}
    for wrong in ({}, {"pack": "deny-all"}, {**shadow, "x": 1}, [], "deny-all"):
        answer = policy.post(path, json=other | {"shadow": wrong})
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST"), wrong
        sent = {**declare, "arbitration": {**ASKS, "shadow": wrong}}
        answer = agent.post("/v1/sessions", json=sent)
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST"), wrong


def test_a_webhook_is_set_and_its_secret_never_shown(
    admin: Client, agent: Client, store: psycopg.Connection[Any], site: SimpleNamespace
) -> None:
    url, secret = "https://example.org/x?y=z", "s" * 24
    told = has(admin.put("/v1/webhook", json={"url": url, "secret": secret}), WebhookSet)
    assert told == {"tenant": "default", "url": url}
    assert refusal(agent.put("/v1/webhook", json={"url": None}))[:2] == (403, "FORBIDDEN")
    for wrong in (
        {},
        {"secret": secret},
        {"url": url},
        {"url": url, "secret": "short"},
        {"url": "ftp://x", "secret": secret},
        {"url": "https://user@x", "secret": secret},
        {"url": 1, "secret": secret},
        {"url": url, "secret": secret, "tenant": "default"},
    ):
        answer = admin.put("/v1/webhook", json=wrong)
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST"), wrong
        assert secret not in answer.text
    sent = {"url": url, "secret": secret}
    other = admin.put("/v1/webhook?tenant=elsewhere", json=sent)
    assert has(other, WebhookSet)["tenant"] == "elsewhere"
    own = bearer(token_of(site.database, "own", "admin", tenant="default"))
    # The server would call it from inside of its network.
    assert refusal(admin.put("/v1/webhook", json=sent, headers=own))[:2] == (403, "FORBIDDEN")
    nobody = has(admin.put("/v1/webhook", json={"url": None}), WebhookSet)
    assert nobody == {"tenant": "default", "url": None}
    rows = store.execute(
        "select w.url, w.secret from cmbs_store.webhook as w where w.tenant = 'default' "
        "order by w.webhook_no"
    ).fetchall()
    assert rows == [(url, secret), (None, None)]
