"""The story of examples/, over real HTTP: each step comes out as told, or it says which did not."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cmbs.database.calls import call
from cmbs.verify.build import one_file
from examples import gated_agent
from tests.cli.test_cli import run as cmbs
from tests.cli.test_demo import NOWHERE, assert_nothing_is_left
from tests.support.beliefs import Connection
from tests.support.servers import ROOT
from tests.support.web import Client, token_of

PROGRAM = ROOT / "examples" / "gated_agent.py"
DEMO = [sys.executable, "-P", "-m", "cmbs", "demo", "gated-agent"]
HOLDS = "One restart, after all that had to come before it; every step is in the log."
STEPS = range(1, 11)
PLAYERS = ["author", "metrics", "on-call", "planner", "runner", "tracing"]


def run(*command: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True, timeout=120
    )


def alone(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The program without the project and without any package (-I -S)."""
    return run(sys.executable, "-I", "-S", PROGRAM, *arguments, http_proxy=NOWHERE, **env)


@pytest.fixture
def administrator(database: str) -> str:
    return token_of(database, "root", "admin", tenant="default").text


@pytest.fixture
def session(web: Client, administrator: str) -> str:
    """The session of a story that was played from first to last."""
    done = alone(str(web.base_url), CMBS_TOKEN=administrator)
    assert (done.returncode, done.stderr) == (0, "")
    assert [int(no) for no in re.findall(r"^(\d+)\. ", done.stdout, re.MULTILINE)] == [*STEPS]
    assert done.stdout.splitlines()[-1] == HOLDS
    assert administrator not in done.stdout
    (found,) = re.findall(r"^   session ([0-9a-f-]{36})$", done.stdout, re.MULTILINE)
    return str(found)


def payloads(db: Connection, session: str) -> list[tuple[str, str, Any]]:
    """Verb, actor and payload of each event, in order."""
    query = (
        "select record::json ->> 'verb', record::json ->> 'actor', record::json -> 'payload' "
        "from cmbs.audit_event where session_id = %s order by seq"
    )
    # Every story has principals of its own, who are named after its session.
    return [
        (verb, actor.removesuffix(f"-{session[:8]}"), payload)
        for verb, actor, payload in db.execute(query, [session]).fetchall()
    ]


def test_what_was_told_is_what_was_recorded(db: Connection, session: str) -> None:
    events = payloads(db, session)
    assert [(verb, actor) for verb, actor, _ in events] == [
        ("DECLARE_SESSION", "planner"),
        ("TOKEN_ISSUE", "author"),
        ("ENTER_OBLIGATION", "planner"),
        ("PROPOSE", "planner"),
        ("ELIMINATE", "planner"),
        ("REQUEST_EXIT", "planner"),
        ("PROPOSE", "planner"),
        ("ELIMINATE", "metrics"),
        ("ELIMINATE", "tracing"),
        ("POLICY_APPLY", "author"),
        ("PROPOSE", "planner"),
        ("RESOLVE_INTERRUPT", "on-call"),
        ("PROPOSE", "planner"),
        ("BEGIN_EXECUTION", "runner"),
        ("COMPLETE_EXECUTION", "runner"),
        ("PROPOSE", "planner"),
    ]
    early, word, asked, resumed, spent = (sent for verb, _, sent in events if verb == "PROPOSE")
    assert denied_by(early) == ["constraint.isolated", "constraint.no-obligation"]
    assert denied_by(word) == ["constraint.isolated"]
    assert (asked["disposition"], denied_by(asked)) == ("ask", ["constraint.restart-asks"])
    assert (resumed["decision"], resumed["resumes"]["seq"]) == ("allow", 11)
    assert spent["reason_code"] == "BUDGET_EXHAUSTED"
    (answer,) = (sent for verb, _, sent in events if verb == "RESOLVE_INTERRUPT")
    assert (answer["resolution"], answer["comment"]) == ("approve", "traffic is drained")
    (ended,) = (sent for verb, _, sent in events if verb == "COMPLETE_EXECUTION")
    assert (ended["status"], ended["result"]) == ("committed", {"connections": 3})


