"""The commands about policies, tools, tokens and proposals: what they tell, do and refuse."""

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from psycopg.types.json import Json

from cmbs.cli.say.decision import explained
from cmbs.database.calls import call
from tests.cli.test_cli import run
from tests.cli.test_identities import told
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, Session
from tests.support.callers import principal
from tests.support.commands import Run, fields, on, table

ALLOW = {"v": 1, "effect": "allow", "subject": {"tool_id": "db.restart"}}
WHEN = {"op": "eq", "args": ["fact.belief.n_survivors", 1]}
PACK = {
    "entries": {
        "constraint.restart": {**ALLOW, "when": WHEN, "reason": "one cause is left"},
        "constraint.goals": {**ALLOW, "subject": {"capability": "state.write.goal"}},
    },
    "fixtures": [
        {
            "name": "one is left",
            "given": {"fact.belief.n_survivors": {"v": 1, "value": 1}},
            "item": {"kind": "tool_call", "tool_id": "db.restart"},
            "expect": {"decision": "allow"},
        }
    ],
}
CALL = {"kind": "tool_call", "tool_id": "db.restart", "args": {"host": "db-1", "n": 1.10}}
GOAL = {"kind": "state_delta", "patch": {"goal.repair": '{"v": 1, "value": "db"}'}}
GRANT = {"tools": ["a"], "capabilities": ["b"]}
HASH = "[0-9a-f]{64}"
UUID_ = "[0-9a-f-]{36}"
THEN = "2026-01-02T03:04:05Z"
TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d \((?:now|in \d+ \w+|\d+ \w+ ago)\)"


@pytest.fixture
def cmbs(database: str) -> Run:
    return on(database)


@pytest.fixture
def session(db: Connection) -> Session:
    """A session that the pack decides, and the tool it speaks of."""
    found = Session(db, "ab")
    call(db, "register_tool", tool_id="db.restart", definition=Json({}))
    call(db, "publish_policy", pack="shop", **{name: Json(PACK[name]) for name in PACK})
    assert found("apply_policy", pack="shop", version=1)["approved"]
    return found


def file(folder: Path, content: Any, name: str = "sent.json") -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


def timeless(text: str) -> str:
    """Without the times, which are others in each run."""
    return re.sub(TIME, "TIME", text)


def rows(text: str) -> list[dict[str, str]]:
    """Those of a table, without their times."""
    return [{header: timeless(cell) for header, cell in row.items()} for row in table(text)]


def secret_of(
    cmbs: Run, session: Session, *more: str, holder: str = "postgres", warned: tuple[str, ...] = ()
) -> str:
    done = cmbs("capability", "issue", str(session.id), holder, *more)
    assert done.returncode == 0, done.stderr
    first, *warnings = done.stderr.splitlines()
    assert re.fullmatch(
        rf"cmbs: capability token {UUID_} of {holder} until \S+ \d\d:\d\d, shown this once", first
    )
    assert warnings == [f"cmbs: warning: {warning}" for warning in warned]
    assert re.fullmatch(r"cmbs_cap_[0-9a-f]{64}\n", done.stdout)
    return str(done.stdout.strip())


@pytest.fixture
def secret(session: Session) -> str:
    """That of a token for what the pack allows."""
    limits = {"tools": ["db.restart"], "state_prefixes": ["goal."], "budgets": {"max_calls": 2}}
    grant = {"holder": "postgres", "expires_at": "2099-01-01T00:00:00Z", **limits}
    return str(session("issue_capability", grant=Json(grant))["secret"])


def proposed(cmbs: Run, session: Session, *items: Any, status: int = 0, **more: Any) -> str:
    """What `cmbs propose` says to these items, under a new key."""
    sent = {"items": items, **more}
    key = ("--key", str(uuid4()))
    done = cmbs("propose", str(session.id), "-", *key, sent=json.dumps(sent))
    assert (done.returncode, done.stderr) == (status, ""), done
    return str(done.stdout)


