"""PostgresStore: processes, restarts, races, and what PostgreSQL cannot keep."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from cmbs.deploy import embedded, migrate
from cmbs.spi.elimination_store import EliminationProvenance, EliminationResult
from cmbs.stores import PostgresStore, postgres
from tests.support.beliefs import Connection
from tests.support.servers import ROOT, kill, reachable_folder, until

WHY = EliminationProvenance("tool://df", "df -h")


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    with PostgresStore(database) as made:
        yield made


def python(script: str, *arguments: str, **more: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-W", "error::ResourceWarning", "-c", script, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        **more,
    )


def test_provenance_is_kept(store: PostgresStore, db: Connection) -> None:
    store.create_session("s", ["a", "b", "c"])
    store.eliminate("s", ["a", "b"], WHY)
    store.eliminate("s", ["b", "c"], EliminationProvenance("", "\U0001f600"))
    found = db.execute(
        "select hypothesis_id, source_id, trigger, eliminated_at <= clock_timestamp() "
        "from cmbs.context_elimination where context_id = 's' order by 1"
    ).fetchall()
    assert found == [
        ("a", "tool://df", "df -h", True),
        ("b", "tool://df", "df -h", True),
        ("c", "", "\U0001f600", True),
    ]


UNSTORABLE = {
    "NUL": ("a\0b", "NUL character"),
    "surrogate": ("a\udfff", "lone surrogate"),
    "pair": ("\ud83d\ude00", "lone surrogate"),
    "long": ("x" * 513, "at most 512 bytes"),
    "long in bytes": ("\u00e9" * 257, "at most 512 bytes"),
}


@pytest.mark.parametrize("wrong", UNSTORABLE)
def test_what_postgresql_cannot_keep(store: PostgresStore, wrong: str) -> None:
    text, sentence = UNSTORABLE[wrong]
    store.create_session("s", ["a", "b"])
    for call in (
        lambda: store.create_session(text, ["a"]),
        lambda: store.create_session("new", ["a", text]),
        lambda: store.eliminate("s", ["a"], EliminationProvenance(text, "t")),
        lambda: store.eliminate("s", ["a"], EliminationProvenance("s", text)),
    ):
        with pytest.raises(ValueError, match=sentence) as caught:
            call()
        assert type(caught.value) is ValueError
        assert len(str(caught.value)) < 200
    assert store.get_eliminated("s") == frozenset()
    with pytest.raises(KeyError):
        store.recover("new")
    for unknown in (store.get_survivors, store.get_eliminated, store.recover):
        with pytest.raises(KeyError):
            unknown(text)
    with pytest.raises(KeyError):
        store.eliminate(text, ["a"], WHY)
    done = store.eliminate("s", ["a", text], WHY)
    assert (done.applied, done.already_eliminated) == ({"a"}, {text})


@pytest.mark.nightly
def test_more_than_one_message_may_hold(store: PostgresStore) -> None:
    ids = [f"{number:0512}" for number in range((64 << 20) // 512 + 1)]
    with pytest.raises(ValueError, match="hypothesis_ids: at most 64 MiB of ids at once"):
        store.create_session("s", ids)


@pytest.mark.nightly
def test_a_hundred_thousand_ids(store: PostgresStore) -> None:
    ids = frozenset(f"hypothesis {number}" for number in range(100_000))
    store.create_session("s", ids)
    assert store.get_survivors("s") == ids
    gone = frozenset(sorted(ids)[:99_999])
    assert store.eliminate("s", gone | {"unknown"}, WHY) == EliminationResult(
        gone, frozenset({"unknown"})
    )
    assert store.eliminate("s", ids, WHY) == EliminationResult(ids - gone, gone)
    assert store.recover("s").eliminated == ids


def test_another_encoding_of_the_clients(database: str) -> None:
    with PostgresStore(make_conninfo(database, client_encoding="latin1")) as store:
        store.create_session("\U0001f600", ["\u0416"])
        assert store.get_survivors("\U0001f600") == {"\u0416"}


def test_an_agents_login_is_enough(database: str, db: Connection) -> None:
    name = f"agent of {db.info.dbname}"
    db.execute(sql.SQL("create role {} login in role cmbs_agent").format(sql.Identifier(name)))
    try:
        with PostgresStore(make_conninfo(database, user=name)) as store:
            store.create_session("s", ["a"])
            store.eliminate("s", ["a"], WHY)
            assert store.get_survivors("s") == frozenset()
    finally:
        db.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))


WORKER = """
import json, sys
from cmbs.spi.elimination_store import EliminationProvenance
from cmbs.stores import PostgresStore