def denied_by(payload: Any) -> list[str]:
    assert payload["decision"] != "allow"
    return sorted(reason["key"] for reason in payload["reasons"])


def test_what_came_too_early_left_nothing_executed(db: Connection, session: str) -> None:
    """One permit is there, of the approved proposal, and one execution of it."""
    query = (
        "select seq, tool_id, status, begun_by is not null, ended_at is not null from cmbs.permit "
        "where session_id = %s"
    )
    assert db.execute(query, [session]).fetchall() == [(13, "db.restart", "committed", True, True)]
    (question,) = db.execute(
        "select status, consumed_seq from cmbs.interrupt where session_id = %s", [session]
    ).fetchall()
    assert question == ("consumed", 13)
    assert call(db, "verify", session_id=session)["ok"]


def test_its_principals_call_no_more(db: Connection, session: str) -> None:
    query = "select name, is_enabled from cmbs.principal where name like %s order by 1"
    found = db.execute(query, [f"%-{session[:8]}"]).fetchall()
    assert found == [(f"{name}-{session[:8]}", False) for name in PLAYERS]


@pytest.mark.nightly
def test_a_bundle_of_it_is_verified_replayed_and_explained(
    database: str, session: str, db: Connection, tmp_path: Path
) -> None:
    bundle = str(tmp_path / "story.zip")
    assert cmbs(tmp_path, "export", session, "-o", bundle, url=database).returncode == 0
    (tmp_path / "verify.py").write_text(one_file())
    offline = run(sys.executable, "-I", "-S", tmp_path / "verify.py", bundle)
    assert (offline.returncode, offline.stderr) == (0, "")
    assert "16 rows" in offline.stdout
    replayed = cmbs(tmp_path, "replay", bundle)
    assert (replayed.returncode, replayed.stderr) == (0, "")
    query = (
        "select event_id from cmbs.audit_event where session_id = %s "
        "and record::json #>> '{payload,disposition}' = 'ask'"
    )
    (asked,) = db.execute(query, [session]).fetchall()
    why = cmbs(tmp_path, "explain-decision", session, str(asked[0]), url=database)
    assert "\n  constraint.isolated  does not deny\n" in why.stdout
    assert "\n  constraint.restart-asks  denies, on_fail ask: a person approves" in why.stdout


def test_it_is_told_twice_on_one_server(web: Client, administrator: str, db: Connection) -> None:
    for _ in range(2):
        assert alone(f"{web.base_url}/", CMBS_TOKEN=administrator).returncode == 0
    assert db.execute("select count(*) from cmbs.session").fetchall() == [(2,)]


@pytest.mark.nightly
@pytest.mark.slow("a server of its own, and the whole story")
def test_on_a_server_of_its_own_that_leaves_nothing() -> None:
    elsewhere = {"CMBS_DATA_DIR": "/nowhere", "CMBS_TOKEN": "cmbs_of_another"}
    done = run(*DEMO, DATABASE_URL="postgresql://x@127.0.0.1:1/none", **elsewhere)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, HOLDS)
    assert_nothing_is_left(done.stderr)


def test_a_tool_of_this_name_is_let_be(web: Client, administrator: str, db: Connection) -> None:
    other = '{"version": "real", "mutating": true}'
    call(db, "register_tool", tool_id="db.restart", definition=other, tenant="default")
    done = alone(str(web.base_url), CMBS_TOKEN=administrator)
    assert done.returncode == 1
    assert done.stderr == (
        "gated_agent: there is a tool db.restart already, which is not the one of the story\n"
    )
    (tool,) = call(db, "list_tools", tenant="default")["tools"]
    assert tool["definition"]["version"] == "real"
    # It looked before it made anything.
    assert db.execute("select name from cmbs.principal").fetchall() == [("root",)]
    assert db.execute("select count(*) from cmbs.session").fetchall() == [(0,)]


