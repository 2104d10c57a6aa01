"""One set of errors: what sql/ raises, what Python registers, what the protocol page tells."""

import ast
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
import sqlalchemy as sa
from psycopg.types.json import Json

from cmbs import errors
from cmbs.belief_server import BeliefServer
from cmbs.database.calls import call
from cmbs.deploy.function_files import header
from cmbs.deploy.resources import helper_files, migrations_dir, sql_dir, verb_files
from tests.sql.schema.test_privileges import OPERATE, READ_GRAPH
from tests.support.beliefs import (
    NO_EVENT,
    NOBODY,
    ONTOLOGY,
    Connection,
    Session,
    background,
    refused,
)

ROOT = Path(__file__).resolve().parents[2]
SQL = [*sql_dir().rglob("*.sql"), *(migrations_dir() / "baseline").glob("*.sql")]


def registered() -> dict[str, type[errors.BeliefError]]:
    return {str(found.sqlstate): found for found in errors.RAISED}


def raised() -> dict[str, set[str]]:
    """The codes that each function raises itself."""
    found = {}
    for path in SQL:
        text = re.sub(r"^\s*--.*$", "", path.read_text(), flags=re.MULTILINE)
        schema = "cmbs" if path.parent.name == "verbs" else "cmbs_store"
        body = text.split("$$")[1] if "$$" in text else text
        found[f"{schema}.{path.stem}"] = set(re.findall(r"'(MB\d{3})'", body))
    return found


def documented() -> list[list[str]]:
    """The rows of the error table of the protocol page: code, SQLSTATEs, status."""
    text = (ROOT / "BELIEF_PROTOCOL.md").read_text()
    rows = re.findall(r"^\| ([A-Z_]+)[^|]*\| ([^|]*) \| ([0-9]{3}) \|", text, re.MULTILINE)
    return [list(row) for row in rows]


def test_one_set_of_codes() -> None:
    in_sql = set[str]().union(*raised().values())
    in_page = {code for row in documented() for code in re.findall(r"MB\d{3}", row[1])}
    assert in_sql == set(registered()) == in_page
    mentioned = set(re.findall(r"MB\d{3}", "".join(path.read_text() for path in SQL)))
    assert mentioned == in_sql, "comments name no other"


def test_the_page_says_what_python_does() -> None:
    rows = documented()
    assert len(rows) > 10
    for api_code, states, status in rows:
        for code in re.findall(r"MB\d{3}", states):
            found = registered()[code]
            assert (found.api_code, found.status) == (api_code, int(status)), code
    told = {
        state: (api_code, int(status))
        for api_code, states, status in rows
        for state in re.findall(r"\b(?!MB)(?:[0-9A-Z]{5}|[0-9A-Z]{2,3}(?=\*|\b))\b", states)
    }
    assert told == errors.SERVER_STATES


def test_what_only_http_answers_has_a_class_too() -> None:
    text = (ROOT / "BELIEF_PROTOCOL.md").read_text()
    shell = {
        code: int(status) for code, status in re.findall(r"^\| ([A-Z_]+) \| (\d+) \|", text, re.M)
    }
    kinds = set(errors.BeliefError.__subclasses__()) - set(errors.RAISED)
    told = {code: int(status) for code, states, status in documented() if "MB" not in states}
    assert {kind.api_code: kind.status for kind in kinds} == shell | told
    assert shell | {"INTERNAL": 500} == errors.SHELL_STATUS
    assert not any(kind.sqlstate for kind in kinds)


@pytest.mark.parametrize("kind", errors.BeliefError.__subclasses__())
def test_each_can_be_told_over_http(kind: type[errors.BeliefError]) -> None:
    details = {"member": "body"}
    error = errors.of_answer(kind.api_code, kind.status, "A sentence.", details)
    assert type(error) is kind
    for one in (error, pickle.loads(pickle.dumps(error))):
        assert (one.code, one.message, one.details) == (kind.api_code, "A sentence.", details)
        assert str(one) == f"{kind.api_code}: A sentence. {details}"
        assert errors.classify(one) == (kind.api_code, kind.status)
    told = errors.of_answer(kind.api_code, kind.status, "A sentence.", None)
    assert told
    assert (told.details, str(told)) == ({}, f"{kind.api_code}: A sentence.")


