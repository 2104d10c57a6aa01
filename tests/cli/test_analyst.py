"""An analyst's login: what it may, what it may not over the whole catalog, and the command."""

import contextlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from cmbs import cli
from cmbs.database.calls import call
from cmbs.deploy import migrate
from cmbs.deploy.resources import view_files
from tests.cli.test_cli import COMMAND, run, serving
from tests.sql.schema.test_privileges import WEBHOOK
from tests.sql.verdict.scene import rich_arbitration
from tests.support.analytics import Analyst
from tests.support.beliefs import Session, begin_context, rich_session
from tests.support.commands import fields
from tests.support.servers import reachable_folder
from tests.tee.scene import rich_tee, set_mirror

Connection = psycopg.Connection[Any]
ABOUT_IDENTITIES = {"api_token", "identity_event", "principal"}
OURS = "('cmbs'::regnamespace, 'cmbs_store'::regnamespace)"


@pytest.fixture
def analyst(db: Connection) -> Iterator[Analyst]:
    rich_session(db)
    call(db, "set_webhook", **WEBHOOK)
    rich_arbitration(db)
    begin_context(db, "context", "a")
    set_mirror(db)
    rich_tee(db)
    made = Analyst(db)
    yield made
    made.remove()


@pytest.fixture
def login(analyst: Analyst) -> Iterator[Connection]:
    with analyst.connect() as connection:
        yield connection


@pytest.fixture
def writing(analyst: Analyst) -> Iterator[Connection]:
    """An analyst who has switched off what a login may switch off."""
    with analyst.connect() as connection:
        connection.execute("set default_transaction_read_only = off")
        yield connection


def names(connection: Connection, query: str, *values: object) -> list[Any]:
    return [row[0] for row in connection.execute(query.encode(), values or None)]


def test_every_view_and_verify(login: Connection) -> None:
    everything = {path.stem for path in view_files()}
    views = everything - ABOUT_IDENTITIES
    assert len(views) == 39
    for view in views:
        assert names(login, f"select count(*) from cmbs.{view}")[0] > 0, view
        login.execute(f"select * from cmbs.{view}".encode()).fetchall()
    assert names(login, "select ok from cmbs.verify_all()") == [True] * 3
    session_id, *_ = names(login, "select session_id from cmbs.session")
    assert names(login, "select cmbs.verify(%s)", session_id)[0]["ok"] is True


