"""Ids are opaque: every character, in paths and in bodies, comes back as it was."""

from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from psycopg import Connection

from tests.http.wire import answered, events, exchange, head, is_whole, nothing_changes, post
from tests.support.web import Client, refusal

IDS = [
    "a/b",
    "/",
    "//",
    "/a",
    "a/",
    "a//b",
    "%2F",
    "%",
    "%25",
    "%zz",
    "a b",
    " ",
    " a ",
    "+",
    "a+b",
]
IDS += ["?", "a?b=c", "#", "a#b", ";", "&", "=", '"', "'", "\\", "`", "\n", "\r\n", "\t", "\x01"]
IDS += ["\x7f", "ä", "a\u0308", "\U0001f600", "\ue000", "\uffff", "\u202e", "\u2028"]
IDS += [".", "..", "../..", "./a", "exit", "waive", "a/exit", "/exit", "a/waive", "exit/exit"]
IDS += ["a/exit/waive", "obligations/a/exit", "audit", "x" * 512, "ä" * 256, "{id}", "{a:str}"]
IDS += ["null", "true", "0", "\ufeff", "%C3%A4", "a%2Fb", "CON", "%00x"]
# What a path may hold unencoded, beside the slashes.
PLAIN = [
    i for i in IDS if i.isascii() and set(i) <= set("/.:+;&='{}") | set(map(chr, range(48, 123)))
]
PLAIN = [i for i in PLAIN if "?" not in i and "\\" not in i and "^" not in i and "`" not in i]


def encoded(name: str) -> str:
    return name.replace(".", "%2E") if name in (".", "..") else quote(name, safe="")


def test_every_id_is_found_by_its_path(client: Client) -> None:
    session = client.declare(*IDS)
    assert client.get(session).json()["survivors"] == sorted(IDS)
    for hypothesis in IDS:
        found = client.get(f"{session}/hypotheses/{encoded(hypothesis)}")
        assert found.status_code == 200, hypothesis
        assert found.json()["hypothesis_id"] == hypothesis
        assert found.json()["survives"] is True


@pytest.mark.parametrize("hypothesis", PLAIN)
def test_an_id_need_not_be_encoded(client: Client, site: SimpleNamespace, hypothesis: str) -> None:
    session = client.declare(hypothesis, "another")
    path = f"{session}/hypotheses/{hypothesis}"
    status, _, body = answered(exchange(site.address, head("GET", path)))
    assert status == 200, body
    assert client.get(session).json()["survivors"] == sorted([hypothesis, "another"])
    assert b'"survives": true' in body


def test_two_spellings_of_one_letter_are_two_ids(client: Client) -> None:
    session = client.declare("\u00e4")
    answer = client.get(f"{session}/hypotheses/{quote('a' + chr(0x308))}")
    assert refusal(answer)[2] == {"invalid": ["a\u0308"], "n_invalid": 1}


@pytest.mark.parametrize("is_encoded", [True, False], ids=["encoded", "bare"])
def test_every_id_can_be_left_as_an_obligation(
    client: Client, site: SimpleNamespace, is_encoded: bool
) -> None:
    session = client.declare()
    for obligation in IDS if is_encoded else PLAIN:
        body = {"obligation_id": obligation, "min_total_eliminations": 0}
        entered = client.post(f"{session}/obligations", json=body).json()
        assert entered["snapshot"]["active_obligation_id"] == obligation
        written = encoded(obligation) if is_encoded else obligation
        answer = exchange(site.address, post(f"{session}/obligations/{written}/exit", b"{}"))
        assert answered(answer)[0] == 200, obligation
        client.post(f"{session}/obligations", json=body)
        sent = post(f"{session}/obligations/{written}/waive", b'{"reason": "r"}')
        assert answered(exchange(site.address, sent))[0] == 200, obligation
    left = client.get(f"{session}/obligations").json()["obligations"]
    ids = IDS if is_encoded else PLAIN
    assert [one["obligation_id"] for one in left] == [i for i in ids for _ in "12"]
    assert [one["state"] for one in left] == ["exited", "waived"] * len(ids)
    assert is_whole(client, session)