def test_a_pack_is_published_listed_and_shown(cmbs: Run, tmp_path: Path) -> None:
    path = file(tmp_path, PACK)
    first = rf"pack      shop, version 1\nentries   2\nfixtures  1\nhash      ({HASH})\n"
    found = re.fullmatch(first, told(cmbs("policy", "publish", "shop", path)))
    assert found
    again = told(cmbs("policy", "publish", "shop", path))
    assert again == found[0].replace("version 1", "version 1, which was published before")
    entries = PACK["entries"] | {"policy.x": {"v": 1, "n": 1.1}}
    bare = json.dumps(entries).replace("1.1}", "1.10}")
    second = fields(told(cmbs("policy", "publish", "shop", "-", sent=bare)))
    hashes = found[1], second.pop("hash")
    assert re.fullmatch(HASH, hashes[1])
    assert second == {"pack": "shop, version 2", "entries": "3", "fixtures": "0"}
    by_us = {"pack": "shop", "published": "TIME", "by": "postgres"}
    assert rows(told(cmbs("policy", "list", "shop"))) == [
        {**by_us, "version": "1", "entries": "2", "hash": hashes[0]},
        {**by_us, "version": "2", "entries": "3", "hash": hashes[1]},
    ]
    every = rows(told(cmbs("policy", "list")))
    assert ("deny-all", "1", "cmbs") in [(row["pack"], row["version"], row["by"]) for row in every]
    none = cmbs("policy", "list", "none")
    assert (none.returncode, none.stdout) == (2, "")
    assert none.stderr.startswith("cmbs: There is no such version of a policy pack")
    about, listed = told(cmbs("policy", "show", "shop")).split("\n\n")
    assert timeless(about) == (
        f"pack       shop, version 2\nhash       {hashes[1]}\n"
        "published  TIME by postgres\nfixtures   none"
    )
    shown = table(listed)
    assert [row["entry"] for row in shown] == sorted(entries)
    assert shown[-1] == {"entry": "policy.x", "value": '{"n": 1.10, "v": 1}'}
    about, _ = told(cmbs("policy", "show", "shop", "1")).split("\n\n")
    assert fields(about)["fixtures"] == "one is left"


def test_what_is_shown_as_json_can_be_published(cmbs: Run, tmp_path: Path) -> None:
    first = told(cmbs("policy", "publish", "shop", file(tmp_path, PACK), "--json"))
    shown = told(cmbs("policy", "show", "shop", "--json"))
    again = json.loads(told(cmbs("policy", "publish", "other", "-", "--json", sent=shown)))
    assert again == json.loads(first) | {"pack": "other"}


def test_a_pack_that_is_wrong_says_where(cmbs: Run, tmp_path: Path) -> None:
    bad = {"constraint.a": {"v": 2}, "constraint.b": {**ALLOW, "x": 1}}
    error = told(cmbs("policy", "publish", "shop", file(tmp_path, bad)), 1)
    first, *lines = error.splitlines()
    assert first == "cmbs: The pack has entries that cannot be published; nothing was published"
    assert [line.split()[:2] for line in lines] == [
        ["error", "constraint.a"],
        ["error", "constraint.b"],
    ]
    fails = PACK | {"fixtures": [{**PACK["fixtures"][0], "given": {}}]}  # type: ignore[dict-item]
    error = told(cmbs("policy", "publish", "shop", file(tmp_path, fails)), 1)
    assert "\nFAILED   one is left  expected decision allow; got deny, block" in error
    for text in ("[]", "{", '{"entries": {}, "entries": {}}', "1", "", "\ufeff", "[" * 100_000):
        error = told(cmbs("policy", "publish", "shop", "-", sent=text), 2)
        assert re.fullmatch(r"cmbs: standard input (must hold|has a key twice).*\n", error), text
    twice = '{"constraint.a": {"v": 1, "effect": "deny", "effect": "allow"}}'
    assert "constraint.a" in told(cmbs("policy", "publish", "shop", "-", sent=twice), 1)
    unknown = file(tmp_path, PACK | {"fixture": []})
    error = told(cmbs("policy", "publish", "shop", unknown), 2)
    assert error == f'cmbs: {unknown} has members that no pack has: ["fixture"]\n'
    error = told(cmbs("policy", "publish", "shop", str(tmp_path / "none")), 2)
    assert error == f"cmbs: {tmp_path / 'none'} cannot be read: No such file or directory\n"
    (tmp_path / "latin").write_bytes(b"\xff")
    error = told(cmbs("policy", "publish", "shop", str(tmp_path / "latin")), 2)
    assert error == f"cmbs: {tmp_path / 'latin'} must be UTF-8\n"


def in_force(session: Session, pack: str, shadow: str = "") -> str:
    """What is said of a pack that was applied."""
    beside = f"shadow   {shadow}\n" if shadow else ""
    return f"session  {session.id}\npolicy   {pack}, version 1, decides from now on\n{beside}"


