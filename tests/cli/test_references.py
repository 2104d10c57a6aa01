"""Ids as people type them: their beginning, `last`, and events by seq."""

import json
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Json

from tests.http.test_unavailable import login
from tests.support.beliefs import Connection, Session
from tests.support.commands import Run, fields, on

IDS = ("9b2f6c1e-0000-4000-8000-000000000001", "9b2f6c1e-0000-4000-8000-000000000002")
ALONE = "0c1b0000-0000-4000-8000-000000000003"


@pytest.fixture
def cmbs(database: str) -> Run:
    return on(database)


@pytest.fixture
def sessions(db: Connection) -> list[Session]:
    return [Session(db, "abcd", session_id=one) for one in (*IDS, ALONE)]


def explained(cmbs: Run, text: str) -> str:
    done = cmbs("explain", text)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return fields(done.stdout)["session"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0", ALONE),
        ("0c1b", ALONE),
        ("0C1B0000-0000-4", ALONE),
        ("0c1b000000004", ALONE),
        (ALONE, ALONE),
        (ALONE.upper(), ALONE),
        ("last", ALONE),
        (IDS[1], IDS[1]),
        (f"{{{IDS[1]}}}", IDS[1]),
    ],
)
def test_a_session(cmbs: Run, sessions: list[Session], text: str, found: str) -> None:
    assert explained(cmbs, text) == found


def test_every_beginning_that_no_other_has(cmbs: Run, sessions: list[Session]) -> None:
    for length in range(1, 35):
        beginning = IDS[0][:length]
        done = cmbs("explain", beginning)
        assert done.returncode == 2
        assert done.stderr == (
            f"cmbs: the id of more than one session begins with {beginning}: "
            f"{IDS[0]}, {IDS[1]}; give more of it\n"
        )
    assert explained(cmbs, IDS[0][:36]) == IDS[0]


def test_one_of_many_is_named_with_some_of_the_others(cmbs: Run, db: Connection) -> None:
    for number in range(5):
        Session(db, "ab", session_id=f"aa{number}00000-0000-4000-8000-000000000000")
    said = cmbs("explain", "aa").stderr
    assert said.endswith("aa000000, aa100000, aa200000, ...; give more of it\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("f", "there is no session whose id begins with f"),
        (str(UUID(int=5)), "There is no such session. Declare it first, or check the id."),
    ],
)
def test_one_that_is_not_there(cmbs: Run, sessions: list[Session], text: str, said: str) -> None:
    done = cmbs("explain", text)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"cmbs: {said}")


def test_the_last_of_none(cmbs: Run) -> None:
    done = cmbs("explain", "last")
    assert (done.returncode, done.stderr) == (2, "cmbs: there is no session yet\n")


@pytest.mark.parametrize("text", ["x", "lsat", "", "-", "12-g", "0" * 40, "' or 1=1 --", "0\x00"])
def test_what_is_no_id_is_refused_before_a_database_is_asked(cmbs: Run, text: str) -> None:
    done = cmbs("explain", text)
    assert done.returncode == 2
    assert "is no id: give the id of the session, the beginning of the id, or last" in done.stderr


def test_events_by_seq_by_id_and_the_last(cmbs: Run, db: Connection) -> None:
    session = Session(db, "abcd")
    first = session.eliminate("a")["snapshot"]["audit_head_event_id"]
    session.eliminate("b")
    session.eliminate("c")
    id_ = str(session.id)
    for text in ("2", first, first[:18], "02"):
        ends = json.loads(cmbs("diff", id_, text, "last", "--json").stdout)
        assert (ends["from"]["seq"], ends["to"]["seq"]) == (2, 4), text
    for text, said in (
        ("9", "there is no event with the seq 9 in the session"),
        ("f" * 9, f"there is no event whose id begins with {'f' * 9}"),
        ("99999999999999999999", "there is no event with the seq 99999999999999999999"),
    ):
        done = cmbs("diff", id_, text, "last")
        assert (done.returncode, done.stdout) == (2, ""), text
        assert said in done.stderr
    assert "or its seq, the beginning of the id" in cmbs("diff", id_, "x", "1").stderr


