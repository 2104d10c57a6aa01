"""Whoever has every privilege and switches the triggers off: `cmbs.verify_identities` names what
they did to principals, tokens and their log.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from cmbs.database.calls import call
from cmbs.kernel.canonical import canonical, hash_text, parse
from tests.support.beliefs import Connection
from tests.support.callers import principal, token, token_id
from tests.support.oracle import Json

TABLES = ("principal", "api_token", "identity_event", "identity_head")
# What the log says of whom, by the number of its event.
LOG = [
    "CREATE_PRINCIPAL ann",
    "CREATE_TOKEN first",
    "CHANGE_PRINCIPAL ann",
    "CREATE_PRINCIPAL bob",
    "CREATE_TOKEN second",
    "REVOKE_TOKEN first",
    "CHANGE_PRINCIPAL ann",
]
CHANGED = {
    "text": "{0} || 'x'",
    "ARRAY": "array_append({0}, 'x')",
    "boolean": "not {0}",
    "bigint": "{0} + 1000",
    "uuid": "overlay({0}::text placing 'ffff' from 1 for 4)::uuid",
    "bytea": "set_byte({0}, 0, 255 - get_byte({0}, 0))",
    "timestamp with time zone": "{0} + interval '1 microsecond'",
}
FILLED = {"ARRAY": "array['eliminate']", "text": "'x'", "timestamp with time zone": "now()"}


@pytest.fixture(scope="module")
def _scene(_shared_database: str) -> Iterator[Connection]:
    with psycopg.connect(_shared_database) as connection:
        principal(connection, "ann", "agent", prefixes=["a"], tenant="acme")
        first = token(connection, "ann", "first", tenant="acme")
        call(connection, "change_principal", name="ann", roles=["agent", "tool"], tenant="acme")
        principal(connection, "bob", "tool", tenant="acme")
        token(connection, "bob", "second", tenant="acme", verbs=["eliminate"])
        call(connection, "revoke_token", token_id=token_id(first))
        call(connection, "change_principal", name="ann", is_enabled=False, tenant="acme")
        # A log beside it that nobody touches.
        principal(connection, "eve", "agent")
        for table in TABLES:
            connection.execute(f"alter table cmbs_store.{table} disable trigger all".encode())
        # Else a value that a constraint refuses would not come to be verified at all.
        connection.execute("alter table cmbs_store.principal drop constraint principal_roles_check")
        yield connection
        connection.rollback()


@pytest.fixture
def scene(_scene: Connection) -> Iterator[Connection]:
    with _scene.transaction(force_rollback=True):
        yield _scene


def verdict(connection: Connection) -> dict[str, Any]:
    """The first fault of each tenant that has one."""
    found = call(connection, "verify_identities")
    faults = {one["tenant"]: one["first_bad"] for one in found["tenants"] if not one["ok"]}
    assert found["ok"] is (not faults)
    assert all(one["first_bad"] is None for one in found["tenants"] if one["ok"])
    return faults


def first_bad(connection: Connection, tenant: str = "acme") -> int:
    faults = verdict(connection)
    assert tenant in faults
    return int(faults[tenant]["seq"])


def run(connection: Connection, statement: str, *values: object) -> int:
    return connection.execute(statement.encode(), values or None).rowcount


def test_the_scene_is_whole(scene: Connection) -> None:
    assert verdict(scene) == {}
    (one,) = [t for t in call(scene, "verify_identities")["tenants"] if t["tenant"] == "acme"]
    assert one["rows_checked"] == len(LOG)


# Every column of every row: the event that should be named, or those that could.

WHERE: dict[str, dict[str, int]] = {
    "principal": {"name = 'ann'": 7, "name = 'bob'": 4},
    "api_token": {"name = 'ann'": 6, "name = 'bob'": 5},
    "identity_event": {f"tenant = 'acme' and seq = {seq}": seq for seq in range(1, 8)},
    "identity_head": {"tenant = 'acme'": 7},
}
COLUMNS = {
    "principal": {
        **{"tenant": "text", "name": "text", "kind": "text", "is_login": "boolean"},
        **{"created_at": "timestamp with time zone", "roles": "ARRAY"},
        **{"source_prefixes": "ARRAY", "is_enabled": "boolean"},
    },
    "api_token": {
        **{"credential_hash": "bytea", "token_id": "uuid", "tenant": "text", "name": "text"},
        **{"prefix": "text", "verbs": "ARRAY", "scope_tenant": "text"},
        **{"created_at": "timestamp with time zone", "created_by": "text"},
        **{"expires_at": "timestamp with time zone", "revoked_at": "timestamp with time zone"},
        "clock_lead_us": "bigint",
    },
    "identity_event": {
        **{"tenant": "text", "seq": "bigint", "recorded_at": "timestamp with time zone"},
        **{"event_hash": "bytea", "verb": "text", "actor": "text", "record": "text"},
    },
    "identity_head": {
        **{"tenant": "text", "seq": "bigint", "event_hash": "bytea"},
        **{"recorded_at": "timestamp with time zone"},
    },
}


def test_no_column_is_left_out(scene: Connection) -> None:
    found: dict[str, dict[str, str]] = {}
    for table, column, kind in scene.execute(
        "select c.table_name, c.column_name, c.data_type from information_schema.columns as c "
        # When a token was last used is told to the hour and proven by nothing.
        "where c.table_schema = 'cmbs_store' and c.table_name = any(%s)",
        [list(TABLES)],
    ):
        found.setdefault(table, {})[column] = kind
    assert found == COLUMNS


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table in COLUMNS for column in COLUMNS[table]]
)
def test_a_changed_column(scene: Connection, table: str, column: str) -> None:
    kind = COLUMNS[table][column]
    changed = CHANGED[kind].format(column)
    changed = "'tool'" if column == "kind" else changed
    changed = f"coalesce({changed}, {FILLED.get(kind, changed)})"
    for where, seq in WHERE[table].items():
        with scene.transaction(force_rollback=True):
            statement = f"update cmbs_store.{table} set {column} = {changed} where {where}"
            assert run(scene, statement) == 1
            # A log that ends too early, or has no head, is missed after its last event; what has
            # gone to another number, where it was.
            ends = table == "identity_head" and column in ("tenant", "seq")
            assert first_bad(scene) == (len(LOG) + 1 if ends else seq), where
            others = set(verdict(scene)) - {"acme"}
            assert others == ({"acmex"} if column == "tenant" else set())


@pytest.mark.parametrize("table", TABLES)
def test_a_row_that_is_gone(scene: Connection, table: str) -> None:
    for where, seq in WHERE[table].items():
        with scene.transaction(force_rollback=True):
            assert run(scene, f"delete from cmbs_store.{table} where {where}") == 1
            is_end = where.endswith("seq = 7") or table == "identity_head"
            assert first_bad(scene) == (len(LOG) + (table == "identity_head") if is_end else seq)


MADE_UP = {
    "a principal": "insert into cmbs_store.principal select 'acme', 'mallory', kind, is_login, "
    "created_at, roles, source_prefixes, is_enabled from cmbs_store.principal where name = 'bob'",
    "a token": "insert into cmbs_store.api_token select sha256('m'), gen_random_uuid(), tenant, "
    "name, prefix, verbs, scope_tenant, created_at, created_by, expires_at, revoked_at, "
    "clock_lead_us "
    "from cmbs_store.api_token where name = 'bob'",
}


@pytest.mark.parametrize("what", MADE_UP)
def test_a_row_that_no_event_made(scene: Connection, what: str) -> None:
    assert run(scene, MADE_UP[what]) == 1
    assert first_bad(scene) == len(LOG) + 1


@pytest.mark.parametrize("what", MADE_UP)
def test_a_row_of_a_tenant_without_a_log(scene: Connection, what: str) -> None:
    run(scene, MADE_UP[what].replace("'acme'", "'nowhere'").replace(", tenant,", ", 'nowhere',"))
    assert first_bad(scene, "nowhere") == 1


def test_a_log_and_all_that_it_led_to(scene: Connection) -> None:
    """Nothing is left that could tell: note the heads elsewhere."""
    for table in TABLES[::-1]:
        run(scene, f"delete from cmbs_store.{table} where tenant = 'acme'")
    assert verdict(scene) == {}


@pytest.mark.parametrize(
    "harm",
    [
        "delete from cmbs_store.identity_head where tenant = '*'",
        "update cmbs_store.identity_head set event_hash = sha256('x') where tenant = '*'",
        "update cmbs_store.identity_head set recorded_at = now() where tenant = '*'",
        "update cmbs_store.identity_head set seq = -1 where tenant = '*'",
    ],
)
def test_the_row_that_is_locked(scene: Connection, harm: str) -> None:
    """The head of the log of all tenants is there, empty, before any event is."""
    assert run(scene, harm) == 1
    assert first_bad(scene, "*") == 1


def test_the_head_of_an_empty_log(scene: Connection) -> None:
    zeros = r"'\x" + "00" * 32 + "'"
    run(scene, f"insert into cmbs_store.identity_head values ('empty', 0, {zeros}, '-infinity')")
    assert first_bad(scene, "empty") == 1


# Whoever makes hashes, too. Tables stay as they are.


def rewrite(connection: Connection, records: list[Json | str]) -> None:
    """These records as the log of acme, numbered, linked and hashed as if made by verbs."""
    run(connection, "delete from cmbs_store.identity_event where tenant = 'acme'")
    previous, last = "0" * 64, dict[str, Any]()
    for seq, given in enumerate(records, 1):
        if isinstance(given, str):
            text, record = given, {**last, "verb": "CREATE_PRINCIPAL"}
        else:
            record = {**given, "seq": seq, "prev_event_hash": previous}
            text, last = canonical(record), record
        previous = hash_text(text)
        run(
            connection,
            "insert into cmbs_store.identity_event (tenant, seq, recorded_at, event_hash, verb, "
            "actor, record) values ('acme', %s, %s, %s, %s, %s, %s)",
            *(seq, record["ts"], bytes.fromhex(previous), record["verb"], record["actor"], text),
        )
    run(
        connection,
        "update cmbs_store.identity_head set seq = %s, event_hash = %s, recorded_at = "
        "(select max(recorded_at) from cmbs_store.identity_event where tenant = 'acme') "
        "where tenant = 'acme'",
        *(len(records), bytes.fromhex(previous)),
    )


def records_of(connection: Connection) -> list[Any]:
    rows = connection.execute(
        "select record from cmbs_store.identity_event where tenant = 'acme' order by seq"
    )
    return [parse(text) for (text,) in rows]


def test_a_log_that_is_written_anew_as_it_was(scene: Connection) -> None:
    rewrite(scene, records_of(scene))
    assert verdict(scene) == {}


def edited(at: int, **members: object) -> Callable[[list[Any]], list[Any]]:
    """The payload of one event with other members."""

    def edit(records: list[Any]) -> list[Any]:
        one = records[at - 1]
        return [*records[: at - 1], {**one, "payload": one["payload"] | members}, *records[at:]]

    return edit


def instead(at: int, **members: object) -> Callable[[list[Any]], list[Any]]:
    """One event with other members."""
    return lambda records: [*records[: at - 1], {**records[at - 1], **members}, *records[at:]]


def added(at: int, verb: str, **payload: object) -> Callable[[list[Any]], list[Any]]:
    """One event more, which then has this number."""

    def edit(records: list[Any]) -> list[Any]:
        one = {**records[max(at - 2, 0)], "verb": verb, "payload": payload}
        return [*records[: at - 1], one, *records[at - 1 :]]

    return edit


def moved(one: int, to: int) -> Callable[[list[Any]], list[Any]]:
    """An event in the place of another, with its time."""

    def edit(records: list[Any]) -> list[Any]:
        made = [*records]
        made.insert(to - 1, made.pop(one - 1))
        return [{**new, "ts": old["ts"]} for new, old in zip(made, records, strict=True)]

    return edit


RIGHTS = {"roles": ["agent"], "source_prefixes": ["a"], "is_enabled": True}
FORGED: dict[str, tuple[Callable[[list[Any]], list[Any]], int]] = {
    "another role at the end": (edited(7, roles=["admin"]), 7),
    "enabled at the end": (edited(7, is_enabled=True), 7),
    "another kind": (edited(4, kind="human"), 4),
    "another role of one that was never changed": (edited(4, roles=["admin"]), 4),
    "another name": (edited(4, name="mallory"), 4),
    "another prefix of a token": (edited(5, prefix="cmbs_other"), 5),
    "another digest": (edited(5, credential_hash="00" * 32), 5),
    "no verbs": (edited(5, verbs=None), 5),
    "a longer life": (edited(5, expires_at="2099-01-01T00:00:00.000000Z"), 5),
    "another maker of a token": (instead(5, actor="mallory"), 5),
    "another time of a token": (instead(2, ts="2020-01-01T00:00:00.000000Z"), 2),
    "another token revoked": (edited(6, token_id=str(token_id(b"none"))), 2),
    "no revocation": (lambda records: [*records[:5], records[6]], 2),
    "no change": (lambda records: records[:6], 3),
    "no principal": (lambda records: [*records[:3], *records[4:]], 4),
    "a member more in a change": (edited(3, kind="agent"), 3),
    "a member less in a change": (
        lambda r: [*r[:2], {**r[2], "payload": {"name": "ann", "roles": []}}, *r[3:]],
        3,
    ),
    "a member more in a revocation": (edited(6, why="x"), 6),
    "a change of nobody": (added(4, "CHANGE_PRINCIPAL", name="nobody", **RIGHTS), 4),
    "a change of nothing": (
        added(4, "CHANGE_PRINCIPAL", name="ann", **{**RIGHTS, "roles": ["agent", "tool"]}),
        4,
    ),
    "a change before there is anything": (
        added(1, "CHANGE_PRINCIPAL", name="ann", **RIGHTS),
        1,
    ),
    "the same principal again": (lambda records: [records[0], *records], 2),
    "the same token again": (lambda records: [*records[:5], records[4], *records[5:]], 6),
    "revoked again": (lambda records: [*records[:6], records[5], records[6]], 7),
    "a verb that nobody knows": (added(4, "GRANT", name="ann"), 4),
    "a token before its principal": (moved(4, 5), 4),
    "revoked before it was made": (moved(2, 6), 3),
    "a token that replaces one that stays": (edited(5, replaces=str(token_id(b"none"))), 5),
    "no object": (instead(4, payload=[]), 4),
    "a number": (instead(4, payload=1), 4),
    "of another tenant": (instead(4, tenant="other"), 4),
    "back in time": (instead(7, ts="2020-01-01T00:00:00.000000Z"), 7),
}


@pytest.mark.parametrize("what", FORGED)
def test_forged(scene: Connection, what: str) -> None:
    edit, seq = FORGED[what]
    rewrite(scene, edit(records_of(scene)))
    assert first_bad(scene) == seq


@pytest.mark.parametrize(
    "text",
    ["", "{}", "null", "[" * 100_000, '{"payload": "\\u0000"}', "no JSON", '{"payload": {}}'],
    ids=lambda text: str(text)[:20],
)
def test_a_record_that_is_none(scene: Connection, text: str) -> None:
    """It is an answer and no error, also where the record has its hash."""
    records = records_of(scene)
    rewrite(scene, [*records[:3], text, *records[4:]])
    assert first_bad(scene) == 4
    shown = call(scene, "audit_identities", tenant="acme")["events"]
    assert [one["record"] for one in shown][3] == text, "whoever audits sees it as it is"
    assert len(shown) == len(records)


@pytest.mark.parametrize("way", ["spaces", "order", "escapes"])
def test_the_same_in_another_text(scene: Connection, way: str) -> None:
    records = records_of(scene)
    text = canonical(records[3])
    changed = {
        "spaces": text.replace('": ', '":'),
        "order": re.sub(r'^\{"v": 1, (.*)\}$', r'{\1, "v": 1}', text),
        "escapes": text.replace("bob", "b\\u006fb"),
    }[way]
    assert changed != text
    rewrite(scene, [*records[:3], changed, *records[4:]])
    assert first_bad(scene) == 4