def test_a_pack_is_applied_the_newest_by_itself(cmbs: Run, session: Session) -> None:
    id_ = str(session.id)
    done = cmbs("policy", "apply", id_, "supervised")
    assert told(done) == in_force(session, "supervised")
    answer = json.loads(told(cmbs("policy", "apply", id_, "shop", "--json")))
    assert answer["approved"]
    assert "There is no such version" in told(cmbs("policy", "apply", id_, "none"), 2)
    assert "There is no such version" in told(cmbs("policy", "apply", id_, "shop", "9"), 2)
    assert "There is no such session" in told(cmbs("policy", "apply", str(NOBODY), "shop"), 2)
    balance = {"op": "eq", "args": ["fact.balance", 1]}
    entries = json.dumps({"constraint.invariant.b": {"v": 1, "effect": "allow", "when": balance}})
    told(cmbs("policy", "publish", "strict", "-", sent=entries))
    done = cmbs("policy", "apply", id_, "strict")
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout == (
        f"session    {id_}\n"
        "policy     strict, version 1 was not applied: an invariant of the policy does not hold\n"
        "  because  INVARIANT_VIOLATED  constraint.invariant.b: fact.balance must equal 1, "
        "is not there\n"
    )


def test_a_pack_that_decides_otherwise_is_applied_with_yes(
    cmbs: Run, session: Session, secret: str
) -> None:
    id_ = str(session.id)
    done = told(cmbs("policy", "apply", id_, "supervised", "--replay"))
    nothing = "supervised, version 1 would decide 0 of 0 proposals otherwise\n"
    assert done == nothing + in_force(session, "supervised")
    proposed(cmbs, session, CALL, status=3, capability_token=secret)
    done = cmbs("policy", "apply", id_, "shop", "--replay")
    assert (done.returncode, done.stderr) == (
        3,
        "cmbs: it was not applied; --yes applies it all the same\n",
    )
    flips = "shop, version 1 would decide 1 of 1 proposal otherwise\n  event "
    assert done.stdout.startswith(flips)
    assert ": defer, ask (CONSTRAINT_DENIED) -> deny, block (NO_APPLICABLE_ALLOW)" in done.stdout
    assert pinned(session) == ["shop", "supervised"]
    done = cmbs("policy", "apply", id_, "shop", "--replay", "--yes", "--json")
    assert json.loads(done.stdout)["approved"]
    assert done.stderr.startswith(flips)
    assert pinned(session) == ["shop", "supervised", "shop"]


def pinned(session: Session) -> list[str]:
    """The packs that decided, one after the other."""
    query = "select pack from cmbs_store.policy_pin where session_id = %s order by seq"
    return [pack for (pack,) in session.connection.execute(query, [session.id])]


def test_a_shadow_is_asked_and_told_where_it_differs(
    cmbs: Run, session: Session, secret: str
) -> None:
    id_ = str(session.id)
    none = cmbs("policy", "divergences", id_)
    assert (none.returncode, none.stdout) == (0, "")
    command = f"cmbs policy apply {id_} PACK --shadow PACK:VERSION"
    assert none.stderr == f"cmbs: this session has no shadow: {command}\n"
    gone = cmbs("policy", "divergences", str(NOBODY))
    assert "There is no such session" in told(gone, 2)
    done = told(cmbs("policy", "apply", id_, "shop", "--shadow", "supervised:1"))
    assert done == in_force(session, "shop", "supervised, version 1, decides nothing")
    never = "cmbs: the shadow never decided otherwise\n"
    assert cmbs("policy", "divergences", id_).stderr == never
    proposed(cmbs, session, GOAL, capability_token=secret)
    ends = told(cmbs("policy", "apply", id_, "shop"))
    assert ends == in_force(session, "shop", "none any more")
    # It was asked until then.
    assert cmbs("policy", "divergences", id_).stderr == never
    assert told(cmbs("policy", "apply", id_, "shop")) == in_force(session, "shop")
    told(cmbs("policy", "apply", id_, "shop", "--shadow", "supervised:1"))
    proposed(cmbs, session, CALL, status=3, capability_token=secret)
    (line,) = table(told(cmbs("policy", "divergences", id_)))
    event = line.pop("event")
    assert line == {
        **{"item": "1", "actor": "postgres", "tool": "db.restart"},
        **{"policy": "shop, version 1", "decided": "deny, block (NO_APPLICABLE_ALLOW)"},
        **{"shadow": "supervised, version 1", "would decide": "defer, ask (CONSTRAINT_DENIED)"},
    }
    row = json.loads(told(cmbs("policy", "divergences", id_, "--json")))
    assert (row["session_id"], row["shadow_pack"], row["effective"]) == (id_, "supervised", False)
    assert str(row["seq"]) == event
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", row["ts"])
    for wrong in ("supervised", ":1", "supervised:0", "supervised:x"):
        done = cmbs("policy", "apply", id_, "shop", "--shadow", wrong)
        assert (done.returncode, done.stdout) == (2, "")
    gone = cmbs("policy", "apply", id_, "shop", "--shadow", "none:1")
    assert "There is no such version" in told(gone, 2)


