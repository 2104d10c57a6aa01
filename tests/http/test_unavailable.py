"""What is answered when the database cannot, may not or will not; and that it passes."""

import contextlib
import json
import logging
import threading
from collections.abc import Iterator
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cmbs.api.docs import examples
from cmbs.api.shell import refusals
from cmbs.database.calls import call
from tests.http.tour import message
from tests.http.wire import nothing_changes
from tests.support.servers import until
from tests.support.web import ONTOLOGY, Client, bearer, refusal, serving, token_of

UNAVAILABLE = (503, "UNAVAILABLE", None)


@contextlib.contextmanager
def asked(database: str, user: str = "cmbs_server", **settings: Any) -> Iterator[Client]:
    with serving(database, user, **settings) as address, Client(base_url=address) as client:
        yield client


def is_refused(answer: httpx.Response, expected: tuple[int, str, Any]) -> None:
    assert refusal(answer) == expected
    assert answer.headers["retry-after"] == "1"
    example = examples.ERRORS[expected[1]]["error"]
    assert answer.json()["error"] == {**example, "details": expected[2]}


@contextlib.contextmanager
def locked(database: str, session: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database) as holder:
        holder.execute(
            "select from cmbs_store.session where session_id = %s for update", [session[-36:]]
        )
        yield holder
        holder.rollback()


def waits_for_a_lock(database: str, n: int = 1) -> None:
    blocked = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
    blocked += " and datname = current_database()"
    with psycopg.connect(database, autocommit=True) as watcher:
        until(lambda: watcher.execute(blocked.encode()).fetchone() == (n,))


@pytest.mark.parametrize("setting", ["lock_timeout", "statement_timeout"])
def test_a_session_that_stays_locked_is_unavailable(
    database: str, db: psycopg.Connection[Any], caplog: pytest.LogCaptureFixture, setting: str
) -> None:
    options = make_conninfo(database, options=f"-c {setting}=150")
    with asked(options) as client:
        session = client.declare()
        with locked(database, session), nothing_changes(db):
            for path, body in (("/terminate", {}), ("/eliminate", message("o", "a"))):
                is_refused(client.post(session + path, json=body), UNAVAILABLE)
            assert client.get(session).status_code == 200
        causes = [json.loads(one.message) for one in caplog.records if one.name == "cmbs.api"]
        state = {"lock_timeout": "55P03", "statement_timeout": "57014"}[setting]
        assert [cause["sqlstate"] for cause in causes] == [state] * 2, "operators are told why"
        assert client.post(f"{session}/terminate").status_code == 200
    # Not over a new connection of theirs: to compile verify takes as long as they may take.
    assert call(db, "verify", session_id=session[-36:])["rows_checked"] == 2


def test_who_waits_for_a_connection_in_vain_is_told_so(database: str) -> None:
    with asked(database, connections=1, waiting=1, patience=0.2) as client:
        session = client.declare()
        with ThreadPoolExecutor(1) as threads, locked(database, session) as holder:
            taken = threads.submit(client.post, f"{session}/terminate")
            waits_for_a_lock(database)
            for _ in range(3):
                is_refused(client.get(session), UNAVAILABLE)
            is_refused(client.get("/readyz"), UNAVAILABLE)
            assert client.get("/healthz").json() == {"status": "ok"}
            holder.rollback()
            assert taken.result().status_code == 200
        assert client.get(session).json()["audit_seq"] == 2


def test_who_would_wait_behind_too_many_is_sent_away(database: str) -> None:
    with asked(database, connections=1, waiting=1, patience=30) as client:
        session = client.declare()
        with ThreadPoolExecutor(3) as threads, locked(database, session) as holder:
            taken = threads.submit(client.post, f"{session}/terminate")
            waits_for_a_lock(database)
            both = {threads.submit(client.get, session) for _ in "12"}
            (first,), (second,) = futures.wait(both, return_when=futures.FIRST_COMPLETED)
            is_refused(first.result(), (429, "RATE_LIMITED", None))
            assert not second.done()
            holder.rollback()
            assert (taken.result().status_code, second.result().status_code) == (200, 200)