def test_the_commands_that_verify_and_export(
    login: Connection, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = make_conninfo(login.info.dsn, password=login.info.password or None)
    assert cli.main(["verify", "--all", "--database-url", where]) == 0
    file = str(tmp_path / "a.zip")
    assert cli.main(["export", "--all", "-o", file, "--database-url", where]) == 0
    assert cli.main(["verify", file]) == 0
    assert capsys.readouterr().out.count("every chain is whole") == 2


def test_nothing_else_of_the_catalog(login: Connection) -> None:
    functions = names(
        login,
        f"select proname from pg_proc where pronamespace in {OURS} "
        "and has_schema_privilege(pronamespace, 'usage') "
        "and has_function_privilege(oid, 'execute')",
    )
    assert sorted(functions) == ["identify", "revision", "tenant", "verify", "verify_all"]
    everything = "select oid from pg_class where relnamespace in " + OURS
    for privilege in ("insert", "update", "delete", "truncate", "references", "trigger"):
        # A column's privilege is of one of three kinds; the others are a table's alone.
        check = "has_table_privilege(c.oid, %s)"
        if privilege in ("insert", "update", "references"):
            check += " or has_any_column_privilege(c.oid, %s)"
        query = (
            f"select c.relname from pg_class as c where c.relkind not in ('i', 't') and ({check})"
        )
        # To update that view is to SET, which everybody may.
        allowed = ["pg_settings"] if privilege == "update" else []
        assert names(login, query, *[privilege] * check.count("%s")) == allowed, privilege
    readable = names(
        login, f"{everything} and relkind <> 'v' and has_table_privilege(oid, 'select')"
    )
    assert readable == []
    schemas = "select nspname from pg_namespace where has_schema_privilege(oid, %s)"
    assert names(login, schemas, "create") == []
    seen = set(names(login, f"{schemas} and nspname !~ '^pg_toast|^pg_temp'", "usage"))
    assert seen == {"cmbs", "public", "pg_catalog", "information_schema"}
    of = "select r.rolname from pg_roles as r where pg_has_role(r.oid, 'member')"
    assert set(names(login, of)) == {login.info.user, "cmbs_analyst"}


FORBIDDEN = [
    "select count(*) from cmbs_store.session",
    "select count(*) from cmbs_store.audit_event",
    "select cmbs_store.clock()",
    "select cmbs.query_belief('00000000-0000-0000-0000-000000000000')",
    "select cmbs.list_sessions()",
    "select cmbs.read_main_graph()",
    "select cmbs.read_live_view('all')",
    "select cmbs.merge_hypothesis('[]', '[]')",
    "select cmbs.read_mirror()",
    "select cmbs.read_metrics()",
    "select count(*) from cmbs_store.graph_node",
    "update cmbs.tee_message set state = 'delivered'",
    "select count(*) from cmbs.principal",
    "select count(*) from cmbs.api_token",
    "select count(*) from cmbs.identity_event",
    "select cmbs.list_principals()",
    "select cmbs.verify_identities()",
    "select cmbs.register_universe(array['a'])",
    "select cmbs.set_policy_defaults('{}')",
    "select cmbs.add_analyst('another')",
    "select cmbs.remove_analyst('another')",
    "select cmbs.list_analysts()",
    "select count(*) from pg_authid",
    "select count(*) from pg_shadow",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "copy cmbs.session to program 'true'",
    "set role cmbs_owner",
    "set role cmbs_auditor",
    "set session authorization postgres",
    "set session_replication_role = replica",
    "set temp_file_limit = -1",
    "create table cmbs.t ()",
    "create table public.t ()",
    "create schema s",
    "create role another",
    "create function cmbs.f() returns void language sql as ''",
    "create view cmbs.v as select 1",
    "create or replace view cmbs.session as select 1",
    "insert into cmbs.session (session_id) values (gen_random_uuid())",
    "update cmbs.session set terminated = false",
    "delete from cmbs.survivor",
    "truncate cmbs_store.audit_event",
    "alter role cmbs_analyst createrole",
    "grant cmbs_analyst to postgres",
]


def test_it_is_refused_also_with_read_only_switched_off(
    writing: Connection, subtests: pytest.Subtests
) -> None:
    refused = (
        psycopg.errors.InsufficientPrivilege,
        # A view over a join is not written through, whoever asks.
        psycopg.errors.ObjectNotInPrerequisiteState,
    )
    for statement in FORBIDDEN:
        with subtests.test(statement), pytest.raises(refused), writing.transaction():
            writing.execute(statement.encode())


def test_no_temporary_tables(db: Connection, database: str, analyst: Analyst) -> None:
    # What a deployment revokes is of the database, and a copy by template has it not.
    migrate.migrate(database)
    with analyst.connect() as connection:
        connection.execute("set default_transaction_read_only = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("create temporary table t ()")


def test_a_login_begins_read_only(login: Connection) -> None:
    assert names(login, "show transaction_read_only") == ["on"]
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        login.execute("create temporary table t ()")
    limits = {
        "statement_timeout": "15min",
        "lock_timeout": "10s",
        "idle_in_transaction_session_timeout": "5min",
        "idle_session_timeout": "8h",
        "temp_file_limit": "20GB",
    }
    assert {name: names(login, f"show {name}")[0] for name in limits} == limits


def test_so_many_connections_and_no_more(analyst: Analyst) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(analyst.connect())
        with pytest.raises(psycopg.OperationalError, match="too many connections"):
            analyst.connect()


def test_a_removed_analyst_reads_nothing_any_more(db: Connection, analyst: Analyst) -> None:
    with analyst.connect() as open_before:
        open_before.execute("select count(*) from cmbs.session")
        db.execute("select cmbs.remove_analyst(%s)", [analyst.name])
        with pytest.raises(psycopg.Error):
            open_before.execute("select count(*) from cmbs.session")


# Nothing that a login may do keeps it from being removed.
CLINGING = ("select lo_create(0)", "alter default privileges grant select on tables to public")


@pytest.mark.parametrize("statement", CLINGING)
def test_what_an_analyst_owns_goes_with_it(
    db: Connection, analyst: Analyst, writing: Connection, statement: str
) -> None:
    writing.execute(statement.encode())
    db.execute("select cmbs.remove_analyst(%s)", [analyst.name])
    assert names(db, "select count(*) from pg_roles where rolname = %s", analyst.name) == [0]
    with pytest.raises(psycopg.Error):
        writing.execute("select count(*) from cmbs.session")


def test_one_that_owns_something_elsewhere_is_locked_out(db: Connection, analyst: Analyst) -> None:
    with analyst.connect(dbname="postgres") as elsewhere, analyst.connect() as here:
        elsewhere.execute("set default_transaction_read_only = off")
        (large,) = names(elsewhere, "select lo_create(0)")
        db.execute("select cmbs.remove_analyst(%s)", [analyst.name])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            here.execute("select count(*) from cmbs.session")
        with pytest.raises(psycopg.OperationalError, match="not permitted to log in"):
            analyst.connect()
        listed = names(db, "select cmbs.list_analysts()")[0]
        assert analyst.name not in [one["name"] for one in listed]
        elsewhere.execute("select lo_unlink(%s)", [large])


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("", "42602"),
        (None, "42602"),
        ("x" * 64, "42602"),
        ("ä" * 32, "42602"),
        ("pg_x", "42939"),
        ("cmbs_x", "42939"),
        ("api", "42939"),
        ("public", "42939"),
        ("none", "42939"),
        ("cmbs_owner", "42939"),
        ("postgres", "42710"),
    ],
)
def test_names_that_cannot_be(tx: Connection, name: str | None, state: str) -> None:
    before = names(tx, "select rolname from pg_roles")
    with pytest.raises(psycopg.Error) as caught, tx.transaction():
        tx.execute("select cmbs.add_analyst(%s)", [name])
    assert caught.value.sqlstate == state
    assert names(tx, "select rolname from pg_roles") == before


