"""What a dump holds comes back as it was, in other clusters, by every way there is."""

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Json

from cmbs.cli.commands.backup import finish
from cmbs.common.failure import CommandError, RefusedError
from cmbs.database.calls import call
from cmbs.deploy import backup, binaries, doctor, dumpfile, embedded, migrate
from cmbs.deploy.target import Target
from tests.golden import regenerate
from tests.sql.verdict.scene import rich_arbitration
from tests.support.beliefs import (
    Connection,
    Session,
    begin_context,
    eliminate_in_context,
    rich_session,
)
from tests.support.servers import reachable_folder, until
from tests.support.tables import TABLES

_DEBIAN_15 = binaries.debian_bindir(15)
# Everything that changes how values are written.
_ELSEWHERE = {
    "timezone": "Asia/Kathmandu",
    "datestyle": "German, DMY",
    "intervalstyle": "sql_standard",
    "bytea_output": "escape",
    "extra_float_digits": "-3",
}
# The wheel's programs are built without ICU.
_LOCALE = {
    15: "locale_provider icu icu_locale 'tr' locale 'C.UTF-8' template template0",
    18: "locale_provider builtin builtin_locale 'C.UTF-8' locale 'C.UTF-8' template template0",
}


@contextlib.contextmanager
def cluster_of(major: int) -> Iterator[embedded.Server]:
    with reachable_folder() as folder, pytest.MonkeyPatch.context() as patch:
        if major == 15:
            if not _DEBIAN_15.is_dir():
                pytest.skip(f"no PostgreSQL 15 in {_DEBIAN_15} to come from")
            patch.setenv("CMBS_PG_BINDIR", str(_DEBIAN_15))
        else:
            patch.delenv("CMBS_PG_BINDIR", raising=False)
        with embedded.start(folder / "data", durable=False) as server:
            if server.major != major:
                pytest.skip(f"no PostgreSQL {major} at hand")
            yield server


@pytest.fixture(scope="module")
def clusters() -> Iterator[dict[int, embedded.Server]]:
    with cluster_of(15) as old, cluster_of(18) as new:
        yield {15: old, 18: new}


@dataclass
class Source:
    server: embedded.Server
    url: str
    open: UUID
    contents: list[Any]

    @property
    def database(self) -> Target:
        return Target(self.url, self.server)


@pytest.fixture(scope="module")
def sources(clusters: dict[int, embedded.Server]) -> dict[int, Source]:
    return {major: make_source(server) for major, server in clusters.items()}


def make_source(server: embedded.Server) -> Source:
    url = regenerate.create_database(server, "source")
    migrate.migrate(url)
    with psycopg.connect(url, autocommit=True) as connection:
        rich_session(connection)
        rich_arbitration(connection)
        ids = [f"h{number}" for number in range(8193)]
        session = Session(connection, ids)
        session.eliminate("h1", "h8192", observation_id="recorded", justification=Json({"n": 1.10}))
        session.enter("active", 100)
        space = {"hypothesis_space_id": "I \u0131", "hypothesis_version": "\u0130"}
        call(connection, "register_space", **space, hypotheses=["\u00e4", "z", "Z", "i", "I"])
        begin_context(connection, "\u0130", "a", "c")
        call(connection, "create_context", context_id="", hypotheses=["", "i", "I", "\u0131"])
        eliminate_in_context(connection, "", "", "\u0131")
    return Source(server, url, session.id, contents(url))


def contents(url: str) -> list[Any]:
    """Every row of every table, and of the view of heads, in one way of writing."""
    with psycopg.connect(url, autocommit=True) as connection:
        for setting, value in (
            *(("timezone", "UTC"), ("datestyle", "ISO"), ("bytea_output", "hex")),
            *(("intervalstyle", "postgres"), ("extra_float_digits", "1")),
        ):
            connection.execute(f"set {setting} = '{value}'".encode())
        relations = [*(f"cmbs_store.{name}" for name in [*TABLES, "revision"]), "cmbs.chain_head"]
        return [
            (name, connection.execute(f"select t::text from {name} as t".encode()).fetchall())
            for name in relations
        ]


def sorted_contents(found: list[Any]) -> list[Any]:
    return [(name, sorted(rows)) for name, rows in found]


def empty_database(server: embedded.Server, name: str) -> str:
    """Where values are written, and text is sorted, in other ways than where they come from."""
    with psycopg.connect(server.conninfo(), autocommit=True) as admin:
        admin.execute(f'create database "{name}" encoding UTF8 {_LOCALE[server.major]}'.encode())
        for setting, value in _ELSEWHERE.items():
            admin.execute(f"alter database \"{name}\" set {setting} = '{value}'".encode())
    return server.conninfo(name)