def test_versions_are_compared(cmbs: Run, session: Session) -> None:
    entries = {"constraint.restart": ALLOW, "policy.x": {"v": 1}}
    told(cmbs("policy", "publish", "shop", "-", sent=json.dumps(entries)))
    lines = told(cmbs("policy", "diff", "shop", "1", "2")).splitlines()
    assert lines[:4] == [
        "from     shop, version 1",
        "to       shop, version 2",
        "entries  1 added, 1 removed, 1 changed",
        "",
    ]
    cells = [re.split(" {2,}", line) for line in lines[4:]]
    assert cells[0] == ["change", "entry", "value"]
    assert cells[1] == ["added", "policy.x", '{"v": 1}']
    assert cells[2][:2] == ["removed", "constraint.goals"]
    assert cells[2][2].startswith("{")
    assert cells[3][:2] == ["changed from", "constraint.restart"]
    assert '"when"' in cells[3][2]
    assert cells[4][:2] == ["changed to", "constraint.restart"]
    assert '"when"' not in cells[4][2]
    assert cells[3][2][0] == cells[4][2][0] == "{"
    assert len(cells) == 5
    other = told(cmbs("policy", "diff", "shop", "1", "1", "--to-pack", "deny-all"))
    assert other.startswith("from     shop, version 1\nto       deny-all, version 1\n")
    answer = json.loads(told(cmbs("policy", "diff", "shop", "2", "2", "--json")))
    assert answer["added"] == answer["removed"] == answer["changed"] == []
    assert "There is no such version" in told(cmbs("policy", "diff", "shop", "1", "3"), 2)


def test_files_and_packs_are_linted(cmbs: Run, session: Session, tmp_path: Path) -> None:
    assert told(cmbs("policy", "lint", "shop")) == "0 errors, 0 warnings\n"
    assert told(cmbs("policy", "lint", "shop", "1")) == "0 errors, 0 warnings\n"
    bad = {"constraint.a": {"v": 2}, "constraint.b": {**ALLOW, "subject": {"tool_id": "x"}}}
    for where in (file(tmp_path, bad), file(tmp_path, {"entries": bad}, "other")):
        done = cmbs("policy", "lint", where)
        assert (done.returncode, done.stderr) == (1, "")
        *found, counted = done.stdout.splitlines()
        error, warning = table("\n".join(found))
        of_version = "it must be an object with the member v, which is 1"
        assert error == {"severity": "error", "entry": "constraint.a", "finding": of_version}
        assert warning == {
            **{"severity": "warning", "entry": "constraint.b"},
            "finding": "the tool x is not registered",
        }
        assert counted == "1 error, 1 warning"
    assert cmbs("policy", "lint", "-", sent=json.dumps(bad)).returncode == 1
    assert "There is no such version" in told(cmbs("policy", "lint", "none"), 2)


def test_fixtures_are_run(cmbs: Run, session: Session, tmp_path: Path) -> None:
    passed = "ok       one is left\nshop, version 1: 1 fixture, 0 failed\n"
    assert told(cmbs("policy", "test", "shop")) == passed
    fixture = PACK["fixtures"][0]  # type: ignore[index]
    fails = [{**fixture, "name": "none\x1b[2J", "given": {}}, fixture]
    for content in (fails, {"fixtures": fails}):
        done = cmbs("policy", "test", "shop", "1", "--fixtures", file(tmp_path, content))
        assert (done.returncode, done.stderr) == (1, "")
        first, why, *rest = done.stdout.splitlines()
        assert first == (
            'FAILED   "none\\u001b[2J"  expected decision allow; '
            "got deny, block (NO_APPLICABLE_ALLOW)"
        )
        assert why == (
            "         NO_APPLICABLE_ALLOW  nearest allow constraint.restart: "
            "fact.belief.n_survivors must equal 1, is not there"
        )
        assert rest == ["ok       one is left", "shop, version 1: 2 fixtures, 1 failed"]
    done = cmbs("policy", "test", "deny-all")
    assert (done.returncode, done.stdout) == (0, "deny-all, version 1: 0 fixtures, 0 failed\n")
    assert done.stderr == "cmbs: there is no fixture that could fail\n"
    done = cmbs("policy", "test", "shop", "--fixtures", "-", sent="{}")
    assert told(done, 2) == "cmbs: standard input has no fixtures\n"
    done = cmbs("policy", "test", "shop", "--fixtures", "-", sent="[")
    assert (
        told(done, 2)
        == "cmbs: standard input must hold JSON, at line 1, column 2: Expecting value\n"
    )