def test_the_page_about_it_registers_the_same_tool() -> None:
    """So that both can be played on one server."""
    page = (ROOT / "docs" / "approve-and-execute.md").read_text()
    (written,) = re.findall(
        r"cmbs tool register db\.restart - <<'END'\n(.+?)\nEND\n", page, re.DOTALL
    )
    assert json.loads(written) == gated_agent.DEFINITION


@pytest.mark.parametrize(
    ("arguments", "token", "said"),
    [
        (["http://10.0.0.1:8000"], "cmbs_s3cret", "use https"),
        ([NOWHERE], "", "CMBS_TOKEN must hold an administrator's token"),
        ([NOWHERE], "", "cmbs demo gated-agent without --url needs none"),
        ([NOWHERE], "cmbs_s3cr\u00e9t", "CMBS_TOKEN must hold an administrator's token"),
        ([NOWHERE], "cmbs_s3cret", f"no answer from {NOWHERE}/v1/tools"),
        (["--help"], "cmbs_s3cret", "python examples/gated_agent.py [URL]"),
        ([NOWHERE, "more"], "cmbs_s3cret", "python examples/gated_agent.py [URL]"),
    ],
)
def test_where_it_does_not_begin(arguments: list[str], token: str, said: str) -> None:
    done = alone(*arguments, CMBS_TOKEN=token)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert "s3cr" not in done.stderr


def test_a_token_of_no_administrator_is_told(web: Client, database: str) -> None:
    token = token_of(database, "somebody", "agent", tenant="default").text
    done = alone(str(web.base_url), CMBS_TOKEN=token)
    assert done.returncode == 1
    assert "POST /v1/principals by administrator was answered 403" in done.stderr
    assert token not in done.stdout + done.stderr


CHANGED = {
    "an early restart that is let through": ("/proposals$", b"deny", b"allow", "decision should"),
    "a permit that nobody gave": ("/permits$", b"[]", b"[1]", "permits should be []"),
    "evidence that goes missing": ("/sessions/[^/]+$", b'vivors": 1', b'vivors": 2', "survivors"),
    "a policy that was replayed otherwise": (
        "/policy-replay",
        b'flips": 0',
        b'flips": 1',
        "flip",
    ),
    "another action in the question": ("/interrupts/[^/]+$", b"db-1", b"db-2", "action should be"),
    "an answer that was not taken": ("/resolve$", b'"approved"', b'"declined"', "status should be"),
    "a resumption that is denied": ("/resume$", b'"allow"', b'"deny"', "decision should be"),
    "another host in the permit": ("/begin$", b"db-1", b"db-2", "restarts should be"),
    "an end that was not taken": ("/complete$", b'"committed"', b'"rolled_back"', "status should"),
    "a session that does not verify": ("/verify$", b"true", b"false", "verifies the session"),
    "a byte of the log": ("/audit$", b"tool://metrics", b"tool://metricz", "verify.py replays"),
}


_PUSHED = {"an early restart that is let through", "an answer that was not taken"}
_PUSHED |= {"a byte of the log"}


@pytest.mark.parametrize(
    "what",
    [pytest.param(one, marks=() if one in _PUSHED else pytest.mark.nightly) for one in CHANGED],
)
def test_what_is_not_as_told_is_noticed(web: Client, administrator: str, what: str) -> None:
    where, old, new, sentence = CHANGED[what]

    class Told(gated_agent.Story):
        n_changed = 0

        def ask(self, player: str, method: str, path: str, *more: Any, **named: Any) -> Any:
            content = super().ask(player, method, path, *more, **named)
            if re.search(where, path) and old in content:
                self.n_changed += 1
                return content.replace(old, new)
            return content

    story = Told(str(web.base_url), administrator)
    with pytest.raises(gated_agent.Fault, match=re.escape(sentence)):
        story.play()
    assert story.n_changed
    headers = {"authorization": f"Bearer {administrator}"}
    found = web.get("/v1/principals", headers=headers).json()["principals"]
    enabled = {one["name"]: one["is_enabled"] for one in found}
    assert enabled == {f"{name}-{story.id[:8]}": False for name in PLAYERS} | {"root": True}