def test_a_database_that_only_reads_says_so(database: str, db: psycopg.Connection[Any]) -> None:
    with asked(database) as client:
        session = client.declare()
    with asked(make_conninfo(database, options="-c default_transaction_read_only=on")) as client:
        with nothing_changes(db):
            is_refused(client.post(f"{session}/terminate"), UNAVAILABLE)
            answer = client.post("/v1/sessions", json={"ontology": ONTOLOGY, "hypotheses": ["a"]})
            is_refused(answer, UNAVAILABLE)
            is_refused(
                client.put("/v1/hypothesis-spaces/a/versions/b", json={"hypotheses": ["a"]}),
                UNAVAILABLE,
            )
        for path in ("", "/audit", "/verify", "/hypotheses/a", "/obligations", "/conclusions"):
            assert client.get(session + path).status_code == 200
        assert client.get("/readyz").status_code == 200


def test_a_database_that_is_away_is_found_again(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    name = conninfo_to_dict(database)["dbname"]
    elsewhere = make_conninfo(database, dbname="postgres")
    with (
        asked(database, connections=2, patience=0.5) as client,
        psycopg.connect(elsewhere, autocommit=True) as admin,
    ):
        session = client.declare()
        admin.execute(f'alter database "{name}" with allow_connections false')
        admin.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", [name]
        )
        is_refused(client.post(f"{session}/terminate"), UNAVAILABLE)
        is_refused(client.get("/readyz"), UNAVAILABLE)
        assert client.head("/readyz").status_code == 503
        assert client.get("/healthz").status_code == 200
        admin.execute(f'alter database "{name}" with allow_connections true')
        until(lambda: client.get("/readyz").status_code == 200)
        assert client.post(f"{session}/terminate").status_code == 200
        assert client.get(f"{session}/verify").json()["rows_checked"] == 2
    lines = [json.loads(record.message) for record in caplog.records if record.name == "cmbs.api"]
    changes = [line for line in lines if line["event"].startswith("database ")]
    assert [line["event"] for line in changes] == ["database lost", "database back"]
    assert changes[0]["host"] == conninfo_to_dict(database)["host"]
    assert "is not currently accepting connections" in changes[0]["message"]


@pytest.mark.slow("the database is away for as long as a reader waits for it")
def test_readers_wait_no_longer_for_it_than_others(database: str) -> None:
    """Not one after another, each as long as the pool is patient."""
    name = conninfo_to_dict(database)["dbname"]
    elsewhere = make_conninfo(database, dbname="postgres")
    with (
        asked(database, connections=2, readers=1, patience=1.0) as client,
        psycopg.connect(elsewhere, autocommit=True) as admin,
        ThreadPoolExecutor(5) as threads,
    ):
        session = client.declare()
        admin.execute(f'alter database "{name}" with allow_connections false')
        admin.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", [name]
        )
        readers = [threads.submit(client.get, f"{session}/verify") for _ in range(5)]
        for _ in range(4):
            is_refused(client.get(session), UNAVAILABLE)
        assert [reader.done() for reader in readers] == [True] * 5
        for reader in readers:
            is_refused(reader.result(), UNAVAILABLE)
        admin.execute(f'alter database "{name}" with allow_connections true')
        until(lambda: client.get(f"{session}/verify").status_code == 200)


def test_another_schema_than_that_of_this_version_is_not_ready(
    database: str, db: psycopg.Connection[Any]
) -> None:
    with asked(database) as client:
        db.execute("update cmbs_store.revision set version_num = 'other'")
        revision = examples.ANSWERS["Ready"]["revision"]
        details = {"revision": "other", "needed": revision}
        assert refusal(client.get("/readyz")) == (503, "UNAVAILABLE", details)
        assert client.get("/healthz").status_code == 200


