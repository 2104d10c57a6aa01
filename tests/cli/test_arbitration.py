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
from tests.support.commands import Run, on

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
TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d"


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
    line = rf"shop, version 1  {HASH}  2 entries  1 fixture"
    assert re.fullmatch(f"{line}\n", told(cmbs("policy", "publish", "shop", path)))
    assert re.fullmatch(f"{line}  known already\n", told(cmbs("policy", "publish", "shop", path)))
    entries = PACK["entries"] | {"policy.x": {"v": 1, "n": 1.1}}
    bare = json.dumps(entries).replace("1.1}", "1.10}")
    second = told(cmbs("policy", "publish", "shop", "-", sent=bare))
    assert re.fullmatch(rf"shop, version 2  {HASH}  3 entries  0 fixtures\n", second)
    lines = told(cmbs("policy", "list", "shop")).splitlines()
    assert [line.split("  ")[:2] for line in lines] == [
        ["shop, version 1", "2 entries"],
        ["shop, version 2", "3 entries"],
    ]
    assert "deny-all, version 1" in told(cmbs("policy", "list"))
    none = cmbs("policy", "list", "none")
    assert (none.returncode, none.stdout) == (1, "")
    assert none.stderr.startswith("cmbs: There is no such version of a policy pack")
    shown = told(cmbs("policy", "show", "shop"))
    assert shown.startswith("pack       shop, version 2\nhash       ")
    assert '\n  policy.x  {"n": 1.10, "v": 1}\n' in shown
    assert shown.endswith("fixtures   none\n")
    assert told(cmbs("policy", "show", "shop", "1")).endswith("fixtures   one is left\n")


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
        error = told(cmbs("policy", "publish", "shop", "-", sent=text), 1)
        assert re.fullmatch(r"cmbs: standard input (must hold|has a key twice).*\n", error), text
    twice = '{"constraint.a": {"v": 1, "effect": "deny", "effect": "allow"}}'
    assert "constraint.a" in told(cmbs("policy", "publish", "shop", "-", sent=twice), 1)
    unknown = file(tmp_path, PACK | {"fixture": []})
    error = told(cmbs("policy", "publish", "shop", unknown), 1)
    assert error == f'cmbs: {unknown} has members that no pack has: ["fixture"]\n'
    error = told(cmbs("policy", "publish", "shop", str(tmp_path / "none")), 1)
    assert error == f"cmbs: {tmp_path / 'none'} cannot be read: No such file or directory\n"
    (tmp_path / "latin").write_bytes(b"\xff")
    error = told(cmbs("policy", "publish", "shop", str(tmp_path / "latin")), 1)
    assert error == f"cmbs: {tmp_path / 'latin'} must be UTF-8\n"


def test_a_pack_is_applied_the_newest_by_itself(cmbs: Run, session: Session) -> None:
    id_ = str(session.id)
    done = cmbs("policy", "apply", id_, "supervised")
    assert told(done) == f"{id_} is decided by supervised, version 1\n"
    answer = json.loads(told(cmbs("policy", "apply", id_, "shop", "--json")))
    assert answer["approved"]
    assert "There is no such version" in told(cmbs("policy", "apply", id_, "none"), 1)
    assert "There is no such version" in told(cmbs("policy", "apply", id_, "shop", "9"), 1)
    assert "There is no such session" in told(cmbs("policy", "apply", str(NOBODY), "shop"), 1)
    balance = {"op": "eq", "args": ["fact.balance", 1]}
    entries = json.dumps({"constraint.invariant.b": {"v": 1, "effect": "allow", "when": balance}})
    told(cmbs("policy", "publish", "strict", "-", sent=entries))
    done = cmbs("policy", "apply", id_, "strict")
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout == (
        "strict, version 1 was not applied: an invariant of the policy does not hold\n"
        "  INVARIANT_VIOLATED  constraint.invariant.b: fact.balance must equal 1, is not there\n"
    )