def test_a_pack_is_tried_on_what_was_proposed(cmbs: Run, session: Session, secret: str) -> None:
    proposed(cmbs, session, CALL, status=3, capability_token=secret)
    told_ = told(cmbs("policy", "replay", str(session.id), "supervised"))
    assert re.fullmatch(
        r"supervised, version 1 would decide 1 of 1 proposal otherwise\n"
        rf"  event \d+  {UUID_} by postgres: deny, block \(NO_APPLICABLE_ALLOW\) -> "
        r"defer, ask \(CONSTRAINT_DENIED\)\n"
        r"    CONSTRAINT_DENIED  constraint.writes: a person approves .*\n",
        told_,
    ), told_
    same = told(cmbs("policy", "replay", str(session.id), "shop", "1"))
    assert same == "shop, version 1 would decide 0 of 1 proposal otherwise\n"
    answer = json.loads(told(cmbs("policy", "replay", str(session.id), "supervised", "--json")))
    assert answer["n_flips"] == 1
    assert "no such session" in told(cmbs("policy", "replay", str(NOBODY), "shop"), 2)


def test_all_is_halted_and_goes_on(cmbs: Run, session: Session, secret: str) -> None:
    done = cmbs("policy", "halt", "--reason", "it \x1bloops")
    line = "HALTED: everything of the tenant default is denied: it \\u001bloops\n"
    assert told(done) == line
    assert told(cmbs("policy", "list")).startswith("HALTED   all is denied: it \\u001bloops\n")
    denied = proposed(cmbs, session, GOAL, status=3, capability_token=secret)
    assert "it \\u001bloops" in denied
    done = cmbs("policy", "resume", "--reason", "mended")
    assert told(done) == "policies decide for the tenant default again\n"
    assert fields(proposed(cmbs, session, GOAL, capability_token=secret))["decision"] == "allow"
    assert cmbs("policy", "halt").returncode == 2


def test_tools_are_registered_listed_and_withdrawn(cmbs: Run, tmp_path: Path) -> None:
    none = cmbs("tool", "list")
    assert (none.returncode, none.stdout, none.stderr) == (0, "", "cmbs: there is no tool\n")
    definition = {"authorities": ["mail", "b\x1b"], "effect_class": "network", "version": 1.10}
    schema = file(tmp_path, {"type": "object", "maxProperties": 1}, "wrong")
    assert "maxProperties" in told(cmbs("schema", "register", "mail", schema), 4)
    schema = file(tmp_path, {"type": "object"}, "schema")
    made = told(cmbs("schema", "register", "mail", schema))
    assert re.fullmatch(rf"schema  mail\nhash    {HASH}\n", made)
    again = told(cmbs("schema", "register", "mail", schema))
    assert again == made.replace("mail", "mail (it was so before)")
    by_us = {"since": "TIME", "by": "postgres"}
    assert rows(told(cmbs("schema", "list"))) == [
        {"registered": "TIME", "by": "postgres", "schema": "mail", "hash": fields(made)["hash"]}
    ]
    path = file(tmp_path, definition | {"args_schema": "mail"})
    made = told(cmbs("tool", "register", "email.send", path))
    assert re.fullmatch(rf"tool  email.send\nhash  {HASH}\n", made)
    again = told(cmbs("tool", "register", "email.send", path))
    assert again == made.replace("send", "send (it was so before)")
    sends = {"tool": "email.send", "effect": "writes, network", **by_us}
    sends |= {"authorities": '"b\\u001b", mail', "schema": "mail", "version": "1.1"}
    assert rows(told(cmbs("tool", "list"))) == [sends]
    reads = json.dumps({"mutating": False, "args_schema": {"type": "object"}})
    told(cmbs("tool", "register", "a b", "-", sent=reads))
    first = rows(told(cmbs("tool", "list")))[0]
    assert first == {
        **{"tool": "a b", "effect": "reads, external", "authorities": "none"},
        **{"schema": "its own", "version": "-", **by_us},
    }
    assert told(cmbs("tool", "withdraw", "email.send")) == "tool  email.send, withdrawn\n"
    gone = {"effect": "withdrawn", "authorities": "-", "schema": "-", "version": "-"}
    assert rows(told(cmbs("tool", "list"))) == [first, sends | gone]
    assert json.loads(told(cmbs("tool", "list", "--json")))["tools"][1]["withdrawn"]
    assert "There is no such tool." in told(cmbs("tool", "withdraw", "none"), 2)
    unknown = json.dumps({"args_schema": "none"})
    assert "There is no such schema." in told(cmbs("tool", "register", "t", "-", sent=unknown), 2)
    assert told(cmbs("tool", "register", "t", "-", sent="[]"), 2) == (
        "cmbs: standard input must hold a JSON object\n"
    )


