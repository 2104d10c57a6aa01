"""Hostile bytes below the level of a body: heads, framing, half-closed and broken connections."""

import json
import socket
import struct
from types import SimpleNamespace
from typing import Any

import pytest
from psycopg import Connection

from cmbs.api.shell.http1 import Http1
from tests.http.wire import (
    answered,
    connected,
    error_of,
    events,
    exchange,
    head,
    is_whole,
    nothing_changes,
    post,
    received,
)
from tests.support.servers import until
from tests.support.web import Client

KIND = "Content-Type: application/json"
MESSAGE = b'{"conclusion_id": "c"}'
NOT_HTTP = {"member": "request", "problem": "is not HTTP/1.1"}
CUT_OFF = {"member": "body", "problem": "was cut off"}
TOO_LONG = {"member": "head", "problem": "may have 64 KiB"}
CHUNKED = "Transfer-Encoding: chunked"

GARBAGE = {
    "words": b"GARBAGE\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "zeros": bytes(1000),
    "a method nobody has": b"EXEC / HTTP/1.1\r\nHost: x\r\n\r\n",
    "a lower case method": b"get /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    "another version": b"GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a header without a name": b"GET /healthz HTTP/1.1\r\n: x\r\n\r\n",
    "a header with a space": b"GET /healthz HTTP/1.1\r\na b: x\r\n\r\n",
    "a NUL in a header": b"GET /healthz HTTP/1.1\r\na: \x00\r\n\r\n",
    "a NUL in a path": b"GET /health\x00z HTTP/1.1\r\n\r\n",
    "raw bytes in a path": "GET /v1/sessions/ä HTTP/1.1\r\n\r\n".encode(),
    "CONNECT": b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("name", GARBAGE)
def test_what_is_not_http_is_told_so(
    site: SimpleNamespace, client: Client, store: Connection[Any], name: str
) -> None:
    with nothing_changes(store):
        answer = exchange(site.address, GARBAGE[name])
    assert error_of(answer) == (400, "INVALID_REQUEST", NOT_HTTP)
    assert answered(answer)[1]["connection"] == "close"
    assert client.get("/healthz").status_code == 200


FRAMING = {
    "two lengths": ["Content-Length: 22", "Content-Length: 23"],
    "a negative length": ["Content-Length: -1"],
    "a length that is none": ["Content-Length: x"],
    "an endless length": ["Content-Length: " + "9" * 40],
    "a length and chunks": ["Content-Length: 22", CHUNKED],
    "unknown framing": ["Transfer-Encoding: gzip"],
}


@pytest.mark.parametrize("name", FRAMING)
def test_a_body_has_one_length(
    site: SimpleNamespace, client: Client, store: Connection[Any], name: str
) -> None:
    session = client.declare()
    with nothing_changes(store):
        sent = head("POST", f"{session}/conclusions", KIND, *FRAMING[name]) + MESSAGE
        answer = exchange(site.address, sent, half_close=True)
        assert error_of(answer)[:2] == (400, "INVALID_REQUEST")


HEADS = {
    "one header of 1 MiB": [f"A: {'x' * 2**20}"],
    "one header of 65 KiB": [f"A: {'x' * 65 * 1024}"],
    "10,000 headers": [f"A{n}: x" for n in range(10_000)],
    "many headers of 1 KiB": [f"A{n}: {'x' * 1024}" for n in range(64)],
}


@pytest.mark.parametrize("name", HEADS)
def test_a_head_is_never_too_long(site: SimpleNamespace, client: Client, name: str) -> None:
    answer = exchange(site.address, head("GET", "/healthz", *HEADS[name]))
    assert error_of(answer) == (400, "INVALID_REQUEST", TOO_LONG)
    assert client.get("/healthz").status_code == 200


def test_a_path_is_never_too_long(site: SimpleNamespace, client: Client) -> None:
    for n in (2**16, 2**20):
        answer = exchange(site.address, head("GET", "/v1/sessions/" + "x" * n))
        assert error_of(answer)[:2] == (400, "INVALID_REQUEST")
    assert client.get("/healthz").status_code == 200


def test_a_long_head_is_read_however_it_is_cut(site: SimpleNamespace) -> None:
    sent = head("GET", "/healthz", *[f"A{n}: {'x' * 1000}" for n in range(60)])
    with connected(site.address) as connection:
        for start in range(0, len(sent), 1000):
            connection.sendall(sent[start : start + 1000])
        assert answered(received(connection))[0] == 200


CUT = {
    "a body shorter than its length": head("POST", "X", KIND, "Content-Length: 23") + MESSAGE,
    "no body at all": head("POST", "X", KIND, "Content-Length: 22"),
    "chunks without an end": head("POST", "X", KIND, CHUNKED) + b"16\r\n" + MESSAGE + b"\r\n",
    "half a chunk": head("POST", "X", KIND, CHUNKED) + b"17\r\n" + MESSAGE,
    "chunks without their last line": head("POST", "X", KIND, CHUNKED)
    + (b"16\r\n" + MESSAGE + b"\r\n0\r\n"),
}


@pytest.mark.parametrize("name", CUT)
def test_half_a_message_is_none(
    site: SimpleNamespace, client: Client, store: Connection[Any], name: str
) -> None:
    session = client.declare()
    with nothing_changes(store):
        sent = CUT[name].replace(b" X ", f" {session}/conclusions ".encode())
        answer = exchange(site.address, sent, half_close=True)
        assert error_of(answer) == (400, "INVALID_REQUEST", CUT_OFF)
    assert client.post(f"{session}/conclusions", json={"conclusion_id": "c"}).status_code == 200


def test_half_a_head_is_not_answered(site: SimpleNamespace) -> None:
    assert exchange(site.address, b"GET /healthz HTTP/1.1\r\nHo", half_close=True) == b""
    assert exchange(site.address, b"", half_close=True) == b""


@pytest.mark.parametrize("before", [b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_a_head_that_never_ends_is_not_waited_for(
    site: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, before: bytes
) -> None:
    monkeypatch.setattr(Http1, "patience", 0.1)
    # It says its deadline, and the connection ends, though its caller leaves it open.
    answer = exchange(site.address, before + b"GET /healthz HTTP/1.1\r\nHo")
    late = {"member": "head", "problem": "must come within 0.1 seconds"}
    assert error_of(answer[answer.rindex(b"HTTP/1.1") :]) == (400, "INVALID_REQUEST", late)
    assert answer.count(b"HTTP/1.1 200") == before.count(b"GET")


def test_who_says_nothing_is_not_waited_for(
    site: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Http1, "patience", 0.1)
    late = {"member": "head", "problem": "must come within 0.1 seconds"}
    assert error_of(exchange(site.address, b"")) == (400, "INVALID_REQUEST", late)


def test_chunks_that_are_none_are_refused(
    site: SimpleNamespace, client: Client, store: Connection[Any]
) -> None:
    session = client.declare()
    with nothing_changes(store):
        for chunk in (b"zz\r\n", b"-1\r\n", b"ffffffffffffffffff\r\n", b"16\r\n" + MESSAGE + b"xx"):
            sent = head("POST", f"{session}/conclusions", KIND, CHUNKED) + chunk
            answer = exchange(site.address, sent, half_close=True)
            assert error_of(answer)[:2] == (400, "INVALID_REQUEST")


def test_a_whole_message_is_answered_although_no_more_can_come(
    site: SimpleNamespace, client: Client
) -> None:
    session = client.declare()
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in MESSAGE) + b"0\r\n\r\n"
    chunked = head("POST", f"{session}/conclusions", KIND, CHUNKED) + chunks
    for sent in (post(f"{session}/conclusions", MESSAGE), chunked):
        assert answered(exchange(site.address, sent, half_close=True))[0] == 200
    assert len(events(client, session)) == 3


def test_several_messages_in_a_row_are_answered_in_a_row(
    site: SimpleNamespace, client: Client
) -> None:
    session = client.declare()
    row = post(f"{session}/conclusions", MESSAGE, close=False) * 3
    answer = exchange(site.address, row + head("GET", session))
    assert answer.count(b"HTTP/1.1 200 OK") == 4
    assert b'"audit_seq": 4' in answer.rpartition(b"HTTP/1.1")[2]


def test_a_body_that_nobody_asked_for_is_left_out(site: SimpleNamespace, client: Client) -> None:
    get = head("GET", "/healthz", "Content-Length: 5", close=False) + b"hello"
    answer = exchange(site.address, get + head("GET", client.declare()))
    assert answer.count(b"HTTP/1.1 200 OK") == 2


@pytest.mark.parametrize("name", ["Content-Type", "Content-Encoding"])
def test_what_says_how_a_body_is_read_is_said_once(
    site: SimpleNamespace, client: Client, store: Connection[Any], name: str
) -> None:
    session = client.declare()
    length = f"Content-Length: {len(MESSAGE)}"
    twice = [KIND, KIND] if name == "Content-Type" else [KIND, f"{name}: identity", f"{name}: gzip"]
    with nothing_changes(store):
        sent = head("POST", f"{session}/conclusions", length, *twice) + MESSAGE
        assert error_of(exchange(site.address, sent))[:2] == (415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize("upgrade", ["h2c", "websocket", "x"])
def test_a_message_never_loses_its_body_to_an_upgrade(
    site: SimpleNamespace, client: Client, store: Connection[Any], upgrade: str
) -> None:
    session = client.declare("a", "b")
    asked = ("Connection: Upgrade, HTTP2-Settings", f"Upgrade: {upgrade}", "HTTP2-Settings: AAA")
    body = b'{"context": {"force": true}}'
    chunked = head("POST", f"{session}/terminate", KIND, CHUNKED, *asked)
    for sent in (
        post(f"{session}/terminate", body, *asked),
        chunked + b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body),
    ):
        status, _, answer = answered(exchange(site.address, sent))
        assert (status, json.loads(answer)["reason"]) == (200, "force not allowed by policy")
        assert events(client, session)[-1]["payload"]["context"] == {"force": True}
    # The connection goes on as if nothing had been asked.
    first = head("GET", "/healthz", *asked, close=False)
    both = exchange(site.address, first + head("GET", "/healthz"))
    assert both.count(b'{"status": "ok"}') == 2


@pytest.mark.nightly
@pytest.mark.slow("waits until a connection is given up")
def test_what_was_applied_is_answered_whatever_follows(
    site: SimpleNamespace, client: Client
) -> None:
    for garbage in (b"GARBAGE\r\n\r\n", b"GET /" + b"x" * 100_000, b"CONNECT a:1 HTTP/1.1\r\n\r\n"):
        session = client.declare("a", "b")
        sent = post(f"{session}/conclusions", MESSAGE, close=False) + garbage
        answer = exchange(site.address, sent)
        assert answered(answer)[0] == 200
        assert answer.count(b"HTTP/1.1") == 1
        assert len(events(client, session)) == 2


def test_what_follows_a_body_in_chunks_is_no_header(site: SimpleNamespace, client: Client) -> None:
    session = client.declare()
    trailers = b'0\r\nIf-Match: "x"\r\nIdempotency-Key: k\r\nX-Request-ID: k\r\n\r\n'
    sent = head("POST", f"{session}/conclusions", KIND, CHUNKED) + b"16\r\n" + MESSAGE + b"\r\n"
    status, headers, _ = answered(exchange(site.address, sent + trailers))
    assert (status, headers["x-request-id"] == "k") == (200, False)
    assert "request_id" not in events(client, session)[-1]["payload"]


@pytest.mark.parametrize("begin", [b"0\r\nA: ", b"0\r\n", b"2;"], ids=["one", "many", "extension"])
def test_what_stands_beside_chunks_is_never_too_long(
    site: SimpleNamespace, client: Client, store: Connection[Any], begin: bytes
) -> None:
    session = client.declare()
    with nothing_changes(store):
        sent = head("POST", f"{session}/terminate", KIND, CHUNKED) + begin
        sent += b"A: xxxxxxxx\r\n" * 2**17 if begin == b"0\r\n" else b"x" * 2**20
        assert error_of(exchange(site.address, sent)) == (400, "INVALID_REQUEST", TOO_LONG)


def test_who_asks_before_sending_a_body_is_told_to_go_on(
    site: SimpleNamespace, client: Client
) -> None:
    session = client.declare()
    with connected(site.address) as connection:
        message = post(f"{session}/conclusions", MESSAGE, "Expect: 100-continue")
        connection.sendall(message[: -len(MESSAGE)])
        assert connection.recv(2**16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(MESSAGE)
        assert answered(received(connection))[0] == 200


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize("rude", [False, True], ids=["closed", "reset"])
def test_a_connection_that_is_dropped_leaves_one_event_for_a_message(
    site: SimpleNamespace, client: Client, rude: bool
) -> None:
    session = client.declare()
    body = b'{"source_id": "s", "observation_id": "%d", "eliminated": ["a"]}'
    for n in range(24):
        sent = post(f"{session}/eliminate", body % n, close=False)
        with connected(site.address) as connection:
            # Before the body is whole, as soon as it is, and when the answer is on its way.
            connection.sendall(sent[: len(sent) - (5, 0, 0)[n % 3]])
            if n % 3 == 2:
                connection.recv(1)
            if rude:
                reset(connection)
        again = exchange(site.address, post(f"{session}/eliminate", body % n))
        assert answered(again)[0] == 200
        if n % 3 == 0:
            assert b'"duplicate": false' in again
        if n % 3 == 2:
            assert b'"duplicate": true' in again
    until(lambda: len(events(client, session)) == 25)
    assert is_whole(client, session)


def test_who_sends_one_byte_at_a_time_is_waited_for(site: SimpleNamespace, client: Client) -> None:
    session = client.declare()
    with connected(site.address) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in post(f"{session}/conclusions", MESSAGE):
            connection.send(bytes([byte]))
        assert answered(received(connection))[0] == 200
