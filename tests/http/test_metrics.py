"""What Prometheus reads of the mirror, and who may read it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs.api.rooms.operations import metrics
from cmbs.api.shell.admission import Terms
from cmbs.database.calls import call
from tests.http.test_unavailable import login
from tests.support.web import Client, bearer, refusal, serving, site_over, token_of

CLOSED = Terms(rate=0)
ENDPOINT = "tee.example:50051"
NAMES = ("configured", "pending_messages", "dead_messages", "waiting_sessions", "retries")
_GAUGE = re.compile(r"# HELP (\w+) [A-Z][^\n]+\.\n# TYPE (\w+) gauge\n(\w+) ([0-9.e+-]+)\n")


def gauges(text: str) -> dict[str, float]:
    """Every gauge of a text that holds nothing else."""
    found = _GAUGE.findall(text)
    assert _GAUGE.sub("", text) == ""
    assert all(helped == typed == name for helped, typed, name, _ in found)
    return {name: float(value) for _, _, name, value in found}


def mirrored(*values: float) -> dict[str, float]:
    return {f"cmbs_tee_mirror_{name}": of for name, of in zip(NAMES, values, strict=True)}


def read(answer: httpx.Response) -> tuple[dict[str, float], float]:
    """The gauges that do not tell time, and the one that does."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == metrics.KIND
    found = gauges(answer.text)
    return found, found.pop("cmbs_tee_mirror_lag_seconds")


@pytest.fixture(scope="module")
def site(server: SimpleNamespace, template: Any) -> Iterator[SimpleNamespace]:
    with site_over(server, template, "metrics", CLOSED) as site:
        site.root = token_of(site.database, "root", "admin", tenant="*")
        yield site


def test_on_an_open_server(database: str) -> None:
    user = make_conninfo(database, user="cmbs_server")
    with (
        serving(database) as address,
        Client(base_url=address) as client,
        psycopg.connect(database, autocommit=True) as owner,
        psycopg.connect(user, autocommit=True) as worker,
    ):
        assert read(client.get("/metrics")) == (mirrored(0, 0, 0, 0, 0), 0)
        client.declare()
        call(owner, "set_mirror", endpoint=ENDPOINT)
        assert read(client.get("/metrics")) == (mirrored(1, 0, 0, 0, 0), 0)
        for name in ("first", "second"):
            path = client.declare("a", "b", metadata={"name": name})
            client.eliminate(path, "a")
        found, lag = read(client.get("/metrics"))
        assert (found, lag > 0) == (mirrored(1, 4, 0, 2, 0), True)
        session = path.rpartition("/")[2]
        for refused in (False, True):
            owner.execute("update cmbs_store.tee_message set next_at = '-infinity'")
            assert len(call(worker, "take_mirror")["sessions"]) == 2
            sent = {"session_id": session, "seq": 1, "error": "no", "is_refused": refused}
            call(worker, "settle_mirror", **sent)
        assert read(client.get("/metrics"))[0] == mirrored(1, 2, 1, 2, 2)
        call(owner, "set_mirror", endpoint=None)
        assert read(client.get("/metrics"))[0] == mirrored(0, 2, 1, 2, 2)


@pytest.mark.parametrize("role", ["admin", "auditor"])
def test_for_who_sees_every_tenant(site: SimpleNamespace, role: str) -> None:
    token = token_of(site.database, f"{role} of all", role, verbs=["read_mirror"])
    with Client(base_url=site.address, headers=bearer(token)) as client:
        assert read(client.get("/metrics")) == (mirrored(0, 0, 0, 0, 0), 0)


@pytest.mark.parametrize(
    ("role", "tenant"), [("admin", "acme"), ("auditor", "acme"), ("agent", "*"), ("policy", "*")]
)
def test_for_nobody_else(site: SimpleNamespace, role: str, tenant: str) -> None:
    token = token_of(site.database, f"{role} of {tenant}", role, tenant=tenant)
    with Client(base_url=site.address, headers=bearer(token)) as client:
        assert refusal(client.get("/metrics"))[:2] == (403, "FORBIDDEN")


def test_a_token_that_covers_other_verbs(site: SimpleNamespace) -> None:
    token = token_of(site.database, "other verbs", "auditor", verbs=["verify"])
    with Client(base_url=site.address, headers=bearer(token)) as client:
        expected = (403, "FORBIDDEN", {"verb": "read_mirror", "verbs": ["verify"]})
        assert refusal(client.get("/metrics")) == expected


def test_without_a_token_nobody_is_taken_for_the_server(site: SimpleNamespace) -> None:
    with Client(base_url=site.address) as nobody:
        expected = (401, "UNAUTHENTICATED", {"credential": "missing"})
        assert refusal(nobody.get("/metrics")) == expected
        unknown = nobody.get("/metrics", headers={"Authorization": "Bearer cmbs_x"})
        assert refusal(unknown) == (401, "UNAUTHENTICATED", {"credential": "unknown"})


@contextmanager
def opened(database: str, user: str = "cmbs_server") -> Iterator[Client]:
    """A server that was started when it was open."""
    with serving(database, user) as address, Client(base_url=address) as client:
        assert client.get("/metrics").status_code == 200
        yield client


def test_not_even_by_a_server_that_was_open_until_now(database: str) -> None:
    with opened(database) as client:
        token = token_of(database, "root", "admin")
        answer = client.get("/metrics")
        assert refusal(answer) == (401, "UNAUTHENTICATED", {"credential": "missing"})
        assert answer.headers["www-authenticate"] == "Bearer"
        assert client.get("/metrics", headers=bearer(token)).status_code == 200


def test_nor_does_one_sweep_for_nobody(database: str) -> None:
    with opened(database) as client:
        path = client.declare()
        assert client.post(f"{path}/sweep", json={}).status_code == 200
        token_of(database, "root", "admin")
        answer = client.post(f"{path}/sweep", json={})
        assert refusal(answer) == (401, "UNAUTHENTICATED", {"credential": "missing"})


def test_nor_by_one_whose_login_has_become_a_principal(database: str) -> None:
    """Which is somebody to every other verb."""
    with (
        login(database, "cmbs_server") as name,
        opened(database, name) as client,
        psycopg.connect(database, autocommit=True) as owner,
    ):
        rights = {"kind": "service", "roles": ["agent"], "is_login": True}
        call(owner, "create_principal", name=name, tenant="default", **rights)
        assert client.get("/v1/sessions").status_code == 200
        assert refusal(client.get("/metrics"))[:2] == (401, "UNAUTHENTICATED")


def test_nothing_is_asked_for_in_a_query(site: SimpleNamespace) -> None:
    with Client(base_url=site.address, headers=bearer(site.root)) as client:
        answer = client.get("/metrics?name=x")
        assert refusal(answer) == (400, "INVALID_REQUEST", {"unknown": ["name"]})
        assert client.head("/metrics").headers["content-type"] == metrics.KIND
