"""Lists of sessions, page by page and filtered; and whether the server is alive and ready."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from cmbs.deploy.migrate import head
from tests.support.web import ONTOLOGY, Client, refusal


@pytest.fixture(scope="module")
def space(client: Client) -> str:
    """A space of its own with 23 sessions, of which every third is terminated."""
    name = f"listed {uuid4()} ä/%&+"
    for n in range(23):
        ontology = {**ONTOLOGY, "hypothesis_space_id": name, "causal_graph_ref": str(n)}
        session = client.declare("a", ontology=ontology)
        if n % 3 == 0:
            assert client.post(f"{session}/terminate").json()["approved"]
    return name


def listed(client: Client, **query: Any) -> Iterator[dict[str, Any]]:
    while True:
        page = client.get("/v1/sessions", params=query).json()
        assert page.keys() == {"sessions", "next_cursor"}
        assert len(page["sessions"]) <= query.get("limit", 50)
        yield from page["sessions"]
        if page["next_cursor"] is None:
            return
        assert page["sessions"]
        query["cursor"] = page["next_cursor"]


def names(sessions: Iterator[dict[str, Any]]) -> list[int]:
    return [int(session["ontology"]["causal_graph_ref"]) for session in sessions]


@pytest.mark.parametrize("limit", [1, 2, 22, 23, 24, 500])
def test_the_pages_are_all_sessions_newest_first(client: Client, space: str, limit: int) -> None:
    found = names(listed(client, hypothesis_space_id=space, limit=limit))
    assert found == [*range(22, -1, -1)]


@pytest.mark.parametrize(("terminated", "rest"), [("true", [0]), ("false", [1, 2])])
def test_sessions_are_filtered(
    client: Client, space: str, terminated: str, rest: list[int]
) -> None:
    query = {"hypothesis_space_id": space, "terminated": terminated, "limit": 4}
    assert names(listed(client, **query)) == [n for n in range(22, -1, -1) if n % 3 in rest]
    alone = listed(client, terminated=terminated, limit=500)
    assert {session["terminated"] for session in alone} == {terminated == "true"}


def test_a_page_holds_fifty_if_nothing_is_said(client: Client, space: str) -> None:
    for _ in range(51 - 23):
        client.declare("a")
    page = client.get("/v1/sessions").json()
    assert (len(page["sessions"]), page["next_cursor"] is None) == (50, False)


def test_a_session_in_a_list_is_its_snapshot_without_survivors(client: Client) -> None:
    session = client.declare()
    (newest,) = client.get("/v1/sessions", params={"limit": 1}).json()["sessions"]
    snapshot = client.get(session).json()
    del snapshot["survivors"]
    assert newest == snapshot


def test_what_is_in_no_space_is_in_no_list(client: Client) -> None:
    for name in ("nobody's", "", "nobody'", "nob%", "nobo_y"):
        answer = client.get("/v1/sessions", params={"hypothesis_space_id": name})
        assert answer.json() == {"sessions": [], "next_cursor": None}


def test_a_cursor_of_another_list_is_a_place_in_time(client: Client, space: str) -> None:
    cursor = client.get("/v1/sessions", params={"hypothesis_space_id": space, "limit": 3}).json()
    query = {"hypothesis_space_id": space, "terminated": "true"}
    query["cursor"] = cursor["next_cursor"]
    assert names(iter(client.get("/v1/sessions", params=query).json()["sessions"]))[0] == 18


def test_a_cursor_is_one_that_was_given(client: Client, space: str) -> None:
    cursor = client.get("/v1/sessions?limit=1").json()["next_cursor"]
    for wrong in (cursor[:-1], cursor + "0", cursor.upper() + "x", cursor.replace("_", " ")):
        answer = client.get("/v1/sessions", params={"cursor": wrong})
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_alive_and_ready_are_asked_with_get_and_head(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.json()["status"] == {"/healthz": "ok", "/readyz": "ready"}[path]
    assert (client.head(path).status_code, client.head(path).content) == (200, b"")


def test_ready_names_the_revision_of_the_schema(client: Client) -> None:
    assert client.get("/readyz").json() == {"status": "ready", "revision": head()}