def test_every_id_comes_back_from_a_body(client: Client) -> None:
    session = client.declare("a")
    for n, sent in enumerate(IDS):
        body = {"source_id": sent, "observation_id": sent, "eliminated": [sent, "a", sent]}
        told = client.post(f"{session}/eliminate", json=body).json()
        assert sent in told["ignored_eliminated"] or sent == "a"
        client.post(f"{session}/conclusions", json={"conclusion_id": sent, "notes": sent})
        eliminated, concluded = events(client, session)[-2:]
        assert eliminated["payload"] == body | {"justification": {}}
        assert (concluded["payload"]["conclusion_id"], concluded["notes"]) == (sent, sent)
        if n == 0:
            told = client.get(f"{session}/hypotheses/a").json()["eliminated_by"]
            assert (told["source_id"], told["observation_id"]) == (sent, sent)
    found = client.get(f"{session}/conclusions").json()["conclusions"]
    assert [one["conclusion_id"] for one in found] == IDS
    assert is_whole(client, session)


def test_a_source_and_an_observation_are_never_joined(client: Client) -> None:
    session = client.declare()
    pairs = [("a", "b/c"), ("a/b", "c"), ("a:b", "c"), ("a", "b:c"), ("", "")][:4]
    for source, observation in pairs:
        body = {"source_id": source, "observation_id": observation, "eliminated": []}
        assert client.post(f"{session}/eliminate", json=body).json()["duplicate"] is False


def test_every_id_is_that_of_a_space(client: Client) -> None:
    for name in IDS:
        path = f"/v1/hypothesis-spaces/{encoded(name)}/versions/{encoded(name)}"
        put = client.put(path, json={"hypotheses": [name]})
        assert put.status_code == 201, name
        found = client.get(put.headers["location"]).json()
        assert found["hypothesis_space_id"] == found["hypothesis_version"] == name
        assert found["hypotheses"] == [name]
        ontology = {
            "hypothesis_space_id": name,
            "hypothesis_version": name,
            "causal_graph_ref": name,
            "causal_graph_version": name,
        }
        declared = client.post("/v1/sessions", json={"ontology": ontology}).json()
        assert declared["snapshot"]["ontology"] == ontology
        assert declared["snapshot"]["survivors"] == [name]
        listed = client.get("/v1/sessions", params={"hypothesis_space_id": name}).json()
        assert listed["sessions"][0]["session_id"] == declared["session_id"]


BROKEN = ["%ff", "%C3", "%ed%a0%80", "%f8%88%80%80%80", "a%80"]


@pytest.mark.parametrize("written", BROKEN)
def test_an_id_in_a_path_is_utf_8(client: Client, store: Connection[Any], written: str) -> None:
    session = client.declare()
    paths = {
        "hypothesis_id": ("GET", f"{session}/hypotheses/{written}", None),
        "obligation_id": ("POST", f"{session}/obligations/{written}/exit", {}),
        "hypothesis_space_id": ("GET", f"/v1/hypothesis-spaces/{written}/versions/1", None),
        "hypothesis_version": (
            "PUT",
            f"/v1/hypothesis-spaces/a/versions/{written}",
            {"hypotheses": ["a"]},
        ),
    }
    with nothing_changes(store):
        for member, (method, path, body) in paths.items():
            details = {"member": member, "problem": "must be UTF-8"}
            answer = client.request(method, path, json=body)
            assert refusal(answer) == (400, "INVALID_REQUEST", details)


@pytest.mark.parametrize("written", ["%00", "a%00b"])
def test_no_id_in_a_path_holds_a_nul(client: Client, store: Connection[Any], written: str) -> None:
    session = client.declare()
    with nothing_changes(store):
        for path in (
            f"{session}/hypotheses/{written}",
            f"/v1/hypothesis-spaces/{written}/versions/1",
        ):
            assert refusal(client.get(path))[:2] == (400, "INVALID_REQUEST")
        answer = client.post(f"{session}/obligations/{written}/exit")
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST")


@pytest.mark.parametrize("long", ["x" * 513, "ä" * 257])
def test_an_id_in_a_path_is_no_longer_than_others(
    client: Client, store: Connection[Any], long: str
) -> None:
    session = client.declare()
    with nothing_changes(store):
        answer = client.post(f"{session}/obligations/{quote(long)}/exit")
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST")
        answer = client.put(
            f"/v1/hypothesis-spaces/{quote(long)}/versions/1", json={"hypotheses": ["a"]}
        )
        assert refusal(answer)[:2] == (400, "INVALID_REQUEST")
        assert refusal(client.get(f"{session}/hypotheses/{quote(long)}"))[0] in (400, 404)
