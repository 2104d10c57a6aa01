"""Who `cmbs serve` lets in: what it refuses to start with, what its line says, and its workers."""

import contextlib
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs.database.calls import call
from tests.deploy.test_serve import failed
from tests.http.test_tls import TLS
from tests.support.served import Served, running
from tests.support.servers import reachable_folder, until
from tests.support.web import Client, bearer, refusal, token_of

MAY_MORE = (
    "cmbs: the server's login may do more than call verbs; better give it one that has "
    "the role cmbs_server and no other\n"
)


@pytest.fixture
def folder() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder


@pytest.fixture
def server_url(database: str) -> str:
    return make_conninfo(database, user="cmbs_server")


def said(served: Served) -> str:
    """What its one line says of tokens."""
    until(lambda: served.out.endswith("\n"))
    (line,) = served.out.splitlines()
    ready = f"CMBS is ready: {served.address} (documentation: {served.address}/schema); "
    assert line.startswith(ready)
    return line.removeprefix(ready)


@pytest.mark.nightly
@pytest.mark.slow("two servers")
def test_this_machine_needs_no_token_until_there_is_a_principal(folder: Path) -> None:
    with running(Served(folder)) as served:
        assert said(served) == "this machine needs no token"
        with Client(base_url=served.address) as client:
            assert client.get(client.declare()).status_code == 200
            rebound = client.get("/v1/sessions", headers={"Host": "rebound.example"})
            assert refusal(rebound)[:2] == (403, "FORBIDDEN")
            where = f"host={served.data_dir / 'socket'} user=postgres dbname=cmbs"
            token = token_of(where, "ann", "agent", tenant="default")
            assert refusal(client.get("/v1/sessions"))[0] == 401
            assert client.get("/v1/sessions", headers=bearer(token)).status_code == 200
        assert served.end() == 0
    for name in ("out", "err"):
        (folder / name).unlink()
    with running(Served(folder)) as served:
        assert said(served) == "every request needs a token"
        assert httpx.get(f"{served.address}/v1/sessions").status_code == 401
        assert httpx.get(f"{served.address}/v1/sessions", headers=bearer(token)).is_success
        assert served.end() == 0
    refused = failed("--data-dir", str(served.data_dir), "--no-auth", status=4)
    assert "there are principals in the database, so --no-auth is refused" in refused.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("arguments", [(), ("--host", "0.0.0.0")], ids=["here", "everywhere"])
def test_a_given_database_is_served_to_nobody_by_mistake(
    server_url: str, arguments: tuple[str, ...]
) -> None:
    told = failed("--database-url", server_url, *arguments, status=4).stderr
    for name in ("cmbs principal create", "cmbs token create", "--no-auth"):
        assert name in told


def test_an_address_of_others_is_served_to_nobody_by_mistake(folder: Path) -> None:
    done = failed("--host", "0.0.0.0", CMBS_DATA_DIR=str(folder / "data"), status=4)
    assert "nobody could come in, as there is no token" in done.stderr


@pytest.mark.nightly
def test_everybody_is_let_in_if_that_is_said(folder: Path, server_url: str, database: str) -> None:
    arguments = ("--host", "0.0.0.0", "--database-url", server_url, "--no-auth")
    with running(Served(folder, arguments, host="0.0.0.0")) as served:
        assert said(served) == "nobody needs a token (--no-auth)"
        with Client(base_url=f"http://127.0.0.1:{served.port}") as client:
            assert client.get(client.declare()).status_code == 200
        assert served.end() == 0
    token_of(database, "ann", "agent")
    refused = failed("--database-url", server_url, "--no-auth", status=4)
    assert "there are principals in the database, so --no-auth is refused" in refused.stderr


def test_a_mighty_login_is_warned_of_and_lets_nobody_in(folder: Path, database: str) -> None:
    token = token_of(database, "ann", "agent", tenant="blue")
    with running(Served(folder, ("--database-url", database))) as served:
        assert said(served) == "every request needs a token"
        assert served.err.startswith(MAY_MORE)
        assert httpx.get(f"{served.address}/v1/sessions").status_code == 401
        assert httpx.get(f"{served.address}/v1/sessions", headers=bearer(token)).is_success
        assert served.end() == 0