@pytest.mark.parametrize("name", ["x" * 63, "o\"d'd; drop role x -- %I", "ä\U0001f600", "$$", "\\"])
def test_any_other_name(tx: Connection, name: str) -> None:
    tx.execute("select cmbs.add_analyst(%s)", [name])
    listed = names(tx, "select cmbs.list_analysts()")[0]
    assert {"name": name, "n_connections": 0, "tenant": None} in listed
    tx.execute("select cmbs.remove_analyst(%s)", [name])
    assert names(tx, "select count(*) from pg_roles where rolname = %s", name) == [0]


@pytest.mark.parametrize("verifier", ["secret", "", "SCRAM-SHA-256$x", "md5" + "0" * 32])
def test_a_password_in_the_clear_is_refused(tx: Connection, verifier: str) -> None:
    with pytest.raises(psycopg.errors.InvalidPassword) as caught:
        tx.execute("select cmbs.add_analyst('ann', %s)", [verifier])
    assert verifier not in str(caught.value.diag.message_detail) or not verifier


def test_only_analysts_are_removed(tx: Connection) -> None:
    tx.execute("create role agent login in role cmbs_agent")
    tx.execute("create role two login in role cmbs_agent, cmbs_analyst")
    tx.execute("create role team in role cmbs_analyst")
    for name in ("agent", "two", "team", "cmbs_analyst", "postgres", "nobody", "", None):
        with pytest.raises(psycopg.errors.UndefinedObject), tx.transaction():
            tx.execute("select cmbs.remove_analyst(%s)", [name])


def test_an_administrator_who_is_no_superuser(tx: Connection) -> None:
    tx.execute("create role boss login createrole in role cmbs_owner")
    tx.execute("grant cmbs_analyst to boss with admin option")
    tx.execute("set session authorization boss")
    tx.execute("select cmbs.add_analyst('ann')")
    assert "ann" in [one["name"] for one in names(tx, "select cmbs.list_analysts()")[0]]
    tx.execute("set session authorization ann")
    tx.execute(CLINGING[0].encode())
    tx.execute("set session authorization boss")
    tx.execute("select cmbs.remove_analyst('ann')")
    assert names(tx, "select count(*) from pg_roles where rolname = 'ann'") == [0]
    tx.execute("reset session authorization")


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder / "data"


