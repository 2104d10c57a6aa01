"""What everybody may do in PostgreSQL: it tells no secret, and lets nobody be another."""

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from cmbs import errors
from cmbs.database.calls import call
from tests.attacks import scene
from tests.attacks.scene import SECRET, Scene
from tests.support.beliefs import Connection, begin_context, eliminate_in_context
from tests.support.sizes import sampled

ACTORS = ["agent", "auditor", "analyst", "admin", "server", "createrole"]
VIEWS_OF_STATISTICS = [
    *("pg_stats", "pg_stats_ext", "pg_stats_ext_exprs", "pg_stat_activity", "pg_stat_user_tables"),
    *("pg_stat_user_functions", "pg_prepared_statements", "pg_cursors", "pg_locks", "pg_settings"),
    *("pg_largeobject_metadata", "pg_stat_user_indexes", "pg_publication_tables"),
]
# What a function of ours might lean on; the verbs have to mean the same whatever these say.
SETTINGS = {
    "search_path": "public, pg_temp, cmbs_store, cmbs",
    "standard_conforming_strings": "off",
    "transform_null_equals": "on",
    "array_nulls": "off",
    "bytea_output": "escape",
    "timezone": "Pacific/Chatham",
    "datestyle": "German",
    "intervalstyle": "sql_standard",
    "extra_float_digits": "-15",
    "client_encoding": "LATIN1",
    "quote_all_identifiers": "on",
    "row_security": "off",
    "plan_cache_mode": "force_custom_plan",
    "default_transaction_read_only": "off",
    "default_transaction_deferrable": "on",
    "application_name": "cmbs_owner",
    "role": "none",
}
# A condition that a planner likes to ask first, and that tells what it is asked about.
LEAKS = [
    "1 / (case when {column}::text like '%beta''s secret%' then 0 else 1 end) = 1",
    "({column}::text)::numeric is not null",
    "regexp_count({column}::text, 'beta''s secret') / (1 - sign(length({column}::text) - "
    "length(replace({column}::text, 'beta''s secret', '')))) >= 0",
]


@pytest.fixture
def victim(database: str, attackers: None) -> Scene:
    return scene.set_up(database)


@pytest.mark.parametrize("actor", ACTORS)
def test_what_statistics_tell(place: Scene, actor: str) -> None:
    with psycopg.connect(place.database, autocommit=True) as admin:
        admin.execute("analyze")
        assert admin.execute("select from pg_stats where schemaname = 'cmbs_store'").rowcount > 0
    with psycopg.connect(place.address(actor), autocommit=True) as connection:
        for view in VIEWS_OF_STATISTICS:
            told = connection.execute(f"select v::text from {view} as v".encode()).fetchall()
            assert SECRET not in str(told), view
        found = connection.execute("select from pg_stats where schemaname ~ '^cmbs'").rowcount
        assert found == 0


VIEWS_WITH_SECRETS = [
    *("session", "audit_event", "survivor", "claim", "identity_event"),
    *("arbitration_content", "capability_budget", "constraint_hit", "decision", "decision_item"),
    *("denial", "recorded_claim", "state_change", "unmatched_constraint"),
]


@pytest.mark.parametrize("view", VIEWS_WITH_SECRETS)
@pytest.mark.parametrize("leak", LEAKS)
def test_conditions_see_no_row_of_others(place: Scene, view: str, leak: str) -> None:
    with psycopg.connect(place.address("auditor"), autocommit=True) as connection:
        columns = connection.execute(f"select * from cmbs.{view} limit 0".encode()).description
        assert columns
        own = 0
        for column in columns:
            query = f"select v.* from cmbs.{view} as v where {leak}"
            name = sql.Identifier("v", column.name)
            asked = sql.SQL(query).format(column=name)  # type: ignore[arg-type]
            for prefix in (sql.SQL(""), sql.SQL("explain (analyze, verbose) ")):
                try:
                    told = str(connection.execute(prefix + asked).fetchall())
                    own += 1
                except psycopg.Error as error:
                    told = f"{error.sqlstate} {error} {error.diag.message_detail}"
                # By division only what holds the word could tell, which no row of alpha does.
                assert not told.startswith("22012"), column.name
                assert SECRET not in told, column.name
        assert own > 0 or "numeric" in leak


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_of_a_caller_changes_what_verbs_mean(place: Scene, setting: str) -> None:
    with psycopg.connect(place.address("agent"), autocommit=True) as connection:
        connection.execute("select set_config(%s, %s, false)", [setting, SETTINGS[setting]])
        assert call(connection, "identify")["name"] == "attacker_agent"
        with pytest.raises(errors.SessionNotFound):
            call(connection, "query_belief", session_id=place.names["foreign"])
        text = f"\\' {setting}"
        answer = call(
            connection,
            "eliminate",
            session_id=place.names["own"],
            source_id="s",
            observation_id=text,
            eliminated=["NULL", text],
        )
        assert answer["ignored_eliminated"] == sorted(["NULL", text])
        assert call(connection, "verify", session_id=place.names["own"])["ok"] is True


