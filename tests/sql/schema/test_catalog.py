"""The catalog of a migrated database: what every object must be, whoever adds the next one."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from cmbs.deploy.resources import migrations_dir, operator_files, sql_dir, verb_files, view_files
from tests.support.beliefs import Connection
from tests.support.tables import NO_RECORDS, STATE_TABLES, TABLES

OURS = "('cmbs'::regnamespace, 'cmbs_store'::regnamespace)"
TYPES = {"reason", "evidence", "verdict_input"}
OPERATORS = {path.stem for path in operator_files()}


def rows(connection: Connection, query: str) -> list[Any]:
    return connection.execute(query.encode()).fetchall()


def names(connection: Connection, query: str) -> set[str]:
    return {row[0] for row in rows(connection, query)}


def declared_functions() -> set[str]:
    paths = [*sql_dir().rglob("*.sql"), *(migrations_dir() / "baseline").glob("*.sql")]
    pattern = re.compile(r"^create (?:or replace )?function ([\w.]+)\(", re.MULTILINE)
    return {name for path in paths for name in pattern.findall(path.read_text())}


def test_definers_have_a_search_path_and_no_one_else_is_a_definer(tx: Connection) -> None:
    definers = rows(
        tx,
        "select p.proname, p.pronamespace::regnamespace::text, p.proconfig from pg_proc as p "
        f"where p.prosecdef and p.pronamespace in {OURS}",
    )
    assert {name for name, _, _ in definers} == {path.stem for path in verb_files()}
    for name, schema, settings in definers:
        assert schema == "cmbs", name
        assert "search_path=pg_catalog, pg_temp" in settings, name


def test_nothing_is_for_everybody(tx: Connection) -> None:
    for kind, catalog, name, namespace, acl, default in (
        ("f", "pg_proc", "proname", "pronamespace", "proacl", "proowner"),
        ("r", "pg_class", "relname", "relnamespace", "relacl", "relowner"),
    ):
        found = rows(
            tx,
            f"select o.{name}, a.privilege_type from {catalog} as o cross join lateral "
            f"aclexplode(coalesce(o.{acl}, acldefault('{kind}', o.{default}))) as a "
            f"where a.grantee = 0 and o.{namespace} in {OURS}",
        )
        assert found == []
    open_to_all = rows(
        tx,
        "select n.nspname from pg_namespace as n cross join lateral aclexplode(n.nspacl) as a "
        f"where a.grantee = 0 and n.oid in {OURS}",
    )
    assert open_to_all == []


def test_a_new_function_is_for_nobody(tx: Connection) -> None:
    """Without a word in its file: so say the default privileges of those who own functions."""
    tx.execute("grant create on schema cmbs, cmbs_store to cmbs_kernel")
    for role in ("cmbs_owner", "cmbs_kernel"):
        tx.execute(f"set role {role}".encode())
        create = f"create function cmbs.of_{role}() returns int language sql as 'select 1'"
        tx.execute(create.encode())
        tx.execute("reset role")
    made = "select proacl::text from pg_proc where proname ~ '^of_cmbs_' order by proname"
    own = [f"{{{role}=X/{role}}}" for role in ("cmbs_kernel", "cmbs_owner")]
    assert [acl for (acl,) in rows(tx, made)] == own


def test_everything_is_explained(tx: Connection) -> None:
    functions = names(
        tx,
        f"select proname from pg_proc as p where p.pronamespace in {OURS} "
        "and obj_description(p.oid, 'pg_proc') is null",
    )
    assert functions == set()
    relations = names(
        tx,
        f"select relname from pg_class as c where c.relnamespace in {OURS} "
        "and c.relkind in ('r', 'v', 'm', 'f', 'p') and obj_description(c.oid, 'pg_class') is null",
    )
    assert relations == set()
    columns = names(
        tx,
        "select c.relname || '.' || a.attname from pg_class as c "
        "inner join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 "
        f"where c.relnamespace in {OURS} and c.relkind = 'v' "
        "and col_description(c.oid, a.attnum) is null",
    )
    assert columns == set()


def test_no_overload(tx: Connection) -> None:
    twice = (
        f"select proname from pg_proc where pronamespace in {OURS} group by 1 having count(*) > 1"
    )
    assert names(tx, twice) == set()


def test_nothing_in_our_schemas_is_not_ours(tx: Connection) -> None:
    functions = names(
        tx,
        "select pronamespace::regnamespace || '.' || proname from pg_proc "
        f"where pronamespace in {OURS}",
    )
    assert functions == declared_functions()
    relations = rows(
        tx,
        "select c.relkind::text, c.relname from pg_class as c "
        f"where c.relnamespace in {OURS} and c.relkind not in ('i', 't')",
    )
    views = {path.stem for path in view_files()}
    assert {name for kind, name in relations if kind == "r"} == set(TABLES) | NO_RECORDS
    assert {name for kind, name in relations if kind == "v"} == views
    assert {name for kind, name in relations if kind == "c"} == TYPES
    assert {kind for kind, _ in relations} == {"r", "v", "c"}, "no sequence, nothing else"
    others = {
        "pg_type": "typnamespace in {} and typrelid = 0 and typelem = 0",
        "pg_operator": "oprnamespace in {}",
        "pg_collation": "collnamespace in {}",
        "pg_conversion": "connamespace in {}",
        "pg_opclass": "opcnamespace in {}",
        "pg_ts_config": "cfgnamespace in {}",
        "pg_ts_dict": "dictnamespace in {}",
        "pg_statistic_ext": "stxnamespace in {}",
        "pg_extension": "extnamespace in {}",
    }
    for catalog, condition in others.items():
        found = rows(tx, f"select oid from {catalog} where {condition.format(OURS)}")
        assert found == [], catalog
    for catalog in ("pg_policy", "pg_event_trigger", "pg_publication", "pg_subscription"):
        assert rows(tx, f"select oid from {catalog}") == [], catalog
    assert names(tx, "select nspname from pg_namespace where nspname ~ 'cmbs'") == {
        "cmbs",
        "cmbs_store",
    }


def test_every_foreign_key_has_an_index(tx: Connection) -> None:
    keys = rows(
        tx,
        "select conname, exists (select from pg_index as i where i.indrelid = k.conrelid "
        "and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey) "
        f"from pg_constraint as k where k.contype = 'f' and k.connamespace in {OURS}",
    )
    assert len(keys) >= 2
    assert [name for name, is_indexed in keys if not is_indexed] == []


def test_foreign_keys_change_nothing_and_lead_into_no_session_table(tx: Connection) -> None:
    keys = rows(
        tx,
        "select k.conname, k.confdeltype::text, k.confupdtype::text, "
        "obj_description(k.confrelid, 'pg_class') "
        f"from pg_constraint as k where k.contype = 'f' and k.connamespace in {OURS}",
    )
    for name, on_delete, on_update, comment in keys:
        assert (on_delete, on_update) == ("a", "a"), name
        assert comment.startswith("reference: "), name


@pytest.mark.parametrize("table", TABLES)
def test_append_only_triggers_fire_always(tx: Connection, table: str) -> None:
    triggers = rows(
        tx,
        "select tgname, tgenabled::text, tgtype::integer, tgfoid::regproc::text, tgqual is null "
        f"from pg_trigger where tgrelid = 'cmbs_store.{table}'::regclass and not tgisinternal",
    )
    # A statement trigger, before: bit 1; delete 3, update 4, truncate 5.
    is_state = table in STATE_TABLES
    kind = (1 << 1) | (1 << 3) | (0 if is_state else 1 << 4) | (1 << 5)
    expected = (f"{table}_append_only", "A", kind, "cmbs_store.refuse_change", True)
    fixed = (f"{table}_tenant_fixed", "A", (1 << 1) | (1 << 4), "cmbs_store.refuse_change", True)
    assert triggers == [expected, *([fixed] if table in ("session", "context", "incident") else [])]


def test_owners(tx: Connection) -> None:
    owners = rows(
        tx,
        "select c.relname, c.relowner::regrole::text from pg_class as c "
        f"where c.relnamespace in {OURS}",
    )
    assert {owner for _, owner in owners} == {"cmbs_owner"}
    functions = rows(
        tx,
        f"select proname, proowner::regrole::text from pg_proc where pronamespace in {OURS}",
    )
    frozen = {name for name, owner in functions if owner == "cmbs_owner"}
    migrations = "\n".join(
        path.read_text() for path in (migrations_dir() / "baseline").glob("*.sql")
    )
    created = set(re.findall(r"create function cmbs_store\.(\w+)\(", migrations))
    assert frozen == created | {"refuse_change"} | OPERATORS
    assert created
    assert all(name.endswith("_v1") for name in created)
    assert {owner for _, owner in functions} == {"cmbs_owner", "cmbs_kernel"}
    schemas = f"select nspowner::regrole::text from pg_namespace where oid in {OURS}"
    assert names(tx, schemas) == {"cmbs_owner"}


def test_roles_can_do_nothing_of_their_own(tx: Connection) -> None:
    roles = rows(
        tx,
        "select rolname, rolcanlogin, rolsuper or rolcreaterole or rolcreatedb or rolreplication "
        "or rolbypassrls from pg_roles where rolname ~ '^cmbs_' order by 1",
    )
    assert roles == [
        ("cmbs_admin", False, False),
        ("cmbs_agent", False, False),
        ("cmbs_analyst", False, False),
        ("cmbs_auditor", False, False),
        ("cmbs_kernel", False, False),
        ("cmbs_owner", False, False),
        ("cmbs_policy", False, False),
        ("cmbs_server", True, False),
    ]


def kinds(connection: Connection) -> Iterator[tuple[str, str]]:
    for table in [*TABLES, *NO_RECORDS]:
        ((comment,),) = rows(
            connection, f"select obj_description('cmbs_store.{table}'::regclass, 'pg_class')"
        )
        yield table, comment


def test_every_table_says_its_kind(tx: Connection) -> None:
    for table, comment in kinds(tx):
        assert re.match(r"(session|context|incident|reference|local): \w", comment), table


def test_session_tables_can_be_distributed(tx: Connection) -> None:
    assert can_be_distributed(tx, "session", "session_id", "uuid")


def test_context_tables_can_be_distributed(tx: Connection) -> None:
    assert can_be_distributed(tx, "context", "context_id", "text")


def test_incident_tables_can_be_distributed(tx: Connection) -> None:
    assert can_be_distributed(tx, "incident", "incident_id", "text")


def can_be_distributed(tx: Connection, kind: str, key: str, key_type: str) -> list[str]:
    """The tables of a kind, whose rows are found by the key that says where they live."""
    tables = [table for table, comment in kinds(tx) if comment.startswith(f"{kind}: ")]
    for table in tables:
        ((found, not_null),) = rows(
            tx,
            "select atttypid::regtype::text, attnotnull from pg_attribute where attname = "
            f"'{key}' and attrelid = 'cmbs_store.{table}'::regclass",
        )
        assert (found, not_null) == (key_type, True), table
        unique = rows(
            tx,
            "select i.indexrelid::regclass::text, a.attname, i.indisprimary from pg_index as i "
            "inner join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] "
            f"where i.indrelid = 'cmbs_store.{table}'::regclass and i.indisunique",
        )
        assert sum(is_primary for _, _, is_primary in unique) == 1, table
        assert {column for _, column, _ in unique} == {key}, table
    return tables


def test_no_sequence_no_identity_no_default_no_domain(tx: Connection) -> None:
    found = rows(
        tx,
        "select c.relname, a.attname from pg_class as c "
        "inner join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 "
        "inner join pg_type as t on t.oid = a.atttypid "
        f"where c.relnamespace in {OURS} and c.relkind = 'r' "
        "and (a.attidentity <> '' or a.atthasdef or a.attgenerated <> '' or t.typtype = 'd')",
    )
    assert found == []


def test_text_is_ordered_by_bytes(tx: Connection) -> None:
    other = rows(
        tx,
        "select c.relname, a.attname from pg_class as c "
        "inner join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 "
        "where c.relnamespace = 'cmbs_store'::regnamespace and c.relkind = 'r' "
        "and a.attcollation not in (0, 'pg_catalog.\"C\"'::regcollation)",
    )
    # For people; never compared, sorted or hashed.
    allowed = {("policy_default", "set_by"), ("hypothesis_space", "registered_by")}
    allowed |= {("webhook", "url"), ("webhook", "secret"), ("webhook_message", "last_error")}
    allowed |= {("tee_mirror", "endpoint"), ("tee_message", "last_error")}
    assert {row for row in other if row[0] not in NO_RECORDS} <= allowed


@pytest.mark.parametrize(
    ("key", "key_type", "least"),
    [("session", "uuid", 15), ("context", "text", 5), ("incident", "text", 6)],
)
def test_verbs_on_one_key_can_be_delegated(
    tx: Connection, key: str, key_type: str, least: int
) -> None:
    verbs = rows(
        tx,
        "select p.proname, l.lanname, p.proargnames[1], p.proargtypes[0]::regtype::text, "
        "p.proretset, p.provolatile::text from pg_proc as p "
        "inner join pg_language as l on l.oid = p.prolang "
        "where p.pronamespace = 'cmbs'::regnamespace",
    )
    delegated = [verb for verb in verbs if f"p_{key}_id" in str(verb[2])]
    assert len(delegated) >= least
    for name, language, _, kind, _, _ in delegated:
        assert (language, kind) == ("plpgsql", key_type), name


def test_verbs_end_with_the_credential(tx: Connection) -> None:
    verbs = rows(
        tx,
        "select p.proname, p.proargnames[p.pronargs], p.proargtypes[p.pronargs - 1]::regtype::text,"
        " p.pronargdefaults from pg_proc as p where p.pronamespace = 'cmbs'::regnamespace",
    )
    assert OPERATORS.issubset(name for name, *_ in verbs)
    for name, argument, kind, n_defaults in verbs:
        if name in OPERATORS:
            continue
        assert (argument, kind) == ("p_credential", "bytea"), name
        assert n_defaults >= 1, name


def test_names_of_constraints_and_indexes(tx: Connection) -> None:
    for table in TABLES:
        found = names(
            tx,
            "select indexrelid::regclass::text from pg_index "
            f"where indrelid = 'cmbs_store.{table}'::regclass "
            "union select conname from pg_constraint "
            f"where conrelid = 'cmbs_store.{table}'::regclass and contype <> 'n'",
        )
        for name in found:
            assert re.fullmatch(rf"(cmbs_store\.)?{table}_\w+_(pk|key|fk|check|idx)", name), name
