"""Sessions with arbitration in files: what decisions rest on comes along, and is checked."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cmbs import errors, verify
from cmbs.client import Client
from cmbs.database import tokens
from cmbs.database.calls import call, stream
from cmbs.verify.payloads import ARBITRATION
from tests.bundles.test_bundles import export, other, rewritten, run, take  # noqa: F401
from tests.sql.verdict.scene import deny, rich_arbitration
from tests.support import callers, forger
from tests.support.beliefs import Connection, Session, contents
from tests.support.oracle import Json
from tests.support.tables import of_kind
from tests.support.web import serving
from tests.verify.arbitrated import Rich
from tests.verify.executed import PACK, Executed, ended

# But for what was to be sent to others, and who to.
ROWS = set(of_kind("session")) - {"webhook_message", "tee_message"}
# Verbs that go on with a verdict.
LATER = {
    *("BEGIN_EXECUTION", "COMPLETE_EXECUTION", "RESOLVE_INTERRUPT", "SET_MODE", "SWEEP_EXPIRED")
}
KINDS = ("policies", "schemas", "tools")


@pytest.fixture
def rich(db: Connection) -> Rich:
    with db.transaction():
        return Rich(db)


def rows(connection: Connection, session_id: UUID) -> list[Any]:
    """What the database has of a session, in every table."""
    parts = [
        f"select '{name}', t::text from cmbs_store.{name} as t where t.session_id = %(id)s"
        for name in ROWS
    ]
    query = " union all ".join(parts) + " order by 1, 2"
    return connection.execute(query.encode(), {"id": session_id}).fetchall()


@pytest.fixture
def executed(db: Connection) -> Executed:
    return Executed(db)


def members(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def test_there_and_back(
    database: str,
    db: Connection,
    other: str,  # noqa: F811
    rich: Rich,
    tmp_path: Path,
) -> None:
    file, again = tmp_path / "a.zip", tmp_path / "b.zip"
    plain = Session(db)
    export(database, file)
    assert run("verify", file).stdout.count("\nok ") + 1 >= 3
    take(other, file)
    with psycopg.connect(other, autocommit=True) as there:
        for session_id in (rich.id, rich.other, plain.id):
            assert rows(there, session_id) == rows(db, session_id)
            assert call(there, "verify", session_id=session_id)["ok"]
            lines = list(stream(db, "audit_lines", session_id=session_id))
            assert list(stream(there, "audit_lines", session_id=session_id)) == lines
        # What decided there is known here by its content, and under no name.
        count = there.execute(
            "select count(*) from cmbs_store.policy_version where tenant <> '*'"
        ).fetchone()
        assert count == (0,)
    export(other, again)
    assert file.read_bytes() == again.read_bytes()
    assert "imported 0 sessions" in take(other, file).stdout


def test_executions_there_and_back(
    database: str,
    db: Connection,
    other: str,  # noqa: F811
    executed: Executed,
    tmp_path: Path,
) -> None:
    """With what was asked beside the policy in force, and what is still open."""
    file, again = tmp_path / "a.zip", tmp_path / "b.zip"
    sessions = executed.id, ended(executed.scene), rich_arbitration(db).id
    export(database, file)
    run("verify", file)
    take(other, file)
    with psycopg.connect(other, autocommit=True) as there:
        for session_id in sessions:
            assert rows(there, session_id) == rows(db, session_id)
            assert call(there, "verify", session_id=session_id)["ok"]
            lines = list(stream(db, "audit_lines", session_id=session_id))
            assert list(stream(there, "audit_lines", session_id=session_id)) == lines
    export(other, again)
    assert file.read_bytes() == again.read_bytes()


def named_once(kind: str, executed: Executed) -> str:
    """The name in a bundle of something that the shadow of a policy names, or a beginning."""
    shadow = executed.payload("wait for ever")["shadow"]
    digest = {
        "policies": shadow["policy"]["policy_hash"],
        "schemas": shadow["schemas"]["beside"],
        "tools": executed.payload("begin anew")["tools"]["R"],
    }[kind]
    assert digest not in json.dumps(executed.payload("call") | {"shadow": None}, default=str)
    return f"{kind}/{digest}.json"


@pytest.mark.parametrize("kind", KINDS)
def test_what_else_comes_along(
    database: str, executed: Executed, tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "a.zip"
    export(database, file, executed.id)
    name = named_once(kind, executed)
    assert name in members(file)
    rewritten(file, lambda files: files.pop(name))
    assert f"the bundle has no {name}" in run("verify", file, status=1).stdout


def test_what_was_changed_since_it_was_asked(
    database: str, db: Connection, executed: Executed, tmp_path: Path
) -> None:
    """The bundle has the constraints, so that an approval of others is seen."""
    file, scene = tmp_path / "a.zip", executed.scene
    changed = {**PACK, "constraint.asked": deny("B", on_fail="ask", reason="another")}
    scene.apply(changed)
    payload = executed.payload("apart")["items"][0]
    forging = forger.Scene(db)
    sent = {"interrupt_id": payload["interrupt_id"], "resolution": "approve", "comment": ""}
    sent["action_digest"] = payload["interrupt"]["action_digest"]

    def approved(record: Json) -> Json:
        told = {"verb": "RESOLVE_INTERRUPT", "actor": "approver"}
        return record | told | {"payload": sent | {"decided_at": record["ts"]}}

    forging.append(executed.id, approved)
    seq = forging.length(executed.id)
    lines = stream(db, "audit_lines", session_id=executed.id)
    (tmp_path / "a.ndjson").write_text("".join(f"{line}\n" for line in lines))
    run("verify", tmp_path / "a.ndjson")
    export(database, file, executed.id)
    told = run("verify", file, status=1).stdout
    assert f"event {seq}: the question does not take this answer: APPROVAL_SUPERSEDED" in told
    assert forging.first_bad(executed.id)[0] == seq


def test_what_is_in_a_bundle(database: str, db: Connection, rich: Rich, tmp_path: Path) -> None:
    export(database, tmp_path / "a.zip")
    files = members(tmp_path / "a.zip")
    kinds = [name.split("/")[0] for name in files]
    order = ["README.md", "universes", *KINDS, "sessions", "manifest.json"]
    assert kinds == sorted(kinds, key=order.index)
    assert [kinds.count(kind) for kind in KINDS] == [3, 2, 4]
    for kind in KINDS:
        names = [name for name in files if name.startswith(kind)]
        assert names == sorted(names)
    for name, content in files.items():
        if name.startswith(KINDS):
            assert hashlib.sha256(content).hexdigest() in name
            assert verify.canonical(verify.parse(content.decode())) == content.decode()
            assert json.loads(files["manifest.json"])["files"][name]["bytes"] == len(content)
    policies = [json.loads(files[name]) for name in files if name.startswith("policies")]
    assert any('a person is \\"asked\\", ä' in one.get("constraint.asked", "") for one in policies)
    assert all(isinstance(text, str) for one in policies for text in one.values())
    assert b"`policies/`" in files["README.md"]


def test_only_what_the_sessions_name(
    database: str, db: Connection, rich: Rich, tmp_path: Path
) -> None:
    export(database, tmp_path / "other.zip", rich.other)
    assert [sum(one.startswith(kind) for one in members(tmp_path / "other.zip")) for kind in KINDS]
    names = [name.split("/")[0] for name in members(tmp_path / "other.zip")]
    assert names == ["README.md", "universes", "policies", "sessions", "manifest.json"]
    run("verify", tmp_path / "other.zip")
    plain = Session(db)
    export(database, tmp_path / "plain.zip", plain.id)
    files = members(tmp_path / "plain.zip")
    assert [name.split("/")[0] for name in files] == [
        *("README.md", "universes", "sessions", "manifest.json")
    ]
    assert b"polic" not in files["README.md"]


def first(files: dict[str, bytes], kind: str) -> str:
    return next(name for name in files if name.startswith(kind))


def without(kind: str) -> Callable[[dict[str, bytes]], None]:
    def edit(files: dict[str, bytes]) -> None:
        del files[first(files, kind)]

    return edit


def changed(files: dict[str, bytes]) -> None:
    files[first(files, "tools")] += b" "


def added(text: bytes) -> Callable[[dict[str, bytes]], None]:
    def edit(files: dict[str, bytes]) -> None:
        rest = {name: files.pop(name) for name in list(files) if name[0] in "tm" or "ions" in name}
        files[f"schemas/{hashlib.sha256(text).hexdigest()}.json"] = text
        files |= rest

    return edit


def moved(files: dict[str, bytes]) -> None:
    name = first(files, "policies")
    manifest = files.pop("manifest.json")
    files[name] = files.pop(name)
    files["manifest.json"] = manifest


BAD: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "no policy": (without("policies"), "the bundle has no policies/"),
    "no schema": (without("schemas"), "the bundle has no schemas/"),
    "no tool": (without("tools"), "the bundle has no tools/"),
    "another tool": (changed, "json is another"),
    "no canonical text": (added(b'{"type":"object"}'), "canonical"),
    "no JSON": (added(b"{"), "not JSON"),
    "no UTF-8": (added(b"\xff"), "UTF-8"),
    "another order": (moved, "order"),
}


# Each makes and reads a bundle of its own; one of each kind with a push.
_PUSHED = {"no policy", "another tool", "no JSON", "another order"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=() if one in _PUSHED else pytest.mark.nightly) for one in BAD],
)
def test_a_bundle_that_lacks_something(
    database: str,
    db: Connection,
    other: str,  # noqa: F811
    rich: Rich,
    tmp_path: Path,
    name: str,
) -> None:
    edit, words = BAD[name]
    file = tmp_path / "a.zip"
    export(database, file)
    rewritten(file, edit)
    done = run("verify", file, status=1)
    assert words in done.stdout + done.stderr
    with psycopg.connect(other, autocommit=True) as there:
        before = contents(there)
        assert "nothing was imported" in take(other, file, status=1).stderr
        assert contents(there) == before


def test_a_content_that_is_not_what_it_was(
    database: str, db: Connection, rich: Rich, tmp_path: Path
) -> None:
    db.execute("alter table cmbs_store.tool_definition disable trigger all")
    db.execute("delete from cmbs_store.tool_definition where definition like '%args%'")
    file = tmp_path / "a.zip"
    done = run("export", "--all", "-o", file, "--database-url", database, status=1)
    assert "cmbs: the stored tool " in done.stderr
    assert " is not what it was" in done.stderr
    assert not file.exists()


def test_replay(database: str, db: Connection, rich: Rich, tmp_path: Path) -> None:
    export(database, tmp_path / "a.zip")
    said = run("replay", rich.id, "--database-url", database).stdout
    assert said.rpartition("the stored")[0] in run("replay", tmp_path / "a.zip").stdout
    tail = dict(enumerate(said.splitlines(), -1))
    for step, line in {
        "apply": "policy apply pack 1: approved (applied)",
        "unfit": "policy apply unfit 1: denied (an invariant of the policy does not hold)",
        "call": "propose R: allow (ALLOWED)",
        "delta": "propose goal.x, A: allow (ALLOWED)",
        "write": "propose goal.x, goal.y: deny (SCOPE_NOT_ALLOWED)",
        "ask": "propose B: defer (CONSTRAINT_DENIED)",
        "cited": "record claim cause fact: allow (ALLOWED), confirmed",
        "demoted": "record claim cause hypothesis: allow (ALLOWED), not confirmed",
        "confirm": "confirm claim cause",
    }.items():
        assert tail[rich.at[step]].endswith(line), (step, tail[rich.at[step]])
    token = rich.scene.tokens[rich.scene.agent]["token_id"]
    assert tail[rich.at["revoke"]].endswith(f"token revoke {token}")
    assert f" from {token} to tool: R" in tail[rich.at["attenuate"]]


def test_replay_of_executions(
    database: str, db: Connection, executed: Executed, tmp_path: Path
) -> None:
    export(database, tmp_path / "a.zip", executed.id)
    said = run("replay", executed.id, "--database-url", database).stdout
    assert said.rpartition("the stored")[0] in run("replay", tmp_path / "a.zip").stdout
    tail = dict(enumerate(said.splitlines(), -1))
    permits = [executed.payload(step)["permit_id"] for step in ("begin", "begin anew")]
    question = executed.payload("approve")["interrupt_id"]
    deferral = executed.payload("wait")["deferral"]["deferral_id"]
    (released,) = executed.payload("sweep")["permits"]
    beside = "the shadow: allow (ALLOWED)"
    for step, line in {
        "call": "propose R: allow (ALLOWED); the shadow: defer (CONSTRAINT_DENIED)",
        "begin": f"begin execution {permits[0]}",
        "complete": f"complete execution {permits[0]} ok, committed",
        "begin anew": f"begin execution {permits[1]}, decided anew",
        "sweep": f"sweep expired {released}",
        "mode": 'set mode eco: "a drill"',
        "approve": f"resolve interrupt {question} approve",
        "resume": f"propose B: allow (ALLOWED); continues event {executed.at['ask']}; {beside}",
        "tried": f"propose A: allow (ALLOWED); retry 2 of {deferral}; {beside}",
    }.items():
        assert tail[executed.at[step]].endswith(line), (step, tail[executed.at[step]])


def test_a_client_that_verifies(database: str, db: Connection, rich: Rich) -> None:
    new = tokens.new()
    callers.token(db, "agent", new.text)
    with serving(database) as address, Client(address, token=new.text, verify=True) as client:
        client.eliminate(rich.id, "source", "one more", ["b"])
        verbs = {event.verb for event in client.audit_trace(rich.id)}
        assert verbs == {"DECLARE_SESSION", "ELIMINATE", *ARBITRATION} - LATER
        rich.scene.session.eliminate("c", credential=rich.scene.agent)
        rich.propose("again", {"kind": "tool_call", "tool_id": "R"}, reason="TOKEN_REVOKED")
        assert client.eliminate(rich.id, "source", "the last", ["c"]).ignored == ["c"]
        assert [event.verb for event in client.audit_stream(rich.id)][-2:] == [
            *("PROPOSE", "ELIMINATE")
        ]


# The verb that takes contents over


CONTENTS: dict[str, tuple[str | None, str | None, str]] = {
    "a kind unknown": ("pack", "{}", "kind"),
    "no kind": (None, "{}", "kind"),
    "nothing": ("tool", None, "canonical"),
    "spaces": ("policy", "{ }", "canonical"),
    "members in another order": ("tool", '{"bb": 1, "a": 1}', "canonical"),
    "a policy with a value that is no text": ("policy", '{"policy.x": {"v": 1}}', "a policy"),
    "a policy of a list": ("policy", "[]", "a policy"),
    "a tool of a text": ("tool", '"x"', "a tool"),
    "a schema of a number": ("schema", "1", "a schema"),
    "a tool of true": ("tool", "true", "a tool"),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_what_is_no_content(tx: Connection, name: str) -> None:
    kind, content, words = CONTENTS[name]
    before = contents(tx)
    with pytest.raises(errors.InvalidRequest) as caught, tx.transaction():
        call(tx, "import_content", kind=kind, content=content)
    assert words in str(caught.value.diag.message_detail)
    assert contents(tx) == before


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("policy", "{}"),
        ("policy", '{"policy.x": "no", "constraint.a": "{\\"v\\": 1, \\"effect\\": \\"deny\\"}"}'),
        ("schema", "true"),
        ("schema", '{"type": "object"}'),
        ("tool", '{"mutating": false}'),
    ],
)
def test_a_content_is_taken_once(tx: Connection, kind: str, content: str) -> None:
    first_time = call(tx, "import_content", kind=kind, content=content)
    after = contents(tx)
    assert call(tx, "import_content", kind=kind, content=content) == first_time
    assert contents(tx) == after
    digest = hashlib.sha256(content.encode()).hexdigest()
    assert first_time == {"kind": kind, "content_hash": digest}
    if kind == "policy":
        whole = tx.execute("select cmbs_store.is_policy_whole(%s)", [bytes.fromhex(digest)])
        assert whole.fetchone() == (True,)


def test_only_the_owner_takes_contents_over(tx: Connection) -> None:
    admin = callers.caller(tx, "everything", *callers.ROLES)
    with pytest.raises(errors.Forbidden), tx.transaction():
        call(tx, "import_content", kind="policy", content="{}", credential=admin)
    for role in ("cmbs_server", "cmbs_policy", "cmbs_auditor", "cmbs_agent", "cmbs_admin"):
        tx.execute(f"set local role {role}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege), tx.transaction():
            call(tx, "import_content", kind="policy", content="{}")
