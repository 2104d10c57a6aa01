"""Paths and methods: what is there, what is not, and how both are told."""

from types import SimpleNamespace

import pytest

from tests.http.wire import NOBODY, answered, error_of, exchange, head
from tests.support.web import Client, refusal

SPACE = "/v1/hypothesis-spaces/s/versions/v"
METHODS = {
    "/v1/sessions": {"GET", "HEAD", "POST"},
    NOBODY: {"GET", "HEAD"},
    f"{NOBODY}/eliminate": {"POST"},
    f"{NOBODY}/eliminate/batch": {"POST"},
    f"{NOBODY}/audit": {"GET", "HEAD"},
    f"{NOBODY}/audit/x": {"GET", "HEAD"},
    f"{NOBODY}/verify": {"GET", "HEAD"},
    f"{NOBODY}/hypotheses/x": {"GET", "HEAD"},
    f"{NOBODY}/explain": {"GET", "HEAD"},
    f"{NOBODY}/diff": {"GET", "HEAD"},
    f"{NOBODY}/whatif": {"GET", "HEAD"},
    f"{NOBODY}/obligations": {"GET", "HEAD", "POST"},
    f"{NOBODY}/obligations/x/exit": {"POST"},
    f"{NOBODY}/obligations/x/waive": {"POST"},
    f"{NOBODY}/conclusions": {"GET", "HEAD", "POST"},
    f"{NOBODY}/terminate": {"POST"},
    f"{NOBODY}/arbitration": {"POST"},
    f"{NOBODY}/proposals": {"GET", "HEAD", "POST"},
    f"{NOBODY}/proposals/x/explain": {"GET", "HEAD"},
    f"{NOBODY}/proposals/x/resume": {"POST"},
    f"{NOBODY}/deferrals": {"GET", "HEAD"},
    f"{NOBODY}/mode": {"POST"},
    f"{NOBODY}/sweep": {"POST"},
    f"{NOBODY}/permits": {"GET", "HEAD"},
    f"{NOBODY}/permits/x": {"GET", "HEAD"},
    f"{NOBODY}/permits/x/begin": {"POST"},
    f"{NOBODY}/permits/x/complete": {"POST"},
    f"{NOBODY}/interrupts": {"GET", "HEAD"},
    f"{NOBODY}/interrupts/x": {"GET", "HEAD"},
    f"{NOBODY}/interrupts/x/resolve": {"POST"},
    "/v1/interrupts": {"GET", "HEAD"},
    "/v1/webhook": {"PUT"},
    f"{NOBODY}/policy-replay": {"GET", "HEAD"},
    f"{NOBODY}/state": {"GET", "HEAD"},
    f"{NOBODY}/permitted": {"GET", "HEAD"},
    f"{NOBODY}/capability-tokens": {"GET", "HEAD", "POST"},
    f"{NOBODY}/capability-tokens/x": {"DELETE"},
    f"{NOBODY}/claims": {"GET", "HEAD", "POST"},
    f"{NOBODY}/claims/x/promote": {"POST"},
    f"{NOBODY}/claims/x/confirm": {"POST"},
    "/v1/policies": {"GET", "HEAD"},
    "/v1/policies/lint": {"POST"},
    "/v1/policies/halt": {"PUT"},
    "/v1/policies/x/versions": {"GET", "HEAD", "POST"},
    "/v1/policies/x/versions/v": {"GET", "HEAD"},
    "/v1/policies/x/versions/v/diff": {"GET", "HEAD"},
    "/v1/policies/x/versions/v/lint": {"GET", "HEAD"},
    "/v1/policies/x/versions/v/test": {"POST"},
    "/v1/tools": {"GET", "HEAD"},
    "/v1/tools/x": {"DELETE", "GET", "HEAD", "PUT"},
    "/v1/schemas": {"GET", "HEAD"},
    "/v1/schemas/x": {"GET", "HEAD", "PUT"},
    SPACE: {"GET", "HEAD", "PUT"},
    "/v1/principals": {"GET", "HEAD", "POST"},
    "/v1/principals/n": {"GET", "HEAD", "PATCH"},
    "/v1/principals/n/tokens": {"POST"},
    "/v1/tokens": {"GET", "HEAD"},
    "/v1/tokens/t": {"DELETE", "GET", "HEAD"},
    "/v1/tokens/t/rotate": {"POST"},
    "/v1/whoami": {"GET", "HEAD"},
    "/v1/identities/audit": {"GET", "HEAD"},
    "/v1/identities/verify": {"GET", "HEAD"},
    "/healthz": {"GET", "HEAD"},
    "/readyz": {"GET", "HEAD"},
    "/metrics": {"GET", "HEAD"},
    "/schema": {"GET", "HEAD"},
    "/schema/openapi.json": {"GET", "HEAD"},
    "/schema/openapi.yaml": {"GET", "HEAD"},
}
STRANGE = ["DELETE", "PATCH", "TRACE", "PUT", "POST", "GET", "HEAD", "PROPFIND"]


