"""Who may read what Prometheus reads, and what of it the database says."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs.api.rooms.operations import metrics
from cmbs.api.shell import nearness
from cmbs.api.shell.admission import Terms
from cmbs.cli.commands.serve import _network
from cmbs.database.calls import call
from tests.http.test_unavailable import login
from tests.support.databases import copied
from tests.support.scrape import Scraped, scraped
from tests.support.servers import until
from tests.support.web import Client, bearer, refusal, serving, site_over, token_of

CLOSED = Terms(rate=0)
ENDPOINT = "tee.example:50051"
NAMES = ("configured", "pending_messages", "dead_messages", "waiting_sessions", "retries")
MISSING = (401, "UNAUTHENTICATED", {"credential": "missing"})


def mirror(found: Scraped) -> tuple[float, ...]:
    return tuple(found(f"cmbs_tee_mirror_{name}") for name in NAMES)


@pytest.fixture(scope="module")
def site(server: SimpleNamespace, template: Any) -> Iterator[SimpleNamespace]:
    with site_over(server, template, "metrics", CLOSED) as site:
        site.root = token_of(site.database, "root", "admin", tenant="*")
        yield site


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read is never told again, unless a test is about that."""
    monkeypatch.setattr(metrics, "_AGE", 0.0)


def test_what_the_database_says(database: str) -> None:
    with (
        serving(database) as address,
        Client(base_url=address) as client,
        psycopg.connect(database, autocommit=True) as owner,
    ):
        found = scraped(client)
        assert found("cmbs_database_answered") == 1
        assert found("cmbs_sessions") == found("cmbs_log_events") == 0
        stuck, over = client.declare("a", "b"), client.declare("a")
        body = {"obligation_id": "o", "min_total_eliminations": 1}
        assert client.post(f"{stuck}/obligations", json=body).status_code == 200
        assert client.post(f"{over}/terminate").json()["approved"] is True
        client.declare()
        found = scraped(client)
        states = {state: found("cmbs_sessions", state=state) for state in ("open", "stuck")}
        assert states == {"open": 1, "stuck": 1}
        assert found("cmbs_sessions", state="terminated") == 1
        assert found("cmbs_log_events") == 5
        assert 0 < found("cmbs_log_bytes") < found("cmbs_database_bytes")
        said = call(owner, "read_metrics")
        assert found("cmbs_build_info", postgresql=said["postgresql"]) == 1
        assert abs(found("cmbs_server_start_time_seconds") - time.time()) < 3600


def test_what_the_database_says_of_the_mirror(database: str) -> None:
    user = make_conninfo(database, user="cmbs_server")
    with (
        serving(database) as address,
        Client(base_url=address) as client,
        psycopg.connect(database, autocommit=True) as owner,
        psycopg.connect(user, autocommit=True) as worker,
    ):
        assert mirror(scraped(client)) == (0, 0, 0, 0, 0)
        client.declare()
        call(owner, "set_mirror", endpoint=ENDPOINT)
        assert mirror(scraped(client)) == (1, 0, 0, 0, 0)
        for name in ("first", "second"):
            path = client.declare("a", "b", metadata={"name": name})
            client.eliminate(path, "a")
        found = scraped(client)
        assert (mirror(found), found("cmbs_tee_mirror_lag_seconds") > 0) == ((1, 4, 0, 2, 0), True)
        session = path.rpartition("/")[2]
        for refused in (False, True):
            owner.execute("update cmbs_store.tee_message set next_at = '-infinity'")
            assert len(call(worker, "take_mirror")["sessions"]) == 2
            sent = {"session_id": session, "seq": 1, "error": "no", "is_refused": refused}
            call(worker, "settle_mirror", **sent)
        assert mirror(scraped(client)) == (1, 2, 1, 2, 2)
        call(owner, "set_mirror", endpoint=None)
        assert mirror(scraped(client)) == (0, 2, 1, 2, 2)


@pytest.mark.parametrize("role", ["admin", "auditor", "monitor"])
def test_for_who_sees_every_tenant(site: SimpleNamespace, role: str) -> None:
    token = token_of(site.database, f"{role} of all", role, verbs=["read_metrics"])
    with Client(base_url=site.address, headers=bearer(token)) as client:
        found = scraped(client)
        assert found("cmbs_principals") >= 2
        assert found("cmbs_tokens") >= 2
        assert refusal(client.get("/v1/sessions"))[:2] == (403, "FORBIDDEN")