def check_restored(source: Source, url: str) -> None:
    assert sorted_contents(contents(url)) == sorted_contents(source.contents)
    assert doctor.examine(url).findings == [], "owners, grants, triggers: all as in a new one"
    with psycopg.connect(url, autocommit=True) as connection:
        assert connection.execute("show timezone").fetchone() == ("Asia/Kathmandu",)
        checked = connection.execute("select ok from cmbs.verify_all()").fetchall()
        assert checked == [(True,)] * 3
        check_it_goes_on(connection, source.open)
        found = call(connection, "recover_context", context_id="")
        assert found["survivors"] == ["I", "i"]
        assert eliminate_in_context(connection, "", "i", "\u0131")["applied"] == ["i"]


def check_it_goes_on(connection: Connection, session_id: UUID) -> None:
    def ask(verb: str, **arguments: object) -> Any:
        return call(connection, verb, session_id=session_id, **arguments)

    recorded = {"source_id": "source", "observation_id": "recorded"}
    before = ask("query_belief")
    repeated = ask("eliminate", **recorded, eliminated=["h8192", "h1"])
    assert (repeated["duplicate"], repeated["snapshot"]) == (True, before)
    with pytest.raises(psycopg.Error, match="append-only"):
        connection.execute("set session_replication_role = replica; delete from cmbs_store.session")
    connection.execute("reset session_replication_role")
    after = ask("eliminate", source_id="s", observation_id="new", eliminated=["h2"])
    assert after["applied_eliminated"] == ["h2"]
    events = ask("audit_trace")["events"]
    assert events[-1]["prev_event_hash"] == before["audit_head_hash"]
    assert ask("verify")["ok"] is True


def run(*command: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **more
    )
    assert done.returncode == 0, done.stderr
    return done


def plain(source: Source, target: embedded.Server, url: str, folder: Path) -> None:
    dumped = run(target.bindir / "pg_dump", "-d", source.url).stdout
    run(target.bindir / "psql", "-X", "-1", "-v", "ON_ERROR_STOP=1", "-d", url, input=dumped)


def custom(source: Source, target: embedded.Server, url: str, folder: Path) -> None:
    file = folder / "custom"
    run(target.bindir / "pg_dump", "-Fc", "-f", file, "-d", source.url)
    run(target.bindir / "pg_restore", "-1", "-e", "-d", url, file)


def directory(source: Source, target: embedded.Server, url: str, folder: Path) -> None:
    run(target.bindir / "pg_dump", "-Fd", "-f", folder / "directory", "-d", source.url)
    run(target.bindir / "pg_restore", "-e", "-d", url, folder / "directory")


def parallel(source: Source, target: embedded.Server, url: str, folder: Path) -> None:
    run(target.bindir / "pg_dump", "-Fd", "-j", "2", "-f", folder / "parallel", "-d", source.url)
    run(target.bindir / "pg_restore", "-e", "-j", "2", "-d", url, folder / "parallel")


def by_cmbs(source: Source, target: embedded.Server, url: str, folder: Path) -> None:
    file = folder / "cmbs.dump"
    backup.dump(source.database, file, overwrite=False)
    dumpfile.check(file, sealed=True)
    made = dumpfile.origin(file, backup.newest_pg_restore())
    assert made == dumpfile.Origin(source.server.major, migrate.head())
    backup.restore(Target(url, target), file, made)
    assert finish(Target(url, target), jobs=1, verify=True) == 0


# Each pair; custom is what cmbs writes as well. The rest at night.
PUSHED = {(directory, (18, 18)), (parallel, (15, 18)), (by_cmbs, (15, 18))}


@pytest.mark.slow("dumps, restores and verifies")
@pytest.mark.parametrize(
    ("way", "origin", "goal"),
    [
        pytest.param(way, *pair, marks=() if (way, pair) in PUSHED else pytest.mark.nightly)
        for way in (plain, custom, directory, parallel, by_cmbs)
        for pair in ((15, 15), (15, 18), (18, 18))
    ],
)
def test_there_and_back(
    sources: dict[int, Source],
    clusters: dict[int, embedded.Server],
    way: Callable[[Source, embedded.Server, str, Path], None],
    origin: int,
    goal: int,
    tmp_path: Path,
) -> None:
    url = empty_database(clusters[goal], f"{way.__name__}_{origin}")
    way(sources[origin], clusters[goal], url, tmp_path)
    check_restored(sources[origin], url)


