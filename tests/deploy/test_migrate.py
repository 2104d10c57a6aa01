"""Deploying: again, at the same time, over what is not ours, and by who is no superuser."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cmbs.deploy import embedded, migrate
from tests.support.beliefs import Connection, Session, rich_session
from tests.support.servers import reachable_folder


def one(connection: Connection, query: str, *values: object) -> Any:
    row = connection.execute(query.encode(), values or None).fetchone()
    assert row is not None
    return row[0]


def state(connection: Connection) -> list[Any]:
    """What a deployment could change: functions, views, rights, triggers, owners."""
    return connection.execute(
        """
        select p.oid::regprocedure::text, p.proowner::regrole::text, pg_get_functiondef(p.oid),
            p.proacl::text, obj_description(p.oid, 'pg_proc')
        from pg_proc as p
        where p.pronamespace in ('cmbs'::regnamespace, 'cmbs_store'::regnamespace)
        union all
        select c.oid::regclass::text, c.relowner::regrole::text,
            case when c.relkind = 'v' then pg_get_viewdef(c.oid) end, c.relacl::text,
            obj_description(c.oid, 'pg_class')
        from pg_class as c
        where c.relnamespace in ('cmbs'::regnamespace, 'cmbs_store'::regnamespace)
        union all
        select t.tgname, t.tgenabled::text, pg_get_triggerdef(t.oid), null, null
        from pg_trigger as t
        where not t.tgisinternal
        order by 1
        """
    ).fetchall()


def test_again_changes_nothing(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        session, _ = rich_session(connection)
        before, log = state(connection), session.events()
        for _ in range(2):
            assert migrate.migrate(database) == migrate.head()
        assert state(connection) == before
        assert session.events() == log
        assert session.is_whole()
        assert Session(connection).eliminate("a")["applied_eliminated"] == ["a"]


@pytest.mark.parametrize(
    ("harm", "is_mended"),
    [
        (
            "create or replace function cmbs_store.clock() returns timestamptz language sql "
            "as $$ select timestamptz '2000-01-01' $$",
            "select abs(extract(epoch from cmbs_store.clock() - clock_timestamp())) < 60",
        ),
        (
            "grant execute on function cmbs.eliminate to public",
            "select not has_function_privilege('pg_monitor', p.oid, 'execute') "
            "from pg_proc as p where p.proname = 'eliminate'",
        ),
        (
            "grant execute on function cmbs_store.timestamp_v1 to public",
            "select not has_function_privilege('pg_monitor', p.oid, 'execute') "
            "from pg_proc as p where p.proname = 'timestamp_v1'",
        ),
        (
            "alter table cmbs_store.audit_event disable trigger audit_event_append_only",
            "select t.tgenabled = 'A' from pg_trigger as t "
            "where t.tgname = 'audit_event_append_only'",
        ),
        (
            "grant update, delete on cmbs_store.audit_event to cmbs_kernel",
            "select not has_table_privilege('cmbs_kernel', 'cmbs_store.audit_event', 'delete')",
        ),
        (
            # As PostgreSQL makes functions, and a dump without privileges leaves them.
            "update pg_proc set proacl = null where pronamespace in "
            "('cmbs'::regnamespace, 'cmbs_store'::regnamespace)",
            "select not exists (select from pg_proc as p cross join lateral "
            "aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a "
            "where p.pronamespace in ('cmbs'::regnamespace, 'cmbs_store'::regnamespace) "
            "and a.grantee = 0)",
        ),
        (
            "grant create on schema cmbs to cmbs_kernel",
            "select not has_schema_privilege('cmbs_kernel', 'cmbs', 'create')",
        ),
    ],
    ids=["function", "execute", "frozen", "trigger", "table", "no privileges", "schema"],
)
def test_what_was_tampered_with_is_put_right(db: Connection, harm: str, is_mended: str) -> None:
    db.execute(harm.encode())
    assert one(db, is_mended) is False
    migrate.migrate(db.info.dsn)
    assert one(db, is_mended) is True


@pytest.mark.parametrize(
    ("stranger", "name"),
    [
        ("cmbs.stranger()", "cmbs.stranger()"),
        ("cmbs_store.stranger(text[])", "cmbs_store.stranger(text[])"),
        ("cmbs.revision(p_old text)", "cmbs.revision(text)"),
    ],
)
def test_a_stranger_rolls_the_deployment_back(db: Connection, stranger: str, name: str) -> None:
    db.execute(f"create function {stranger} returns text language sql as 'select null'".encode())
    db.execute("drop function cmbs.why")
    before = state(db)
    with pytest.raises(migrate.MigrationError, match="drop them first: ") as caught:
        migrate.migrate(db.info.dsn)
    assert str(caught.value).endswith(f"drop them first: {name}")
    assert state(db) == before, "rolled back: the dropped function was not put there either"
    db.execute(f"drop function {name}".encode())
    migrate.migrate(db.info.dsn)
    assert one(db, "select to_regproc('cmbs.why') is not null")


def test_a_view_that_cannot_be_replaced_is_one_sentence(db: Connection) -> None:
    db.execute("drop view cmbs.chain_head")
    db.execute("create view cmbs.chain_head as select 1 as another_column")
    before = state(db)
    with pytest.raises(migrate.MigrationError, match="nothing was changed") as caught:
        migrate.migrate(db.info.dsn)
    assert "\n" not in str(caught.value)
    assert state(db) == before


@pytest.mark.parametrize(
    ("revision", "sentence"),
    [
        (
            "0011",
            "The database is of revision 0011, which was never released, and no other CMBS "
            "reads it: begin with an empty database, or use the CMBS that made this one; nothing "
            "was changed",
        ),
        (
            "9999",
            "The database is of revision 9999, which this CMBS does not know: install the CMBS "
            "that it was made by, or a later one; nothing was changed",
        ),
    ],
)
def test_an_unknown_revision_is_refused(db: Connection, revision: str, sentence: str) -> None:
    db.execute("update cmbs_store.revision set version_num = %s", [revision])
    before = state(db)
    with pytest.raises(migrate.MigrationError) as caught:
        migrate.migrate(db.info.dsn)
    assert str(caught.value) == sentence
    assert state(db) == before
    assert migrate.revision(db.info.dsn) == revision


def create_database(connection: Connection, name: str) -> str:
    identifier = sql.Identifier(name)
    connection.execute(sql.SQL("drop database if exists {} with (force)").format(identifier))
    connection.execute(sql.SQL("create database {}").format(identifier))
    return make_conninfo(**{**conninfo_to_dict(connection.info.dsn), "dbname": name})


def when(condition: Callable[[], bool]) -> None:
    deadline, pause = time.monotonic() + 60, threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        pause.wait(0.005)


def test_deployments_of_one_database_take_turns(db: Connection) -> None:
    conninfo = create_database(db, "turns")
    waiting = "select count(*) from pg_stat_activity where datname = 'turns' "
    waiting += "and wait_event = 'advisory'"
    with psycopg.connect(conninfo, autocommit=True) as first, ThreadPoolExecutor(3) as workers:
        first.execute(migrate.script().rstrip().removesuffix("commit;").encode())
        deployed: list[Future[str]] = [workers.submit(migrate.migrate, conninfo) for _ in range(3)]
        when(lambda: one(db, waiting) == 3)
        first.execute("commit")
        assert [each.result() for each in deployed] == [migrate.head()] * 3
    with psycopg.connect(conninfo) as connection:
        assert Session(connection).is_whole()
    db.execute("drop database turns with (force)")


@pytest.mark.nightly
def test_databases_of_one_cluster_at_the_same_time(db: Connection) -> None:
    """The roles belong to all of them."""
    names = [f"cluster_{i}" for i in range(4)]
    addresses = [create_database(db, name) for name in names]
    with ThreadPoolExecutor(4) as workers:
        deployed = list(workers.map(migrate.migrate, addresses))
    assert deployed == [migrate.head()] * 4
    for name, address in zip(names, addresses, strict=True):
        with psycopg.connect(address) as connection:
            assert Session(connection).is_whole()
        db.execute(f"drop database {name} with (force)".encode())


def test_while_a_session_is_used(db: Connection) -> None:
    waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
    with psycopg.connect(db.info.dsn) as first, ThreadPoolExecutor(1) as workers:
        session = Session(first)
        first.commit()
        session.eliminate("a")
        deployed = workers.submit(migrate.migrate, db.info.dsn)
        when(lambda: one(db, waiting + " and datname = current_database()") == 1)
        assert session.eliminate("b")["applied_eliminated"] == ["b"]
        first.commit()
        assert deployed.result() == migrate.head()
        assert session.eliminate("c")["snapshot"]["survivors"] == ["d"]
        assert session.is_whole()


@pytest.fixture
def fresh_cluster() -> Iterator[embedded.Server]:
    """Without roles of ours: a cluster that nobody deployed to."""
    with (
        reachable_folder() as folder,
        embedded.start(folder / "data", durable=False) as server,
    ):
        yield server


@pytest.mark.nightly
@pytest.mark.slow("a cluster of its own")
def test_by_an_owner_who_is_no_superuser(fresh_cluster: embedded.Server) -> None:
    with psycopg.connect(fresh_cluster.conninfo(), autocommit=True) as admin:
        admin.execute("create role deployer login createrole")
        admin.execute("create database owned owner deployer")
        admin.execute("create database second owner deployer")
    for name in ("owned", "second"):
        conninfo = fresh_cluster.conninfo(name, "deployer")
        for _ in range(2):
            assert migrate.migrate(conninfo) == migrate.head()
        with psycopg.connect(fresh_cluster.conninfo(name), autocommit=True) as connection:
            found = connection.execute(
                "select proowner::regrole::text, count(*) > 1 from pg_proc where pronamespace in "
                "('cmbs'::regnamespace, 'cmbs_store'::regnamespace) group by 1 order by 1"
            ).fetchall()
            assert found == [("cmbs_kernel", True), ("cmbs_owner", True)]
            owners = connection.execute(
                "select distinct relowner::regrole::text from pg_class where relnamespace in "
                "('cmbs'::regnamespace, 'cmbs_store'::regnamespace)"
            ).fetchall()
            assert owners == [("cmbs_owner",)]
            closed = (
                "select defaclrole::regrole::text, defaclacl::text from pg_default_acl order by 1"
            )
            assert connection.execute(closed.encode()).fetchall() == [
                (role, f"{{{role}=X/{role}}}") for role in ("cmbs_kernel", "cmbs_owner")
            ]
            session, _ = rich_session(connection)
            assert session.is_whole()
        with psycopg.connect(fresh_cluster.conninfo(name, "cmbs_server")) as connection:
            served = Session(connection)
            served.eliminate("a")
            assert served.last_event()["actor"] == "api"


@pytest.mark.nightly
def test_by_an_owner_to_whom_the_roles_were_granted(fresh_cluster: embedded.Server) -> None:
    """What the README says of a database of one's own: an administrator runs roles.sql once."""
    with psycopg.connect(fresh_cluster.conninfo(), autocommit=True) as admin:
        admin.execute("create role deployer login")
        admin.execute("create database owned owner deployer")
    with psycopg.connect(fresh_cluster.conninfo("owned"), autocommit=True) as admin:
        admin.execute(migrate.roles_script().encode())
        admin.execute("grant cmbs_owner, cmbs_kernel to deployer")
    for _ in range(2):
        assert migrate.migrate(fresh_cluster.conninfo("owned", "deployer")) == migrate.head()
    with psycopg.connect(fresh_cluster.conninfo("owned"), autocommit=True) as connection:
        assert rich_session(connection)[0].is_whole()


