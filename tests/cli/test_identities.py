"""The commands about principals, tokens and tenants: what they do, tell and refuse."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from cmbs.client import Client
from cmbs.database import tokens
from cmbs.database.calls import call
from cmbs.database.principals import KINDS, ROLES
from cmbs.deploy import migrate
from cmbs.errors import SessionNotFound, Unauthenticated
from tests.cli.test_cli import run
from tests.support.beliefs import NOBODY, Session, rich_session
from tests.support.commands import fields, on, run_here, table
from tests.support.served import Served, running
from tests.support.servers import reachable_folder

Connection = psycopg.Connection[Any]
FIRST = (
    "cmbs: this is the first principal: from now on the HTTP server of this database asks every "
    "caller for a token\n"
)
HINT = re.compile("^cmbs: .* speaks for no source, .*\n", re.MULTILINE)
PLANNER = ("principal", "create", "planner", "--role", "agent")
MADE = re.compile(
    r"cmbs: token (?P<id>[0-9a-f-]{36}) of (?P<name>\S+) until (?P<day>\d{4}-\d\d-\d\d) \d\d:\d\d, "
    r"begins with (?P<prefix>cmbs_\S{8}), shown this once(; (?P<old>\S+) is revoked)?\n"
)
WHEN = r"\d{4}-\d\d-\d\d \d\d:\d\d \((now|\d+ (s|min) ago)\)"


@pytest.fixture
def cmbs(database: str) -> Any:
    """Runs a command on the database of the test."""
    return on(database)


def told(done: Any, status: int = 0) -> str:
    """What it printed; with success nothing on standard error, but for a hint, else only that."""
    err = HINT.sub("", done.stderr)
    assert (done.returncode, done.stdout if status else err) == (status, ""), done
    return done.stderr if status else done.stdout


def identified(db: Connection, token: str) -> Any:
    return call(db, "identify", credential=tokens.digest(token))


def planner(cmbs: Any) -> None:
    done = cmbs(*PLANNER, "--source", "tool://")
    assert (done.returncode, done.stderr) == (0, FIRST)


def token_of(cmbs: Any, *arguments: str, action: str = "create") -> tuple[str, re.Match[str]]:
    done = cmbs("token", action, *arguments)
    made = MADE.fullmatch(done.stderr)
    assert done.returncode == 0, done.stderr
    assert made is not None, done.stderr
    assert re.fullmatch(r"cmbs_[\w-]{43}\n", done.stdout)
    assert done.stdout.startswith(made["prefix"])
    return done.stdout.strip(), made


def test_a_principal_from_first_to_last(cmbs: Any, db: Connection) -> None:
    answer = (
        "principal  planner\n"
        "tenant     default\n"
        "kind       agent\n"
        "roles      agent, tool\n"
        "sources    human://, tool://\n"
        "state      enabled\n"
    )
    create = ["principal", "create", "planner", "--kind", "agent", "--role", "tool"]
    create += ["--role", "agent", "--source", "tool://", "--source", "human://"]
    first = cmbs(*create)
    assert (first.returncode, first.stdout, first.stderr) == (0, answer, FIRST)
    assert told(cmbs(*create)) == answer, "a repeat is no first one"
    other = {
        **{"principal": "other", "tenant": "default", "kind": "service", "roles": "approver"},
        **{"sources": "none", "state": "enabled"},
    }
    assert fields(told(cmbs("principal", "create", "other", "--role", "approver"))) == other
    change = ("principal", "change", "planner")
    assert told(cmbs(*change, "--source", "")) == answer.replace("human://, tool://", "any")
    last = fields(answer) | {"roles": "policy", "sources": "none", "state": "disabled"}
    disabled = told(cmbs(*change, "--role", "policy", "--no-sources", "--disable"))
    assert fields(disabled) == last
    last["state"] = "enabled"
    assert fields(told(cmbs(*change, "--enable"))) == last
    listed = told(cmbs("principal", "list"))
    assert listed == (
        "principal  tenant   kind     roles     sources  state\n"
        "other      default  service  approver  none     enabled\n"
        "planner    default  agent    policy    none     enabled\n"
    )
    assert table(listed) == [other, last]
    names = [row[0] for row in db.execute("select verb from cmbs.identity_event order by seq")]
    assert names == ["CREATE_PRINCIPAL"] * 2 + ["CHANGE_PRINCIPAL"] * 3


def test_every_tenant_has_its_own(cmbs: Any) -> None:
    assert HINT.sub("", cmbs(*PLANNER, "--tenant", "acme").stderr) == FIRST
    told(cmbs(*PLANNER, "--tenant", "globex"))
    told(cmbs("principal", "create", "boss", "--tenant", "*", "--role", "admin"))
    whole = table(told(cmbs("principal", "list")))
    for tenant, name in (("*", "boss"), ("acme", "planner"), ("globex", "planner")):
        (row,) = table(told(cmbs("principal", "list", "--tenant", tenant)))
        assert (row["principal"], row["tenant"], row["kind"]) == (name, tenant, "service")
        assert row == whole.pop(0)
    assert whole == []
    assert "There is no such principal." in told(cmbs("token", "create", "planner"), 2)
    _, made = token_of(cmbs, "planner", "--tenant", "acme")
    (row,) = table(told(cmbs("token", "list")))
    assert (row["token"], row["principal"], row["tenant"]) == (made["id"], "planner", "acme")
    for where in (["--tenant", "acme"], ["planner"], ["planner", "--tenant", "acme"]):
        assert table(told(cmbs("token", "list", *where))) == [row]
    token_of(cmbs, "boss", "--tenant", "*", "--scope-tenant", "globex")
    (row,) = table(told(cmbs("token", "list", "--tenant", "*")))
    assert row["covers"] == "all verbs, for tenant globex"
    assert len(table(told(cmbs("token", "list")))) == 2


def test_nothing_to_list(cmbs: Any) -> None:
    """It is said where no list could be taken for it."""
    for what, arguments in (
        ("principal", ["principal", "list"]),
        ("principal", ["principal", "list", "--tenant", "acme"]),
        ("token", ["token", "list"]),
    ):
        done = cmbs(*arguments)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr == f"cmbs: there is no {what}\n"
    planner(cmbs)
    assert cmbs("token", "list", "planner").stderr == "cmbs: there is no token\n"
    for wrong in (["nobody"], ["planner", "--tenant", "acme"]):
        assert "There is no such principal. " in told(cmbs("token", "list", *wrong), 2)


def test_names_that_do_not_show_what_they_are(cmbs: Any, db: Connection) -> None:
    """Spelled out, so that they cannot be taken for others."""
    name, tenant = "a\u202ed", "ac\u200bme"
    create = ("principal", "create", name, "--role", "agent", "--tenant", tenant)
    answer = {
        **{"principal": '"a\\u202ed"', "tenant": '"ac\\u200bme"', "kind": "service"},
        **{"roles": "agent", "sources": "none", "state": "enabled"},
    }
    assert fields(cmbs(*create).stdout) == answer
    assert table(told(cmbs("principal", "list"))) == [answer]
    made = cmbs("token", "create", name, "--tenant", tenant)
    assert ' of "a\\u202ed" until ' in made.stderr
    (row,) = table(told(cmbs("token", "list")))
    assert (row["principal"], row["tenant"]) == (answer["principal"], answer["tenant"])
    Session(db)
    assert 'ok      identities of "ac\\u200bme"  2 rows' in told(cmbs("verify", "--all"))
    for odd in ("plan\nner", " planner", "planner\x7f"):
        said = told(cmbs("principal", "create", odd, "--role", "agent"), 4)
        assert said.startswith("cmbs: The request is not valid: name must be text without control")


def test_another_of_the_name(cmbs: Any) -> None:
    planner(cmbs)
    told(cmbs("principal", "create", "boss", "--tenant", "*", "--role", "admin"))
    for name, tenant, of in (("planner", "default", ""), ("boss", "*", " --tenant '*'")):
        assert told(cmbs("principal", "create", name, "--role", "tool"), 4) == (
            f"cmbs: there is another principal {name}, of the tenant {tenant}: "
            f"change it with cmbs principal change {name}{of}\n"
        )


def test_the_login_of_the_server_administers_nothing(
    cmbs: Any, database: str, tmp_path: Path
) -> None:
    server = make_conninfo(database, user="cmbs_server")
    for _ in ("while it is open", "from the first principal on"):
        for arguments in (PLANNER, ("token", "list")):
            said = told(run_here(*arguments, url=server), 4)
            assert said.endswith(": log in as a member of cmbs_owner or cmbs_admin\n")
        cmbs(*PLANNER)


def test_a_login_is_a_principal(cmbs: Any, db: Connection) -> None:
    name = f"agent{uuid4().hex[:8]}"
    db.execute(sql.SQL("create role {} login").format(sql.Identifier(name)))
    try:
        create = ("principal", "create", name, "--role", "agent")
        assert "a role of PostgreSQL has it" in told(cmbs(*create), 4)
        made = fields(cmbs(*create, "--login").stdout)
        assert (made["sources"], made["state"]) == ("none", "enabled, a login")
        assert "there is no such role of PostgreSQL" in told(
            cmbs("principal", "create", "nobody here", "--login", "--role", "agent"), 4
        )
    finally:
        db.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))


def test_who_speaks_for_no_source_is_told_how_to(cmbs: Any) -> None:
    create = ("principal", "create")
    for name, role, is_told in (
        *(("one", "agent", True), ("two", "tool", True), ("three", "encoder", True)),
        ("four", "policy", False),
    ):
        said = cmbs(*create, name, "--role", role).stderr
        told_how = f"cmbs: {name} speaks for no source, so nothing that it says can eliminate "
        assert (told_how in said) is is_told
        assert (f"cmbs principal change {name} --source PREFIX\n" in said) is is_told
    assert "source" not in cmbs(*create, "five", "--role", "agent", "--source", "").stderr


def test_a_token_from_first_to_last(cmbs: Any, db: Connection) -> None:
    planner(cmbs)
    token, made = token_of(cmbs, "planner", "--days", "7")
    assert (made["name"], made["old"]) == ("planner", None)
    assert identified(db, token)["name"] == "planner"
    (days,) = db.execute(
        "select round(extract(epoch from expires_at - created_at) / 86400)::int from cmbs.api_token"
    ).fetchone() or (0,)
    assert days == 7
    assert made["day"] == ends_on(db, made["id"])
    newer, rotated = token_of(cmbs, made["id"], action="rotate")
    assert rotated["old"] == made["id"] != rotated["id"]
    with pytest.raises(Unauthenticated):
        identified(db, token)
    assert identified(db, newer)["token"]["token_id"] == rotated["id"]
    assert rotated["day"] == ends_on(db, rotated["id"])
    listed = re.sub(r" {2,}", "  ", told(cmbs("token", "list", "planner")))
    until = rf"{rotated['day']} \d\d:\d\d \(in 7 days\)"
    assert re.fullmatch(
        r"token  principal  tenant  begins with  state  expires  last used  covers\n"
        rf"{rotated['id']}  planner  default  {rotated['prefix']}"
        rf"  valid  {until}  {WHEN}  all verbs\n"
        rf"{made['id']}  planner  default  {made['prefix']}"
        rf"  revoked {WHEN}  {until}  {WHEN}  all verbs\n",
        listed,
    ), listed
    revoke = ("token", "revoke", rotated["id"])
    said = rf"token    {rotated['id']} of planner\nrevoked  {WHEN}"
    assert re.fullmatch(rf"{said}\n", told(cmbs(*revoke)))
    assert re.fullmatch(rf"{said}, before this\n", told(cmbs(*revoke)))
    with pytest.raises(Unauthenticated):
        identified(db, newer)
    assert "The token is revoked." in told(cmbs("token", "rotate", rotated["id"]), 4)


def ends_on(db: Connection, token_id: str) -> str:
    """The day, in UTC, on which a token ends by itself."""
    query = (
        "select (expires_at at time zone 'UTC')::date::text from cmbs.api_token where token_id = %s"
    )
    found = db.execute(query, [token_id]).fetchone()
    assert found is not None
    return str(found[0])


def test_what_a_token_covers(cmbs: Any, db: Connection) -> None:
    planner(cmbs)
    token, _ = token_of(cmbs, "planner", "--verb", "eliminate", "--verb", "identify")
    assert identified(db, token)["token"]["verbs"] == ["eliminate", "identify"]
    (row,) = table(told(cmbs("token", "list")))
    assert re.fullmatch(WHEN, row["last used"])
    assert row["covers"] == "verbs eliminate, identify"
    assert told(cmbs("token", "create", "planner", "--verb", "destroy"), 4) == (
        "cmbs: The request is not valid: verbs must be names of verbs, such as eliminate, or left "
        "out for all\n"
    )


def test_lists_have_no_end_too_soon(cmbs: Any, db: Connection) -> None:
    for number in range(501):
        new = tokens.new()
        call(db, "create_principal", name=f"p{number:03}", kind="tool", roles=["tool"])
        call(db, "create_token", name=f"p{number:03}", digest=new.digest, prefix=new.prefix)
    names = [row["principal"] for row in table(told(cmbs("principal", "list")))]
    assert names == [f"p{number:03}" for number in range(501)]
    assert len({row["token"] for row in table(told(cmbs("token", "list")))}) == 501


def test_no_secret_is_anywhere_else(cmbs: Any, db: Connection, server: SimpleNamespace) -> None:
    planner(cmbs)
    token, _ = token_of(cmbs, "planner")
    said = told(cmbs("token", "list")) + told(cmbs("status")) + cmbs("verify", "--all").stdout
    for (relation,) in db.execute(
        "select c.oid::regclass::text from pg_class as c "
        "where c.relnamespace = 'cmbs_store'::regnamespace and c.relkind = 'r'"
    ).fetchall():
        said += str(db.execute(f"select t::text from {relation} as t".encode()).fetchall())
    if server.own:
        said += (server.own.data_dir / "postgres.log").read_text()
    assert token not in said
    assert tokens.digest(token).hex() not in said


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["principal", "change", "nobody", "--disable"], 2, "There is no such principal. .*nobody"),
        (
            ["principal", "create", "api", "--role", "tool"],
            4,
            "This name cannot be given .*: the name is reserved",
        ),
        (
            ["principal", "create", "", "--role", "tool"],
            4,
            "The request is not valid: name must be text of 1 to 128 ",
        ),
        ([*PLANNER, "--source", "x" * 513], 4, ".*: source_prefixes must be a "),
        (
            ["principal", "list", "--tenant", ""],
            4,
            "The request is not valid: tenant must be text ",
        ),
        (["token", "create", "nobody"], 2, "There is no such principal. .*nobody"),
        (["token", "revoke", str(NOBODY)], 2, "There is no such token. .*list of tokens.*"),
        (["token", "rotate", str(NOBODY)], 2, "There is no such token. "),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_refused_in_one_sentence(cmbs: Any, arguments: list[str], status: int, says: str) -> None:
    assert re.match(f"cmbs: {says}", said := told(cmbs(*arguments), status)), said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["principal"],
        ["principal", "create"],
        ["principal", "create", "p"],
        ["principal", "create", "p", "--role", "boss"],
        ["principal", "create", "p", "--role", "agent", "--kind", "boss"],
        ["principal", "change", "p", "--role"],
        ["principal", "change", "p", "--source", "s", "--no-sources"],
        ["principal", "change", "p", "--enable", "--disable"],
        ["token"],
        ["token", "create"],
        ["token", "create", "p", "--days", "0"],
        ["token", "revoke", "cmbs_abcdefgh"],
        ["token", "rotate"],
    ],
    ids=" ".join,
)
def test_usage(tmp_path: Path, arguments: list[str]) -> None:
    done = run_here(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"usage: cmbs {arguments[0]}")


@pytest.mark.parametrize("command", ["principal", "token"])
def test_help_with_examples(tmp_path: Path, command: str) -> None:
    whole = told(run_here(command, "--help"))
    actions = re.findall(r"^    (\w+)  ", whole, re.MULTILINE)
    assert len(actions) == (3 if command == "principal" else 4)
    for action in actions:
        said = " ".join(told(run_here(command, action, "--help")).split())
        assert re.search(rf"example: \S*cmbs {command} {action} ?", said), said


def test_the_kernel_has_the_same_kinds_and_roles(tx: Connection) -> None:
    defined = [
        tx.execute(
            "select pg_get_constraintdef(oid) from pg_constraint where conname = %s",
            [f"principal_{name}_check"],
        ).fetchone()
        for name in ("kind", "roles")
    ]
    found = [tuple(re.findall(r"'(\w+)'", row[0])) for row in defined if row]
    assert found == [KINDS, ROLES]


def test_an_administrator_of_one_tenant(cmbs: Any, db: Connection, database: str) -> None:
    name = f"boss{uuid4().hex[:8]}"
    db.execute(sql.SQL("create role {} login in role cmbs_admin").format(sql.Identifier(name)))
    try:
        create = ("principal", "create", name, "--login", "--role", "admin", "--tenant", "acme")
        assert cmbs(*create).returncode == 0
        url = make_conninfo(database, user=name)
        here = Path("/nowhere")
        made = fields(told(run(here, *PLANNER, url=url)))
        assert (made["principal"], made["tenant"]) == ("planner", "acme")
        assert told(run(here, "principal", "list", "--tenant", "globex", url=url), 4) == (
            "cmbs: The caller may not do this: the tenant is not the one of the caller; "
            "those made with --tenant '*' see others\n"
        )
    finally:
        db.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))


@pytest.mark.nightly
def test_whatever_isolation_is_the_default(
    cmbs: Any, db: Connection, database: str, analyst: str, tmp_path: Path
) -> None:
    """A registered login may write, or only look, where another would be refused as it began."""
    name = f"boss{uuid4().hex[:8]}"
    db.execute(
        sql.SQL("create role {} login in role cmbs_admin, cmbs_auditor").format(
            sql.Identifier(name)
        )
    )
    try:
        create = ("principal", "create", name, "--login", "--role", "admin", "--tenant", "acme")
        assert cmbs(*create).returncode == 0
        theirs, _ = agent_of(db, "acme")
        added = cmbs("analyst", "add", analyst, "--tenant", "acme")
        password = password_in(added.stdout)
        db.execute(
            sql.SQL(
                "alter database {} set default_transaction_isolation = 'repeatable read'"
            ).format(sql.Identifier(db.info.dbname))
        )
        boss = make_conninfo(database, user=name)
        looking = make_conninfo(database, user=analyst, password=password)
        made = fields(told(run_here(*PLANNER, url=boss)))
        assert (made["principal"], made["tenant"]) == ("planner", "acme")
        for number, where in enumerate((database, boss, looking)):
            file = str(tmp_path / f"{number}.zip")
            assert told(run_here("export", "--all", "-o", file, url=where)).startswith(
                "exported 1 session, 1 event to "
            )
            # What calls for belief is not granted to analysts and administrators.
            for command in ("verify", "replay", "explain")[: 1 if number else 3]:
                done = run_here(command, theirs, url=where)
                assert done.returncode == 0, done.stderr
            assert "every chain is whole" in told(run_here("verify", "--all", url=where))
            counted = fields(told(run_here("status", url=where)))["sessions"]
            assert counted == "1 open, 0 stuck in an obligation, 0 terminated"
    finally:
        told(cmbs("analyst", "remove", analyst))
        db.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))


def test_who_may_not(database: str, db: Connection, tmp_path: Path) -> None:
    name = f"agent{uuid4().hex[:8]}"
    db.execute(
        sql.SQL("create role {} login in role cmbs_agent, cmbs_auditor").format(
            sql.Identifier(name)
        )
    )
    try:
        url = make_conninfo(database, user=name)
        said = told(run_here(*PLANNER, url=url), 4)
        assert said == (
            "cmbs: permission denied for function create_principal: "
            "log in as a member of cmbs_owner or cmbs_admin\n"
        )
    finally:
        db.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))


def test_status_counts_them(cmbs: Any, database: str, tmp_path: Path) -> None:
    assert told(cmbs("status")).endswith("\ncallers   0 principals, 0 valid tokens\n")
    planner(cmbs)
    _, made = token_of(cmbs, "planner")
    token_of(cmbs, "planner")
    assert told(cmbs("status")).endswith("\ncallers   1 principal, 2 valid tokens\n")
    told(cmbs("token", "revoke", made["id"]))
    assert told(cmbs("status")).endswith("\ncallers   1 principal, 1 valid token\n")
    told(cmbs("principal", "change", "planner", "--disable"))
    assert told(cmbs("status")).endswith("\ncallers   1 principal, 0 valid tokens\n")


def test_verify_all_checks_the_logs_of_identities(cmbs: Any, db: Connection) -> None:
    Session(db)
    planner(cmbs)
    told(cmbs(*PLANNER, "--tenant", "acme"))
    lines = told(cmbs("verify", "--all")).splitlines()
    for line, tenant in zip(lines[1:3], ("acme", "default"), strict=True):
        assert re.fullmatch(rf"ok      identities of {tenant}  1 row  [0-9a-f]{{64}}", line)
    assert lines[3].endswith(": every chain is whole")
    db.execute("update cmbs_store.principal set roles = '{admin}' where tenant = 'acme'")
    broken = cmbs("verify", "--all")
    assert broken.returncode == 1
    assert re.search(r"^BROKEN  identities of acme  event \d: .+$", broken.stdout, re.MULTILINE)
    assert broken.stdout.endswith(" s: 1 log of identities broken\n")
    assert "ok      identities of default" in broken.stdout
    session = str(db.execute("select session_id from cmbs.session").fetchone()[0])  # type: ignore[index]
    assert cmbs("verify", session).returncode == 0, "one session is no matter of identities"


def test_verify_says_that_a_login_may_not_look(
    cmbs: Any, database: str, db: Connection, tmp_path: Path
) -> None:
    Session(db)
    name = f"ann{uuid4().hex[:8]}"
    told(cmbs("analyst", "add", name))
    try:
        where = make_conninfo(database, user=name, password="none")
        said = told(run_here("verify", "--all", url=where))
        assert "\nthe logs of identities were not checked: that takes an auditor or admin\n" in said
        assert "callers" not in told(run_here("status", url=where))
    finally:
        told(cmbs("analyst", "remove", name))


@pytest.fixture
def analyst(cmbs: Any, db: Connection) -> Iterator[str]:
    name = f"ann{uuid4().hex[:8]}"
    yield name
    db.execute(sql.SQL("drop role if exists {}").format(sql.Identifier(name)))


def test_an_analyst_of_a_tenant(cmbs: Any, db: Connection, database: str, analyst: str) -> None:
    planner(cmbs)
    Session(db)
    theirs, _ = agent_of(db, "acme")
    added = cmbs("analyst", "add", analyst, "--tenant", "acme")
    assert (added.returncode, added.stderr) == (0, "")
    password = password_in(added.stdout)
    where = make_conninfo(database, user=analyst, password=password)
    with psycopg.connect(where) as connection:
        seen = connection.execute("select session_id::text from cmbs.session").fetchall()
        assert seen == [(theirs,)]
        assert call(connection, "identify")["roles"] == ["auditor"]
    (row,) = table(told(cmbs("analyst", "list")))
    assert (row["analyst"], row["tenant"]) == (analyst, "acme")
    assert told(cmbs("analyst", "remove", analyst)) == f"{analyst} is removed\n"
    listed = table(told(cmbs("principal", "list", "--tenant", "acme")))
    assert {
        **{"principal": analyst, "tenant": "acme", "kind": "human", "roles": "auditor"},
        **{"sources": "none", "state": "disabled, a login"},
    } in listed
    for wrong in ([], ["--tenant", "globex"]):
        assert told(cmbs("analyst", "add", analyst, *wrong), 4) == (
            f"cmbs: {analyst} is registered for the tenant acme from before: "
            "name it with --tenant\n"
        )
    nobody = cmbs("analyst", "list")
    assert (nobody.returncode, nobody.stdout) == (0, ""), "it is all of it or nothing"
    assert nobody.stderr == "cmbs: there is no analyst\n"
    assert cmbs("analyst", "add", analyst, "--tenant", "acme").returncode == 0
    with psycopg.connect(where, password=None) as connection:
        assert call(connection, "tenant") == "acme"


def test_an_analyst_of_all_and_of_none(cmbs: Any, db: Connection, analyst: str) -> None:
    Session(db)
    assert cmbs("analyst", "add", analyst, "--tenant", "*").returncode == 0
    (row,) = table(told(cmbs("analyst", "list")))
    assert (row["analyst"], row["tenant"]) == (analyst, "*")
    assert told(cmbs("analyst", "add", f"{analyst}2", "--tenant", ""), 4).startswith(
        "cmbs: The request is not valid: tenant must be text"
    )
    assert f"{analyst}2" not in told(cmbs("analyst", "list"))


def password_in(stdout: str) -> str:
    """The password that `analyst add` made."""
    password, _, said = fields(stdout)["password"].partition(" ")
    assert said == "(shown this once)"
    return password


def agent_of(db: Connection, tenant: str) -> tuple[str, bytes]:
    """A session of the tenant, and the digest of the token that it was declared with."""
    new = tokens.new()
    call(
        db,
        "create_principal",
        name="agent",
        kind="agent",
        roles=["agent", "auditor"],
        source_prefixes=[""],
        tenant=tenant,
    )
    call(db, "create_token", name="agent", digest=new.digest, prefix=new.prefix, tenant=tenant)
    return str(Session(db, credential=new.digest).id), new.digest


@pytest.fixture
def other(db: Connection, database: str) -> Iterator[str]:
    """The address of another database, with nothing in it."""
    name = f"{db.info.dbname}_other"
    db.execute(f'drop database if exists "{name}" with (force)'.encode())
    db.execute(f"create database \"{name}\" template template0 encoding 'UTF8'".encode())
    yield make_conninfo(database, dbname=name)
    db.execute(f'drop database "{name}" with (force)'.encode())


@pytest.mark.nightly
def test_sessions_are_imported_for_a_tenant(
    cmbs: Any, db: Connection, other: str, tmp_path: Path
) -> None:
    session, file = str(rich_session(db)[0].id), str(tmp_path / "one.zip")
    told(cmbs("export", "--all", "-o", file))
    migrate.migrate(other)

    def imported(tenant: str) -> Any:
        return run_here("import", file, "--tenant", tenant, url=other)

    assert told(imported("*"), 4) == (
        "cmbs: The request is not valid: tenant must be one tenant, and * is all of them\n"
    )
    assert told(imported("acme")).startswith("imported 1 session, ")
    assert told(imported("acme")).startswith("imported 0 sessions, ")
    assert told(imported("globex"), 4) == (
        f"cmbs: session {session} is left alone, as its id is taken here by a session of the "
        "tenant acme; nothing was imported\n"
    )
    with psycopg.connect(other, autocommit=True) as there:
        _, digest = agent_of(there, "acme")
        assert call(there, "verify", session_id=session, credential=digest)["ok"] is True
        _, digest = agent_of(there, "globex")
        with pytest.raises(SessionNotFound):
            call(there, "query_belief", session_id=session, credential=digest)


@pytest.mark.nightly
@pytest.mark.slow("a server of its own and ten commands")
def test_on_the_embedded_database_while_it_serves() -> None:
    with reachable_folder() as folder, running(Served(folder)) as served:

        def cmbs(*arguments: str) -> Any:
            return run(served.data_dir, *arguments)

        def status(token: str | None = None) -> int:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return httpx.get(f"{served.address}/v1/sessions", headers=headers).status_code

        assert status() == 200
        planner(cmbs)
        assert status() == 401
        token, made = token_of(cmbs, "planner")
        assert status(token) == 200
        newer, rotated = token_of(cmbs, made["id"], action="rotate")
        assert (status(token), status(newer)) == (401, 200)
        assert re.fullmatch(WHEN, table(told(cmbs("token", "list")))[0]["last used"])
        told(cmbs("token", "revoke", rotated["id"]))
        assert status(newer) == 401
        with Client(served.address, token=token_of(cmbs, "planner")[0]) as client:
            assert client.identify().name == "planner"
            told(cmbs("principal", "change", "planner", "--disable"))
            with pytest.raises(Unauthenticated):
                client.identify()
        assert newer not in served.out + served.err
        absent = run(folder / "none", "principal", "list")
        assert "there is no database at" in told(absent, 2)


@pytest.mark.nightly
@pytest.mark.slow("starts PostgreSQL four times")
def test_where_a_database_is_made(tmp_path: Path) -> None:
    with reachable_folder() as folder:
        made = run(folder / "new", *PLANNER, "--source", "tool://")
        assert made.returncode == 0, made.stderr
        assert made.stderr == f"cmbs: made a database at {(folder / 'new').resolve()}\n" + FIRST
        again = run(folder / "new", "principal", "create", "other", "--role", "policy")
        assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.nightly
def test_identities_come_back_from_a_dump(
    cmbs: Any, db: Connection, other: str, tmp_path: Path
) -> None:
    session, digest = agent_of(db, "acme")
    file = str(tmp_path / "one.dump")
    told(cmbs("dump", "-o", file))
    done = run(tmp_path, "restore", file, url=other)
    assert done.returncode == 0, done.stderr
    assert "ok      identities of acme  2 rows" in done.stdout
    with psycopg.connect(other, autocommit=True) as restored:
        known = call(restored, "identify", credential=digest)
        assert (known["name"], known["tenant"]) == ("agent", "acme")
        sent = {"source_id": "s", "observation_id": "o", "eliminated": ["a"]}
        answer = call(restored, "eliminate", session_id=session, **sent, credential=digest)
        assert answer["applied_eliminated"] == ["a"]