@pytest.mark.nightly
def test_down_to_an_older_version_as_the_page_says(
    sources: dict[int, Source], clusters: dict[int, embedded.Server]
) -> None:
    """The one line of a plain dump that PostgreSQL 15 does not know."""
    url = empty_database(clusters[15], "down")
    dumped = run(clusters[18].bindir / "pg_dump", "-d", sources[18].url).stdout
    older = dumped.replace("\nSET transaction_timeout = 0;\n", "\n")
    psql = clusters[15].bindir / "psql"
    run(psql, "-X", "-1", "-v", "ON_ERROR_STOP=1", "-d", url, input=older)
    check_restored(sources[18], url)


@pytest.mark.nightly
@pytest.mark.slow("restores and dumps")
def test_the_schema_is_the_golden_one(
    sources: dict[int, Source], clusters: dict[int, embedded.Server], tmp_path: Path
) -> None:
    # Without a locale of its own, which the golden dump has not.
    url = regenerate.create_database(clusters[18], "golden")
    by_cmbs(sources[15], clusters[18], url, tmp_path)
    assert regenerate.dump(clusters[18], url) == regenerate.GOLDEN.read_text()


@pytest.mark.nightly
@pytest.mark.slow("restores into a cluster of its own")
def test_roles_as_postgresql_dumps_them(sources: dict[int, Source], tmp_path: Path) -> None:
    """With the logins and what was granted to them, which are of the cluster."""
    with psycopg.connect(sources[15].url, autocommit=True) as connection:
        connection.execute("create role ann login in role cmbs_agent")
    try:
        with cluster_of(18) as empty:
            program = empty.bindir / "pg_dumpall"
            roles = run(program, "--roles-only", "-d", sources[15].server.conninfo()).stdout
            # The superuser is there already.
            roles = roles.replace("CREATE ROLE postgres;\n", "")
            psql = empty.bindir / "psql"
            run(psql, "-X", "-v", "ON_ERROR_STOP=1", "-d", empty.conninfo(), input=roles)
            url = empty_database(empty, "restored")
            custom(sources[15], empty, url, tmp_path)
            check_restored(sources[15], url)
            with psycopg.connect(empty.conninfo("restored", "ann"), autocommit=True) as ann:
                assert Session(ann).last_event()["actor"] == "ann"
    finally:
        with psycopg.connect(sources[15].url, autocommit=True) as connection:
            connection.execute("drop role ann")


@pytest.mark.nightly
def test_under_load_every_chain_is_a_prefix(
    clusters: dict[int, embedded.Server], tmp_path: Path
) -> None:
    url = regenerate.create_database(clusters[18], "busy")
    migrate.migrate(url)
    counts, over = [0] * 4, threading.Event()

    def write(number: int) -> list[UUID]:
        begun = []
        with psycopg.connect(url, autocommit=True) as connection:
            while not over.is_set():
                session = Session(connection, [f"h{i}" for i in range(50)])
                begun.append(session.id)
                for message in range(25):
                    session.eliminate(f"h{message}")
                    counts[number] += 1
                session.enter()
                session.conclude()
        return begun

    def written_since(before: list[int], more: int) -> bool:
        return all(now >= then + more for now, then in zip(counts, before, strict=True))

    with ThreadPoolExecutor(len(counts)) as workers:
        writers = [workers.submit(write, number) for number in range(len(counts))]
        try:
            until(lambda: written_since([0] * 4, 30))
            backup.dump(Target(url, clusters[18]), tmp_path / "dump", overwrite=False)
            dumped = list(counts)
            until(lambda: written_since(dumped, 30))
        finally:
            over.set()
        begun = {session for writer in writers for session in writer.result()}
    target = empty_database(clusters[18], "busy_restored")
    made = dumpfile.origin(tmp_path / "dump", backup.newest_pg_restore())
    backup.restore(Target(target, clusters[18]), tmp_path / "dump", made)
    assert finish(Target(target, clusters[18]), jobs=1, verify=True) == 0
    live, restored = chains(url), chains(target)
    assert set(restored) <= set(live) == begun
    assert len(restored) >= len(counts)
    for session_id, records in restored.items():
        assert records == live[session_id][: len(records)] != []
    assert sum(map(len, restored.values())) < sum(map(len, live.values()))


def chains(url: str) -> dict[UUID, list[str]]:
    found: dict[UUID, list[str]] = {}
    with psycopg.connect(url) as connection:
        for session_id, record in connection.execute(
            "select session_id, record from cmbs_store.audit_event order by session_id, seq"
        ):
            found.setdefault(session_id, []).append(record)
    return found