@pytest.mark.parametrize(
    ("role", "tenant"),
    [("admin", "acme"), ("auditor", "acme"), ("monitor", "acme"), ("agent", "*"), ("policy", "*")],
)
def test_for_nobody_else(site: SimpleNamespace, role: str, tenant: str) -> None:
    token = token_of(site.database, f"{role} of {tenant}", role, tenant=tenant)
    with Client(base_url=site.address, headers=bearer(token)) as client:
        assert refusal(client.get("/metrics"))[:2] == (403, "FORBIDDEN")


def test_a_monitor_reads_numbers_alone(site: SimpleNamespace) -> None:
    with Client(base_url=site.address) as client:
        agent = token_of(site.database, "somebody", "agent")
        client.headers = bearer(agent)
        session = client.declare()
        client.headers = bearer(token_of(site.database, "watcher", "monitor"))
        assert client.get("/v1/whoami").json()["roles"] == ["monitor"]
        for path in ("/v1/sessions", session, f"{session}/audit", "/v1/tools", "/v1/principals"):
            assert refusal(client.get(path))[:2] == (403, "FORBIDDEN"), path
        assert scraped(client)("cmbs_sessions", state="open") == 1


def test_a_token_that_covers_other_verbs(site: SimpleNamespace) -> None:
    token = token_of(site.database, "other verbs", "auditor", verbs=["read_mirror"])
    with Client(base_url=site.address, headers=bearer(token)) as client:
        expected = (403, "FORBIDDEN", {"verb": "read_metrics", "verbs": ["read_mirror"]})
        assert refusal(client.get("/metrics")) == expected


def test_a_program_of_this_machine_needs_no_token(site: SimpleNamespace) -> None:
    with Client(base_url=site.address) as nobody:
        assert scraped(nobody)("cmbs_database_answered") == 1
        by_name = {"Host": f"localhost:{nobody.base_url.port}"}
        assert scraped(nobody, headers=by_name)("cmbs_database_answered") == 1
        assert nobody.head("/metrics").status_code == 200
        assert refusal(nobody.get("/v1/sessions")) == MISSING