def test_a_capability_token_from_first_to_last(cmbs: Run, session: Session, db: Connection) -> None:
    id_ = str(session.id)
    none = cmbs("capability", "list", id_)
    assert (none.returncode, none.stdout) == (0, "")
    assert none.stderr == "cmbs: there is no capability token\n"
    limits = ("--tool", "db.restart", "--tool", "a b", "--state-prefix", "goal.", "--root", "/srv")
    limits += ("--capability", "db", "--budget", "max_calls=10", "--hours", "2")
    unknown_tool = ("the tool a b is not registered",)
    secret = secret_of(cmbs, session, *limits, warned=unknown_tool)
    listed = told(cmbs("capability", "list", id_))
    assert secret not in listed
    (first,) = rows(listed)
    token_id = first["token"]
    assert re.fullmatch(UUID_, token_id)
    assert first == {
        **{"token": token_id, "holder": "postgres", "state": "valid", "expires": "TIME"},
        "covers": "tools a b, db.restart; capabilities db; state prefixes goal.; "
        "resource roots /srv",
        **{"left": "max_calls 10 of 10", "made from": "-"},
    }
    # The beginning of an id is enough.
    narrow = ("--parent", token_id[:18], "--tool", "a b", "--root", "/srv/x", "--hours", "1")
    secret_of(cmbs, session, *narrow, warned=unknown_tool)
    narrower = rows(told(cmbs("capability", "list", id_)))[1]
    assert (narrower["made from"], narrower["left"]) == (token_id, "nothing")
    wide = cmbs("capability", "issue", id_, "postgres", "--parent", token_id, "--tool", "z")
    assert "ATTENUATION_WIDENS" in told(wide, 4)
    gone = f"capability token {token_id} is revoked"
    revoke = ("capability", "revoke", id_, token_id)
    assert told(cmbs(*revoke)) == f"{gone}\n"
    assert told(cmbs(*revoke)) == f"{gone}, as it was before\n"
    assert [row["state"] for row in table(told(cmbs("capability", "list", id_)))] == ["revoked"] * 2
    answer = json.loads(told(cmbs("capability", "list", id_, "--json")))
    assert [one["revoked"] for one in answer["capability_tokens"]] == [True, True]
    unknown = cmbs("capability", "revoke", id_, str(NO_EVENT))
    assert "There is no such capability token" in told(unknown, 2)
    for wrong in ("max_calls", "=1", "max_calls=x", "max_calls=-1"):
        done = cmbs("capability", "issue", id_, "a", "--budget", wrong)
        assert (done.returncode, done.stdout) == (2, "")


def test_a_token_for_what_is_not_there_is_issued_with_a_warning(
    cmbs: Run, session: Session, db: Connection
) -> None:
    """It may come yet, or be mistyped."""
    secret_of(cmbs, session, "--tool", "db.restart", holder="anybody")
    principal(db, "planner", "agent", tenant="default")
    secret_of(cmbs, session, "--tool", "db.restart", holder="planner")
    secret_of(cmbs, session, "--tool", "db.restart")
    told(cmbs("tool", "withdraw", "db.restart"))
    gone = ("there is no principal planer", "the tool db.restart was withdrawn")
    secret_of(cmbs, session, "--tool", "db.restart", holder="planer", warned=gone)


def test_a_proposal_is_denied_explained_and_allowed(
    cmbs: Run, session: Session, secret: str
) -> None:
    denied = proposed(cmbs, session, CALL, GOAL, status=3, capability_token=secret)
    proposal_id = fields(denied)["proposal"]
    assert re.fullmatch(UUID_, proposal_id)
    assert denied == (
        f"proposal   {proposal_id}\n"
        "decision   deny, block (NO_APPLICABLE_ALLOW)\n"
        "policy     shop, version 1\n"
        "item 1     deny, block (NO_APPLICABLE_ALLOW)\n"
        "  because  NO_APPLICABLE_ALLOW  nearest allow constraint.restart: "
        "fact.belief.n_survivors must equal 1, is 2\n"
        "item 2     allow, but only together with the others\n"
    )
    why = told(cmbs("explain-decision", str(session.id), proposal_id)).splitlines()
    assert why[0] == f"proposal   {proposal_id}"
    assert re.fullmatch(r"made       TIME by postgres, event \d+", timeless(why[1]))
    assert why[2].startswith("source     cli://")
    assert why[3:] == [
        "decision   deny, block (NO_APPLICABLE_ALLOW)",
        "policy     shop, version 1",
        "item 1     deny, block (NO_APPLICABLE_ALLOW)",
        '  calls    db.restart with {"n": 1.1, "host": "db-1"}',
        "  because  NO_APPLICABLE_ALLOW  nearest allow constraint.restart: "
        "fact.belief.n_survivors must equal 1, is 2",
        "  constraint.restart  does not allow, on_fail block: one cause is left",
        "    false    eq fact.belief.n_survivors 1  (fact.belief.n_survivors is 2)",
        "    unlock: fact.belief.n_survivors must equal 1, is 2",
        "item 2    allow, but only together with the others",
        '  writes  goal.repair  {"v": 1, "value": "db"}',
        "  constraint.goals  allows",
    ]
    answer = json.loads(told(cmbs("explain-decision", str(session.id), proposal_id, "--json")))
    assert answer["proposal_id"] == proposal_id
    session.eliminate("a")
    allowed = proposed(cmbs, session, CALL, capability_token=secret)
    assert re.fullmatch(
        rf"proposal  {UUID_}\ndecision  allow\npolicy    shop, version 1\nitem 1    allow\n"
        rf"  permit  {UUID_}, begin before {TIME}\n",
        allowed,
    ), allowed


