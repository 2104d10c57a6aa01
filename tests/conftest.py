"""One throw-away PostgreSQL per run, a migrated template in it, a clone for whoever commits."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pytest_postgresql import factories

from cmbs import embedded, migrate
from tests import sizes
from tests.web import Client, serving

_NO_SKIPS = os.environ.get("CMBS_NO_SKIPS") == "1"
_SETTINGS = {
    "max_connections": "100",
    "max_wal_size": "256MB",
    "log_lock_waits": "on",
    "log_min_messages": "warning",
    # Compiling a plan takes longer than any test runs it.
    "jit": "off",
}
# Cloning a database makes some 600 files, which memory does twenty times as fast as a disk.
_MEMORY, _ROOM = Path("/dev/shm"), 6 << 30


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What only a nightly run is long enough for is left out, and counted as deselected."""
    for item in items:
        if mark := item.get_closest_marker("slow"):
            # In the file of durations, where CI looks for a long test that says no reason.
            item.user_properties.append(("slow", mark.args[0]))
    if not sizes.IS_NIGHTLY:
        left_out = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """In CI a test that did not run is a failure."""
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    if _NO_SKIPS and exitstatus == 0 and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line("CMBS_NO_SKIPS is set: skipped tests count as failed", red=True)


def _fastest() -> str:
    """Where nothing has to last: in memory, if there is plenty of it."""
    if not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < _ROOM:
        return "/tmp"
    lines = Path("/proc/meminfo").read_text().splitlines()
    ((available,),) = (line.split()[1:2] for line in lines if line.startswith("MemAvailable:"))
    return str(_MEMORY) if int(available) << 10 > _ROOM else "/tmp"


def _throw_away(name: str, bindir: Path | None = None) -> Iterator[embedded.Server]:
    folder = Path(tempfile.mkdtemp(prefix="cmbs-tests-", dir=_fastest()))
    folder.chmod(0o755)
    try:
        with pytest.MonkeyPatch.context() as patch:
            if bindir:
                patch.setenv("CMBS_PG_BINDIR", str(bindir))
            server = embedded.start(folder / name, durable=False, settings=_SETTINGS)
        with server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def server() -> Iterator[SimpleNamespace]:
    """The server of this run: a given one (CMBS_TEST_DATABASE_URL), else one of our own."""
    if url := os.environ.get("CMBS_TEST_DATABASE_URL"):
        given = conninfo_to_dict(url)
        yield _as_executor(
            str(given["host"]), int(given.get("port") or 5432), str(given.get("user") or "postgres")
        )
        return
    for own in _throw_away("data"):
        yield _as_executor(str(own.socket_dir), own.port, "postgres", own)


def _as_executor(
    host: str, port: int, user: str, own: embedded.Server | None = None
) -> SimpleNamespace:
    """What pytest-postgresql wants to know of a server, and our own handle on it."""
    return SimpleNamespace(
        host=host,
        port=port,
        user=user,
        password=os.environ.get("PGPASSWORD", ""),
        options="",
        maintenance_dbname="postgres",
        template_dbname="template1",
        own=own,
    )


def _load(**parameters: Any) -> None:
    migrate.migrate(make_conninfo(**{name: value for name, value in parameters.items() if value}))


template = factories.postgresql_noproc(depends_on="server", dbname="cmbs_test", load=[_load])
clone = factories.postgresql("template")


@pytest.fixture
def database(clone: psycopg.Connection[Any]) -> str:
    """The address of a fresh migrated database of its own, for tests that commit."""
    info = clone.info
    return make_conninfo(host=info.host, port=info.port, user=info.user, dbname=info.dbname)


@pytest.fixture
def db(database: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection, in autocommit, to a fresh migrated database of its own."""
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def _shared_database(server: SimpleNamespace, template: Any) -> Iterator[str]:
    name = f"{template.dbname}_shared"
    with psycopg.connect(
        host=server.host, port=server.port, user=server.user, dbname="postgres", autocommit=True
    ) as admin:
        admin.execute(f'drop database if exists "{name}"')
        admin.execute(f'create database "{name}" template "{template.template_dbname}"')
        yield make_conninfo(host=server.host, port=server.port, user=server.user, dbname=name)
        admin.execute(f'drop database "{name}" with (force)')


class _Warm:
    """The database and the connection that the tests of a worker take turns with.

    A new backend compiles every function anew, which takes longer than most tests. But what tests
    roll back stays in the tables as dead rows, and every scan reads them: so both are new again
    after some hundred tests.
    """

    _TURNS = 120

    def __init__(self, where: dict[str, Any], template: Any) -> None:
        self._where, self._name = where, f"{template.dbname}_warm"
        self._of, self._turn = template.template_dbname, 0
        self.address = make_conninfo(**where, dbname=self._name)
        self._connection: psycopg.Connection[Any] | None = None

    def connection(self) -> psycopg.Connection[Any]:
        self.take_turn()
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(self.address)
        return self._connection

    def take_turn(self) -> None:
        if self._turn % self._TURNS == 0:
            self.drop()
            with psycopg.connect(**self._where, dbname="postgres", autocommit=True) as admin:
                admin.execute(f'create database "{self._name}" template "{self._of}"'.encode())
        self._turn += 1

    def drop(self) -> None:
        if self._connection:
            self._connection.close()
        with psycopg.connect(**self._where, dbname="postgres", autocommit=True) as admin:
            admin.execute(f'drop database if exists "{self._name}" with (force)'.encode())


@pytest.fixture(scope="session")
def _warm(server: SimpleNamespace, template: Any) -> Iterator[_Warm]:
    warm = _Warm({"host": server.host, "port": server.port, "user": server.user}, template)
    yield warm
    warm.drop()


@pytest.fixture
def tx(request: pytest.FixtureRequest, _warm: _Warm) -> Iterator[psycopg.Connection[Any]]:
    """A connection whose work is rolled back: the cheap way for tests that need no commit.

    Tests that are marked `cold` get one of their own, whose backend has compiled nothing yet.
    """
    if request.node.get_closest_marker("cold"):
        _warm.take_turn()
        with psycopg.connect(_warm.address) as connection:
            yield connection
            connection.rollback()
        return
    connection = _warm.connection()
    try:
        yield connection
    finally:
        if not connection.closed:
            connection.rollback()


@pytest.fixture(scope="session")
def full_server() -> Iterator[embedded.Server]:
    """A server of the system's packages: with ICU and plpgsql_check, which the wheel's has not."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        pytest.skip("no PostgreSQL of the system's packages, which has ICU and plpgsql_check")
    yield from _throw_away("full", found[-1].parent)


@pytest.fixture
def web(database: str) -> Iterator[Client]:
    """A client of the application, which runs on a real socket over a fresh database."""
    with serving(database) as address, Client(base_url=address) as client:
        yield client
