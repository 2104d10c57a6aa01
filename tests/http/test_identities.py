"""Principals and tokens over HTTP: made, changed, listed, ended, and all of it in a log."""

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import msgspec
import psycopg
import pytest

from cmbs.api.docs import examples
from cmbs.api.rooms.identity import answers
from tests.http.wire import NO_EVENT, answered, exchange, post
from tests.support.web import Client, bearer, refusal, site_over, token_of

AGENT = {"kind": "agent", "roles": ["agent"]}
EXPIRES = "2027-01-31T00:00:00+01:00"


@pytest.fixture(scope="module")
def site(server: SimpleNamespace, template: Any) -> Iterator[SimpleNamespace]:
    with site_over(server, template, "identities") as site:
        yield site


@pytest.fixture(scope="module")
def admin(site: SimpleNamespace) -> Iterator[Client]:
    """An administrator of one tenant."""
    token = token_of(site.database, "ada", "admin", tenant="default")
    with Client(base_url=site.address, headers=bearer(token)) as client:
        yield client


@pytest.fixture(scope="module")
def root(site: SimpleNamespace) -> Iterator[Client]:
    """An administrator of all of them."""
    token = token_of(site.database, "root", "admin", "auditor")
    with Client(base_url=site.address, headers=bearer(token)) as client:
        yield client


def principal(client: Client, **more: Any) -> str:
    """The path of a new one."""
    made = client.post("/v1/principals", json={"name": f"p {uuid4()}", **AGENT, **more})
    assert made.status_code == 201, made.text
    return str(made.headers["location"]).partition("?")[0]