@contextlib.contextmanager
def login(database: str, *roles: str) -> Iterator[str]:
    name = f"http_{uuid4().hex}"
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute(f"create role {name} login")
        for role in roles:
            admin.execute(f"grant {role} to {name}")
        try:
            yield name
        finally:
            admin.execute(f"drop role {name}")


def test_a_login_without_the_role_is_forbidden_everything(
    database: str, db: psycopg.Connection[Any]
) -> None:
    with asked(database) as client:
        session = client.declare()
    expected = (403, "FORBIDDEN", None)
    with login(database) as name, asked(database, name) as client, nothing_changes(db):
        for path in ("", "/audit", "/verify", "/hypotheses/a", "/obligations", "/conclusions"):
            assert refusal(client.get(session + path)) == expected, path
        assert refusal(client.get("/v1/sessions")) == expected
        assert refusal(client.get("/readyz")) == expected
        answer = client.post(f"{session}/terminate")
        assert refusal(answer) == expected
        assert answer.json()["error"]["message"] == refusals.MESSAGES["FORBIDDEN"]
        assert client.get("/healthz").status_code == 200


def test_an_agent_may_not_waive(database: str, db: psycopg.Connection[Any]) -> None:
    with login(database, "cmbs_agent") as name, asked(database, name) as client:
        session = client.declare()
        body = {"obligation_id": "o", "min_total_eliminations": 1}
        assert client.post(f"{session}/obligations", json=body).status_code == 200
        with nothing_changes(db):
            answer = client.post(f"{session}/obligations/o/waive", json={"reason": "secret"})
            assert refusal(answer)[:2] == (403, "FORBIDDEN")
        assert client.get(f"{session}/audit").json()["events"][0]["actor"] == name


SECRET = "a-planted-secret"


def test_a_failure_has_an_id_that_the_log_knows_and_nothing_of_the_message(
    database: str, db: psycopg.Connection[Any], caplog: pytest.LogCaptureFixture
) -> None:
    with asked(database) as client:
        session = client.declare()
        db.execute("drop function cmbs_store.check_envelope")
        caplog.set_level(logging.INFO)
        body = {**message(SECRET, SECRET), "justification": {SECRET: SECRET}, "notes": SECRET}
        with nothing_changes(db):
            answer = client.post(f"{session}/eliminate", json=body, headers={"X-Request-ID": "me"})
            assert refusal(answer) == (500, "INTERNAL", {"request_id": "me"})
            other = refusal(client.post(f"{session}/terminate"))[2]["request_id"]
        example = examples.ERRORS["INTERNAL"]["error"]["message"]
        assert answer.json()["error"]["message"] == example
        assert "check_envelope" not in answer.text
    lines = [json.loads(r.message) for r in caplog.records if r.name == "cmbs.api"]
    assert [line["request_id"] for line in lines] == ["me", other]
    assert {line["sqlstate"] for line in lines} == {"42883"}
    assert SECRET not in caplog.text


