"""gzip in both directions: packed requests within limits, answers packed when asked for."""

import gzip
import zlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from psycopg import Connection

from cmbs.api.shell import body_decoding
from tests.http.tour import message
from tests.http.wire import JSON, events, nothing_changes
from tests.support.web import ONTOLOGY, Client, refusal

PACKED = JSON | {"Content-Encoding": "gzip"}
BODY = b'{"conclusion_id": "c"}'
GOOD = {
    "one member": gzip.compress(BODY),
    "two members": gzip.compress(BODY[:9]) + gzip.compress(BODY[9:]),
    "sixteen members": b"".join(gzip.compress(BODY[n : n + 2]) for n in range(0, 30, 2))
    + gzip.compress(b""),
    "up to the limit": gzip.compress(BODY + b" " * (8 * 2**20 - len(BODY))),
    "not compressed": gzip.compress(BODY, compresslevel=0),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_packed_message_is_unpacked(client: Client, name: str) -> None:
    session = client.declare()
    answer = client.post(f"{session}/conclusions", content=GOOD[name], headers=PACKED)
    assert answer.status_code == 200, answer.text
    assert events(client, session)[-1]["payload"]["conclusion_id"] == "c"


BAD = {
    "truncated": (GOOD["one member"][:-3], "was cut off before its gzip end"),
    "a head alone": (GOOD["one member"][:10], "was cut off before its gzip end"),
    "trailing garbage": (
        GOOD["one member"] + b"garbage!" * 3,
        "must be packed with gzip as its Content-Encoding says",
    ),
    "trailing zeros": (
        GOOD["one member"] + bytes(32),
        "must be packed with gzip as its Content-Encoding says",
    ),
    "not packed": (BODY, "must be packed with gzip as its Content-Encoding says"),
    "a wrong sum": (
        GOOD["one member"][:-8] + bytes(8),
        "must be packed with gzip as its Content-Encoding says",
    ),
    "17 members": (gzip.compress(b"") * 16 + GOOD["one member"], "may have 16 gzip members"),
    "packed twice": (gzip.compress(GOOD["one member"]), "must be UTF-8, at line 1, column 2"),
    "nothing": (gzip.compress(b""), "must be a JSON object"),
    "no bytes": (b"", "must be a JSON object"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_packed_badly_is_refused(client: Client, store: Connection[Any], name: str) -> None:
    body, problem = BAD[name]
    session = client.declare()
    with nothing_changes(store):
        answer = client.post(f"{session}/conclusions", content=body, headers=PACKED)
        details = {"member": "body", "problem": problem}
        assert refusal(answer) == (400, "INVALID_REQUEST", details)


def test_a_bomb_is_defused(client: Client, store: Connection[Any]) -> None:
    session = client.declare()
    with nothing_changes(store):
        for body in (
            gzip.compress(b" " * (8 * 2**20 + 1)),
            gzip.compress(b" " * 2**29, compresslevel=1),
            gzip.compress(b" " * (5 * 2**20)) * 2,
        ):
            answer = client.post(f"{session}/conclusions", content=body, headers=PACKED)
            details = {"member": "body", "limit": "8 MiB"}
            assert refusal(answer) == (413, "PAYLOAD_TOO_LARGE", details)


def test_many_members_do_not_hold_the_server(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = client.declare()
    body = gzip.compress(b"") * (8 * 2**20 // 20)
    opened: list[Any] = []

    def opening(wbits: int) -> Any:
        opened.append(zlib.decompressobj(wbits))
        return opened[-1]

    counting = SimpleNamespace(error=zlib.error, decompressobj=opening)
    monkeypatch.setattr(body_decoding, "zlib", counting)
    answer = client.post(f"{session}/conclusions", content=body, headers=PACKED)
    assert refusal(answer)[:2] == (400, "INVALID_REQUEST")
    assert len(opened) == body_decoding._MEMBERS_OF_GZIP < 100


@pytest.mark.parametrize("coding", ["deflate", "br", "zstd", "gzip, gzip", "gzip;q=1", "x", "*"])
def test_another_coding_is_not_read(client: Client, store: Connection[Any], coding: str) -> None:
    session = client.declare()
    with nothing_changes(store):
        headers = JSON | {"Content-Encoding": coding}
        answer = client.post(f"{session}/conclusions", content=BODY, headers=headers)
        details = {"content_encoding": coding}
        assert refusal(answer) == (415, "UNSUPPORTED_MEDIA_TYPE", details)


@pytest.mark.parametrize("coding", ["identity", "", "GZIP", "x-gzip", " gzip "])
def test_other_spellings_of_a_coding_are_known(client: Client, coding: str) -> None:
    body = GOOD["one member"] if "gzip" in coding.lower() else BODY
    headers = JSON | {"Content-Encoding": coding.strip()}
    answer = client.post(f"{client.declare()}/conclusions", content=body, headers=headers)
    assert answer.status_code == 200


def chunks(n: int) -> Iterator[bytes]:
    for _ in range(n):
        yield b" " * 2**20


def test_a_body_in_chunks_has_the_same_limit(client: Client, store: Connection[Any]) -> None:
    session = client.declare()
    with nothing_changes(store):
        answer = client.post(f"{session}/conclusions", content=chunks(9), headers=JSON)
        assert refusal(answer)[:2] == (413, "PAYLOAD_TOO_LARGE")
        answer = client.post("/v1/sessions", content=chunks(65), headers=JSON)
        assert refusal(answer)[:2] == (413, "PAYLOAD_TOO_LARGE")


def test_a_declare_may_be_large(client: Client) -> None:
    ids = [f"hypothesis {n:0400}" for n in range(30_000)]
    body = {"ontology": ONTOLOGY, "hypotheses": ids}
    answer = client.post("/v1/sessions", json=body, headers={"Prefer": "return=minimal"})
    assert answer.status_code == 201
    assert answer.json()["snapshot"]["n_hypotheses"] == 30_000


TAKES = ["gzip", "GZIP", "x-gzip", "*", "br, gzip", "gzip;q=0.5, br;q=1", "gzip ; q=1", "deflate,*"]
TAKES_NOT = ["", "identity", "br", "gzip;q=0", "gzip; q=0.000", "*;q=0", "gzip;q=0, *", "xgzipx"]


@pytest.mark.parametrize("sent", [*TAKES, *TAKES_NOT])
def test_an_answer_is_packed_if_that_is_asked_for(client: Client, sent: str) -> None:
    session = client.declare(*[f"h{n}" for n in range(200)])
    headers = {"Accept-Encoding": sent}
    plain = client.get(session, headers={"Accept-Encoding": "identity"})
    for path in (session, f"{session}/audit", f"{session}/eliminate", "/schema/openapi.yaml"):
        if "eliminate" in path:
            answer = client.post(path, json=message("o", "x"), headers=headers)
        else:
            answer = client.get(path, headers=headers)
        assert answer.status_code == 200
        assert (answer.headers.get("content-encoding") == "gzip") == (sent in TAKES), path
        if sent in TAKES:
            assert "Accept-Encoding" in answer.headers["vary"]
        if path == session:
            assert answer.content == plain.content
            assert answer.headers["etag"] == plain.headers["etag"]
            assert answer.headers["vary"].startswith("Prefer, Accept")


def test_a_small_answer_is_not_packed(client: Client) -> None:
    for path in ("/healthz", client.declare("a"), "/nothing"):
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in answer.headers