def test_a_pack_that_decides_otherwise_is_applied_with_yes(
    cmbs: Run, session: Session, secret: str
) -> None:
    id_ = str(session.id)
    done = told(cmbs("policy", "apply", id_, "supervised", "--replay"))
    nothing = "supervised, version 1: 0 of 0 proposals would be decided otherwise\n"
    assert done == f"{nothing}{id_} is decided by supervised, version 1\n"
    proposed(cmbs, session, CALL, status=3, capability_token=secret)
    done = cmbs("policy", "apply", id_, "shop", "--replay")
    assert (done.returncode, done.stderr) == (
        3,
        "cmbs: it was not applied; --yes applies it all the same\n",
    )
    flips = "shop, version 1: 1 of 1 proposal would be decided otherwise\n  event "
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
    assert "There is no such session" in told(gone, 1)
    done = told(cmbs("policy", "apply", id_, "shop", "--shadow", "supervised:1"))
    assert done == (
        f"{id_} is decided by shop, version 1, and supervised, version 1 is asked beside\n"
    )
    never = "cmbs: the shadow never said something else\n"
    assert cmbs("policy", "divergences", id_).stderr == never
    proposed(cmbs, session, GOAL, capability_token=secret)
    ends = told(cmbs("policy", "apply", id_, "shop"))
    assert ends == f"{id_} is decided by shop, version 1; the shadow ends\n"
    # It was asked until then.
    assert cmbs("policy", "divergences", id_).stderr == never
    assert told(cmbs("policy", "apply", id_, "shop")) == f"{id_} is decided by shop, version 1\n"
    told(cmbs("policy", "apply", id_, "shop", "--shadow", "supervised:1"))
    proposed(cmbs, session, CALL, status=3, capability_token=secret)
    line = told(cmbs("policy", "divergences", id_))
    assert re.fullmatch(
        r"event \d+, item 1  by postgres, db.restart: shop, version 1: deny, block "
        r"\(NO_APPLICABLE_ALLOW\); supervised, version 1: defer, ask \(CONSTRAINT_DENIED\)\n",
        line,
    ), line
    row = json.loads(told(cmbs("policy", "divergences", id_, "--json")))
    assert (row["session_id"], row["shadow_pack"], row["effective"]) == (id_, "supervised", False)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", row["ts"])
    for wrong in ("supervised", ":1", "supervised:0", "supervised:x"):
        done = cmbs("policy", "apply", id_, "shop", "--shadow", wrong)
        assert (done.returncode, done.stdout) == (2, "")
    gone = cmbs("policy", "apply", id_, "shop", "--shadow", "none:1")
    assert "There is no such version" in told(gone, 1)


def test_versions_are_compared(cmbs: Run, session: Session) -> None:
    entries = {"constraint.restart": ALLOW, "policy.x": {"v": 1}}
    told(cmbs("policy", "publish", "shop", "-", sent=json.dumps(entries)))
    lines = told(cmbs("policy", "diff", "shop", "1", "2")).splitlines()
    assert lines[0] == "shop, version 1 -> shop, version 2"
    assert lines[1] == 'added    policy.x  {"v": 1}'
    assert lines[2].startswith("removed  constraint.goals  {")
    assert lines[3] == "changed  constraint.restart"
    assert '"when"' in lines[4]
    assert lines[4].startswith("    from {")
    assert lines[5].startswith("      to {")
    assert lines[6:] == ["entries  1 added, 1 removed, 1 changed"]
    other = told(cmbs("policy", "diff", "shop", "1", "1", "--to-pack", "deny-all"))
    assert other.startswith("shop, version 1 -> deny-all, version 1\n")
    answer = json.loads(told(cmbs("policy", "diff", "shop", "2", "2", "--json")))
    assert answer["added"] == answer["removed"] == answer["changed"] == []
    assert "There is no such version" in told(cmbs("policy", "diff", "shop", "1", "3"), 1)