def test_errors_of_http_are_the_kinds_that_callers_of_a_database_know() -> None:
    assert issubclass(errors.Unavailable, psycopg.OperationalError)
    assert issubclass(errors.Internal, psycopg.InternalError)
    # A path that names no hypothesis is 404, and a code of tomorrow has no class.
    found = errors.of_answer("INVALID_HYPOTHESIS_ID", 404, "m", None)
    assert type(found) is errors.InvalidHypothesisId
    assert errors.of_answer("TEAPOT", 418, "m", None) is None


def test_a_verb_names_the_codes_it_can_raise() -> None:
    """Header and comment of a function name what it raises, or what it calls does."""
    own = raised()
    bodies = {
        name: path.read_text().split("$$")[1]
        for path in SQL
        for name in [f"{'cmbs' if path.parent.name == 'verbs' else 'cmbs_store'}.{path.stem}"]
        if path in {*helper_files(), *verb_files()}
    }
    pairs = re.findall(r"'(\w+)', '(MB\d{3})'", bodies["cmbs_store.refuse_missing"])
    missing: dict[str, str] = dict(pairs)

    def reachable(name: str, seen: set[str]) -> set[str]:
        if name in seen or name not in bodies:
            return set()
        seen.add(name)
        called = set(re.findall(r"\bcmbs(?:_store)?\.\w+(?=\()", bodies[name]))
        looked_for = re.findall(r"\bcmbs_store\.refuse_missing\(\s*'(\w+)'", bodies[name])
        found = own[name] | {missing[kind] for kind in looked_for}
        # It raises one code for each kind, and its callers name theirs.
        called -= {"cmbs_store.refuse_missing"}
        return found.union(*(reachable(other, seen) for other in called))

    # Every verb asks who calls; a declare locks a session that it has just seen, and eliminates
    # from it what is in it.
    common = {"MB301"}
    tells_of_it = {"cmbs.identify", "cmbs.tenant"}
    names = ("waive_obligation", "set_policy_defaults", *ABOUT_IDENTITIES, *ABOUT_POLICIES)
    names += ARBITRATED
    of_a_role = {f"cmbs.{name}" for name in names} | tells_of_it
    # and a token is of a principal that is there.
    unreachable = {"cmbs.rotate_token": {"MB005"}}
    unreachable["cmbs.declare_session"] = {"MB001", "MB101", "MB103", "MB202"}
    # What is replayed was recorded: its events and tokens are there.
    unreachable |= {"cmbs.replay_policy": {"MB003"}}
    # Verify tells what is wrong with an event, whatever the verb would raise.
    told = {"MB006", "MB011", "MB012", "MB203"}
    unreachable |= {"cmbs.verify": told, "cmbs.verify_all": told | {"MB201"}}
    # It takes no text that could be too long.
    unreachable["cmbs.sweep_expired"] = {"MB203"}
    # What was begun may be completed in a session that is terminated.
    unreachable["cmbs.complete_execution"] = {"MB101"}
    differing = {}
    for path in verb_files():
        name = f"cmbs.{path.stem}"
        named = set(re.findall(r"MB\d{3}", header(path.read_text())))
        expected = reachable(name, set()) - unreachable.get(name, set())
        expected -= set() if name in tells_of_it else common
        expected -= set() if name in of_a_role else {"MB302"}
        if named != expected:
            differing[name] = {"not named": expected - named, "not raised": named - expected}
    assert differing == {}