def test_by_somebody_who_may_not(fresh_cluster: embedded.Server) -> None:
    with psycopg.connect(fresh_cluster.conninfo(), autocommit=True) as admin:
        admin.execute("create role deployer login")
        admin.execute("create database owned owner deployer")
    with pytest.raises(migrate.MigrationError, match="nothing was changed") as caught:
        migrate.migrate(fresh_cluster.conninfo("owned", "deployer"))
    assert "\n" not in str(caught.value)
    with psycopg.connect(fresh_cluster.conninfo("owned")) as connection:
        assert one(connection, "select count(*) from pg_roles where rolname ~ '^cmbs_'") == 0
        assert one(connection, "select to_regnamespace('cmbs') is null")


def test_a_database_that_is_not_there() -> None:
    with pytest.raises(migrate.MigrationError, match="cannot be reached"):
        migrate.migrate("host=/nowhere dbname=x")


def test_a_planted_function_is_not_run(db: Connection) -> None:
    """Whoever may create in public would be asked before pg_catalog by an exact match."""
    address = create_database(db, "planted")
    with psycopg.connect(address, autocommit=True) as connection:
        for types in ("text, text", "text, name", "text, uuid"):
            connection.execute(
                f"create function public.format({types}) returns text language plpgsql as "
                "$$ begin raise 'planted'; end $$".encode()
            )
        connection.execute(migrate.roles_script().encode())
        assert migrate.migrate(address) == migrate.head()
        assert rich_session(connection)[0].is_whole()
    db.execute("drop database planted with (force)")


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_another_encoding_is_refused(db: Connection, encoding: str) -> None:
    db.execute(
        f"create database coded encoding '{encoding}' locale 'C' template template0".encode()
    )
    address = make_conninfo(**{**conninfo_to_dict(db.info.dsn), "dbname": "coded"})
    with pytest.raises(migrate.MigrationError, match=f"UTF8 and has {encoding}"):
        migrate.migrate(address)
    with (
        psycopg.connect(address, client_encoding="SQL_ASCII") as connection,
        pytest.raises(psycopg.errors.FeatureNotSupported),
    ):
        connection.execute(migrate.roles_script().encode())
    db.execute("drop database coded with (force)")