@pytest.mark.parametrize(
    "header",
    [
        *("Forwarded: for=192.0.2.1", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https"),
        *("X-Real-IP: 127.0.0.1", "Via: 1.1 proxy", "Origin: http://localhost", "Origin: null"),
        *("Host: cmbs.example", "Host: 192.0.2.1:80", "Host: localhost.example", "Host:"),
    ],
)
def test_who_may_be_somebody_else_needs_one(site: SimpleNamespace, header: str) -> None:
    name, _, value = header.partition(":")
    with Client(base_url=site.address) as nobody:
        sent = {name: value.strip()}
        assert refusal(nobody.get("/metrics", headers=sent)) == MISSING
        shown = sent | bearer(site.root)
        assert nobody.get("/metrics", headers=shown).status_code == 200


def test_a_wrong_token_is_none_that_is_missing(site: SimpleNamespace) -> None:
    with Client(base_url=site.address) as nobody:
        for shown, problem in (("Bearer cmbs_x", "unknown"), ("Basic x", "not one Bearer token")):
            answer = nobody.get("/metrics", headers={"Authorization": shown})
            assert refusal(answer) == (401, "UNAUTHENTICATED", {"credential": problem})


def test_behind_a_proxy_that_is_trusted_everybody_needs_one(database: str) -> None:
    terms = Terms(proxies=(_network("127.0.0.1"),), rate=0)
    with serving(database, terms=terms) as address, Client(base_url=address) as client:
        token_of(database, "root", "admin")
        assert refusal(client.get("/metrics")) == MISSING


@pytest.mark.parametrize("client", [("192.0.2.1", 1), ("10.0.0.1", 1), ("2001:db8::1", 1), None])
def test_another_machine_is_not_this_one(client: tuple[str, int] | None) -> None:
    headers = [(b"host", b"127.0.0.1:8000")]
    assert nearness.is_of_this_machine({"client": ("127.0.0.1", 1), "headers": headers}, ())
    assert nearness.is_of_this_machine({"client": ("::ffff:127.0.0.1", 1), "headers": headers}, ())
    assert not nearness.is_of_this_machine({"client": client, "headers": headers}, ())
    twice = {"client": ("127.0.0.1", 1), "headers": headers * 2}
    assert not nearness.is_of_this_machine(twice, ())


@contextmanager
def opened(database: str, user: str = "cmbs_server") -> Iterator[Client]:
    """A server that was started when it was open."""
    with serving(database, user) as address, Client(base_url=address) as client:
        for path in ("/metrics", "/v1/sessions"):
            assert client.get(path).status_code == 200
        yield client


def test_an_open_server_lets_no_others_in_either(database: str) -> None:
    with opened(database) as client:
        assert refusal(client.get("/metrics", headers={"Via": "1.1 proxy"})) == MISSING
        # By whichever name it is asked for.
        assert refusal(client.get("/metrics/", headers={"Via": "1.1 proxy"})) == MISSING


def test_a_server_that_was_open_asks_no_program_of_this_machine(database: str) -> None:
    with opened(database) as client:
        token = token_of(database, "root", "admin")
        assert scraped(client)("cmbs_principals") == 1
        answer = client.get("/metrics", headers={"Via": "1.1 proxy"})
        assert refusal(answer) == MISSING
        assert answer.headers["www-authenticate"] == "Bearer"
        assert client.get("/metrics", headers=bearer(token)).status_code == 200


def test_nobody_sweeps_without_a_token(database: str) -> None:
    with opened(database) as client:
        path = client.declare()
        assert client.post(f"{path}/sweep", json={}).status_code == 200
        token_of(database, "root", "admin")
        answer = client.post(f"{path}/sweep", json={})
        assert refusal(answer) == MISSING


def test_of_a_server_whose_login_has_become_a_principal(database: str) -> None:
    """Which is somebody to every other verb."""
    with (
        login(database, "cmbs_server") as name,
        opened(database, name) as client,
        psycopg.connect(database, autocommit=True) as owner,
    ):
        rights = {"kind": "service", "roles": ["agent"], "is_login": True}
        call(owner, "create_principal", name=name, tenant="default", **rights)
        assert client.get("/v1/sessions").status_code == 200
        assert scraped(client)("cmbs_principals") == 1
        assert refusal(client.get("/metrics", headers={"Via": "x"}))[:2] == MISSING[:2]


def test_nothing_is_asked_for_in_a_query(site: SimpleNamespace) -> None:
    with Client(base_url=site.address, headers=bearer(site.root)) as client:
        answer = client.get("/metrics?name=x")
        assert refusal(answer) == (400, "INVALID_REQUEST", {"unknown": ["name"]})
        assert client.head("/metrics").headers["content-type"] == metrics.KIND


READS = (
    "select count(*) from pg_stat_activity where query like '%\"read_metrics\"(%' "
    "and datname = current_database() and pid <> pg_backend_pid() and state = 'active'"
)


@contextmanager
def held_up(database: str) -> Iterator[psycopg.Connection[Any]]:
    """No reading ends, because a table is locked that nothing else reads here."""
    with psycopg.connect(database) as holder:
        holder.execute("lock table cmbs_store.webhook_message in access exclusive mode")
        yield holder
        holder.rollback()


def test_one_reading_answers_all_who_wait(database: str, db: psycopg.Connection[Any]) -> None:
    def is_reading(n: int) -> bool:
        return db.execute(READS.encode()).fetchone() == (n,)

    with (
        serving(database, readers=2) as address,
        Client(base_url=address, timeout=60) as client,
        ThreadPoolExecutor(16) as threads,
    ):
        with held_up(database):
            asked = [threads.submit(scraped, client) for _ in range(16)]
            until(lambda: is_reading(1))
            for _ in range(20):
                assert client.get("/v1/sessions").status_code == 200
            assert is_reading(1)
        assert {answer.result()("cmbs_database_answered") for answer in asked} == {1}


def test_a_scrape_with_a_token_waits_no_longer_than_another(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the database is there, and does not even say who calls."""
    monkeypatch.setattr(metrics, "_PATIENCE", 0.3)
    monkeypatch.setattr("cmbs.api.shell.admission._REMEMBERED", 0.0)
    with serving(database, terms=CLOSED) as address, Client(base_url=address) as client:
        headers = bearer(token_of(database, "prometheus", "monitor"))
        assert scraped(client, headers=headers)("cmbs_database_answered") == 1
        with psycopg.connect(database) as holder:
            holder.execute("lock table cmbs_store.api_token in access exclusive mode")
            for _ in range(3):
                assert scraped(client, headers=headers)("cmbs_database_answered") == 0
            holder.rollback()
        until(lambda: scraped(client, headers=headers)("cmbs_database_answered") == 1)


def test_what_is_long_does_not_make_the_database_look_away(
    database: str, db: psycopg.Connection[Any]
) -> None:
    with (
        serving(database, readers=1) as address,
        Client(base_url=address, timeout=60) as client,
        ThreadPoolExecutor(1) as threads,
    ):
        path = f"{client.declare()}/verify"
        assert client.get(path).status_code == 200
        reader = "select pid from pg_stat_activity where usename = 'cmbs_server' and query like %s"
        ((pid,),) = db.execute(reader, ['%"verify"%']).fetchall()
        os.kill(pid, signal.SIGSTOP)
        try:
            verifying = threads.submit(client.get, path)
            usage = {"pool": "long"}
            until(lambda: scraped(client)("cmbs_pool_connections_in_use", **usage) == 1)
            assert scraped(client)("cmbs_database_answered") == 1
        finally:
            os.kill(pid, signal.SIGCONT)
        assert verifying.result().status_code == 200


def test_a_reading_is_told_again_for_a_moment(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "_AGE", 3600.0)
    with serving(database) as address, Client(base_url=address) as client:
        before = scraped(client)
        client.declare()
        after = scraped(client)
        assert before("cmbs_sessions") == after("cmbs_sessions") == 0
        # What the process counts itself is as it is now.
        posts = {"method": "POST", "status": "201"}
        assert before("cmbs_http_requests_total", **posts) == 0
        assert after("cmbs_http_requests_total", **posts) == 1


def test_a_reading_is_nobody_elses(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_AGE", 3600.0)
    with serving(database, terms=CLOSED) as address, Client(base_url=address) as client:
        may, may_not = token_of(database, "a", "monitor"), token_of(database, "b", "agent")
        assert client.get("/metrics", headers=bearer(may)).status_code == 200
        assert client.get("/metrics", headers=bearer(may_not)).status_code == 403
        with psycopg.connect(database, autocommit=True) as owner:
            call(owner, "change_principal", name="a", tenant="*", roles=["agent"])
            assert client.get("/metrics", headers=bearer(may)).status_code == 403
            call(owner, "change_principal", name="a", tenant="*", roles=["monitor"])
            assert client.get("/metrics", headers=bearer(may)).status_code == 200
            call(owner, "change_principal", name="a", tenant="*", is_enabled=False)
            assert client.get("/metrics", headers=bearer(may)).status_code == 401


def test_a_reading_that_takes_too_long_is_left_out(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "_PATIENCE", 0.2)
    with serving(database, terms=CLOSED) as address, Client(base_url=address) as client:
        known, new = token_of(database, "a", "monitor"), token_of(database, "b", "monitor")
        assert scraped(client, headers=bearer(known))("cmbs_database_answered") == 1
        with held_up(database):
            for headers in ({}, bearer(known)):
                found = scraped(client, headers=headers)
                assert found("cmbs_database_answered") == 0
                assert "cmbs_sessions" not in found.kinds
                assert found("cmbs_http_requests_total") > 0
                assert found("cmbs_build_info") == 1
            # Whether it may read at all is not known yet.
            assert client.get("/metrics", headers=bearer(new)).status_code == 503
        assert scraped(client, headers=bearer(new))("cmbs_database_answered") == 1


def test_a_database_that_is_away_is_seen(
    server: SimpleNamespace, template: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with copied(server, template, "away") as database:
        token = token_of(database, "a", "monitor")
        elsewhere = make_conninfo(database, dbname="postgres")
        with (
            serving(database, terms=CLOSED, patience=0.3) as address,
            Client(base_url=address) as client,
            psycopg.connect(elsewhere, autocommit=True) as admin,
        ):
            assert scraped(client, headers=bearer(token))("cmbs_database_answered") == 1
            name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
            admin.execute(f'alter database "{name}" allow_connections false'.encode())
            admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", [name]
            )
            monkeypatch.setattr("cmbs.api.shell.admission._REMEMBERED", 0.0)
            for headers in ({}, bearer(token)):
                found = scraped(client, headers=headers)
                assert found("cmbs_database_answered") == 0
                assert found("cmbs_build_info", postgresql="unknown") == 0, "as it was seen last"
            stranger = {"Authorization": "Bearer cmbs_unknown"}
            assert client.get("/metrics", headers=stranger).status_code == 503
            assert client.get("/healthz").status_code == 200
            assert scraped(client)("cmbs_shed_total", reason="database_away") == 1
            admin.execute(f'alter database "{name}" allow_connections true'.encode())
            until(lambda: scraped(client)("cmbs_database_answered") == 1)