def allowed(headers: object) -> set[str]:
    return set(str(headers).replace(" ", "").split(","))


@pytest.mark.parametrize("path", METHODS)
def test_a_method_that_a_path_does_not_take_is_answered_with_those_it_takes(
    client: Client, path: str
) -> None:
    for method in set(STRANGE) - METHODS[path]:
        answer = client.request(method, path)
        assert answer.status_code == 405, method
        assert allowed(answer.headers["allow"]) == METHODS[path] | {"OPTIONS"}
        if method != "HEAD":
            assert refusal(answer) == (405, "METHOD_NOT_ALLOWED", None)


@pytest.mark.parametrize("path", METHODS)
def test_options_names_all_methods_of_a_path(client: Client, path: str) -> None:
    answer = client.options(path)
    assert answer.status_code == 204
    assert allowed(answer.headers["allow"]) == METHODS[path] | {"OPTIONS"}
    assert answer.content == b""


@pytest.mark.parametrize("path", METHODS)
def test_head_is_answered_like_get_without_a_body(client: Client, path: str) -> None:
    got, headed = client.get(path), client.head(path)
    assert (headed.status_code, headed.content) == (got.status_code, b"")
    if "GET" in METHODS[path]:
        differ = {"date", "x-request-id"}
        # What was counted is another text each time.
        differ |= {"content-length"} if path == "/metrics" else set()
        assert {k: v for k, v in headed.headers.items() if k not in differ} == {
            k: v for k, v in got.headers.items() if k not in differ
        }


NOWHERE = ["/", "/v1", "/v2/sessions", "/v1/session", "/v1/%73essions", "/v1/sessions%2F"]
NOWHERE += [f"{NOBODY}/nothing", f"{NOBODY}/hypotheses/", f"{NOBODY}/obligations/x/leave"]
NOWHERE += [f"{NOBODY}/obligations//exit", f"{NOBODY}/audit/x/y", "/schema/openapi.xml"]
NOWHERE += ["/v1/./sessions", "/v1/../v1/sessions", "/..", "/%2e%2e/v1/sessions", "*", "//"]
NOWHERE += ["/v1/hypothesis-spaces/a/versions", "/v1/hypothesis-spaces/a/b/versions/c"]


@pytest.mark.parametrize("path", NOWHERE)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_there_is_nothing_elsewhere(site: SimpleNamespace, path: str, method: str) -> None:
    assert error_of(exchange(site.address, head(method, path))) == (404, "NOT_FOUND", None)


@pytest.mark.parametrize(
    "path", ["//healthz", "///healthz", "/healthz/", "http://elsewhere/healthz", "/healthz?"]
)
def test_other_spellings_of_a_path_are_that_path(site: SimpleNamespace, path: str) -> None:
    status, _, body = answered(exchange(site.address, head("GET", path)))
    assert (status, body) == (200, b'{"status": "ok"}')


def test_slashes_at_the_beginning_name_no_host(client: Client, site: SimpleNamespace) -> None:
    session = client.declare()
    status, _, body = answered(exchange(site.address, head("GET", f"//{session[1:]}")))
    assert (status, body) == (200, client.get(session).content)


@pytest.mark.parametrize("session", ["x", "%00", "%ff", "a" * 600, "0" * 32, "%2F", "..;"])
def test_no_session_has_an_id_that_is_no_uuid(client: Client, session: str) -> None:
    for path in ("", "/audit", "/audit/x", "/verify", "/hypotheses/a", "/obligations"):
        answer = client.get(f"/v1/sessions/{session}{path}")
        assert refusal(answer)[:2] == (404, "SESSION_NOT_FOUND"), path
    answer = client.post(f"/v1/sessions/{session}/terminate")
    assert refusal(answer) == (404, "SESSION_NOT_FOUND", {"session_id": session[:512]})


def test_an_id_in_capitals_is_the_same_session(client: Client) -> None:
    session = client.declare()
    shouted = f"/v1/sessions/{session.rpartition('/')[2].upper()}"
    assert client.get(shouted).content == client.get(session).content


def test_what_is_only_for_reading_by_people_needs_nothing_from_elsewhere(client: Client) -> None:
    answer = client.get("/schema")
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "/v1/sessions/{session_id}/eliminate" in answer.text
    assert "http://" not in answer.text.replace("http://localhost", "")