def test_files_and_packs_are_linted(cmbs: Run, session: Session, tmp_path: Path) -> None:
    assert told(cmbs("policy", "lint", "shop")) == "0 errors, 0 warnings\n"
    assert told(cmbs("policy", "lint", "shop", "1")) == "0 errors, 0 warnings\n"
    bad = {"constraint.a": {"v": 2}, "constraint.b": {**ALLOW, "subject": {"tool_id": "x"}}}
    for where in (file(tmp_path, bad), file(tmp_path, {"entries": bad}, "other")):
        done = cmbs("policy", "lint", where)
        assert (done.returncode, done.stderr) == (1, "")
        error, warning, counted = done.stdout.splitlines()
        assert error.startswith("error    constraint.a  ")
        assert warning == "warning  constraint.b  the tool x is not registered"
        assert counted == "1 error, 1 warning"
    assert cmbs("policy", "lint", "-", sent=json.dumps(bad)).returncode == 1
    assert "There is no such version" in told(cmbs("policy", "lint", "none"), 1)


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
    assert told(done, 1) == "cmbs: standard input has no fixtures\n"
    done = cmbs("policy", "test", "shop", "--fixtures", "-", sent="[")
    assert (
        told(done, 1)
        == "cmbs: standard input must hold JSON, at line 1, column 2: Expecting value\n"
    )


def test_a_pack_is_tried_on_what_was_proposed(cmbs: Run, session: Session, secret: str) -> None:
    proposed(cmbs, session, CALL, status=3, capability_token=secret)
    told_ = told(cmbs("policy", "replay", str(session.id), "supervised"))
    assert re.fullmatch(
        r"supervised, version 1: 1 of 1 proposal would be decided otherwise\n"
        rf"  event \d+  {UUID_} by postgres: deny, block \(NO_APPLICABLE_ALLOW\) -> "
        r"defer, ask \(CONSTRAINT_DENIED\)\n"
        r"    CONSTRAINT_DENIED  constraint.writes: a person approves .*\n",
        told_,
    ), told_
    same = told(cmbs("policy", "replay", str(session.id), "shop", "1"))
    assert same == "shop, version 1: 0 of 1 proposal would be decided otherwise\n"
    answer = json.loads(told(cmbs("policy", "replay", str(session.id), "supervised", "--json")))
    assert answer["n_flips"] == 1
    assert "no such session" in told(cmbs("policy", "replay", str(NOBODY), "shop"), 1)


def test_all_is_halted_and_goes_on(cmbs: Run, session: Session, secret: str) -> None:
    done = cmbs("policy", "halt", "--reason", "it \x1bloops")
    line = "tenant default is HALTED, all is denied: it \\u001bloops\n"
    assert told(done) == line
    assert told(cmbs("policy", "list")).startswith("HALTED   all is denied: it \\u001bloops\n")
    denied = proposed(cmbs, session, GOAL, status=3, capability_token=secret)
    assert "it \\u001bloops" in denied
    done = cmbs("policy", "resume", "--reason", "mended")
    assert told(done) == "tenant default is not halted: policies decide\n"
    assert "decision  allow" in proposed(cmbs, session, GOAL, capability_token=secret)
    assert cmbs("policy", "halt").returncode == 2