def test_what_the_database_says_of_a_row_is_not_logged(
    database: str, db: psycopg.Connection[Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The detail of its error shows the row, which holds what the caller sent."""
    with asked(database) as client:
        session = client.declare()
        db.execute(
            "alter table cmbs_store.conclusion add constraint never check (conclusion_id = '')"
        )
        with nothing_changes(db):
            answer = client.post(f"{session}/conclusions", json={"conclusion_id": SECRET})
        assert refusal(answer)[:2] == (500, "INTERNAL")
        assert SECRET not in answer.text
    (line,) = [json.loads(r.message) for r in caplog.records if r.name == "cmbs.api"]
    assert line["sqlstate"] == "23514"
    assert SECRET not in caplog.text


# The trace is parsed page by page, lines are not: what breaks them differs.
@pytest.mark.parametrize(("accept", "seq"), [("application/json", 8), ("application/x-ndjson", 4)])
def test_a_log_that_breaks_off_is_not_taken_for_a_whole_one(
    database: str,
    db: psycopg.Connection[Any],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    accept: str,
    seq: int,
) -> None:
    headers = {"Accept": accept, "X-Request-ID": "me"}
    with asked(database) as client:
        session = client.declare(SECRET)
        for n in range(9):
            client.eliminate(session, SECRET, observation=f"{n} {SECRET}")
        db.execute("alter table cmbs_store.audit_event disable trigger all")
        damage = "update cmbs_store.audit_event set record = %s where seq = %s"
        db.execute(damage, [f"no record, {SECRET}", seq])
        with pytest.raises(httpx.RemoteProtocolError):
            client.get(f"{session}/audit", headers=headers)
        assert client.get("/readyz").status_code == 200
    (line,) = [json.loads(r.message) for r in caplog.records if r.name == "cmbs.api"]
    assert line["request_id"] == "me"
    assert any("trace.py" in frame for frame in line["where"])
    assert SECRET not in caplog.text + "".join(capfd.readouterr())


def test_a_connection_that_dies_under_a_message_leaves_it_whole_or_undone(
    database: str, db: psycopg.Connection[Any]
) -> None:
    with asked(database, connections=1) as client:
        session, found = client.declare(), []
        body = {"conclusion_id": "c"}
        with locked(database, session):
            post = lambda: found.append(client.post(f"{session}/conclusions", json=body))  # noqa: E731
            thread = threading.Thread(target=post)
            thread.start()
            waits_for_a_lock(database)
            db.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where wait_event_type = 'Lock' and datname = current_database()"
            )
            thread.join(30)
        is_refused(found[0], UNAVAILABLE)
        assert client.get(session).json()["audit_seq"] == 1
        assert client.post(f"{session}/conclusions", json=body).status_code == 200


def test_a_lost_race_is_run_again(database: str, db: psycopg.Connection[Any]) -> None:
    # The verb looks once for a race, and the holder must have entered it by then.
    name = conninfo_to_dict(database)["dbname"]
    db.execute(f"alter database \"{name}\" set deadlock_timeout = '3s'".encode())
    with asked(database) as client, psycopg.connect(database) as holder:
        session = client.declare()
        # Of the two that wait for each other, the verb is the one that gives up.
        holder.execute("set deadlock_timeout = '1min'")
        holder.execute("lock table cmbs_store.audit_event in share mode")
        with ThreadPoolExecutor(1) as threads:
            told = threads.submit(client.post, f"{session}/terminate", timeout=60)
            waits_for_a_lock(database)
            row = "select from cmbs_store.session where session_id = %s for update"
            holder.execute(row, [session[-36:]])
            waits_for_a_lock(database)
            assert not told.done(), "it is tried again"
            holder.commit()
            assert told.result().status_code == 200
    assert db.execute("select count(*) from cmbs_store.audit_event").fetchone() == (2,)


@pytest.mark.parametrize("level", ["repeatable read", "serializable", "read uncommitted"])
@pytest.mark.parametrize("where", ["options", "database"])
def test_a_default_isolation_does_not_matter(
    database: str, db: psycopg.Connection[Any], where: str, level: str
) -> None:
    """No credential counts where a revocation would not be seen; the server sees to that."""
    if where == "options":
        isolation = "-c default_transaction_isolation=" + level.replace(" ", "\\ ")
        database = make_conninfo(database, options=isolation)
    else:
        change = (
            f"alter database \"{db.info.dbname}\" set default_transaction_isolation = '{level}'"
        )
        db.execute(change.encode())
    with asked(database) as client:
        session = client.declare()
        assert client.post(f"{session}/terminate").status_code == 200
        seeing = "-c default_transaction_isolation=read\\ committed"
        owner = make_conninfo(database, options=seeing)
        token = token_of(owner, "ann", "agent", tenant="default")
        assert refusal(client.get(session))[:2] == (401, "UNAUTHENTICATED")
        client.headers = bearer(token)
        assert client.get(client.declare()).status_code == 200