with PostgresStore(sys.argv[1]) as store:
    store.create_session("s", map(str, range(300)))
    print("ready", flush=True)
    sys.stdin.readline()
    why = EliminationProvenance(sys.argv[2], "t")
    applied = []
    for start in range(0, 300, 10):
        ids = map(str, range(start, min(start + 25, 300)))
        applied += store.eliminate("s", ids, why).applied
    print(json.dumps(applied))
"""


def test_processes(database: str, store: PostgresStore, db: Connection) -> None:
    workers = [
        python(WORKER, database, name, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for name in ("one", "two")
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    applied = {
        name: json.loads(worker.communicate(timeout=60)[0])
        for name, worker in zip(("one", "two"), workers, strict=True)
    }
    assert [worker.returncode for worker in workers] == [0, 0]
    assert sorted(applied["one"] + applied["two"]) == sorted(map(str, range(300)))
    assert store.get_survivors("s") == frozenset()
    kept = "select hypothesis_id from cmbs.context_elimination where source_id = %s"
    for name, ids in applied.items():
        assert {row[0] for row in db.execute(kept, [name])} == {*ids}


FORKED = """
import os, sys
from cmbs.spi.elimination_store import EliminationProvenance
from cmbs.stores import PostgresStore

why = EliminationProvenance("s", "t")
store = PostgresStore(sys.argv[1])
store.create_session("s", "a b c d".split())
store.eliminate("s", ["a"], why)
# Whoever writes to the connections of its parent may be lucky: they are shared all the same.
of_parent = store._pool
children = []
for id in "bc":
    child = os.fork()
    if not child:
        applied = store.eliminate("s", [id], why).applied
        store.close()
        os._exit(0 if applied == {id} and store._pool is not of_parent else 1)
    children.append(child)
