"""Every kind of damage is named, and what is printed, run as it stands, mends it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from cmbs import cli
from cmbs.deploy import doctor, embedded, migrate
from cmbs.deploy.resources import sql_dir
from tests.golden import regenerate
from tests.support.beliefs import Connection, Session, rich_session
from tests.support.databases import copy_of_a_module
from tests.support.servers import ROOT, reachable_folder
from tests.support.sizes import sampled

# What is done to the database, and the beginnings of the findings that must come of it.
HARMS = {
    "trigger disabled": (
        "alter table cmbs_store.audit_event disable trigger audit_event_append_only",
        "table cmbs_store.audit_event: firing of trigger audit_event_append_only is disabled",
    ),
    "trigger not always": (
        "alter table cmbs_store.tombstone enable trigger tombstone_append_only",
        "table cmbs_store.tombstone: firing of trigger tombstone_append_only is origin",
    ),
    "trigger gone": (
        "drop trigger session_append_only on cmbs_store.session",
        "table cmbs_store.session: trigger session_append_only is missing",
    ),
    "trigger that refuses less": (
        "create or replace trigger audit_event_append_only before truncate "
        "on cmbs_store.audit_event for each statement execute function cmbs_store.refuse_change()",
        "table cmbs_store.audit_event: trigger audit_event_append_only is CREATE TRIGGER",
        "table cmbs_store.audit_event: firing of trigger audit_event_append_only is origin",
    ),
    "foreign trigger": (
        "create function public.spy() returns trigger language plpgsql as "
        "$$ begin return new; end $$; "
        'create trigger "a spy" after insert on cmbs_store.audit_event '
        "for each row execute function public.spy()",
        'table cmbs_store.audit_event: trigger "a spy" should not be there',
    ),
    "somebody's foreign key": (
        "create table public.mine (id uuid references cmbs_store.session on delete cascade)",
        "table cmbs_store.session: constraint mine_id_fkey on table public.mine should not be",
    ),
    "foreign key not checked": (
        "alter table cmbs_store.session disable trigger all",
        'table cmbs_store.session: "RI_FKey_check_ins" of constraint session_universe_digest_fk',
        'table cmbs_store.session: "RI_FKey_check_upd" of constraint session_universe_digest_fk',
        "table cmbs_store.session: firing of trigger session_append_only is disabled",
        "table cmbs_store.session: firing of trigger session_tenant_fixed is disabled",
    ),
    "nobody may connect": (
        'revoke connect on database "{database}" from public, cmbs_server',
        "database: connect for cmbs_server is missing, should be granted",
    ),
    "nothing may be written": (
        'alter database "{database}" set default_transaction_read_only = on',
        "database: setting default_transaction_read_only should not be there",
    ),
    "foreign keys asleep": (
        'alter database "{database}" set session_replication_role = replica',
        "database: setting session_replication_role should not be there",
    ),
    "rule": (
        "create rule lost as on insert to cmbs_store.tombstone do instead nothing",
        "table cmbs_store.tombstone: rule lost should not be there",
    ),
    "row policy": (
        "alter table cmbs_store.audit_event enable row level security, "
        "force row level security; "
        "create policy hide on cmbs_store.audit_event using (seq > 1)",
        "table cmbs_store.audit_event: policy hide should not be there",
        "table cmbs_store.audit_event: forced row level security is on, should be off",
        "table cmbs_store.audit_event: row level security is on, should be off",
    ),
    "event trigger": (
        "create function public.look() returns event_trigger language plpgsql as "
        "$$ begin end $$; create event trigger look on sql_drop execute function public.look()",
        "event trigger look should not be there",
    ),
    "child table": (
        "create table public.more () inherits (cmbs_store.conclusion)",
        "table cmbs_store.conclusion: child public.more should not be there",
    ),
    "grant on a table": (
        "grant update, delete on cmbs_store.audit_event to cmbs_kernel",
        "table cmbs_store.audit_event: delete for cmbs_kernel should not be there",
        "table cmbs_store.audit_event: update for cmbs_kernel should not be there",
    ),
    "grant on a column": (
        "grant update (record) on cmbs_store.audit_event to cmbs_kernel",
        "table cmbs_store.audit_event: update (record) for cmbs_kernel should not be there",
    ),
    "grant to everybody": (
        "grant select on cmbs.session to public; grant execute on function cmbs.waive_obligation "
        "to public; grant usage on schema cmbs_store to public",
        "function cmbs.waive_obligation(uuid,text,text,text,uuid,text,boolean,bytea): execute for",
        "schema cmbs_store: usage for public should not be there",
        "view cmbs.session: select for public should not be there",
    ),
    "grant to somebody": (
        "grant select (record) on cmbs_store.audit_event to pg_monitor; "
        "grant create on schema cmbs to pg_monitor",
        "schema cmbs: create for pg_monitor should not be there",
        "table cmbs_store.audit_event: select (record) for pg_monitor should not be there",
    ),
    "grant passed on": (
        "grant select on cmbs.session to cmbs_auditor with grant option; "
        "set role cmbs_auditor; grant select on cmbs.session to cmbs_agent; reset role",
        "view cmbs.session: select for cmbs_agent should not be there",
        "view cmbs.session: select for cmbs_auditor is and may grant it, should be yes",
    ),
    "grant missing": (
        "revoke select on cmbs.session from cmbs_auditor; "
        "revoke execute on function cmbs.why from cmbs_server; "
        "revoke usage on schema cmbs_store from cmbs_kernel; "
        "revoke update (mask) on cmbs_store.session from cmbs_kernel",
        "function cmbs.why(uuid,text,bytea): execute for cmbs_server is missing",
        "schema cmbs_store: usage for cmbs_kernel is missing",
        "table cmbs_store.session: update (mask) for cmbs_kernel is missing",
        "view cmbs.session: select for cmbs_auditor is missing",
    ),
    "owner without rights": (
        "revoke select on cmbs_store.session from cmbs_owner",
        "table cmbs_store.session: its owner is delete, insert, references",
    ),
    "default privileges": (
        "alter default privileges for role cmbs_owner in schema cmbs_store "
        "grant select on tables to pg_monitor; "
        "alter default privileges for role cmbs_kernel grant execute on functions to cmbs_agent",
        "default privileges in schema cmbs_store: select on tables of cmbs_owner for pg_monitor",
        "default privileges: execute on functions of cmbs_kernel for cmbs_agent should not be",
    ),
    "functions for everybody": (
        "alter default privileges for role cmbs_owner grant execute on functions to public; "
        "alter default privileges for role cmbs_kernel grant execute on functions to public",
        "default privileges: execute on functions of cmbs_kernel for public is granted, should be",
        "default privileges: execute on functions of cmbs_owner for public is granted, should be",
    ),
    "stranger function": (
        "create function cmbs.why(p_session_id uuid) returns text language sql as 'select null'",
        "function cmbs.why(uuid) should not be there",
    ),
    "strangers of other kinds": (
        "create table cmbs.t (x cmbs.u); create view cmbs.v as select * from cmbs.t; "
        "create sequence cmbs_store.s; create type cmbs_store.e as enum ('x'); "
        "create aggregate cmbs.total (int) (sfunc = int4pl, stype = int); "
        "create procedure cmbs.p() language sql as 'select 1'; "
        "create operator cmbs.%%% (leftarg = int, rightarg = int, function = int4pl); "
        "create materialized view cmbs.m as select 1 as x",
        "view cmbs.v should not be there",
        "materialized view cmbs.m should not be there",
        "table cmbs.t should not be there",
        "sequence cmbs_store.s should not be there",
        "operator cmbs.%%%(integer,integer) should not be there",
        "aggregate cmbs.total(integer) should not be there",
        "procedure cmbs.p() should not be there",
        "type cmbs.u should not be there",
        "type cmbs_store.e should not be there",
    ),
    "function gone": (
        "drop function cmbs.why",
        "function cmbs.why(uuid,text,bytea) is missing",
    ),
    "function with another text": (
        "create or replace function cmbs_store.clock() returns timestamptz language sql volatile "
        "as $$ select timestamptz '2000-01-01' $$",
        "function cmbs_store.clock() is not that of this version",
    ),
    "function with other settings": (
        "alter function cmbs.why reset all; alter function cmbs.why security invoker; "
        "alter function cmbs.verify volatile",
        "function cmbs.verify(uuid,bytea) is not that of this version",
        "function cmbs.why(uuid,text,bytea) is not that of this version",
    ),
    "function with another result": (
        "drop function cmbs.revision; create function cmbs.revision(p_token bytea default null) "
        "returns text[] language sql as 'select array[''0002'']'",
        "function cmbs.revision(bytea) is (p_token bytea DEFAULT NULL::bytea) returns text[]",
        "function cmbs.revision(bytea) is not that of this version",
    ),
    "frozen function changed": (
        "create or replace function cmbs_store.timestamp_v1(p_at timestamptz) returns text "
        "language sql immutable as 'select ''now''::text'",
        "function cmbs_store.timestamp_v1(timestamp with time zone) is not that of this version",
    ),
    "frozen function gone": (
        "drop function cmbs_store.event_hash_v1",
        "function cmbs_store.event_hash_v1(text) is missing",
    ),
    "owners": (
        "alter table cmbs_store.audit_event owner to postgres; "
        "alter view cmbs.session owner to postgres; alter function cmbs.why owner to postgres; "
        "alter schema cmbs owner to postgres",
        "function cmbs.why(uuid,text,bytea): owner is postgres, should be cmbs_kernel",
        "schema cmbs: owner is postgres, should be cmbs_owner",
        "table cmbs_store.audit_event: owner is postgres, should be cmbs_owner",
        "view cmbs.session: owner is postgres, should be cmbs_owner",
    ),
    "view gone": ("drop view cmbs.chain_head", "view cmbs.chain_head is missing"),
    "view with another text": (
        "create or replace view cmbs.chain_head with (security_barrier) as "
        "select session_id, audit_seq, "
        "audit_head_event_id, encode(audit_head_hash, 'hex') as audit_head_hash, audit_head_at "
        "from cmbs_store.session where not is_terminated",
        "view cmbs.chain_head is not that of this version",
    ),
    "view with other columns": (
        "drop view cmbs.chain_head; create view cmbs.chain_head as select 1 as x; "
        "alter view cmbs.chain_head owner to cmbs_owner; "
        "grant select on cmbs.chain_head to cmbs_auditor, cmbs_policy",
        "view cmbs.chain_head is x integer, should be session_id uuid",
        "view cmbs.chain_head is not that of this version",
    ),
    "view that is no barrier": (
        "alter view cmbs.survivor reset (security_barrier); "
        "alter view cmbs.session set (security_invoker = true)",
        "view cmbs.session: security_invoker should not be there",
        "view cmbs.survivor: security_barrier is missing",
    ),
    "table options": (
        "alter table cmbs_store.session reset (fillfactor); "
        "alter table cmbs_store.session_mask set unlogged; "
        "alter table cmbs_store.session_mask alter column chunk set storage extended; "
        "alter table cmbs_store.audit_event alter column session_id reset (n_distinct)",
        "table cmbs_store.session_mask: kind is unlogged, should be permanent",
        "table cmbs_store.session: fillfactor is missing",
        "table cmbs_store.audit_event: options of column session_id is missing",
        "table cmbs_store.session_mask: storage of column chunk is missing",
    ),
    "columns": (
        "alter table cmbs_store.conclusion alter column is_accepted drop not null, "
        "alter column seq set default 7, add column more text not null default 'x'; "
        "alter table cmbs_store.policy_default alter column set_by type varchar",
        "table cmbs_store.conclusion: column more should not be there",
        "table cmbs_store.conclusion: default of column seq should not be there",
        "table cmbs_store.conclusion: not null of column is_accepted is missing",
        "table cmbs_store.policy_default: type of column set_by is character varying, should be",
    ),
    "constraints and indexes": (
        "alter table cmbs_store.universe drop constraint universe_n_hypotheses_check; "
        "alter table cmbs_store.tombstone drop constraint tombstone_hypothesis_id_pk; "
        "alter table cmbs_store.session drop constraint session_universe_digest_fk; "
        "alter table cmbs_store.conclusion add constraint mine check (seq < 9999); "
        "drop index cmbs_store.session_space_idx, cmbs_store.audit_event_request_key; "
        "create index audit_event_request_key on cmbs_store.audit_event (request_id); "
        "create index mine on cmbs_store.audit_event (actor)",
        "table cmbs_store.conclusion: constraint mine should not be there",
        "table cmbs_store.session: constraint session_universe_digest_fk is missing",
        "table cmbs_store.tombstone: constraint tombstone_hypothesis_id_pk is missing",
        "table cmbs_store.universe: constraint universe_n_hypotheses_check is missing",
        "table cmbs_store.audit_event: index audit_event_request_key is CREATE INDEX",
        "table cmbs_store.audit_event: index mine should not be there",
        "table cmbs_store.session: index session_space_idx is missing",
    ),
    "roles": (
        "alter role cmbs_server createrole bypassrls noinherit; alter role cmbs_owner login; "
        "grant cmbs_owner to cmbs_server; grant pg_read_all_data to cmbs_agent; "
        "alter role cmbs_server set search_path = public; "
        "alter role cmbs_server set lock_timeout = '1h'; "
        "alter role cmbs_server reset statement_timeout",
        "role cmbs_agent: member of pg_read_all_data should not be there",
        "role cmbs_owner: login is yes, should be no",
        "role cmbs_server: bypassrls is yes, should be no",
        "role cmbs_server: createrole is yes, should be no",
        "role cmbs_server: inherit is no, should be yes",
        "role cmbs_server: member of cmbs_owner should not be there",
        "settings of role cmbs_server: lock_timeout is 1h, should be 10s",
        "settings of role cmbs_server: search_path should not be there",
        "settings of role cmbs_server: statement_timeout is missing",
    ),
    "names that are commands": (
        'create view cmbs."x\n; drop view cmbs.session; --" as select 1 as one',
        'view cmbs."x ; drop view cmbs.session; --" should not be there',
    ),
}


def found(db: Connection) -> list[str]:
    return [finding.what for finding in doctor.examine(db.info.dsn).findings]


@pytest.fixture(scope="module")
def patient(server: SimpleNamespace, template: Any) -> Iterator[tuple[Connection, Session]]:
    """One for all damage: each is mended before the next, or this would not be the test."""
    with copy_of_a_module(server, template, "patient") as connection:
        session = rich_session(connection)[0]
        assert found(connection) == []
        yield connection, session


@pytest.mark.parametrize("harm", sampled(HARMS))
def test_damage_is_named_and_mended(
    patient: tuple[Connection, Session], harm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    db, session = patient
    done, *wanted = HARMS[harm]
    if harm == "strangers of other kinds":
        db.execute("create domain cmbs.u as int")
    ((name,),) = db.execute("select current_database()").fetchall()
    db.execute(done.replace("{database}", name).encode())
    report = doctor.examine(db.info.dsn)
    missed = [what for what in wanted if not any(f.what.startswith(what) for f in report.findings)]
    found_ = [f.what for f in report.findings]
    assert (missed, len(found_)) == ([], len(wanted)), "\n".join(found_)
    assert doctor.tell(report, doctor.MIGRATE) == 1
    script = capsys.readouterr().out
    db.execute(script.encode())
    if f"\n{doctor.MIGRATE}\n" in script:
        migrate.migrate(db.info.dsn)
    assert found(db) == []
    assert session.is_whole()


def test_where_no_postgresql_can_be_started(
    db: Connection, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What needs nothing to compare with is said all the same; of the rest, why it is not."""
    monkeypatch.setattr(doctor, "expected", doctor.fresh)
    monkeypatch.setenv("CMBS_PG_BINDIR", "/nowhere")
    assert cli.main(["doctor", "--database-url", db.info.dsn]) == 5
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        "cmbs: what a database should be is read off a fresh one, on a PostgreSQL that runs here "
        "for a moment, and this one cannot: "
        "CMBS_PG_BINDIR is /nowhere, which has no postgres and initdb\n",
    )
    db.execute("update cmbs_store.revision set version_num = '0001'")
    assert only(db)[1].startswith("-- begin with an empty database")