ABOUT_IDENTITIES = {
    *("create_principal", "change_principal", "read_principal", "list_principals"),
    *("create_token", "rotate_token", "revoke_token", "read_token", "list_tokens"),
    *("audit_identities", "verify_identities"),
}
ABOUT_POLICIES = {
    *("publish_policy", "read_policy", "list_policies", "list_policy_versions", "diff_policy"),
    *("lint_policy", "lint_published_policy", "read_tool"),
    *("test_policy", "halt_policy", "register_tool", "withdraw_tool", "list_tools"),
    *("register_schema", "read_schema", "list_schemas"),
}
# Of these a role is asked, too; who only reads is named by none.
ARBITRATED = (
    *("propose", "apply_policy", "issue_capability", "narrow_capability", "revoke_capability"),
    *("record_claim", "promote_claim", "confirm_claim"),
    *("begin_execution", "complete_execution", "resolve_interrupt", "resume", "set_mode"),
    *("list_due", "sweep_expired", "set_webhook", "settle_webhook", "take_webhooks"),
    # Of evidence the source, and of the mirror who sees every tenant.
    *("merge_hypothesis", "merge_node_tombstones", "merge_edge_tombstones", *OPERATE),
)
PROVOKED: dict[str, tuple[str, Callable[[Session], dict[str, Any]]]] = {
    "MB001": ("query_belief", lambda session: {"session_id": NOBODY}),
    "MB002": ("request_exit", lambda session: {"obligation_id": "none"}),
    "MB003": ("query_belief", lambda session: {"as_of": NO_EVENT}),
    "MB004": (
        "declare_session",
        lambda session: {"session_id": uuid4(), "ontology": Json(ONTOLOGY)},
    ),
    "MB005": ("change_principal", lambda session: {"name": "nobody"}),
    "MB006": ("revoke_token", lambda session: {"token_id": NOBODY}),
    "MB007": ("apply_policy", lambda session: {"pack": "none", "version": 1}),
    "MB008": ("withdraw_tool", lambda session: {"tool_id": "none"}),
    "MB009": ("read_schema", lambda session: {"schema_id": "none"}),
    "MB010": ("promote_claim", lambda session: {"claim_id": NOBODY}),
    "MB011": ("begin_execution", lambda session: {"permit_id": NOBODY}),
    "MB012": ("read_interrupt", lambda session: {"interrupt_id": NOBODY}),
    "MB013": ("read_incident", lambda session: {"incident_id": "none"}),
    "MB101": ("declare_conclusion", lambda session: {"conclusion_id": "c"}),
    "MB102": (
        "eliminate",
        lambda session: {"source_id": "s", "observation_id": "o", "eliminated": ["x"]},
    ),
    "MB103": (
        "declare_conclusion",
        lambda session: {"conclusion_id": "c", "expected_head": NO_EVENT},
    ),
    "MB201": ("declare_conclusion", lambda session: {"conclusion_id": ""}),
    "MB202": ("why", lambda session: {"hypothesis_id": "unknown"}),
    "MB203": ("declare_conclusion", lambda session: {"conclusion_id": "c", "notes": "n" * 5000}),
    "MB301": ("query_belief", lambda session: {"credential": b"x" * 32}),
    "MB302": ("waive_obligation", lambda session: {"obligation_id": "o", "reason": "r"}),
}


def provoke(session: Session, code: str) -> tuple[str, dict[str, Any]]:
    """Bring the session to where the call is refused with the code."""
    verb, arguments = PROVOKED[code]
    session.eliminate("a", source_id="s", observation_id="o")
    if code == "MB101":
        session.terminate()
    if code == "MB302":
        connection = session.connection
        connection.execute("create role agent login in role cmbs_agent")
        connection.execute("grant execute on all functions in schema cmbs to agent")
        connection.execute("set session authorization agent")
    of_no_session = ABOUT_IDENTITIES | ABOUT_POLICIES | READ_GRAPH
    of_a_session = {} if verb in of_no_session else {"session_id": session.id}
    return verb, of_a_session | arguments(session)


def test_every_code_is_provoked() -> None:
    assert set(PROVOKED) == set(registered())