def test_what_a_proposal_leaves_out_is_filled_in(
    cmbs: Run, session: Session, secret: str, db: Connection
) -> None:
    id_, sent = str(session.id), json.dumps({"items": [GOAL], "provenance": {"inputs": [1.10]}})
    dry = cmbs("propose", id_, "-", "--dry-run", "--token", secret, sent=sent)
    assert told(dry).startswith("proposal  dry run, nothing was written\ndecision  allow\n")
    from_environment = cmbs("propose", id_, "-", sent=sent, CMBS_CAPABILITY_TOKEN=secret)
    assert "\ndecision  allow\n" in told(from_environment)
    (record,) = db.execute(
        "select record::json #>> '{payload,proposal,provenance}' from cmbs.audit_event "
        "where session_id = %s order by seq desc limit 1",
        [session.id],
    ).fetchone() or [""]
    assert record.startswith('{"inputs": [1.1], "source": "cli://')
    none = cmbs("propose", id_, "-", sent=sent)
    assert none.returncode == 3
    assert "\n  because  TOKEN_MISSING" in none.stdout
    own = json.loads(sent) | {"provenance": {"source": "agent://x"}}
    own["state_snapshot_id"] = str(NO_EVENT)
    done = cmbs("propose", id_, "-", "--token", secret, "--json", sent=json.dumps(own))
    assert (done.returncode, json.loads(done.stdout)["reason_code"]) == (3, "SNAPSHOT_UNKNOWN")
    for _ in range(2):
        key = cmbs("propose", id_, "-", "--key", "k", "--token", secret, sent=sent)
        assert key.returncode == 0
    assert "(recorded before)" in key.stdout


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ("", "standard input must hold JSON, at line 1, column 1: Expecting value"),
        ("[]", "standard input must hold a JSON object"),
        ('{"items": [], "items": []}', "standard input has a key twice in its object"),
        ('{"items": [], "provenance": 1}', "provenance must be a JSON object"),
    ],
)
def test_what_is_no_proposal_is_not_sent(
    cmbs: Run, session: Session, sent: str, error: str
) -> None:
    said = told(cmbs("propose", str(session.id), "-", sent=sent), 2)
    assert said == f"cmbs: {error}\n"


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ("{}", "items must be a list of 1 to 100 items"),
        ('{"items": [{"kind": "x"}]}', "items[0].kind must be state_delta or tool_call"),
    ],
)
def test_what_is_no_proposal_is_refused(cmbs: Run, session: Session, sent: str, error: str) -> None:
    said = told(cmbs("propose", str(session.id), "-", sent=sent), 4)
    assert said == f"cmbs: The request is not valid: {error}\n"


def test_nothing_moves_the_cursor(cmbs: Run, session: Session, secret: str) -> None:
    hostile = "\x1b[2J\u202e\n"
    call_ = {"kind": "tool_call", "tool_id": f"t{hostile}", "args": {hostile: hostile}}
    goal = {"kind": "state_delta", "patch": {f"goal.{hostile}": json.dumps({"v": hostile})}}
    said = proposed(cmbs, session, call_, goal, status=3, capability_token=secret)
    said += told(cmbs("explain-decision", str(session.id), said.split()[1]))
    said += told(cmbs("explain-decision", str(session.id), said.split()[1], "--json"))
    said += told(cmbs("policy", "replay", str(session.id), "supervised"))
    assert "\\u001b" in said
    assert all(line.isprintable() for line in said.split("\n"))


