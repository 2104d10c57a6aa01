"""What tests of the wire share: bytes as they are, the answers to them, and what they changed."""

import contextlib
import json
import socket
from collections.abc import Iterator
from typing import Any

import psycopg

from tests.support.beliefs import contents
from tests.support.web import Client

JSON = {"Content-Type": "application/json"}
NOBODY = "/v1/sessions/00000000-0000-4000-8000-000000000000"
NO_EVENT = "00000000-0000-4000-8000-00000000ffff"


@contextlib.contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        yield connection


def head(method: str, path: str, *headers: str, close: bool = True) -> bytes:
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: localhost",
        *headers,
        *(["Connection: close"] * close),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def post(path: str, body: bytes, *headers: str, close: bool = True) -> bytes:
    of_body = ("Content-Type: application/json", f"Content-Length: {len(body)}")
    return head("POST", path, *of_body, *headers, close=close) + body


def exchange(address: str, sent: bytes, *, half_close: bool = False) -> bytes:
    """What comes back until the server closes the connection."""
    with connected(address) as connection:
        # Who is refused before all is sent may find the way closed.
        with contextlib.suppress(ConnectionError):
            connection.sendall(sent)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
        return received(connection)


def received(connection: socket.socket) -> bytes:
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(2**16):
            parts.append(part)
    return b"".join(parts)


def answered(raw: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one answer."""
    start, _, body = raw.partition(b"\r\n\r\n")
    line, *fields = start.decode("latin-1").split("\r\n")
    headers = {}
    for field in fields:
        name, _, value = field.partition(": ")
        headers[name.lower()] = value
    return int(line.split()[1]), headers, body


def error_of(raw: bytes) -> tuple[int, str, Any]:
    status, headers, body = answered(raw)
    assert headers["content-type"] == "application/json"
    assert headers["x-request-id"]
    error = json.loads(body)["error"]
    assert error.keys() == {"code", "message", "details"}
    return status, error["code"], error["details"]


@contextlib.contextmanager
def nothing_changes(store: psycopg.Connection[Any]) -> Iterator[None]:
    before = contents(store)
    yield
    assert contents(store) == before, "something changed"


def events(client: Client, session: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"{session}/audit").json()["events"]
    return found


def is_whole(client: Client, session: str) -> bool:
    found = client.get(f"{session}/verify").json()
    return bool(found["ok"] and found["rows_checked"] == client.get(session).json()["audit_seq"])