def test_the_role_of_postgresql_changes_nothing(place: Scene) -> None:
    with psycopg.connect(place.address("agent"), autocommit=True) as connection:
        connection.execute("set role cmbs_agent")
        assert call(connection, "identify")["name"] == "attacker_agent"


def test_digests_are_in_no_query_that_others_see(place: Scene) -> None:
    """Parameters are no part of a query's text, and a login sees only its own queries."""
    running = "select a.query from pg_stat_activity as a where a.pid = %s"
    with (
        psycopg.connect(place.address("server"), autocommit=True) as server,
        psycopg.connect(place.address("agent"), autocommit=True) as agent,
        psycopg.connect(place.database, autocommit=True) as admin,
    ):
        digest = bytes.fromhex(place.names["agent"][3:-1])
        assert call(server, "identify", credential=digest)["name"] == "agent"
        pid = [server.info.backend_pid]
        ((seen,),) = agent.execute(running, pid).fetchall()
        assert seen == "<insufficient privilege>"
        ((seen,),) = admin.execute(running, pid).fetchall()
        assert "identify" in seen
        assert digest.hex() not in seen


def test_advisory_locks_keep_nobody_waiting(place: Scene) -> None:
    with (
        psycopg.connect(place.address("agent"), autocommit=True) as agent,
        psycopg.connect(place.address("auditor"), autocommit=True) as other,
    ):
        agent.execute("select pg_advisory_lock(n) from generate_series(0, 99) as n")
        other.execute("set lock_timeout = '1ms'")
        assert call(other, "verify", session_id=place.names["own"])["ok"] is True


def _disable(admin: Connection, place: Scene) -> None:
    call(admin, "change_principal", name="attacker_auditor", tenant="alpha", is_enabled=False)
    call(admin, "change_principal", name="attacker_agent", tenant="alpha", is_enabled=False)
    tokens: list[Any] = call(admin, "list_tokens", tenant="alpha")["tokens"]
    for token in tokens:
        call(admin, "revoke_token", token_id=token["token_id"])


def test_prepared_statements_end_with_a_revocation(victim: Scene) -> None:
    with (
        psycopg.connect(victim.address("server"), autocommit=True) as server,
        psycopg.connect(victim.address("auditor"), autocommit=True) as auditor,
        psycopg.connect(victim.database, autocommit=True) as admin,
    ):
        asked = victim.fill(
            "prepare p as select cmbs.query_belief('<own>', p_credential => <agent>)"
        )
        server.execute(asked.encode())
        auditor.execute("prepare p as select * from cmbs.session")
        for _ in range(7):
            assert server.execute("execute p").rowcount == 1
            assert auditor.execute("execute p").rowcount == 2
        _disable(admin, victim)
        with pytest.raises(errors.Unauthenticated):
            server.execute("execute p")
        with pytest.raises(errors.Forbidden):
            auditor.execute("execute p")


def test_a_cursor_held_across_a_revocation_writes_nothing_and_sees_nothing_new(
    victim: Scene,
) -> None:
    cursors = [
        ("server", "select cmbs.query_belief('<own>', p_credential => <agent>)"),
        ("server", "select cmbs.conclude('<own>', 'late', p_credential => <writer>)"),
        (
            "auditor",
            "select v.n_survivors from generate_series(1, 9), cmbs.session as v"
            " where v.session_id = '<own>'",
        ),
    ]
    read, write, view = (victim.fill(query).replace("conclude(", "declare_conclusion(")
                         for _, query in cursors)  # fmt: skip
    with (
        psycopg.connect(victim.address("server")) as server,
        psycopg.connect(victim.address("auditor")) as auditor,
        psycopg.connect(victim.database, autocommit=True) as admin,
    ):
        many = "cursor for {} from generate_series(1, 9)"
        server.execute(f"declare r {many.format(read)}".encode())
        server.execute(f"declare w {many.format(write)}".encode())
        auditor.execute(f"declare v cursor for {view}".encode())
        (first,) = server.execute("fetch r").fetchone() or (None,)
        first_row = auditor.execute("fetch v").fetchone()
        sent = {"session_id": victim.names["own"], "source_id": "s", "observation_id": "later"}
        call(admin, "eliminate", **sent, eliminated=["alpha's own b"])
        _disable(admin, victim)
        assert server.execute("fetch r").fetchone() == (first,), "what it could have read before"
        assert auditor.execute("fetch v").fetchone() == first_row
        with pytest.raises(errors.Unauthenticated):
            server.execute("fetch w")
        server.rollback()
        auditor.rollback()
        with pytest.raises(errors.Unauthenticated):
            server.execute(read.encode())