store.eliminate("s", ["d"], why)
ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
store.eliminate("s", [], why)
print(ends, sorted(store.get_eliminated("s")))
store.close()
"""


def test_a_fork_makes_connections_of_its_own(database: str) -> None:
    done = python(FORKED, database, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said, complaints = done.communicate(timeout=60)
    assert (said, complaints) == ("[0, 0] ['a', 'b', 'c', 'd']\n", "")


def test_another_store_goes_on(database: str) -> None:
    with PostgresStore(database) as first:
        first.create_session("s", ["a", "b"])
        first.eliminate("s", ["a"], WHY)
        kept = first.recover("s")
    with PostgresStore(database) as second:
        assert second.recover("s") == kept
        second.create_session("s", ["b", "a"])
        assert second.eliminate("s", ["a", "b"], WHY).applied == {"b"}


def test_closed_is_closed(database: str, db: Connection) -> None:
    for is_used in (True, False):
        store = PostgresStore(database)
        if is_used:
            store.create_session("s", ["a"])
        store.close()
        store.close()
        with pytest.raises(psycopg.OperationalError, match="closed; make another"):
            store.recover("s")
    others = "select 1 from pg_stat_activity where datname = %s and pid <> pg_backend_pid()"
    # Those of the fixtures stay.
    until(lambda: len(db.execute(others, [db.info.dbname]).fetchall()) <= 1)


def test_nothing_is_connected_before_the_first_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_PATIENCE", 0.5)
    with PostgresStore(f"host={tmp_path}") as store:
        # The cause, and not that the pool has none.
        with pytest.raises(psycopg.OperationalError, match="No such file or directory"):
            store.create_session("s", ["a"])
        with pytest.raises(ValueError, match="must be several ids"):
            store.create_session("s", "a")


def test_what_is_no_address(database: str) -> None:
    with pytest.raises(psycopg.ProgrammingError):
        PostgresStore("no address")


def test_connections_that_the_server_closed(store: PostgresStore, db: Connection) -> None:
    store.create_session("s", ["a", "b"])
    ready = threading.Barrier(8, timeout=60)

    def read(_: int) -> frozenset[str]:
        ready.wait()
        return store.get_survivors("s")

    end = (
        "select pg_terminate_backend(pid, 30000) from pg_stat_activity "
        "where datname = %s and pid <> pg_backend_pid() and application_name = ''"
    )
    for number in range(3):
        with ThreadPoolExecutor(8) as pool:
            assert {*pool.map(read, range(8))} == {frozenset({"a", "b"})}
        ended = db.execute(end, [db.info.dbname]).fetchall()
        assert ended
        assert store.eliminate("s", [str(number)], WHY).already_eliminated == {str(number)}


@pytest.mark.slow("a server of its own, killed")
def test_the_server_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_PATIENCE", 1.0)
    with reachable_folder() as place, embedded.start(place / "data") as server:
        migrate.migrate(server.conninfo())
        with PostgresStore(server.conninfo()) as store:
            store.create_session("s", ["a", "b", "c"])
            assert store.eliminate("s", ["a", "c"], WHY).applied == {"a", "c"}
            kept = store.recover("s")
            kill(server)

            def recovers() -> bool:
                try:
                    return store.recover("s") == kept
                except psycopg.OperationalError:
                    return False

            assert not recovers()
            with pytest.raises(psycopg.OperationalError):
                store.eliminate("s", ["b"], WHY)
            server.ensure_running()
            until(recovers)
            assert store.eliminate("s", ["a", "b"], WHY).applied == {"b"}
        with PostgresStore(server.conninfo()) as another:
            assert another.get_survivors("s") == frozenset()


@pytest.mark.parametrize("code", ["40001", "40P01"])
@pytest.mark.parametrize(("n_lost", "is_done"), [(1, True), (9, True), (10, False)])
def test_a_lost_race_is_run_again(
    store: PostgresStore, db: Connection, code: str, n_lost: int, is_done: bool
) -> None:
    store.create_session("s", ["a"])
    # A sequence counts what is rolled back too.
    db.execute("create sequence public.lost")
    db.execute("grant all on sequence public.lost to public")
    db.execute(
        f"""
        create function public.lose() returns trigger language plpgsql as $$
        begin
            if nextval('public.lost') <= {n_lost} then
                raise 'lost' using errcode = '{code}';
            end if;
            return new;
        end
        $$""".encode()
    )
    db.execute(
        "create trigger lose before insert on cmbs_store.context_event "
        "for each row execute function public.lose()"
    )
    if is_done:
        assert store.eliminate("s", ["a"], WHY).applied == {"a"}
    else:
        with pytest.raises(psycopg.OperationalError, match="lost"):
            store.eliminate("s", ["a"], WHY)
        assert store.get_survivors("s") == {"a"}, "nothing was changed"
        db.execute("drop trigger lose on cmbs_store.context_event")
        assert store.eliminate("s", ["a"], WHY).applied == {"a"}


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_a_stricter_isolation(database: str, level: str) -> None:
    isolation = f"-c default_transaction_isolation={level.replace(' ', chr(92) + ' ')}"
    with PostgresStore(make_conninfo(database, options=isolation)) as store:
        ids = [str(number) for number in range(40)]
        ready = threading.Barrier(4, timeout=60)

        def work(number: int) -> list[str]:
            ready.wait()
            store.create_session("s", ids)
            parts = (ids[start : start + 12] for start in range(0, 40, 4))
            return [one for part in parts for one in store.eliminate("s", part, WHY).applied]

        with ThreadPoolExecutor(4) as pool:
            applied = [one for found in pool.map(work, range(4)) for one in found]
        assert sorted(applied) == sorted(ids)


def test_importing_the_stores_needs_no_database_driver() -> None:
    script = (
        "import sys, cmbs.stores, cmbs.spi; "
        "print(sorted({'psycopg', 'psycopg_pool', 'importlib.metadata'} & {*sys.modules})); "
        "print(cmbs.stores.PostgresStore.__name__)"
    )
    said, _ = python(script, stdout=subprocess.PIPE).communicate(timeout=60)
    assert said == "[]\nPostgresStore\n"
