"""Whoever owns the tables, or makes roles: what was done is told by somebody, or by nobody."""

import contextlib
import dataclasses
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from cmbs.database.calls import call
from cmbs.deploy import doctor
from tests.attacks import scene
from tests.attacks.detected import BY_CREATEROLE, DETECTED, Detected
from tests.attacks.scene import Scene
from tests.support.beliefs import Connection, begin_context
from tests.support.databases import copied


@pytest.fixture(scope="module")
def original(server: SimpleNamespace, template: Any, attackers: None) -> Iterator[Scene]:
    """Two tenants with all they have, made once."""
    with copied(server, template, "victim") as database:
        made = scene.set_up(database)
        with psycopg.connect(database, autocommit=True) as connection:
            begin_context(connection, "context", "a")
        yield made


@pytest.fixture
def victim(server: SimpleNamespace, template: Any, original: Scene) -> Iterator[Scene]:
    with copy_of(server, template, original) as copy:
        yield copy


@contextlib.contextmanager
def copy_of(server: SimpleNamespace, template: Any, original: Scene) -> Iterator[Scene]:
    """For one attack."""
    of = str(conninfo_to_dict(original.database)["dbname"])
    with copied(server, template, "copy", of) as database:
        with psycopg.connect(database, autocommit=True) as connection:
            # Copies do not have what was granted on the database.
            name = sql.Identifier(connection.info.dbname)
            connection.execute(sql.SQL("revoke temporary on database {} from public").format(name))
            connection.execute(sql.SQL("grant create on database {} to cmbs_owner").format(name))
        yield dataclasses.replace(original, database=database)


@pytest.fixture(scope="module")
def usual(server: SimpleNamespace, template: Any, original: Scene) -> list[str]:
    """What doctor finds in any copy; in each, everybody verifies."""
    with copy_of(server, template, original) as victim:
        with psycopg.connect(victim.database, autocommit=True) as admin:
            assert all(verdicts(admin).values())
        return findings(victim)


def run(place: Scene, actor: str, statements: tuple[str, ...]) -> None:
    with psycopg.connect(place.address(actor), autocommit=True) as connection:
        for statement in statements:
            connection.execute(place.fill(statement).encode())


def findings(place: Scene) -> list[str]:
    """Findings, and notes that are not about the server itself."""
    report = doctor.examine(place.database)
    words = ("attacker_", "publication")
    notes = [f"note {one.what}" for one in report.notes if one.what.startswith(words)]
    return [one.what for one in report.findings] + notes


def verdicts(connection: Connection) -> dict[str, bool]:
    """What verify says, of all sessions, and verify_identities."""
    rows = connection.execute("select v.ok from cmbs.verify_all() as v").fetchall()
    identities: dict[str, Any] = call(connection, "verify_identities")
    return {"verify": all(ok for (ok,) in rows), "verify_identities": identities["ok"]}


def check(place: Scene, attack: Detected, usual: list[str]) -> None:
    """That it is told by whom it should be, and by nobody else."""
    told = [what for what in findings(place) if what not in usual]
    if attack.by == "doctor":
        assert any(what.startswith(attack.told) for what in told), told
        return
    assert told == []
    with psycopg.connect(place.database, autocommit=True) as connection:
        for name, ok in verdicts(connection).items():
            assert ok is (attack.by != name), name


# What the doctor tells is told of each kind of thing in tests/deploy/test_doctor.py, what `verify`
# finds in tests/sql/log: with a push a sixth of the one, a third of the other.
PUSHED = [
    attack for no, attack in enumerate(DETECTED) if no % (6 if attack.by == "doctor" else 3) == 0
]


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(one, id=one.key, marks=() if one in PUSHED else pytest.mark.nightly)
        for one in DETECTED
    ],
)
def test_it_is_told(victim: Scene, usual: list[str], attack: Detected) -> None:
    with psycopg.connect(victim.database, autocommit=True) as admin:
        try:
            run(victim, attack.actor, attack.statements)
            check(victim, attack, usual)
        finally:
            if attack.undo:
                admin.execute(attack.undo.encode())


@pytest.mark.parametrize("attack", BY_CREATEROLE, ids=lambda attack: attack.key)
def test_who_makes_roles(victim: Scene, usual: list[str], attack: Detected) -> None:
    with psycopg.connect(victim.database, autocommit=True) as admin:
        if admin.info.server_version >= 160000:
            before = scene.state(admin)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                run(victim, attack.actor, attack.statements)
            assert scene.state(admin) == before
            return
        try:
            run(victim, attack.actor, attack.statements)
            check(victim, attack, usual)
        finally:
            admin.execute(attack.undo.encode())


def test_a_noted_head_tells_of_a_log_that_was_cut(victim: Scene) -> None:
    (cut,) = (attack for attack in DETECTED if attack.key == "the owner cuts a log with its head")
    heads = "select h.tenant, h.event_hash from cmbs_store.identity_head as h order by h.tenant"
    with psycopg.connect(victim.database, autocommit=True) as connection:
        noted = connection.execute(heads).fetchall()
        run(victim, cut.actor, cut.statements)
        assert connection.execute(heads).fetchall() != noted


def test_triggers_refuse_a_superuser_who_switches_triggers_off(victim: Scene) -> None:
    with psycopg.connect(victim.database, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            connection.execute("delete from cmbs_store.audit_event")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            connection.execute("truncate cmbs_store.identity_event")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            connection.execute("update cmbs_store.session set tenant = 'alpha'")