def test_a_login_that_keeps_its_snapshot_may_read_what_it_could_have_read(victim: Scene) -> None:
    with (
        psycopg.connect(victim.address("agent"), autocommit=True) as agent,
        psycopg.connect(victim.database, autocommit=True) as admin,
    ):
        agent.execute("begin isolation level repeatable read, read only")
        first = call(agent, "query_belief", session_id=victim.names["own"])
        _disable(admin, victim)
        assert call(agent, "query_belief", session_id=victim.names["own"]) == first
        with pytest.raises(psycopg.errors.ActiveSqlTransaction):
            agent.execute("set transaction read write")
        agent.execute("rollback")
        with pytest.raises(errors.Forbidden):
            call(agent, "query_belief", session_id=victim.names["own"])


@pytest.fixture
def held(victim: Scene) -> Iterator[Connection]:
    """The owner of a session and a context, in the middle of a message to each."""
    with psycopg.connect(victim.database) as owner:
        begin_context(owner, "foreign")
        owner.commit()
        owner.execute(victim.fill("select cmbs.declare_conclusion('<foreign>', 'x')").encode())
        eliminate_in_context(owner, "foreign", "a")
        yield owner
        owner.rollback()


VERBS_THAT_LOCK = [
    "eliminate('<foreign>', 's', 'o', '{a}'",
    "eliminate_batch('<foreign>', '[]'",
    "enter_obligation('<foreign>', 'o', 0",
    "request_exit('<foreign>', 'o'",
    "declare_conclusion('<foreign>', 'c'",
    "request_termination('<foreign>'",
    "declare_session('<foreign>', <ontology>, '{a}'",
    "create_context('foreign', '{a}'",
    "eliminate_in_context('foreign', '{a}', 's', 't'",
    'propose(\'<foreign>\', \'{"state_snapshot_id": "<foreign_event>", "provenance": '
    '{"source": "s"}, "items": [{"kind": "tool_call", "tool_id": "t"}]}\'',
    'record_claim(\'<foreign>\', \'{"kind": "fact", "key": "k", "value": 1}\'',
    "promote_claim('<foreign>', '<foreign_claim_id>', '{\"kind\": \"fact\"}'",
    "narrow_capability('<foreign>', '<foreign_capability_id>', '{\"holder\": \"attacker_agent\"}'",
    "revoke_capability('<foreign>', '<foreign_capability_id>'",
]
VERBS_OF_POLICY = [
    "apply_policy('<foreign>', 'supervised', 1",
    'issue_capability(\'<foreign>\', \'{"holder": "h", "expires_at": "2100-01-01T00:00:00Z"}\'',
    "confirm_claim('<foreign>', 'k', repeat('0', 64)",
]


@pytest.mark.parametrize(
    "verb",
    sampled([*VERBS_THAT_LOCK, *VERBS_OF_POLICY]),
    ids=lambda verb: re.split(r"\W", verb)[0],
)
def test_a_foreign_session_is_not_waited_for(victim: Scene, held: Connection, verb: str) -> None:
    with psycopg.connect(victim.database, autocommit=True) as admin:
        ruler = scene.principal(admin, "ruler", "alpha", "policy", "approver")
    by = f", p_credential => '\\x{ruler.digest.hex()}'" if verb in VERBS_OF_POLICY else ""
    with psycopg.connect(victim.address("server" if by else "agent"), autocommit=True) as agent:
        agent.execute("set lock_timeout = '1ms'")
        with pytest.raises(psycopg.Error) as caught:
            agent.execute(victim.fill(f"select cmbs.{verb}{by})").encode())
    assert caught.value.sqlstate in ("MB001", "MB102", "MB201")


def test_how_much_there_is_is_no_secret(place: Scene) -> None:
    """The catalog and plans count the rows of all tenants; no view of ours can change that."""
    with psycopg.connect(place.database, autocommit=True) as admin:
        admin.execute("analyze cmbs_store.session")
    with psycopg.connect(place.address("auditor"), autocommit=True) as connection:
        counted = connection.execute(
            "select c.reltuples::integer from pg_class as c where c.relname = 'session' "
            "and c.relkind = 'r' and c.relnamespace = to_regnamespace('cmbs_store')"
        ).fetchone()
        assert counted == (4,)
        seen = connection.execute("select count(*) from cmbs.session").fetchone()
        assert seen == (2,)
