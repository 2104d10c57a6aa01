"""`--json` of the commands that people read: the same for programs, a line or one object."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from cmbs.cli import report
from cmbs.deploy import binaries
from tests.bundles.test_bundles import run
from tests.support.beliefs import Session
from tests.support.servers import ROOT

Connection = psycopg.Connection[Any]


def answered(*arguments: str, status: int = 0) -> list[dict[str, Any]]:
    done = run(*arguments, "--json", status=status)
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def damaged(db: Connection, session: Session) -> None:
    db.execute("alter table cmbs_store.audit_event disable trigger all")
    db.execute(
        "update cmbs_store.audit_event set record = replace(record, 'ELIMINATE', 'eliminate') "
        "where session_id = %s and seq = 2",
        [session.id],
    )


def test_status(database: str, db: Connection) -> None:
    Session(db).eliminate("a")
    (found,) = answered("status", "--database-url", database)
    assert found["database"]["name"] == db.info.dbname
    assert (found["n_sessions"], found["n_terminated"], found["n_events"]) == (1, 0, 2)
    assert found["callers"] == {"n_principals": 0, "n_tokens": 0}
    assert found["mirror"]["endpoint"] is None


def test_callers(database: str, db: Connection) -> None:
    """The notes beside the answers stay on standard error."""

    def told(*arguments: str) -> list[dict[str, Any]]:
        done = run(*arguments, "--json", "--database-url", database)
        return [json.loads(line) for line in done.stdout.splitlines()]

    (made,) = told("principal", "create", "planner", "--role", "agent")
    assert made.pop("duplicate") is False
    assert (made["name"], made["roles"], made["is_enabled"]) == ("planner", ["agent"], True)
    assert told("principal", "list") == [made]
    (token,) = told("token", "create", "planner")
    secret = token.pop("token")
    assert secret.startswith(token["prefix"])
    assert told("token", "list") == [token]
    (newer,) = told("token", "rotate", "last")
    assert newer.pop("token") != secret
    assert newer.pop("replaces") == token["token_id"]
    (revoked,) = told("token", "revoke", newer["token_id"])
    assert revoked["revoked_at"] is not None
    assert [one["token_id"] for one in told("token", "list")] == [
        newer["token_id"],
        token["token_id"],
    ]
    assert told("analyst", "list") == []
    name = f"ann{uuid4().hex[:8]}"
    (added,) = told("analyst", "add", name)
    assert (added["name"], len(added["password"])) == (name, 32)
    assert told("analyst", "list") == [{"name": name, "n_connections": 0, "tenant": None}]
    assert told("analyst", "remove", name) == [{"name": name}]


def test_status_names_a_newer_minor_version(
    database: str, db: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    major, minor = divmod(db.info.server_version, 10000)
    for newest, warns in ((minor, False), (minor + 1, True), (minor - 1, False)):
        monkeypatch.setitem(report._NEWEST, major, newest)
        text = run("status", "--database-url", database).stdout
        assert f"PostgreSQL {major}.{minor}" in text
        assert (f"({major}.{newest} is out: see docs/operating.md)" in text) is warns


def test_the_page_names_the_version_that_is_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CMBS_PG_BINDIR", raising=False)
    program = binaries.find_bindir() / "postgres"
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    version = said.split()[-1]
    assert f"those of PostgreSQL {version}," in (ROOT / "docs" / "operating.md").read_text()


def test_verify(database: str, db: Connection) -> None:
    whole, broken = Session(db), Session(db)
    broken.eliminate("a")
    damaged(db, broken)
    where = ("--database-url", database)
    lines = answered("verify", "--all", *where, status=1)
    found = {line.pop("session_id"): line for line in lines if "session_id" in line}
    assert found[str(whole.id)].pop("head_hash")
    assert found[str(whole.id)] == {"verdict": "ok", "rows_checked": 1}
    assert found[str(broken.id)]["verdict"] == "broken"
    assert found[str(broken.id)]["seq"] == 2
    assert found[str(broken.id)]["reason"]
    nobody = str(uuid4())
    assert answered("verify", nobody, *where, status=2) == [
        {"session_id": nobody, "verdict": "missing"}
    ]


def test_verify_and_replay_of_a_file(database: str, db: Connection, tmp_path: Path) -> None:
    session = Session(db, ["a", "b", "\N{FAMILY}\u200d\N{GIRL}"])
    session.eliminate("a")
    bundle = str(tmp_path / "sessions.zip")
    run("export", "--all", "-o", bundle, "--database-url", database)
    (verified,) = answered("verify", bundle)
    assert verified["session_id"] == str(session.id)
    assert (verified["verdict"], verified["rows_checked"]) == ("ok", 2)
    declared, eliminated, last = answered("replay", bundle)
    assert (declared["seq"], declared["verb"]) == (1, "DECLARE_SESSION")
    assert (eliminated["eliminated"], eliminated["n_survivors"]) == (["a"], 2)
    assert (last["verdict"], last["n_events"]) == ("ok", 2)
    replayed = answered("replay", str(session.id), "--database-url", database)
    assert replayed[:3] == [declared, eliminated, last]
    assert replayed[3]["is_stored_state"] is True


def test_a_broken_replay(database: str, db: Connection) -> None:
    session = Session(db)
    session.eliminate("a")
    damaged(db, session)
    *_, last = answered("replay", str(session.id), "--database-url", database, status=1)
    assert (last["verdict"], last["seq"]) == ("broken", 2)


def test_doctor(database: str, db: Connection) -> None:
    where = ("--database-url", database)
    (found,) = answered("doctor", *where)
    assert (found["is_healthy"], found["findings"]) == (True, [])
    db.execute("drop view cmbs.survivor")
    (found,) = answered("doctor", *where, status=1)
    assert found["is_healthy"] is False
    assert any("cmbs.survivor" in finding["what"] for finding in found["findings"])
    assert all(finding["command"] for finding in found["findings"])


@pytest.mark.parametrize("command", ["status", "verify", "doctor", "replay"])
def test_help_says_so(command: str) -> None:
    assert re.search(r"--json\s+print JSON, for programs: \S", run(command, "--help").stdout)