def test_of_another_session_nothing_is_found(cmbs: Run, db: Connection) -> None:
    session, other = Session(db, "ab"), Session(db, "ab")
    event = other.eliminate("a")["snapshot"]["audit_head_event_id"]
    done = cmbs("diff", str(session.id), event[:18], "1")
    assert (done.returncode, done.stdout) == (2, "")


def test_proposals_permits_and_tokens(cmbs: Run, db: Connection) -> None:
    session = Session(db, "ab")
    session("apply_policy", pack="belief-gated", version=1)
    grant = {"holder": "postgres", "tools": ["x"], "expires_at": "2099-01-01T00:00:00Z"}
    made = [session("issue_capability", grant=Json(grant)) for _ in range(2)]
    sent = json.dumps({"items": [{"kind": "state_delta", "patch": {"fact.x": "1"}}]})
    proposed = cmbs("propose", "last", "-", sent=sent)
    assert proposed.returncode == 3, proposed.stderr
    whole = json.loads(cmbs("explain-decision", "last", "last", "--json").stdout)
    by_seq = json.loads(cmbs("explain-decision", "last", str(whole["seq"]), "--json").stdout)
    by_beginning = json.loads(
        cmbs("explain-decision", "last", whole["proposal_id"][:18], "--json").stdout
    )
    assert whole == by_seq == by_beginning
    ids = [one["token_id"] for one in made]
    revoked = cmbs("capability", "revoke", "last", "last")
    assert (revoked.returncode, revoked.stderr) == (0, "")
    assert ids[1] in revoked.stdout
    assert ids[0] in cmbs("capability", "revoke", "last", ids[0][:18]).stdout
    done = cmbs("permit", "show", "last", "last")
    assert (done.returncode, done.stderr) == (2, "cmbs: there is no permit yet\n")


def test_tokens_of_principals(cmbs: Run) -> None:
    cmbs("principal", "create", "planner", "--role", "agent", "--source", "")
    first, second = (
        json.loads(cmbs("token", "create", "planner", "--json").stdout) for _ in range(2)
    )
    revoked = json.loads(cmbs("token", "revoke", "last", "--json").stdout)
    assert revoked["token_id"] == second["token_id"]
    rotated = json.loads(cmbs("token", "rotate", first["token_id"][:13], "--json").stdout)
    assert rotated["replaces"] == first["token_id"]


def test_several_sessions_and_files_of_that_name(
    cmbs: Run, sessions: list[Session], tmp_path: Path
) -> None:
    done = cmbs("verify", "0c1b", "last", IDS[0], "--json")
    assert [json.loads(line)["session_id"] for line in done.stdout.splitlines()] == [ALONE, IDS[0]]
    replayed = cmbs("replay", "last", "--json")
    assert json.loads(replayed.stdout.splitlines()[0])["session_id"] == ALONE
    file = f"{tmp_path}/sessions.zip"
    assert json.loads(cmbs("export", "0c1b", "-o", file, "--json").stdout)["n_sessions"] == 1


def test_a_login_without_the_views_gives_whole_ids(database: str, db: Connection) -> None:
    Session(db, "ab", session_id=ALONE)
    with login(database, "cmbs_agent") as name:
        cmbs = on(make_conninfo(database, user=name))
        assert explained(cmbs, ALONE) == ALONE
        done = cmbs("explain", "0c1b")
    assert done.returncode == 2
    assert done.stderr == (
        "cmbs: this login does not read the views, where a session is looked up: give its whole "
        "id\n"
    )


def test_of_another_tenant_nothing_is_found(database: str, db: Connection) -> None:
    Session(db, "ab", session_id=ALONE)
    with login(database, "cmbs_auditor") as name, psycopg.connect(database) as owner:
        owner.execute(
            "select cmbs.create_principal(p_name => %s, p_kind => 'human', "
            "p_roles => array['auditor'], p_tenant => 'other', p_is_login => true)",
            [name],
        )
        owner.commit()
        done = on(make_conninfo(database, user=name))("explain", "last")
    assert (done.returncode, done.stderr) == (2, "cmbs: there is no session yet\n")