def test_a_question_and_an_offer_are_told(cmbs: Run, session: Session, secret: str) -> None:
    told(cmbs("policy", "apply", str(session.id), "supervised"))
    asked = proposed(cmbs, session, CALL, status=3, capability_token=secret)
    assert re.fullmatch(
        rf"proposal           {UUID_}\n"
        r"decision           defer, ask \(CONSTRAINT_DENIED\)\n"
        r"policy             supervised, version 1\n"
        r"item 1             defer, ask \(CONSTRAINT_DENIED\)\n"
        r"  because          CONSTRAINT_DENIED  constraint.writes: a person approves every tool "
        r"that writes\n"
        rf"  question         {UUID_}, pending\n"
        rf"    answer before  {TIME}\n"
        r"    a yes lifts    constraint.writes\n",
        asked,
    ), asked


def test_the_verdict_is_the_status_of_the_process(
    database: str, session: Session, secret: str, tmp_path: Path
) -> None:
    for item, status in ((CALL, 3), (GOAL, 0)):
        path = file(tmp_path, {"items": [item], "capability_token": secret})
        done = run(
            tmp_path, "propose", str(session.id), path, "--key", "k", "--dry-run", url=database
        )
        assert (done.returncode, done.stderr) == (status, "")
        assert fields(done.stdout)["proposal"] == "dry run, nothing was written"


def test_proposals_that_are_not_there(cmbs: Run, session: Session) -> None:
    for found, message in (
        ([str(session.id), str(NO_EVENT)], "There is no such event"),
        ([str(NOBODY), str(NO_EVENT)], "There is no such session"),
    ):
        assert message in told(cmbs("explain-decision", *found), 2)
    assert "There is no such session" in told(cmbs("propose", str(NOBODY), "-", sent="{}"), 2)
    assert cmbs("explain-decision", str(session.id), "x").returncode == 2


def test_every_kind_of_condition_is_told(db: Connection) -> None:
    """With what it read, also where there was nothing, and what could not be read."""
    clause = {"op": "eq", "args": ["fact.a", {"ref": "fact.b"}], "holds": "unknown"}
    clause |= {"read": {"fact.a": {"absent": True}}, "reference": {"fact.b": {"x": 1}}}
    conforms = {"op": "schema", "args": ["s", "args"], "holds": "false", "fault": "/a: must be 1"}
    exists = {"op": "exists", "args": ["fact.c"], "holds": "unknown"}
    exists["read"] = {"fact.c": {"unreadable": True}}
    inside = {"op": "not", "args": [exists], "holds": "unknown"}
    condition = {"op": "all", "args": [clause, conforms, inside], "holds": "false"}
    constraint = {"key": "constraint.a", "outcome": "denies", "condition": condition}
    item = {"item_no": 1, "decision": "deny", "disposition": "block", "reason_code": "C"}
    delta = {"kind": "state_delta", "patch": {"goal.a": None}, "s_core": [0.5]}
    offer = {"kind": "attenuated_token", "grant": {**GRANT, "parent": "t"}}
    item |= {"item": delta, "constraints": [constraint], "effective": False, "offer": offer}
    answer = {
        **{"proposal_id": "p", "ts": THEN, "actor": "a", "seq": 1, "decision": "deny"},
        **{"disposition": "block", "reason_code": "C", "items": [item]},
        "proposal": {"provenance": {"source": "s"}},
        "policy": {"pack": "p", "version": 1},
        "reasons": [{"stage": "token", "code": "TOKEN_MISSING", "disposition": "block"}],
    }
    assert [*explained(answer)][5:] == [
        ("  because", "TOKEN_MISSING"),
        ("item 1", "deny, block (C)"),
        ("  deletes", "goal.a"),
        ("  writes", "the vector, of 1 number"),
        ("  instead", "a token for one call of a, b, made from t"),
        "  constraint.a  denies",
        "    false    all",
        '      unknown  eq fact.a fact.b  (fact.a is not there; fact.b is {"x": 1})',
        "      false    schema s args  (/a: must be 1)",
        "      unknown  not",
        "        unknown  exists fact.c  (fact.c cannot be read)",
    ]


def test_another_tenant_is_named(cmbs: Run, tmp_path: Path, db: Connection) -> None:
    path = file(tmp_path, PACK)
    told(cmbs("policy", "publish", "shop", path, "--tenant", "red"))
    here = told(cmbs("policy", "list", "shop"), 2)
    assert here.startswith("cmbs: There is no such version of a policy pack")
    (there,) = table(told(cmbs("policy", "list", "shop", "--tenant", "red")))
    assert (there["pack"], there["version"]) == ("shop", "1")
    assert "version 1: 1 fixture, 0 failed" in told(
        cmbs("policy", "test", "shop", "--tenant", "red")
    )
    told(cmbs("tool", "register", "t", "-", "--tenant", "red", sent="{}"))
    assert cmbs("tool", "list").stdout == ""
    assert call(db, "list_tools", tenant="red")["tools"][0]["tool_id"] == "t"
