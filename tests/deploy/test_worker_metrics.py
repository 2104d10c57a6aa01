"""What several workers count together, also when one of them dies."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.support.databases import copied
from tests.support.scrape import Scraped
from tests.support.served import PATIENCE, Served, access_lines, running
from tests.support.servers import reachable_folder, until
from tests.support.web import ONTOLOGY


@pytest.fixture
def served(server: object, template: object, tmp_path: Path) -> Iterator[Served]:
    with copied(server, template, "workers") as database, reachable_folder() as folder:  # type: ignore[arg-type]
        url = psycopg.conninfo.make_conninfo(database, user="cmbs_server")
        arguments = ("--workers", "2", "--no-auth", "--database-url", url)
        with running(Served(folder, arguments, {"TMPDIR": str(tmp_path)})) as served:
            yield served


class Watched:
    """Scrapes by whichever worker answers, of which none is less than one before it."""

    def __init__(self, served: Served) -> None:
        self._address = served.address
        self._before: dict[object, float] = {}
        self.workers: set[str] = set()
        self.n = 0

    def scrape(self) -> Scraped:
        # A new connection each time, which any worker may take.
        answer = httpx.get(f"{self._address}/metrics", timeout=60)
        self.workers.add(answer.headers["x-request-id"][:23])
        found = Scraped(answer)
        now = dict(found.counters())
        for key, value in self._before.items():
            assert now.get(key, -1.0) >= value, key
        self._before = now
        self.n += 1
        return found

    def until_seen(self, n: int) -> None:
        """By so many workers that were not seen before."""
        goal = len(self.workers) + n

        def is_seen() -> bool:
            self.scrape()
            return len(self.workers) >= goal

        until(is_seen, PATIENCE)


@pytest.mark.slow("two workers are started, and one of them again")
def test_a_worker_that_is_killed_stays_counted(served: Served, tmp_path: Path) -> None:
    def post() -> None:
        body = {"ontology": ONTOLOGY, "hypotheses": ["a"]}
        assert httpx.post(f"{served.address}/v1/sessions", json=body).status_code == 201

    made = {"method": "POST", "route": "/v1/sessions", "status": "201"}
    watched = Watched(served)
    until(lambda: watched.scrape()("cmbs_workers") == 2, PATIENCE)
    for _ in range(20):
        post()
    watched.until_seen(2 - len(watched.workers))
    found = watched.scrape()
    assert found("cmbs_http_requests_total", **made) == 20
    assert found("cmbs_workers_started_total") == 2
    since, size = found("cmbs_server_start_time_seconds"), found("cmbs_pool_connections")
    assert "pid" not in {name for _, its in found.series for name, _ in its}
    for victim in served.workers():
        os.kill(victim, signal.SIGKILL)
        # By the other, at once, and by the one that follows.
        started = found("cmbs_workers_started_total")
        until(lambda started=started: watched.scrape()("cmbs_workers_started_total") > started)
        post()
        until(lambda: watched.scrape()("cmbs_workers") == 2, PATIENCE)
        found = watched.scrape()
    assert found("cmbs_workers_started_total") == 4
    assert found("cmbs_workers_died_total") == 2
    assert found("cmbs_http_requests_total", **made) == 22
    assert found("cmbs_server_start_time_seconds") == since, "the server is the same"
    until(lambda: watched.scrape()("cmbs_pool_connections") == size, PATIENCE)
    assert len(watched.workers) >= 3
    assert watched.n > 10
    (folder,) = tmp_path.glob("cmbs-metrics-*")
    assert served.end() == 0
    died = [line for line in map(json.loads, served.err.splitlines()) if line["event"] == "died"]
    assert [line["exit_status"] for line in died] == [-signal.SIGKILL] * 2
    served.await_nothing()
    assert not folder.exists()


@pytest.mark.slow("workers that are told to end wait ten seconds for what they have begun")
def test_what_a_worker_that_ends_does_not_work_off(served: Served) -> None:
    head = (
        "POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        "content-length: 1000\r\n\r\n{"
    )
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
        connection.sendall(head.encode())
        assert httpx.get(f"{served.address}/healthz").json() == {"status": "ok"}
        ending = served.workers()
        for worker in ending:
            os.kill(worker, signal.SIGTERM)
        with connection.makefile("rb") as answer:
            said = answer.read()
    assert said.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1" in said
    until(lambda: not {*served.workers()} & {*ending} and served.is_ready(), PATIENCE)
    watched = Watched(served)
    shed = {"reason": "shutting_down", "class_": "local"}
    assert watched.scrape()("cmbs_shed_total", **shed) == 1
    assert watched.scrape()("cmbs_shed_total") == 1
    until(lambda: watched.scrape()("cmbs_workers") == 2, PATIENCE)
    lines = [json.loads(line) for line in access_lines(served.err)]
    (line,) = [line for line in lines if line["status"] == 503]
    assert (line["shed"], line["class"]) == ("shutting_down", "local")