def test_a_mighty_login_alone_does_not_open(database: str) -> None:
    done = failed("--database-url", database, status=4)
    assert "nobody could come in, as there is no token" in done.stderr
    done = failed("--database-url", database, "--no-auth", status=4)
    assert "without tokens everybody would be the server's login" in done.stderr


@pytest.mark.nightly
def test_a_login_that_is_a_principal_shuts_the_others_out(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as owner, login(owner) as name:
        rights = {"kind": "service", "roles": ["agent"], "is_login": True}
        call(owner, "create_principal", name=name, **rights)
        url = make_conninfo(database, user=name)
        assert (
            "so --no-auth is refused" in failed("--database-url", url, "--no-auth", status=4).stderr
        )
        call(owner, "change_principal", name=name, is_enabled=False)
        assert (
            "the server's login may call nothing" in failed("--database-url", url, status=4).stderr
        )


@contextlib.contextmanager
def login(owner: psycopg.Connection[tuple[object, ...]]) -> Iterator[str]:
    owner.execute("drop role if exists serve_principal")
    owner.execute("create role serve_principal login in role cmbs_agent")
    try:
        yield "serve_principal"
    finally:
        owner.execute("drop role serve_principal")


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("--tls-cert", str(TLS.certificate)), 2, "TLS needs both, --tls-cert and --tls-key"),
        (("--tls-key", str(TLS.key)), 2, "TLS needs both, --tls-cert and --tls-key"),
        (("--tls-cert", "/none", "--tls-key", str(TLS.key)), 5, "/none cannot be read"),
        (("--tls-cert", str(TLS.key), "--tls-key", str(TLS.key)), 5, "must hold, in PEM"),
        (("--rate-limit", "-1"), 2, "--rate-limit: must be a whole number from 0 to 1000000"),
        (("--rate-limit", "many"), 2, "--rate-limit: must be a whole number"),
    ],
)
def test_refused(tmp_path: Path, arguments: tuple[str, ...], status: int, told: str) -> None:
    there = tmp_path / "data"
    assert told in failed(*arguments, status=status, CMBS_DATA_DIR=str(there)).stderr
    assert not there.exists()


@pytest.mark.nightly
def test_the_rate_is_what_was_said(folder: Path, server_url: str, database: str) -> None:
    token = token_of(database, "ann", "agent")
    arguments = ("--database-url", server_url, "--rate-limit", "1")
    served = Served(folder, arguments)
    served.start()
    try:
        until(lambda: served.out.endswith("\n"), 60)
        with Client(base_url=served.address, headers=bearer(token)) as client:
            until(lambda: client.get("/v1/sessions").status_code == 429)
            until(lambda: client.get("/v1/sessions").status_code == 200)
    finally:
        assert served.end() == 0
        served.await_nothing()


class Worker:
    """A connection that stays with the worker that took it."""

    def __init__(self, port: int, token: SimpleNamespace) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = bearer(token)
        # The beginning of the ids that a worker gives tells it from others.
        self.process = self.get("/healthz")[1][:24]

    def get(self, path: str) -> tuple[int, str]:
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        json.loads(answer.read())
        return answer.status, answer.headers["x-request-id"]

    def close(self) -> None:
        self._connection.close()


def test_a_revoked_token_is_refused_by_the_next_call_of_every_worker(
    folder: Path, server_url: str, database: str
) -> None:
    token = token_of(database, "ann", "agent", tenant="default")
    arguments = ("--database-url", server_url, "--workers", "2", "--rate-limit", "0")
    with running(Served(folder, arguments)) as served, contextlib.ExitStack() as stack:
        found: dict[str, Worker] = {}

        def are_both_there() -> bool:
            worker = Worker(served.port, token)
            stack.callback(worker.close)
            found.setdefault(worker.process, worker)
            return len(found) == 2

        until(are_both_there, 60)
        # Both know the token by now.
        assert [one.get("/v1/sessions")[0] for one in [*found.values()] * 3] == [200] * 6
        with psycopg.connect(database, autocommit=True) as owner:
            whose = httpx.get(f"{served.address}/v1/whoami", headers=bearer(token)).json()
            call(owner, "revoke_token", token_id=whose["token"]["token_id"])
        assert [one.get("/v1/sessions")[0] for one in [*found.values()] * 3] == [401] * 6
        assert served.end() == 0