@pytest.mark.parametrize("code", PROVOKED)
def test_each_arrives_as_its_class(tx: Connection, code: str) -> None:
    verb, sent = provoke(Session(tx, "ab"), code)
    with pytest.raises(registered()[code]) as caught, tx.transaction():
        call(tx, verb, **sent)
    error = caught.value
    assert type(error) is registered()[code]
    assert error.sqlstate == code
    assert isinstance(error.details, dict)
    assert error.diag.message_hint
    assert errors.classify(error) == (error.api_code, error.status)
    assert error.code == error.api_code
    assert error.message == f"{error.diag.message_primary} {error.diag.message_hint}"
    message = error.diag.message_primary or ""
    assert re.fullmatch(r"[A-Z][^{}\"%]*\.", message), "a constant sentence; values go to details"
    assert not any(str(value) in message for value in sent.values() if len(str(value)) > 8)


@pytest.mark.parametrize("code", PROVOKED)
def test_each_survives_sqlalchemy(tx: Connection, code: str) -> None:
    engine = sa.create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(tx.info.dsn),
        poolclass=sa.NullPool,
    )
    with engine.connect() as connection:
        # Prepared on the very connection that SQLAlchemy uses, so that nothing need be committed.
        verb, sent = provoke(Session(connection.connection.driver_connection, "ab"), code)
        values = [
            sa.bindparam(name, value.obj, type_=sa.JSON)
            if isinstance(value, Json)
            else sa.bindparam(name, value)
            for name, value in sent.items()
        ]
        named = ", ".join(f"p_{name} => :{name}" for name in sent)
        statement = sa.text(f"select cmbs.{verb}({named})").bindparams(*values)
        with pytest.raises(sa.exc.DBAPIError) as caught:
            connection.execute(statement)
    error = caught.value.orig
    assert isinstance(error, errors.BeliefError)
    assert type(error) is registered()[code]
    assert isinstance(error.details, dict)


def classified(connection: Connection, statement: str) -> tuple[str, int]:
    with pytest.raises(psycopg.Error) as caught, connection.transaction():
        connection.execute(statement.encode())
    return errors.classify(caught.value)


UNAVAILABLE = ("UNAVAILABLE", 503)


def test_classes_of_the_server(tx: Connection) -> None:
    session = Session(tx)
    one = f"'{session.id}'"
    assert classified(tx, "select cmbs.query_belief('x')") == ("INVALID_REQUEST", 400)
    assert classified(tx, "select array_position('{{a}}'::text[], 'a')") == ("INVALID_REQUEST", 400)
    assert classified(tx, "select repeat('[', 1000000)::json") == ("INVALID_REQUEST", 400)
    assert classified(tx, "select repeat('x', 2000000000)") == ("PAYLOAD_TOO_LARGE", 413)
    assert classified(tx, "set role cmbs_agent; table cmbs.session") == ("FORBIDDEN", 403)
    slow = "set local statement_timeout = '1ms'; select pg_sleep(60)"
    assert classified(tx, slow) == UNAVAILABLE
    read_only = "set transaction read only; "
    conclude = f"select cmbs.declare_conclusion({one}, 'c')"
    assert classified(tx, read_only + conclude) == UNAVAILABLE
    assert classified(tx, "select cmbs.no_such_verb()") == ("INTERNAL", 500)
    assert classified(tx, "select 1 / (select count(*) from pg_class where false)") == (
        "INVALID_REQUEST",
        400,
    )
    assert classified(tx, "do $$ begin assert false; end $$") == ("INTERNAL", 500)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("08006", UNAVAILABLE),
        ("53100", UNAVAILABLE),
        ("53200", UNAVAILABLE),
        ("57P03", UNAVAILABLE),
        ("55P03", UNAVAILABLE),
        ("25006", UNAVAILABLE),
        ("25001", ("INTERNAL", 500)),
        ("55000", ("INTERNAL", 500)),
        ("57000", ("INTERNAL", 500)),
        ("54011", ("INTERNAL", 500)),
        ("42P01", ("INTERNAL", 500)),
        ("XX000", ("INTERNAL", 500)),
        ("P0001", ("INTERNAL", 500)),
        ("23505", ("INTERNAL", 500)),
        ("0A000", ("INVALID_REQUEST", 400)),
        ("22P05", ("INVALID_REQUEST", 400)),
        ("MB999", ("INTERNAL", 500)),
    ],
)
def test_each_class_by_its_state(tx: Connection, state: str, expected: tuple[str, int]) -> None:
    raising = f"do $$ begin raise exception 'x' using errcode = '{state}'; end $$"
    assert classified(tx, raising) == expected