def test_a_damaged_role_is_not_taken_for_a_fresh_one(
    db: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is compared with is made while the damage is there."""
    monkeypatch.setattr(doctor, "expected", doctor.fresh)
    db.execute("alter role cmbs_server createrole")
    try:
        assert found(db) == ["role cmbs_server: createrole is yes, should be no"]
    finally:
        db.execute("alter role cmbs_server nocreaterole")


def test_it_knows_every_role() -> None:
    named = re.compile(r"'(cmbs_[a-z]+)'")
    created = set(named.findall((sql_dir() / "deploy" / "roles.sql").read_text())) - {"cmbs_store"}
    asked = named.findall((sql_dir() / "doctor/ours.sql").read_text().split("our_schema")[0])
    assert set(asked) == created


def only(db: Connection) -> tuple[str, str]:
    ((found_,), notes) = (r := doctor.examine(db.info.dsn)).findings, r.notes
    assert {note.kind for note in notes} <= {"note"}
    return found_.what, found_.command


def test_no_schema_another_revision_and_no_revision(
    db: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = migrate.head()
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "_revisions", lambda: {head, "9998"})
        what = f"the database is at revision {head} and this CMBS needs 9998"
        assert only(db) == (what, doctor.MIGRATE)
    db.execute("update cmbs_store.revision set version_num = '0001'")
    what = "the database is of revision 0001, which was never released, and no other CMBS reads it"
    assert only(db)[0] == what
    db.execute("update cmbs_store.revision set version_num = '9999'")
    assert only(db)[0] == "the database is of revision 9999, which this CMBS does not know"
    db.execute("delete from cmbs_store.revision")
    assert only(db)[0] == "the database does not say which revision it has"
    db.execute("drop function cmbs.revision")
    assert only(db) == ("function cmbs.revision(bytea) is missing", doctor.MIGRATE)
    db.execute("drop schema cmbs, cmbs_store cascade")
    assert only(db) == ("there is no CMBS in this database", doctor.MIGRATE)
    migrate.migrate(db.info.dsn)
    assert found(db) == []


def test_a_lost_table_and_a_lost_column_are_no_commands_matter(db: Connection) -> None:
    db.execute("drop table cmbs_store.obligation_end cascade")
    db.execute("alter table cmbs_store.audit_event drop column request_id cascade")
    lost = [f for f in doctor.examine(db.info.dsn).findings if "restore FILE" in f.command]
    assert [f.what for f in lost] == [
        "table cmbs_store.obligation_end is missing",
        "table cmbs_store.audit_event: column request_id is missing",
    ]
    assert all(f.command.startswith("-- ") for f in lost)


def test_what_the_server_itself_notes_of_columns_is_no_damage(db: Connection) -> None:
    """PostgreSQL 15.20 writes pg_attver=N among the options of every column it makes."""
    db.execute("set allow_system_table_mods = on")
    noted = db.execute(
        "update pg_attribute as a set attoptions = a.attoptions || '{pg_attver=1}' "
        "from pg_class as c where a.attrelid = c.oid and a.attnum > 0 and c.relkind = 'r' "
        "and c.relnamespace = 'cmbs_store'::regnamespace"
    )
    assert noted.rowcount > 400
    assert found(db) == []
    db.execute(
        "update pg_attribute set attoptions = '{pg_attver=1,n_distinct=7}' "
        "where attrelid = 'cmbs_store.audit_event'::regclass and attname = 'session_id'"
    )
    what = "table cmbs_store.audit_event: options of column session_id is n_distinct=7, "
    assert [one.startswith(what) for one in found(db)] == [True]


def test_any_login_may_ask(db: Connection) -> None:
    db.execute("drop role if exists nobody_here")
    db.execute("create role nobody_here login")
    db.execute("grant execute on function cmbs.verify to public")
    db.execute("set session authorization nobody_here")
    try:
        address = psycopg.conninfo.make_conninfo(db.info.dsn, user="nobody_here")
        assert [f.what for f in doctor.examine(address).findings] == [
            "function cmbs.verify(uuid,bytea): execute for public should not be there"
        ]
    finally:
        db.execute("reset session authorization")
        db.execute("drop role nobody_here")


def test_who_may_act_as_the_owner_is_worth_a_note(
    db: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    db.execute("drop role if exists deployer")
    db.execute("create role deployer login in role cmbs_owner")
    try:
        assert doctor.tell(doctor.examine(db.info.dsn), doctor.MIGRATE) == 0
        said = capsys.readouterr().out
        assert "-- note: deployer may act as cmbs_owner by membership\n" in said
        assert "\n-- revoke cmbs_owner from deployer;\n" in said
        assert "-- healthy: " in said
    finally:
        db.execute("drop role deployer")


def test_who_may_grant_itself_our_roles_is_worth_a_note(
    db: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    db.execute("drop role if exists granter")
    db.execute("create role granter login createrole")
    db.execute("grant cmbs_admin, cmbs_owner to granter with admin option")
    try:
        assert doctor.tell(doctor.examine(db.info.dsn), doctor.MIGRATE) == 0
        said = capsys.readouterr().out
        may = (
            "cmbs_admin, .*cmbs_owner"
            if db.info.server_version < 160000
            else ("cmbs_admin, cmbs_owner")
        )
        assert re.search(f"^-- note: granter may grant itself {may}.* with createrole$", said, re.M)
        assert "\n-- revoke admin option for cmbs_admin from granter;\n" in said
        assert "-- healthy: " in said
    finally:
        db.execute("drop role granter")


@pytest.fixture
def own_cluster() -> Iterator[embedded.Server]:
    with reachable_folder() as folder, embedded.start(folder / "data", durable=False) as server:
        yield server


@pytest.mark.nightly
def test_a_missing_role_and_what_it_takes_with_it(
    own_cluster: embedded.Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """As after a restore into a cluster without the roles: all belongs to who restored."""
    conninfo = regenerate.create_database(own_cluster, "lost")
    migrate.migrate(conninfo)
    with psycopg.connect(conninfo, autocommit=True) as db:
        session, _ = rich_session(db)
        roles = (
            "cmbs_owner, cmbs_kernel, cmbs_agent, cmbs_policy, cmbs_auditor, cmbs_analyst, "
            "cmbs_server"
        )
        db.execute(f"reassign owned by {roles} to postgres".encode())
        db.execute(f"drop owned by {roles}".encode())
        db.execute(f"drop role {roles}".encode())
        report = doctor.examine(conninfo)
        assert [f.what for f in report.findings[:7]] == sorted(
            f"role {role} is missing" for role in roles.split(", ")
        )
        doctor.tell(report, doctor.MIGRATE)
        db.execute(capsys.readouterr().out.encode())
        assert found(db) == []
        assert Session(db).eliminate("a")["applied_eliminated"] == ["a"]
        assert session.is_whole()


@pytest.mark.nightly
def test_a_role_granted_by_somebody_else(
    own_cluster: embedded.Server, capsys: pytest.CaptureFixture[str]
) -> None:
    conninfo = regenerate.create_database(own_cluster, "granted")
    migrate.migrate(conninfo)
    with psycopg.connect(conninfo, autocommit=True) as db:
        db.execute(
            "create role granter; grant cmbs_owner to granter with admin option; "
            "set role granter; grant cmbs_owner to cmbs_agent; reset role"
        )
        assert found(db) == ["role cmbs_agent: member of cmbs_owner should not be there"]
        assert doctor.tell(doctor.examine(conninfo), doctor.MIGRATE) == 1
        db.execute(capsys.readouterr().out.encode())
        assert found(db) == []


@pytest.mark.nightly
@pytest.mark.slow("starts a server again and again")
def test_what_keeps_the_server_from_starting_can_be_mended() -> None:
    """`psql` runs the script of the doctor although the schema cannot be brought up to date."""
    with reachable_folder() as folder:
        data = folder / "data"
        with embedded.start(data, durable=False) as server:
            conninfo = regenerate.create_database(server, "cmbs")
            migrate.migrate(conninfo)
            with psycopg.connect(conninfo, autocommit=True) as db:
                db.execute("alter table cmbs_store.session owner to postgres")
        script = folder / "mend.sql"
        script.write_text(run("doctor", data, status=1))
        run("psql", data, "--", "-qf", script)
        assert run("doctor", data).startswith("-- healthy")


def run(command: str, data: Path, *arguments: object, status: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "cmbs", command, "--data-dir", data, *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == status, done.stderr + done.stdout
    return done.stdout


@pytest.mark.nightly
def test_durability_that_was_switched_off_is_a_note(own_cluster: embedded.Server) -> None:
    conninfo = regenerate.create_database(own_cluster, "notes")
    migrate.migrate(conninfo)
    report = doctor.examine(conninfo)
    assert (report.findings, [note.what for note in report.notes]) == (
        [],
        ["fsync off", "full_page_writes off", "synchronous_commit off"],
    )


@pytest.mark.nightly
def test_deployed_by_an_owner_who_is_no_superuser(own_cluster: embedded.Server) -> None:
    with psycopg.connect(own_cluster.conninfo(), autocommit=True) as admin:
        admin.execute("create role deployer login createrole")
        admin.execute("create database owned owner deployer")
    migrate.migrate(own_cluster.conninfo("owned", "deployer"))
    for login in ("deployer", "postgres"):
        report = doctor.examine(own_cluster.conninfo("owned", login))
        assert report.findings == []
        assert "deployer may act as cmbs_owner by membership" in [n.what for n in report.notes]


@pytest.mark.nightly
def test_an_extension_that_was_put_there(
    full_server: embedded.Server, capsys: pytest.CaptureFixture[str]
) -> None:
    conninfo = regenerate.create_database(full_server, "extended")
    migrate.migrate(conninfo)
    with psycopg.connect(conninfo, autocommit=True) as db:
        db.execute("create extension citext schema cmbs_store")
        assert only(db) == ("extension citext should not be there", "drop extension citext;")
        doctor.tell(doctor.examine(conninfo), doctor.MIGRATE)
        db.execute(capsys.readouterr().out.encode())
        assert found(db) == []