def test_a_restore_where_no_postgresql_can_be_started(
    sources: dict[int, Source],
    clusters: dict[int, embedded.Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is verified all the same, and its status says that something was not done."""
    file = tmp_path / "dump"
    backup.dump(sources[18].database, file, overwrite=False)
    target = Target(empty_database(clusters[18], "uncompared"), clusters[18])
    backup.restore(target, file, dumpfile.Origin(18, migrate.head()))
    monkeypatch.setattr(doctor, "expected", doctor.fresh)
    monkeypatch.setenv("CMBS_PG_BINDIR", "/nowhere")
    assert finish(target, jobs=1, verify=True) == 1
    said = capsys.readouterr().out
    assert "\nthe schema was not compared: what a database should be is read off a fresh" in said
    assert "every chain is whole" in said


def test_reading_rights_are_enough_to_dump(sources: dict[int, Source], tmp_path: Path) -> None:
    source = sources[18]
    with psycopg.connect(source.url, autocommit=True) as connection:
        connection.execute("create role reader login in role pg_read_all_data")
        try:
            # A given database: its address is all that is known of it.
            url = make_conninfo(source.url, user="reader")
            backup.dump(Target(url, None), tmp_path / "dump", overwrite=False)
            made = dumpfile.Origin(18, migrate.head())
            with pytest.raises(RefusedError, match=r"^only a superuser can restore"):
                backup.restore(Target(url, None), tmp_path / "dump", made)
        finally:
            connection.execute("drop role reader")
    assert (tmp_path / "dump").stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_restored_into(
    sources: dict[int, Source], clusters: dict[int, embedded.Server], tmp_path: Path
) -> None:
    file, made = tmp_path / "dump", dumpfile.Origin(18, migrate.head())
    backup.dump(sources[18].database, file, overwrite=False)
    with pytest.raises(RefusedError, match=r"^the database is not empty: it already holds "):
        backup.restore(sources[18].database, file, made)
    older = Target(empty_database(clusters[15], "older"), clusters[15])
    with pytest.raises(
        RefusedError, match=r"pg_dump 18 and the database runs PostgreSQL 15: a dump goes into the"
    ):
        backup.restore(older, file, made)
    with psycopg.connect(clusters[18].conninfo(), autocommit=True) as admin:
        admin.execute("create database latin encoding LATIN1 locale 'C' template template0")
    with pytest.raises(RefusedError, match=r"encoding UTF8 and has LATIN1"):
        backup.restore(Target(clusters[18].conninfo("latin"), clusters[18]), file, made)
    # Prepared by an administrator, as the README says: with roles and empty schemas.
    prepared = Target(empty_database(clusters[18], "prepared"), clusters[18])
    with psycopg.connect(prepared.url, autocommit=True) as connection:
        connection.execute(migrate.roles_script().encode())
    backup.restore(prepared, file, made)
    check_restored(sources[18], prepared.url)


def test_programs_that_do_not_fit(
    sources: dict[int, Source], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given = Target(sources[18].url, None)
    found = binaries.versions_of("pg_dump")
    assert {15, 18} <= set(found)
    monkeypatch.setattr(binaries, "versions_of", lambda program: {15: found[15]})
    with pytest.raises(CommandError, match=r"18 or later can read; the newest here is that of 15;"):
        backup.dump(given, tmp_path / "dump", overwrite=False)
    monkeypatch.setattr(binaries, "versions_of", lambda program: {})
    with pytest.raises(CommandError, match=r"18 or later can read; there is none here; set CMBS"):
        backup.dump(given, tmp_path / "dump", overwrite=False)
    with pytest.raises(CommandError, match=r"^no pg_restore was found; set CMBS_PG_BINDIR"):
        backup.newest_pg_restore()
    assert os.listdir(tmp_path) == []


@pytest.mark.slow("restores into a cluster of its own")
def test_a_role_that_only_the_old_cluster_has(
    sources: dict[int, Source], tmp_path: Path, clusters: dict[int, embedded.Server]
) -> None:
    with psycopg.connect(sources[15].url, autocommit=True) as connection:
        connection.execute("create role grafana login")
        connection.execute("grant select on cmbs.session to grafana")
        try:
            backup.dump(sources[15].database, tmp_path / "dump", overwrite=False)
        finally:
            connection.execute("drop owned by grafana; drop role grafana")
    target = Target(empty_database(clusters[18], "no_grafana"), clusters[18])
    made = dumpfile.Origin(15, migrate.head())
    with pytest.raises(CommandError, match=r'^nothing was restored: .*"grafana" does not exist'):
        backup.restore(target, tmp_path / "dump", made)
    assert [f.what for f in doctor.examine(target.url).findings] == [
        "there is no CMBS in this database"
    ]