def test_waiting_too_long_for_a_lock(database: str) -> None:
    with psycopg.connect(database) as first, psycopg.connect(database) as second:
        session = Session(first)
        first.commit()
        session.eliminate("a")
        second.execute("set lock_timeout = '1ms'")
        error = refused_unavailable(second, session)
        assert error.sqlstate == "55P03"


def test_a_connection_that_is_cut(database: str) -> None:
    with psycopg.connect(database) as first, background(database) as calls:
        session = Session(first)
        first.commit()
        session.eliminate("a")
        waiting = calls.call("declare_conclusion", session_id=session.id, conclusion_id="c")
        calls.wait_until_blocked()
        first.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'"
        )
        error = waiting.exception()
        assert isinstance(error, psycopg.Error)
        assert errors.classify(error) == UNAVAILABLE


def test_no_server_at_all() -> None:
    with pytest.raises(psycopg.OperationalError) as caught:
        psycopg.connect("host=/nowhere dbname=x")
    assert errors.classify(caught.value) == UNAVAILABLE


def test_too_many_connections(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("create role crowded login connection limit 0")
        try:
            with pytest.raises(psycopg.OperationalError) as caught:
                psycopg.connect(database, user="crowded")
        finally:
            admin.execute("drop role crowded")
    assert errors.classify(caught.value) == UNAVAILABLE


def refused_unavailable(connection: Connection, session: Session) -> psycopg.Error:
    error: psycopg.Error = refused(
        connection,
        psycopg.OperationalError,
        "declare_conclusion",
        session_id=session.id,
        conclusion_id="c",
    )
    assert errors.classify(error) == UNAVAILABLE
    return error


def test_no_message_is_matched() -> None:
    """Errors are known by their SQLSTATE; the words may change."""
    raised = re.compile(r"(?:message = |refuse\(\s+'MB\d+',\s+)'([^']+)'")
    words = {message for path in SQL for message in raised.findall(path.read_text())}
    assert len(words) > 40
    # The reference kernel and the client raise errors in the same words, and look for none.
    looked_for = 0
    for path in (ROOT / "cmbs").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare | ast.MatchValue):
                parts = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
                looked_for += len(parts)
                texts = [part.value for part in parts if isinstance(part.value, str)]
                assert not any(message in text for text in texts for message in words), path.name
    assert looked_for > 100


def test_what_the_driver_refuses_is_told_apart(tx: Connection) -> None:
    """A value that cannot be sent is the caller's mistake, and sending it again will not help."""
    with pytest.raises(psycopg.DataError) as caught:
        tx.execute("select cmbs.why(%s, %s)", [NOBODY, "a\0b"])
    assert errors.classify(caught.value) == ("INVALID_REQUEST", 400)
    assert errors.classify(psycopg.OperationalError("gone")) == ("UNAVAILABLE", 503)
    assert errors.classify(psycopg.ProgrammingError("placeholders")) == ("INTERNAL", 500)


def test_every_refusal_is_caught_at_once(db: Connection) -> None:
    with pytest.raises(errors.Refusal) as of_a_database:
        call(db, "query_belief", session_id=uuid4())
    with pytest.raises(errors.Refusal) as of_this_process:
        BeliefServer().query_belief(uuid4())
    found = [caught.value for caught in (of_a_database, of_this_process)]
    assert [error.code for error in found] == ["SESSION_NOT_FOUND"] * 2
    assert all(error.message.startswith("There is no such session.") for error in found)
    assert [list(error.details or ()) for error in found] == [["session_id"]] * 2
