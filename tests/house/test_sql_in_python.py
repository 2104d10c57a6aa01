"""The first law of the house: SQL is under sql/ and migrations/, and Python calls verbs."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.servers import ROOT

_KINDS = "table|view|function|schema|role|index|type|trigger|database|sequence|extension"
STATEMENT = re.compile(
    r"\s*(select\b.*?\b(from|exists|cmbs\.|pg_)|select\s*[\d*{]|insert\s+into\s|delete\s+from\s|"
    rf"update\s+\S+\s+set\b|(create|alter|drop|truncate)\s+(or\s+replace\s+)?({_KINDS})\s|"
    r"grant\s.*\s(on|to)\s|revoke\s.*\s(on|from)\s|set\s+(local\s+|session\s+)?(role\b|\w+\s*=)|"
    r"(begin|commit|rollback|vacuum|analyze)\s*;|with\s+\w+\s+as\s*\(|lock\s+table\s|copy\s+\S+"
    r"\s+(from|to)\s|(listen|notify)\s+\w+$|do\s+\$|values\s*\()",
    re.IGNORECASE | re.DOTALL,
)
# What of a statement betrays it, wherever it was cut.
PART = re.compile(
    r"\b(from|join|into|update)\s+(cmbs|cmbs_store|pg_catalog|information_schema)\.|"
    r"::(json|jsonb|text|uuid|int|bigint)\b|\bwhere\s+[\w.]+\s*(=|<|>|in\s*\()|"
    r"\border\s+by\s+\w+(\s+desc\b|\s+limit\b|$)",
    re.IGNORECASE,
)
# Where SQL may be, and which: the call of a verb, and what a connection is told before it.
ALLOWED = {
    "cmbs/database/calls.py": {"select cmbs.{}({})"},
    "cmbs/database/connections.py": {"set default_transaction_isolation = 'read committed'"},
    # Deployment runs files, in a transaction that it prints as well.
    "cmbs/deploy/migrate.py": {"begin;", "commit;", "exec_driver_sql"},
}
# Ways of SQLAlchemy to take SQL as a text.
TEXTUAL = {"text", "literal_column", "exec_driver_sql"}


def found_in(source: str) -> Iterator[str]:
    """What is SQL in a module, its docstrings and what only looks like it aside."""
    tree = ast.parse(source)
    bodies = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    prose = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, bodies) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            # Its parts are looked at as well, and together they may be more.
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        else:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sqlalchemy"):
                yield from (alias.name for alias in node.names if alias.name in TEXTUAL)
            if isinstance(node, ast.Attribute) and node.attr in TEXTUAL - {"text"}:
                yield node.attr
            if ast.unparse(node) == "sa.text":
                yield "sa.text"
            continue
        if id(node) not in prose and (STATEMENT.match(text) or PART.search(text)):
            yield text


def modules() -> Iterator[Path]:
    for folder in ("cmbs", "api"):
        yield from (ROOT / folder).rglob("*.py")


def test_sql_is_written_where_it_is_looked_for() -> None:
    found = {
        (name, text)
        for path in modules()
        for name in [path.relative_to(ROOT).as_posix()]
        for text in found_in(path.read_text())
    }
    assert found == {(name, text) for name, texts in ALLOWED.items() for text in texts}


def test_it_would_be_found() -> None:
    planted = [
        'QUERY = "select tenant from cmbs.session where session_id = %s"',
        "QUERY = (\"select 1 from cmbs.audit_event where session_id = %s and verb = 'PROPOSE' \"\n"
        "\"and payload ? 'shadow' limit 1\")",
        'connection.execute(b"insert into cmbs_store.session values (1)")',
        'connection.execute(f"select {columns} from {table}")',
        'connection.execute("  DELETE FROM x")',
        'connection.execute("update x set y = 1")',
        'connection.execute("set role cmbs_owner; select 1")',
        'connection.execute("create table x ()")',
        'WHERE = " where session_id = %s"',
        'ORDER = "order by seq desc limit 1"',
        'CAST = "payload::jsonb"',
        "query = sa.text(anything)",
        "from sqlalchemy import select, text",
        "connection.exec_driver_sql(anything)",
    ]
    assert [source for source in planted if not [*found_in(source)]] == []


def test_what_is_no_sql_is_let_be() -> None:
    words = [
        '"""select a session from the list"""',
        'help = "show a session event by event"',
        'help = "drop the login of an analyst"',
        'help = "begin an execution: from here on the tool runs"',
        'summary = "create, rotate, revoke and list tokens"',
        'tag("select", *options)',
        'verb = "begin_execution"',
        'says = " with 3 of 4 eliminations"',
    ]
    assert [source for source in words if [*found_in(source)]] == []