@pytest.mark.nightly
@pytest.mark.slow("a database of its own and eight commands")
def test_the_command_on_the_embedded_server(data_dir: Path, server: SimpleNamespace) -> None:
    psql = str(server.own.bindir / "psql") if server.own else shutil.which("psql")
    if not psql or not shutil.which(psql):
        pytest.skip("the printed line is one for psql, and there is none")
    name = "ann o'hara"
    with serving(data_dir):
        added = run(data_dir, "analyst", "add", name)
        assert (added.returncode, added.stderr) == (
            0,
            "cmbs: it works while cmbs serve runs, for accounts that may enter that folder\n",
        )
        made = fields(added.stdout)
        assert [*made] == ["analyst", "connect"], "nobody is asked for a password"
        (line,) = re.findall(r"^psql (.+)$", made["connect"])
        said = subprocess.run(
            ["sh", "-c", f"{psql} {line} -XAtc 'select session_user, count(*) from cmbs.session'"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (said.stdout, said.stderr) == (f"{name}|0\n", "")
        again = run(data_dir, "analyst", "add", name)
        assert (again.returncode, again.stdout) == (4, "")
        assert again.stderr == f"cmbs: {name}: A role of this name is there already.\n"
        assert run(data_dir, "analyst", "list").stdout == (
            f"analyst     tenant   connections\n{name}  default  0\n"
        )
        assert run(data_dir, "analyst", "remove", name).stdout == f"{name} is removed\n"
        nobody = run(data_dir, "analyst", "list")
        assert (nobody.stdout, nobody.stderr) == ("", "cmbs: there is no analyst\n")
        gone = run(data_dir, "analyst", "remove", name)
        assert gone.stderr == f"cmbs: {name}: There is no analyst of this name.\n"
        bad = run(data_dir, "analyst", "add", "a\nb")
        assert (bad.returncode, bad.stderr.splitlines()[-1]) == (
            2,
            "cmbs analyst add: error: argument NAME: must be printable",
        )


def test_the_command_on_a_given_database(
    data_dir: Path, database: str, db: Connection, server: SimpleNamespace
) -> None:
    Session(db)
    name = f"ann{uuid4().hex[:8]}"
    added = run(data_dir, "analyst", "add", name, url=database)
    try:
        assert (added.returncode, added.stderr) == (0, "")
        made = fields(added.stdout)
        assert [*made] == ["analyst", "connect", "password"]
        assert made["analyst"] == f"{name}, who reads the views of the schema cmbs and verifies"
        password = re.findall(r"^(\S{32}) \(shown this once\)$", made["password"])
        assert len(password) == 1
        stored = names(db, "select rolpassword from pg_authid where rolname = %s", name)
        assert stored[0].startswith("SCRAM-SHA-256$")
        if server.own:
            log = (server.own.data_dir / "postgres.log").read_text()
            assert password[0] not in log
        with psycopg.connect(database, user=name, password=password[0]) as connection:
            assert names(connection, "select count(*) from cmbs.session") == [1]
    finally:
        db.execute(sql.SQL("drop role if exists {}").format(sql.Identifier(name)))


def test_a_password_from_standard_input(database: str, db: Connection) -> None:
    name = f"ann{uuid4().hex[:8]}"
    command = [*COMMAND, "analyst", "add", name, "--password-stdin"]
    for given, status in (("", 2), ("\n", 2), ("correct horse\n", 0)):
        done = subprocess.run(
            [*command, "--database-url", database],
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
        assert "correct horse" not in done.stdout
    try:
        (verifier,) = names(db, "select rolpassword from pg_authid where rolname = %s", name)
        _, salt, _ = verifier.split("$")
        hashed = db.pgconn.encrypt_password(b"correct horse", name.encode(), b"scram-sha-256")
        assert salt.split(":")[0] == hashed.decode().split("$")[1].split(":")[0]
        with psycopg.connect(database, user=name, password="correct horse") as connection:
            assert names(connection, "select session_user") == [name]
    finally:
        db.execute(sql.SQL("drop role if exists {}").format(sql.Identifier(name)))
