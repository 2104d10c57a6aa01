"""Requests made from the committed document, right ones and wrong ones, and answers held to it."""

import itertools
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.databases import copied
from tests.support.servers import ROOT
from tests.support.sizes import size
from tests.support.web import Client, bearer, serving, token_of

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
N_EXAMPLES = size(2, 100)
WAITS = {str(seconds) for seconds in range(56)}
ARBITRATED = {"token_id", "claim_id", "key", "proposal_id"}
CALL = {"kind": "tool_call", "tool_id": "t/1"}
ENDS = "2099-01-01T00:00:00Z"
DOCUMENT = schemathesis.openapi.from_path(ROOT / "api" / "openapi.yaml")
OPERATIONS = {found.ok().label: found.ok() for found in DOCUMENT.get_all_operations()}
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
# As fast as it gets, the same each time, and a failure is shown as it was found.
SETTINGS = settings(
    max_examples=N_EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def web(server: SimpleNamespace, template: Any) -> Iterator[Client]:
    """One database for all routes, because they do not get into each other's way."""
    with copied(server, template, "schemathesis") as url:
        roles = ("agent", "encoder", "tool", "policy", "approver", "auditor", "admin")
        token = bearer(token_of(url, "schemathesis", *roles))
        # Nobody approves what he proposed himself.
        other = bearer(token_of(url, "other", "agent", "approver"))
        with serving(url) as address, Client(base_url=address, headers=token) as client:
            client.other = other
            yield client


class There:
    """What is there: ids that a document cannot know, put where a request has room for them."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.numbers = itertools.count()
        for _ in range(3):
            self.declare()
        self.next_page = client.get("/v1/sessions?limit=1").json()["next_cursor"]
        self.known = {"hypothesis_space_id": "s/1", "hypothesis_version": "1"}
        self.name, self.token_id = self.principal()
        path = "/v1/hypothesis-spaces/s%2F1/versions/1"
        assert client.put(path, json={"hypotheses": ["a"]}).is_success
        for path in ("/v1/tools/t%2F1", "/v1/schemas/s%2F1"):
            assert client.put(path, json={}).is_success
        granted = {"entries": {"policy.arbitration": {"v": 1, "default": "grant"}}}
        assert client.post("/v1/policies/granted/versions", json=granted).is_success
        # Others switch it on, with any reason.
        assert client.put("/v1/policies/halt", json={"is_halted": False, "reason": "r"}).is_success

    def declare(self) -> str:
        """A session with a few events."""
        pack = {"pack": "observe-only", "version": 1}
        path = self.client.declare(policy={"allow_forced_termination": True}, arbitration=pack)
        self.head = self.client.eliminate(path, "a")["audit_event_id"]
        return path.rpartition("/")[2]

    def principal(self) -> tuple[str, str]:
        """The name of a new principal, and the id of its token."""
        body = {"name": str(uuid4()), "kind": "agent", "roles": ["agent"]}
        path = self.client.post("/v1/principals", json=body).headers["location"]
        return body["name"], self.client.post(f"{path}/tokens").json()["token_id"]

    def arbitrated(self, session: str) -> dict[str, str]:
        """A capability token, a proposal and a claim of a session, which may name them."""
        path = f"/v1/sessions/{session}"
        grant = {"holder": "schemathesis", "expires_at": ENDS}
        token = self.client.post(f"{path}/capability-tokens", json=grant).json()
        claim = {"key": "k/1", "kind": "hypothesis", "value": 1, "ttl_ms": 600_000}
        claim_id = self.client.post(f"{path}/claims", json=claim).json()["claim_id"]
        proposal = {"state_snapshot_id": self.head, "provenance": {"source": "s"}, "items": [CALL]}
        made = self.client.post(f"{path}/proposals", json=proposal).json()
        self.head = made["audit_event_id"]
        named = {"token_id": token["token_id"], "claim_id": claim_id, "key": "k/1"}
        return named | {"proposal_id": made["proposal_id"]}

    def executed(self, session: str, path: str) -> dict[str, str]:
        """A permit, a question, and a proposal that an approval lets go on."""
        here, mine = f"/v1/sessions/{session}", dict(self.client.headers)
        is_mine = not path.endswith("/resolve")
        pack = {"pack": "granted" if "permits" in path else "supervised", "version": 1}
        self.client.post(f"{here}/arbitration", json=pack)
        grant = {"holder": "schemathesis" if is_mine else "other", "tools": ["t/1"]}
        grant |= {"budgets": {"max_calls": 9}, "expires_at": ENDS}
        token = self.client.post(f"{here}/capability-tokens", json=grant).json()
        proposal = {
            "state_snapshot_id": token["audit_event_id"],
            "provenance": {"source": "s"},
            "items": [CALL],
            "capability_token": token["secret"],
            "idempotency_key": "k",
        }
        proposer, approver = (mine, self.client.other) if is_mine else (self.client.other, mine)
        made = self.client.post(f"{here}/proposals", json=proposal, headers=proposer).json()
        (item,) = made["items"]
        self.head = made["audit_event_id"]
        if path.endswith("/complete"):
            begun = self.client.post(f"{here}/permits/{item['permit_id']}/begin")
            self.head = begun.json()["audit_event_id"]
        elif path.endswith("/resume"):
            resolve = f"{here}/interrupts/{item['interrupt_id']}/resolve"
            yes = {"resolution": "approve"}
            self.head = self.client.post(resolve, json=yes, headers=approver).json()[
                "audit_event_id"
            ]
        named = {"proposal_id": made["proposal_id"]}
        return named | {name: item.get(name, "") for name in ("permit_id", "interrupt_id")}

    def put_into(self, case: Case, is_new: bool) -> None:
        parameters = dict(case.path_parameters or {})
        if "session_id" in parameters:
            parameters["session_id"] = session = self.declare()
            parameters |= {"event_id": self.head, "hypothesis_id": "b"}
            if "obligation_id" in parameters:
                parameters["obligation_id"] = self.obligation(session)
            elif {"permit_id", "interrupt_id"} & parameters.keys() or "resume" in case.path:
                parameters |= self.executed(session, case.path)
            elif ARBITRATED & parameters.keys():
                parameters |= self.arbitrated(session)
        elif "hypothesis_space_id" in parameters and not is_new:
            parameters |= self.known
        elif "name" in parameters or "token_id" in parameters:
            if "token_id" in parameters:
                self.name, self.token_id = self.principal()
            parameters |= {"name": self.name, "token_id": self.token_id}
        elif parameters.keys() & {"tool_id", "schema_id"} and not is_new:
            parameters |= {"tool_id": "t/1", "schema_id": "s/1"}
        elif "version" in parameters or ("pack" in parameters and not is_new):
            parameters |= {"pack": "observe-only", "version": "1"}
        elif parameters:
            return
        wanted = (case.path_parameters or {}).keys()
        # What is generated is encoded already.
        case.path_parameters = {name: quote(parameters[name], safe="") for name in wanted}
        if isinstance(case.body, dict):
            for name in ("session_id", "obligation_id"):
                if name in case.body and name in parameters:
                    case.body[name] = parameters[name]
            self.put_into_body(case)
        versions = {"to": "1"} if "version" in parameters else {}
        for name, value in (self.query() | versions).items():
            if name in (case.query or {}):
                case.query[name] = value
                if (name, case.path) == ("cursor", "/v1/interrupts"):
                    case.query[name] += f"_{uuid4()}"
        for name in ("If-Match", "If-None-Match"):
            if name in (case.headers or {}):
                case.headers[name] = f'"{self.head}"'

    @staticmethod
    def put_into_body(case: Case) -> None:
        """What a document cannot say of members that are free, and the verbs do."""
        if case.path.endswith("/resume"):
            case.body = {"items": [CALL]}
        elif case.path.endswith("/complete"):
            case.body.pop("usage", None)
        elif case.path.endswith("/capability-tokens"):
            case.body |= {"holder": "schemathesis", "expires_at": ENDS}
            case.body = {name: case.body[name] for name in ("holder", "expires_at")}
        elif case.path.endswith("/arbitration") or "arbitration" in case.body:
            pack = {"pack": "observe-only", "version": 1}
            case.body |= pack if case.path.endswith("/arbitration") else {"arbitration": pack}
        elif case.path.endswith("/claims"):
            case.body = {"key": "k", "kind": "hypothesis", "value": 1, "ttl_ms": 1}

    def query(self) -> dict[str, str]:
        events = dict.fromkeys(("as_of", "since_event_id", "from", "to"), self.head)
        left_out = {"without_source": "s", "without_observation": "o"}
        packs = {"pack": "observe-only", "version": "1", "to_pack": "supervised", "key": "k/1"}
        return {**events, **left_out, "hypothesis_id": "b", "cursor": self.next_page} | {
            "after": self.token_id,
            "tenant": "default",
            **packs,
        }

    def obligation(self, session: str) -> str:
        body = {"obligation_id": f"o {next(self.numbers)}", "min_total_eliminations": 0}
        answer = self.client.post(f"/v1/sessions/{session}/obligations", json=body)
        assert answer.status_code == 200
        self.head = answer.json()["audit_event_id"]
        return body["obligation_id"]


@pytest.mark.parametrize("label", OPERATIONS)
def test_answers_are_as_documented(web: Client, label: str) -> None:
    operation = OPERATIONS[label]
    there, found = There(web), Counter[int]()
    n_examples: Counter[GenerationMode] = Counter()
    with requests.Session() as connection:
        connection.headers["Authorization"] = web.headers["Authorization"]

        def ask(case: Case) -> Any:
            # What is made up is nobody's; test_authentication.py shows such.
            (case.headers or {}).pop("Authorization", None)
            # What may be waited for is not: there is no news to come.
            if str((case.query or {}).get("wait")) in WAITS:
                case.query["wait"] = 0
            answer = case.call(base_url=str(web.base_url), session=connection)
            case.validate_response(answer, checks=CHECKS)
            found[answer.status_code] += 1
            return answer

        def run(mode: GenerationMode, n: int = N_EXAMPLES) -> None:
            @settings(SETTINGS, max_examples=n)
            @given(operation.as_strategy(mode), st.booleans(), st.booleans())
            def answers(case: Case, with_real_ids: bool, is_new: bool) -> None:
                n_examples[mode] += 1
                if with_real_ids:
                    there.put_into(case, is_new)
                answer = ask(case)
                if answer.status_code == 201:
                    if operation.path == "/v1/sessions":
                        case.body = {**case.body, "session_id": answer.json()["session_id"]}
                    ask(case)

            answers()

        # Where nothing can be sent, nothing wrong can be sent either.
        can_be_wrong = bool(operation.definition.raw.get("parameters"))
        for mode in MODES if can_be_wrong else MODES[:1]:
            run(mode)
        assert not can_be_wrong or all(n_examples[mode] >= N_EXAMPLES for mode in MODES)
        documented = {int(status) for status in operation.responses.status_codes}
        successes = {status for status in documented if status < 400}
        # What is made up depends on which modules are there, and a few may all be refused.
        if not successes <= found.keys():
            run(GenerationMode.POSITIVE, 10 * N_EXAMPLES)
    assert successes <= found.keys()
