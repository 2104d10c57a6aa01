"""What a token costs: ELIMINATE with one and without; and what a revoked one still gets."""

import contextlib
import http.client
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import psycopg

from bench import eliminate
from bench.harness import CLIENTS, Bench, load, spread
from bench.http import Traffic
from bench.web import measure, server
from cmbs.database import tokens
from cmbs.database.calls import call

_CALLS = 100


def run(bench: Bench, rounds: int, seconds: int) -> None:
    print(f"\nHTTP ELIMINATE with a token and without, {CLIENTS} clients, minimal")
    eliminate.declare(bench, "auth_open", 1000)
    bench.create("auth_closed", template="auth_open")
    with bench.connect("auth_closed") as owner:
        token = _token(owner)
    with server(bench, "auth_open", "ours") as free, server(bench, "auth_closed", "closed") as shut:
        traffic, ratios = Traffic(1000), []
        # A connection plans its statements anew, and the first request is identified.
        for port in (free, shut):
            measure(port, _with(token, traffic(Traffic.eliminate), port == shut), 1)
        for number in range(1, rounds + 1):
            answers = {free: 0, shut: 0}
            # Half a second each, in turn, so that what else the machine does meets both alike.
            for turn in range(2 * seconds):
                for port in (free, shut) if turn % 2 else (shut, free):
                    requests = _with(token, traffic(Traffic.eliminate), port == shut)
                    answers[port] += measure(port, requests, 0.5).answers
            ratios.append(answers[free] / answers[shut])
            print(
                f"round {number}: {answers[shut] / seconds:,.0f} / {answers[free] / seconds:,.0f}"
                f" per second, time x {ratios[-1]:.3f}  {load()}"
            )
    print(f"time with a token by time without: {spread(ratios)}   mark: at most 1.10")
    _revoke(bench)


def _token(owner: psycopg.Connection[Any]) -> tokens.Token:
    made, name = tokens.new(), {"name": "bench", "tenant": "default"}
    rights = {"kind": "agent", "roles": ["agent"], "source_prefixes": ["adapter://"]}
    call(owner, "create_principal", **name, **rights)
    call(owner, "create_token", **name, digest=made.digest, prefix=made.prefix)
    return made


def _with(
    token: tokens.Token, make: Callable[[int, int], bytes], is_shown: bool
) -> Callable[[int, int], bytes]:
    if not is_shown:
        return make
    header = f"\r\nauthorization: Bearer {token.text}\r\n".encode()
    return lambda client, count: make(client, count).replace(b"\r\n", header, 1)


def _revoke(bench: Bench) -> None:
    print(f"\nCalls that a revoked token still gets, of {_CALLS} on each of two workers")
    answered: dict[str, int] = {}
    with _two_workers(bench.server.url("auth_closed", "cmbs_server")) as port:
        principal = {"name": "bench", "tenant": "default"}
        made = tokens.new()
        shown = {"Authorization": f"Bearer {made.text}"}
        with bench.connect("auth_closed") as owner, contextlib.ExitStack() as stack:
            answer = call(
                owner, "create_token", **principal, digest=made.digest, prefix=made.prefix
            )
            workers: dict[str, http.client.HTTPConnection] = {}
            while len(workers) < 2:
                one = stack.enter_context(contextlib.closing(_connection(port)))
                # The beginning of the ids that a worker gives tells it from others.
                status, request_id = _ask(one, shown)
                assert status == 200
                workers.setdefault(request_id[:24], one)
            call(owner, "revoke_token", token_id=answer["token_id"])
            for name, one in workers.items():
                statuses = [_ask(one, shown)[0] for _ in range(_CALLS)]
                assert set(statuses) <= {200, 401}, statuses
                answered[name] = statuses.count(200)
    print(f"answered: {', '.join(map(str, answered.values()))}   mark: 0 of each")


def _connection(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=30)


def _ask(connection: http.client.HTTPConnection, headers: dict[str, str]) -> tuple[int, str]:
    connection.request("GET", "/v1/sessions?limit=1", headers=headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status, str(answer.headers["x-request-id"])


@contextlib.contextmanager
def _two_workers(url: str) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "cmbs", "serve", "--port", str(port), "--workers", "2"]
    with subprocess.Popen(
        [*command, "--database-url", url, "--rate-limit", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout
            assert "CMBS is ready" in process.stdout.readline(), "the server did not start"
            yield port
        finally:
            process.terminate()