def has(answer: Any, shape: type[msgspec.Struct], status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    msgspec.json.decode(answer.content, type=shape, strict=True)
    return answer.json()


def test_a_principal_from_its_beginning_to_its_end(site: SimpleNamespace, admin: Client) -> None:
    body = {"name": "agent7", "source_prefixes": ["tool://"], **AGENT}
    made = admin.post("/v1/principals", json=body)
    assert made.headers["location"] == "/v1/principals/agent7"
    assert has(made, answers.PrincipalTold, 201)["tenant"] == "default"
    again = admin.post("/v1/principals", json=body)
    assert has(again, answers.PrincipalTold) == made.json() | {"duplicate": True}
    assert "location" not in again.headers
    other = admin.post("/v1/principals", json=body | {"kind": "tool"})
    is_example(other, "CONFLICT of a principal")

    found = has(admin.get(made.headers["location"]), answers.Principal)
    assert found | {"duplicate": False} == made.json()

    token = has(admin.post("/v1/principals/agent7/tokens"), answers.NewToken, 201)
    assert token["token"].startswith(token["prefix"])
    assert token["created_by"] == "ada"
    with Client(base_url=site.address, headers=bearer(SimpleNamespace(text=token["token"]))) as it:
        told = has(it.get("/v1/whoami"), answers.Identified)
        assert (told["name"], told["tenant"], told["roles"]) == ("agent7", "default", ["agent"])
        assert told["token"]["token_id"] == token["token_id"]
        assert refusal(it.get("/v1/principals"))[:2] == (403, "FORBIDDEN")
        session = it.declare()
        assert refusal(it.post(f"{session}/eliminate", json=observed("human://ann")))[0] == 403
        changed = admin.patch("/v1/principals/agent7", json={"source_prefixes": ["", "tool://"]})
        assert has(changed, answers.PrincipalTold)["source_prefixes"] == ["", "tool://"]
        assert it.post(f"{session}/eliminate", json=observed("human://ann")).status_code == 200
        assert it.get(f"{session}/audit").json()["events"][0]["actor"] == "agent7"
        assert not admin.patch("/v1/principals/agent7", json={"is_enabled": False}).json()[
            "is_enabled"
        ]
        assert refusal(it.get(session))[2] == {"credential": "its principal is disabled"}


def observed(source: str) -> dict[str, Any]:
    return {"source_id": source, "observation_id": source, "eliminated": ["a"]}


def is_example(answer: Any, name: str) -> None:
    found, example = answer.json()["error"], examples.ERRORS[name]["error"]
    assert (found["code"], found["message"]) == (example["code"], example["message"])
    assert found["details"].keys() == example["details"].keys()


@pytest.mark.parametrize("name", ["a/b", "ü ñ", "..", "x/tokens", "%2F", "日本", 'q"u\\o'])
def test_a_name_is_any_text(admin: Client, name: str) -> None:
    where = principal(admin, name=name)
    assert has(admin.get(where), answers.Principal)["name"] == name
    assert admin.patch(where, json={}).json()["name"] == name
    token = has(admin.post(f"{where}/tokens", json={}), answers.NewToken, 201)
    assert token["name"] == name
    listed = has(admin.get("/v1/tokens", params={"name": name}), answers.Tokens)
    assert [one["token_id"] for one in listed["tokens"]] == [token["token_id"]]


def test_slashes_in_a_name_may_stand_as_they_are(site: SimpleNamespace, admin: Client) -> None:
    principal(admin, name="team/a/b")
    header = f"Authorization: {admin.headers['Authorization']}"
    status, _, body = answered(
        exchange(site.address, post("/v1/principals/team/a/b/tokens", b"{}", header))
    )
    assert status == 201
    assert msgspec.json.decode(body)["name"] == "team/a/b"


def test_a_token_is_what_was_asked_for(admin: Client, root: Client) -> None:
    where = principal(admin)
    body = {"verbs": ["verify", "eliminate"], "expires_at": EXPIRES}
    token = has(admin.post(f"{where}/tokens", json=body), answers.NewToken, 201)
    assert token["verbs"] == ["eliminate", "verify"]
    assert token["expires_at"] == "2027-01-30T23:00:00.000000Z"
    everywhere = principal(root, tenant="*")
    body = {"scope_tenant": "red", "tenant": "*"}
    token = has(root.post(f"{everywhere}/tokens", json=body), answers.NewToken, 201)
    assert (token["tenant"], token["scope_tenant"]) == ("*", "red")


def test_a_token_is_rotated_and_revoked(site: SimpleNamespace, admin: Client) -> None:
    first = admin.post(f"{principal(admin)}/tokens").json()
    rotate = f"/v1/tokens/{first['token_id']}/rotate"
    second = has(admin.post(rotate, json={"expires_at": EXPIRES}), answers.RotatedToken, 201)
    assert second["replaces"] == first["token_id"]
    is_example(admin.post(rotate), "CONFLICT of a token")
    end = f"/v1/tokens/{second['token_id']}"
    with Client(base_url=site.address) as anybody:
        for token, status in ((first, 401), (second, 200)):
            header = {"Authorization": f"Bearer {token['token']}"}
            assert anybody.get("/v1/whoami", headers=header).status_code == status
        assert not has(admin.delete(end), answers.RevokedToken)["duplicate"]
        assert anybody.get("/v1/whoami", headers=header).status_code == 401
    assert has(admin.delete(end), answers.RevokedToken)["duplicate"]


@pytest.mark.parametrize(
    ("tenant", "query"),
    [
        (None, ""),
        ("default", ""),
        ("*", "?tenant=%2A"),
        ("red & blue/ü", "?tenant=red+%26+blue%2F%C3%BC"),
    ],
)
def test_whatever_is_made_is_where_the_answer_says(
    site: SimpleNamespace, root: Client, tenant: str | None, query: str
) -> None:
    named = {} if tenant is None else {"tenant": tenant}
    name = f"n {uuid4()}"
    made = root.post("/v1/principals", json={"name": name, **AGENT, **named})
    where = made.headers["location"]
    assert where == f"/v1/principals/{quote(name)}{query}"
    assert has(root.get(where), answers.Principal) | {"duplicate": False} == made.json()

    token = root.post(f"/v1/principals/{quote(name)}/tokens", json=named)
    for path in (None, f"{token.headers['location']}/rotate"):
        token = root.post(path) if path else token
        told = token.json()
        assert token.headers["location"] == f"/v1/tokens/{told['token_id']}"
        found = has(root.get(token.headers["location"]), answers.Token)
        assert found.items() <= told.items()
        assert told["token"] not in str(found)


def test_a_tenant_s_own_administrator_is_at_home_there(site: SimpleNamespace) -> None:
    token = token_of(site.database, "amy", "admin", tenant="amber")
    with Client(base_url=site.address, headers=bearer(token)) as amy:
        made = amy.post("/v1/principals", json={"name": "n", **AGENT, "tenant": "amber"})
        assert made.headers["location"] == "/v1/principals/n"
        assert amy.get("/v1/principals/n").json()["tenant"] == "amber"


def test_what_makes_a_token_has_no_identity(admin: Client) -> None:
    where = principal(admin)
    token = admin.post(f"{where}/tokens").json()["token_id"]
    listed = admin.get("/v1/tokens").json()
    for path in (f"{where}/tokens", f"/v1/tokens/{token}/rotate"):
        for keys in (["k"], ["k", "l"], ["ü"], [""]):
            headers = [("Idempotency-Key", key.encode()) for key in keys]
            status, code, details = refusal(admin.post(path, headers=headers))
            assert (status, code) == (400, "INVALID_REQUEST")
            assert details["member"] == "Idempotency-Key"
    assert admin.get("/v1/tokens").json() == listed


def test_a_space_is_that_of_a_tenant(root: Client, admin: Client, site: SimpleNamespace) -> None:
    where = f"/v1/hypothesis-spaces/{uuid4()}/versions/1"
    token = token_of(site.database, f"agent {uuid4()}", "agent", tenant="green")
    green = {"Authorization": f"Bearer {token.text}"}
    assert root.put(where, json={"hypotheses": ["g"]}, headers=green).status_code == 201
    assert refusal(root.get(where))[1] == "SPACE_NOT_FOUND"
    assert root.get(where, params={"tenant": "green"}).json()["hypotheses"] == ["g"]
    assert refusal(admin.get(where, params={"tenant": "green"}))[:2] == (403, "FORBIDDEN")
    assert refusal(admin.get(where, params={"tenant": "default"}))[1] == "SPACE_NOT_FOUND"


@pytest.mark.parametrize("token_id", [NO_EVENT, "x", "%2F"])
def test_what_is_no_token_is_not_found(admin: Client, token_id: str) -> None:
    for answer in (
        admin.get(f"/v1/tokens/{token_id}"),
        admin.delete(f"/v1/tokens/{token_id}"),
        admin.post(f"/v1/tokens/{token_id}/rotate"),
    ):
        assert refusal(answer)[0] == 404
        is_example(answer, "TOKEN_NOT_FOUND")


def test_who_is_no_principal_is_not_found(admin: Client) -> None:
    for answer in (
        admin.get("/v1/principals/nobody"),
        admin.patch("/v1/principals/nobody", json={}),
        admin.post("/v1/principals/nobody/tokens"),
    ):
        assert refusal(answer)[0] == 404
        is_example(answer, "PRINCIPAL_NOT_FOUND")


def test_lists_come_in_pages(root: Client) -> None:
    for name in "abc":
        where = principal(root, name=name, tenant="pages")
        root.post(f"{where}/tokens", json={"tenant": "pages"})
    for path, member, shape in (
        ("/v1/principals", "principals", answers.Principals),
        ("/v1/tokens", "tokens", answers.Tokens),
        ("/v1/identities/audit", "events", answers.IdentityLog),
    ):
        whole = has(root.get(path, params={"tenant": "pages"}), shape)[member]
        found, query = [], {"tenant": "pages", "limit": "2"}
        while True:
            page = root.get(path, params=query).json()
            found += page.pop(member)
            ((name, after),) = page.items()
            if after is None:
                break
            query[name.removeprefix("next_")] = str(after)
        assert found == whole
        assert len(found) == (6 if member == "events" else 3)


@pytest.mark.parametrize(
    ("path", "body", "member"),
    [
        ("/v1/principals", {"kind": "agent", "roles": ["agent"]}, "name"),
        ("/v1/principals", {"name": "n", "roles": ["agent"]}, "kind"),
        ("/v1/principals", {"name": "n", "kind": "robot", "roles": ["agent"]}, "kind"),
        ("/v1/principals", {"name": "n", "kind": "agent"}, "roles"),
        ("/v1/principals", {"name": "n", "kind": "agent", "roles": []}, "roles"),
        ("/v1/principals", {"name": "n", "kind": "agent", "roles": "agent"}, "roles"),
        ("/v1/principals", {"name": "n", "kind": "agent", "roles": ["king"]}, "roles"),
        ("/v1/principals", {"name": "", **AGENT}, "name"),
        ("/v1/principals/ada/tokens", {"verbs": []}, "verbs"),
        ("/v1/principals/ada/tokens", {"verbs": ["drop_table"]}, "verbs"),
        ("/v1/principals/ada/tokens", {"expires_at": "tomorrow"}, "expires_at"),
        ("/v1/principals/ada/tokens", {"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ("/v1/principals/ada/tokens", {"expires_at": 7}, "expires_at"),
        ("/v1/principals/ada/tokens", {"scope_tenant": "red"}, "scope_tenant"),
    ],
)
def test_what_cannot_be_is_refused_by_name(
    admin: Client, path: str, body: dict[str, Any], member: str
) -> None:
    status, code, details = refusal(admin.post(path, json=body))
    assert (status, code) == (400, "INVALID_REQUEST")
    assert details["member"] == member


def test_what_is_not_offered_is_unknown(admin: Client) -> None:
    body = {"name": "n", **AGENT, "is_login": True}
    expected = (400, "INVALID_REQUEST", {"unknown": ["is_login"]})
    assert refusal(admin.post("/v1/principals", json=body)) == expected


def test_nobody_looks_into_another_tenant(admin: Client, root: Client) -> None:
    where = principal(root, tenant="blue")
    token = root.post(f"{where}/tokens", json={"tenant": "blue"}).json()["token_id"]
    for path in ("/v1/principals", "/v1/tokens", "/v1/identities/audit"):
        answer = admin.get(path, params={"tenant": "blue"})
        assert refusal(answer)[:2] == (403, "FORBIDDEN")
    assert refusal(admin.get(where, params={"tenant": "blue"}))[:2] == (403, "FORBIDDEN")
    assert refusal(admin.get(where))[1] == "PRINCIPAL_NOT_FOUND"
    assert refusal(admin.patch(where, json={}))[1] == "PRINCIPAL_NOT_FOUND"
    assert refusal(admin.get(f"/v1/tokens/{token}"))[1] == "TOKEN_NOT_FOUND"
    assert refusal(admin.delete(f"/v1/tokens/{token}"))[1] == "TOKEN_NOT_FOUND"
    told = admin.get("/v1/identities/verify").json()["tenants"]
    assert {one["tenant"] for one in told} == {"default"}


def test_the_log_of_identities_is_verified(
    site: SimpleNamespace, admin: Client, root: Client
) -> None:
    principal(admin)
    found = has(root.get("/v1/identities/verify"), answers.IdentitiesVerified)
    assert found["ok"]
    with psycopg.connect(site.database, autocommit=True) as store:
        damage = "update cmbs_store.principal set roles = %s where name = 'ada'"
        store.execute(damage, [["admin", "policy"]])
        found = root.get("/v1/identities/verify").json()
        assert not found["ok"]
        assert [one["tenant"] for one in found["tenants"] if not one["ok"]] == ["default"]
        store.execute(damage, [["admin"]])
    assert root.get("/v1/identities/verify").json()["ok"]


def test_a_token_is_shown_once_and_kept_nowhere(
    site: SimpleNamespace, admin: Client, root: Client
) -> None:
    text = admin.post(f"{principal(admin)}/tokens").json()["token"]
    assert re.fullmatch("cmbs_[A-Za-z0-9_-]{43}", text)
    for path in ("/v1/tokens", "/v1/identities/audit", "/v1/principals"):
        assert text not in root.get(path, params={"tenant": "default", "limit": "500"}).text
    assert quote(text) == text


def test_without_a_principal_the_server_makes_none(web: Client) -> None:
    for answer in (
        web.post("/v1/principals", json={"name": "n", **AGENT}),
        web.patch("/v1/principals/n", json={}),
        web.delete(f"/v1/tokens/{NO_EVENT}"),
    ):
        assert refusal(answer)[:2] == (403, "FORBIDDEN")
    told = has(web.get("/v1/whoami"), answers.Identified)
    assert (told["name"], told["token"]) == ("api", None)
