"""One throw-away PostgreSQL per run, a migrated template in it, a clone for whoever commits."""

import contextlib
import gc
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

from cmbs.deploy import doctor, embedded, migrate
from tests.support import sizes
from tests.support.databases import Warm, copied
from tests.support.servers import fastest_folder
from tests.support.web import Client, serving

_NO_SKIPS = os.environ.get("CMBS_NO_SKIPS") == "1"
_SETTINGS = {
    "max_connections": "100",
    "max_wal_size": "256MB",
    "log_lock_waits": "on",
    "log_min_messages": "warning",
    # Compiling a plan takes longer than any test runs it.
    "jit": "off",
}
# Ten thousand tests are some million objects that stay: nothing is won by looking at them again.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


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


def _throw_away(name: str, bindir: Path | None = None) -> Iterator[embedded.Server]:
    folder = Path(tempfile.mkdtemp(prefix="cmbs-tests-", dir=fastest_folder()))
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
    conninfo = make_conninfo(**{name: value for name, value in parameters.items() if value})
    migrate.migrate(conninfo)
    # A fresh database is at hand: no other has to be made to know what one is like.
    found = doctor.needed(conninfo)
    doctor.expected = lambda: found


template = factories.postgresql_noproc(depends_on="server", dbname="cmbs_test", load=[_load])


@pytest.fixture
def database(server: SimpleNamespace, template: Any) -> Iterator[str]:
    """The address of a fresh migrated database of its own, for tests that commit."""
    with copied(server, template, "own") as address:
        yield address


@pytest.fixture
def db(database: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection, in autocommit, to a fresh migrated database of its own."""
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def _shared_database(server: SimpleNamespace, template: Any) -> Iterator[str]:
    with copied(server, template, "shared") as address:
        yield address


@pytest.fixture(scope="session")
def _warm(_shared_database: str) -> Iterator[Warm]:
    with contextlib.closing(Warm(_shared_database)) as warm:
        yield warm


@pytest.fixture
def tx(request: pytest.FixtureRequest, _warm: Warm) -> Iterator[psycopg.Connection[Any]]:
    """A connection whose work is rolled back: the cheap way for tests that need no commit.

    Tests that are marked `cold` get one of their own, whose backend has compiled nothing yet.
    """
    if request.node.get_closest_marker("cold"):
        with psycopg.connect(_warm.address) as connection:
            yield connection
            connection.rollback()
    else:
        with _warm.turn() as connection:
            yield connection


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