def test_tools_are_registered_listed_and_withdrawn(cmbs: Run, tmp_path: Path) -> None:
    none = cmbs("tool", "list")
    assert (none.returncode, none.stdout, none.stderr) == (0, "", "cmbs: there is no tool\n")
    definition = {"authorities": ["mail", "b\x1b"], "effect_class": "network", "version": 1.10}
    schema = file(tmp_path, {"type": "object", "maxProperties": 1}, "wrong")
    assert "maxProperties" in told(cmbs("schema", "register", "mail", schema), 1)
    schema = file(tmp_path, {"type": "object"}, "schema")
    made = told(cmbs("schema", "register", "mail", schema))
    assert re.fullmatch(rf"mail  {HASH}\n", made)
    assert told(cmbs("schema", "register", "mail", schema)) == made.replace(
        "\n", "  known already\n"
    )
    (line,) = told(cmbs("schema", "list")).splitlines()
    assert line.startswith(made.strip())
    path = file(tmp_path, definition | {"args_schema": "mail"})
    made = told(cmbs("tool", "register", "email.send", path))
    assert re.fullmatch(rf"email.send  {HASH}\n", made)
    assert told(cmbs("tool", "register", "email.send", path)).endswith("  known already\n")
    assert told(cmbs("tool", "list")) == (
        'email.send  writes  effect network  authorities "b\\u001b", mail  schema mail  '
        "version 1.1\n"
    )
    reads = json.dumps({"mutating": False, "args_schema": {"type": "object"}})
    told(cmbs("tool", "register", "a b", "-", sent=reads))
    first = told(cmbs("tool", "list")).splitlines()[0]
    assert first == "a b  reads  effect external  authorities none  schema its own"
    assert told(cmbs("tool", "withdraw", "email.send")) == "email.send  withdrawn\n"
    assert re.search(r"email.send  withdrawn \S+ \d\d:\d\d by \S+\n", told(cmbs("tool", "list")))
    assert json.loads(told(cmbs("tool", "list", "--json")))["tools"][1]["withdrawn"]
    assert "There is no such tool." in told(cmbs("tool", "withdraw", "none"), 1)
    unknown = json.dumps({"args_schema": "none"})
    assert "There is no such schema." in told(cmbs("tool", "register", "t", "-", sent=unknown), 1)
    assert told(cmbs("tool", "register", "t", "-", sent="[]"), 1) == (
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
    (line,) = told(cmbs("capability", "list", id_)).splitlines()
    assert re.fullmatch(
        rf"{UUID_}  postgres  until \S+ \d\d:\d\d  tools a b, db.restart  capabilities db  "
        r"state prefixes goal\.  resource roots /srv  left max_calls 10 of 10",
        line,
    ), line
    assert secret not in line
    token_id = line[:36]
    narrow = ("--parent", token_id, "--tool", "a b", "--root", "/srv/x", "--hours", "1")
    secret_of(cmbs, session, *narrow, warned=unknown_tool)
    assert told(cmbs("capability", "list", id_)).splitlines()[1].endswith(f"of {token_id}")
    wide = cmbs("capability", "issue", id_, "postgres", "--parent", token_id, "--tool", "z")
    assert "ATTENUATION_WIDENS" in told(wide, 1)
    gone = told(cmbs("capability", "revoke", id_, token_id))
    assert gone == f"capability token {token_id} is revoked now\n"
    assert told(cmbs("capability", "revoke", id_, token_id)).endswith("is revoked already\n")
    assert told(cmbs("capability", "list", id_)).count("  revoked  ") == 2
    answer = json.loads(told(cmbs("capability", "list", id_, "--json")))
    assert [one["revoked"] for one in answer["capability_tokens"]] == [True, True]
    unknown = cmbs("capability", "revoke", id_, str(NO_EVENT))
    assert "There is no such capability token" in told(unknown, 1)
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
    assert re.fullmatch(
        rf"proposal  {UUID_}\n"
        r"decision  deny, block \(NO_APPLICABLE_ALLOW\)\n"
        r"policy    shop, version 1\n"
        r"item 1    deny, block \(NO_APPLICABLE_ALLOW\)\n"
        r"  NO_APPLICABLE_ALLOW  nearest allow constraint.restart: "
        r"fact.belief.n_survivors must equal 1, is 2\n"
        r"item 2    allow, but not without the others\n",
        denied,
    ), denied
    proposal_id = denied.split()[1]
    why = told(cmbs("explain-decision", str(session.id), proposal_id)).splitlines()
    assert why[0] == f"proposal  {proposal_id}"
    assert re.fullmatch(r"made      \S+ by postgres, event \d+", why[1])
    assert why[2].startswith("source    cli://")
    assert why[3:] == [
        "decision  deny, block (NO_APPLICABLE_ALLOW)",
        "policy    shop, version 1",
        "item 1    deny, block (NO_APPLICABLE_ALLOW)",
        '  calls db.restart with {"n": 1.1, "host": "db-1"}',
        "  NO_APPLICABLE_ALLOW  nearest allow constraint.restart: "
        "fact.belief.n_survivors must equal 1, is 2",
        "  constraint.restart  does not allow, on_fail block: one cause is left",
        "    false    eq fact.belief.n_survivors 1  (fact.belief.n_survivors is 2)",
        "    unlock: fact.belief.n_survivors must equal 1, is 2",
        "item 2    allow, but not without the others",
        '  writes  goal.repair  {"v": 1, "value": "db"}',
        "  constraint.goals  allows",
    ]
    answer = json.loads(told(cmbs("explain-decision", str(session.id), proposal_id, "--json")))
    assert answer["proposal_id"] == proposal_id
    session.eliminate("a")
    allowed = proposed(cmbs, session, CALL, capability_token=secret)
    assert "\ndecision  allow\n" in allowed
    assert re.search(rf"\nitem 1    allow\n  permit  {UUID_}, to be begun until {TIME}\n$", allowed)


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
    assert "\n  TOKEN_MISSING" in none.stdout
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
        ("{}", "items must be a list of 1 to 100 items"),
        ('{"items": [{"kind": "x"}]}', "items[0].kind must be state_delta or tool_call"),
    ],
)
def test_what_is_no_proposal_is_refused(cmbs: Run, session: Session, sent: str, error: str) -> None:
    said = told(cmbs("propose", str(session.id), "-", sent=sent), 1)
    assert said.startswith("cmbs: ")
    assert said.endswith(f"{error}\n")


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
    assert re.search(
        rf"  asks  a person, question {UUID_}, until {TIME}; a yes would lift constraint.writes\n$",
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
        assert done.stdout.startswith("proposal  dry run, nothing was written\n")


def test_proposals_that_are_not_there(cmbs: Run, session: Session) -> None:
    for found, message in (
        ([str(session.id), str(NO_EVENT)], "There is no such event"),
        ([str(NOBODY), str(NO_EVENT)], "There is no such session"),
    ):
        assert message in told(cmbs("explain-decision", *found), 1)
    assert "There is no such session" in told(cmbs("propose", str(NOBODY), "-", sent="{}"), 1)
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
        **{"proposal_id": "p", "ts": "t", "actor": "a", "seq": 1, "decision": "deny"},
        **{"disposition": "block", "reason_code": "C", "items": [item]},
        "proposal": {"provenance": {"source": "s"}},
        "policy": {"pack": "p", "version": 1},
        "reasons": [{"stage": "token", "code": "TOKEN_MISSING", "disposition": "block"}],
    }
    assert [*explained(answer)][5:] == [
        "  TOKEN_MISSING",
        "item 1    deny, block (C)",
        "  deletes goal.a",
        "  writes  the vector, of 1 number",
        "  offer  a token for one call of a, b, made from t, would let it",
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
    assert cmbs("policy", "list", "shop").stdout == ""
    assert "shop, version 1" in told(cmbs("policy", "list", "shop", "--tenant", "red"))
    assert "version 1: 1 fixture, 0 failed" in told(
        cmbs("policy", "test", "shop", "--tenant", "red")
    )
    told(cmbs("tool", "register", "t", "-", "--tenant", "red", sent="{}"))
    assert cmbs("tool", "list").stdout == ""
    assert call(db, "list_tools", tenant="red")["tools"][0]["tool_id"] == "t"
