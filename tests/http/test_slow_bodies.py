"""Bodies that do not come on, and more of them than there is memory for."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from cmbs.api.shell import body_limits
from cmbs.api.shell.refusals import RequestRefused
from tests.support.web import ONTOLOGY, Client, serving

HEAD = (
    "POST /v1/sessions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    "content-length: {}\r\n\r\n"
)


@pytest.fixture
def web(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(body_limits, "PATIENCE", 0.5)
    monkeypatch.setattr(body_limits, "SLOWEST", 1000)
    monkeypatch.setattr(body_limits, "MEMORY", 200_000)
    with serving(database, connections=2) as address, Client(base_url=address) as client:
        yield client


def connected(web: Client) -> socket.socket:
    connection = socket.create_connection((web.base_url.host, web.base_url.port or 80))
    connection.settimeout(20)
    return connection


def declare(n_bytes: int) -> bytes:
    text = json.dumps({"ontology": ONTOLOGY, "hypotheses": ["a"]}).encode()
    return text[:-1] + b" " * (n_bytes - len(text)) + b"}"


def answer(connection: socket.socket) -> bytes:
    with connection.makefile("rb") as stream:
        return stream.read()


@pytest.mark.parametrize("begun", [b'{"ontology": ', b""], ids=["begun", "not begun"])
def test_a_body_that_stops_is_not_waited_for(web: Client, begun: bytes) -> None:
    with connected(web) as connection:
        connection.sendall(HEAD.format(1000).encode() + begun)
        said = answer(connection)
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b'"code": "INVALID_REQUEST"' in said
    assert b"must come within 0.5 seconds, and one more for each 0 KiB" in said
    assert b"connection: close" in said.lower()
    assert web.get("/readyz").status_code == 200


def test_one_that_comes_on_is(web: Client) -> None:
    """Longer than one that has stopped, and not faster than it must."""
    body = declare(1500)
    with connected(web) as connection:
        connection.sendall(HEAD.format(f"{len(body)}\r\nconnection: close").encode())
        for start in range(0, 1500, 150):
            connection.sendall(body[start : start + 150])
            time.sleep(0.1)
        assert answer(connection).startswith(b"HTTP/1.1 201 ")


def test_only_so_much_is_read_at_once(web: Client) -> None:
    """Who finds no room is told to come again; who waits for little is not in the line."""
    with connected(web) as holder:
        holder.sendall(HEAD.format(190_000).encode() + b"{" + b" " * 1000)
        body = declare(150_000)
        with connected(web) as waiting:
            waiting.sendall(HEAD.format(len(body)).encode() + body)
            assert web.get(web.declare()).status_code == 200
            # By then the first has been given up, because it did not come on.
            assert waiting.recv(12) in (b"HTTP/1.1 201", b"HTTP/1.1 503")
        assert answer(holder).startswith(b"HTTP/1.1 408 ")
    headers = {"content-type": "application/json"}
    for _ in range(3):
        assert web.post("/v1/sessions", content=body, headers=headers).status_code == 201


def test_half_a_body_is_no_message() -> None:
    """Whichever hears first that the caller has gone: here it is who reads the body."""
    begun: Any = {"type": "http.request", "body": b"{}", "more_body": True}
    events = iter([begun, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(events)

    request: Any = SimpleNamespace(receive=receive)
    with pytest.raises(RequestRefused) as caught:
        asyncio.run(body_limits.read(request, 1000))
    assert caught.value.details == {"member": "body", "problem": "was cut off"}
