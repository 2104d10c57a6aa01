"""What PostgreSQL writes to its log: failures of the server, and not what callers are refused."""

from pathlib import Path
from types import SimpleNamespace

import httpx
import psycopg
import pytest

from cmbs.deploy import embedded
from tests.support.servers import reachable_folder
from tests.support.web import ONTOLOGY, Client, bearer, serving, token_of

SECRET = "a-planted-secret"


class Grown:
    """What was added to a log."""

    def __init__(self, log: Path) -> None:
        self._log, self._began = log, log.stat().st_size

    def __str__(self) -> str:
        return self._log.read_bytes()[self._began :].decode()


@pytest.fixture
def log(server: SimpleNamespace) -> Grown:
    if not server.own:
        pytest.skip("the log of a given server is not ours to read")
    return Grown(server.own.data_dir / "postgres.log")


def test_a_refusal_is_no_error_of_the_server(database: str, log: Grown) -> None:
    token = token_of(database, "ann", "agent", tenant="default")
    with serving(database) as address, Client(base_url=address) as client:
        for _ in range(20):
            wrong = {"Authorization": f"Bearer cmbs_{SECRET}"}
            assert client.get("/v1/sessions", headers=wrong).status_code == 401
        client.headers = httpx.Headers(bearer(token))
        session = client.declare()
        answers = [
            client.post("/v1/sessions", json={"ontology": ONTOLOGY, "hypotheses": [SECRET, ""]}),
            client.get(f"{session}/hypotheses/{SECRET}"),
            client.post(f"{session}/obligations/{SECRET}/exit"),
            client.post(f"{session}/eliminate", json={"eliminated": [SECRET]}),
            client.post(f"{session}/conclusions", json={"conclusion_id": SECRET * 1000}),
            client.post(f"{session}/policy", json={SECRET: SECRET}),
            client.get(f"/v1/tools/{SECRET}"),
        ]
        assert [answer.status_code // 100 for answer in answers] == [4] * len(answers)
    with (
        psycopg.connect(database, autocommit=True) as owner,
        pytest.raises(psycopg.errors.DivisionByZero),
    ):
        owner.execute("select 1 / 0")
    written = str(log)
    assert SECRET not in written
    assert "division by zero" in written
    assert written.count("ERROR") == 1


def test_a_caught_refusal_leaves_the_log_as_it_was(database: str, log: Grown) -> None:
    """A program that goes on after a refusal does not go on unseen."""
    with psycopg.connect(database) as owner:
        with pytest.raises(psycopg.DatabaseError), owner.transaction():
            owner.execute("select cmbs.verify(gen_random_uuid())")
        with pytest.raises(psycopg.errors.DivisionByZero):
            owner.execute("select 1 / 0")
    assert "division by zero" in str(log)


def write(server: embedded.Server, line: str) -> None:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(f"do $$ begin raise log '{line}'; end $$".encode())


def test_it_is_bounded_and_outlives_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_LOG_SIZE", 4096)
    with reachable_folder() as place:
        log, earlier = place / "data" / "postgres.log", place / "data" / "postgres.log.1"
        for number in range(3):
            with embedded.start(place / "data", durable=False) as server:
                write(server, f"line of start {number}")
        said = log.read_text()
        assert [f"line of start {number}" in said for number in range(3)] == [True] * 3
        with embedded.start(place / "data", durable=False) as server:
            write(server, "long " * 1000)
            server.ensure_running()
            assert "long long" in earlier.read_text()
            assert log.stat().st_size == 0
            write(server, "it goes on")
            assert "it goes on" in log.read_text()
            assert log.stat().st_blocks * 512 < 10_000, "there is no hole before it"
            write(server, "short " * 1000)
            server.ensure_running()
            assert "it goes on" in earlier.read_text()
            assert "long long" not in earlier.read_text()
        for one in (log, earlier):
            assert one.stat().st_mode & 0o777 == 0o600


def test_what_a_link_leads_to_is_not_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_LOG_SIZE", 10)
    with reachable_folder() as place:
        victim = place / "victim"
        victim.write_text("of somebody else")
        (place / "data").mkdir(mode=0o755)
        (place / "data" / "postgres.log").symlink_to(victim)
        with pytest.raises(embedded.EmbeddedError, match=r"postgres\.log"):
            embedded.start(place / "data", durable=False)
        assert victim.read_text() == "of somebody else"
