"""The commands about questions, permits, modes and webhooks: what they tell, do and refuse."""

import contextlib
import io
import json
import os
import pty
import re
from pathlib import Path
from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs.cli import main
from cmbs.cli.say.decision import decided, explained
from cmbs.cli.say.execution import deferrals, permit, question
from cmbs.database.calls import call
from tests.cli.test_arbitration import THEN, TIME, UUID_, file, proposed, rows, timeless
from tests.cli.test_identities import told
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, Session
from tests.support.callers import caller, token
from tests.support.commands import Run, fields, on

CALL = {"kind": "tool_call", "tool_id": "db.restart", "args": {"host": "db-1"}}
CALL |= {"intent_summary": "the pool \x1bis stuck"}
SECRET = "0123456789abcdef01234567"


@pytest.fixture
def cmbs(database: str) -> Run:
    return on(database)


@pytest.fixture
def lead(db: Connection) -> bytes:
    """Who answers what the login of the commands asks."""
    return caller(db, "lead", "approver")


@pytest.fixture
def session(db: Connection) -> Session:
    """One under `supervised`, which asks before each restart."""
    found = Session(db, "ab")
    call(db, "register_tool", tool_id="db.restart", definition=Json({"effect_class": "network"}))
    assert found("apply_policy", pack="supervised", version=1)["approved"]
    return found


@pytest.fixture
def secret(session: Session) -> str:
    grant = {"holder": "postgres", "tools": ["db.restart"], "budgets": {"max_calls": 5}}
    grant |= {"expires_at": "2099-01-01T00:00:00Z", "state_prefixes": ["fact."]}
    return str(session("issue_capability", grant=Json(grant))["secret"])


def asked(cmbs: Run, session: Session, secret: str) -> tuple[str, str]:
    """The ids of a proposal that the login made, and of the question that it opened."""
    text = proposed(cmbs, session, CALL, status=3, capability_token=secret)
    found = re.search(rf"proposal +({UUID_})\n.*\n  question +({UUID_}), pending", text, re.DOTALL)
    assert found, text
    return found[1], found[2]


def allowed(cmbs: Run, session: Session, secret: str) -> str:
    """The id of the permit of a call that needs nobody's approval."""
    session("apply_policy", pack="belief-gated", version=1)
    session.eliminate("a", credential=caller(session.connection, "scout", "agent"))
    text = proposed(cmbs, session, CALL, capability_token=secret)
    found = re.search(rf"\n  permit  ({UUID_}), begin before {TIME}\n", text)
    assert found, text
    return found[1]


def answered(session: Session, interrupt: str, resolution: str, by: bytes) -> None:
    sent = {"interrupt_id": interrupt, "resolution": resolution, "comment": "ticket \x1b7"}
    session("resolve_interrupt", **sent, credential=by)


def test_a_question_is_listed_and_shown(cmbs: Run, session: Session, secret: str) -> None:
    id_ = str(session.id)
    none = cmbs("inbox", "list")
    assert (none.returncode, none.stdout) == (0, "")
    assert none.stderr == "cmbs: there is no pending question\n"
    proposal, interrupt = asked(cmbs, session, secret)
    why = "postgres asks for a call of db.restart: a person approves every tool that writes"
    row = {"question": interrupt, "session": id_, "state": "pending"}
    row |= {"asked": "TIME", "answer before": "TIME", "by": "postgres"}
    row |= {"action": 'db.restart {"host": "db-1"}', "why": why.partition(": ")[2]}
    for where in ([], ["--session", id_], ["--status", "pending", "--limit", "1"]):
        assert rows(told(cmbs("inbox", "list", *where))) == [row], where
    assert cmbs("inbox", "list", "--status", "expired").stdout == ""
    shown = told(cmbs("inbox", "show", id_, interrupt))
    assert re.fullmatch(
        rf"question       {why}\n"
        rf"session        {id_}\n"
        rf"proposal       {proposal}, item 1\n"
        rf"asked          {TIME} by postgres, source cli://\S+\n"
        r"policy         supervised, version 1\n"
        r"state          pending\n"
        rf"answer before  {TIME}\n"
        r"the action\n"
        r'  calls        db.restart with {"host": "db-1"}\n'
        r"  intent       the pool \\u001bis stuck\n"
        r"  digest       [0-9a-f]{64}\n"
        r"a yes lifts    constraint.writes\n",
        shown,
    ), shown
    for which in ([interrupt], [interrupt[:18]], ["last"], ["last", "last"], [id_, interrupt[:18]]):
        assert timeless(told(cmbs("inbox", "show", *which))) == timeless(shown), which
    answer = json.loads(told(cmbs("inbox", "show", id_, interrupt, "--json")))
    assert answer["action"]["args"] == {"host": "db-1"}
    assert answer["action_digest"] in shown
    gone = cmbs("inbox", "show", id_, str(NO_EVENT))
    assert "There is no such" in told(gone, 2)
    assert "There is no such session" in told(cmbs("inbox", "list", "--session", str(NOBODY)), 2)


def more(done: Any) -> list[str]:
    """The option that goes on where a list ended, which is no part of the list."""
    found = re.fullmatch(r"(?:cmbs: there are more: (--after) (\S+)\n)?", done.stderr)
    assert found, done
    return [option for option in found.groups() if option]


def test_long_lists_go_on(cmbs: Run, session: Session, secret: str) -> None:
    first, second = (asked(cmbs, session, secret)[1] for _ in range(2))
    for where, order in (([], [first, second]), (["--session", str(session.id)], [second, first])):
        found = []
        after: list[str] = []
        for _ in range(2):
            done = cmbs("inbox", "list", *where, "--limit", "1", *after)
            assert done.returncode == 0, done
            (row,) = rows(done.stdout)
            found.append(row["question"])
            after = more(done)
        assert (found, after) == (order, [])
    wrong = cmbs("inbox", "list", "--session", str(session.id), "--after", "x")
    assert told(wrong, 2) == (
        "cmbs: --after must be as an earlier list of this session showed it\n"
    )
    assert "cursor" in told(cmbs("inbox", "list", "--after", "x"), 4)


def test_an_action_is_approved_and_goes_on(
    cmbs: Run, session: Session, secret: str, lead: bytes, tmp_path: Path
) -> None:
    id_ = str(session.id)
    proposal, interrupt = asked(cmbs, session, secret)
    sent = json.dumps({"items": [CALL], "idempotency_key": "that of the proposal"})
    silent = told(cmbs("resume", id_, proposal, "-", sent=sent), 4)
    assert silent == "cmbs: APPROVAL_PENDING: The question has no answer yet; silence is none.\n"
    answered(session, interrupt, "approve", lead)
    other = json.dumps({"items": [{**CALL, "args": {"host": "db-2"}}]})
    assert "APPROVAL_ACTION_MISMATCH" in told(cmbs("resume", id_, proposal, "-", sent=other), 4)
    resumed = told(cmbs("resume", id_, proposal, "-", "--key", "r", sent=sent))
    assert re.fullmatch(
        rf"proposal  {UUID_}\ndecision  allow\npolicy    supervised, version 1\n"
        rf"item 1    allow\n  permit  {UUID_}, begin before {TIME}\n",
        resumed,
    ), resumed
    again = told(cmbs("resume", id_, proposal, file(tmp_path, sent), "--key", "r"))
    assert again.splitlines()[0] == f"{resumed.splitlines()[0]} (recorded before)"
    used = told(cmbs("resume", id_, proposal, "-", sent=sent), 4)
    assert used.startswith("cmbs: APPROVAL_CONSUMED: ")
    shown = told(cmbs("inbox", "show", id_, interrupt))
    assert timeless(shown).endswith(
        "\nanswer         approve, TIME by lead: ticket \\u001b7\n"
        f"used           by the proposal {fields(resumed)['proposal']}\n"
    ), shown
    assert "\nstate          consumed\n" in shown


def test_what_goes_on_is_decided_anew(
    cmbs: Run, session: Session, secret: str, lead: bytes
) -> None:
    proposal, interrupt = asked(cmbs, session, secret)
    answered(session, interrupt, "approve", lead)
    told(cmbs("policy", "halt", "--reason", "all stops"))
    sent = json.dumps({"items": [CALL]})
    done = cmbs("resume", str(session.id), proposal, "-", "--json", sent=sent)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["reason_code"]) == (3, "CONSTRAINT_DENIED")
    told(cmbs("policy", "resume", "--reason", "it goes on"))
    with_another = cmbs("resume", str(session.id), proposal, "-", "--token", "none", sent=sent)
    assert with_another.returncode == 3
    assert "TOKEN_UNKNOWN" in with_another.stdout
    from_environment = cmbs(
        "resume", str(session.id), proposal, "-", sent=sent, CMBS_CAPABILITY_TOKEN=secret
    )
    assert fields(told(from_environment))["decision"] == "allow"


def asked_by_another(session: Session) -> tuple[str, str]:
    """The ids of a question that the login may answer, and of the proposal that opened it."""
    planner = caller(session.connection, "planner", "agent")
    grant = {"holder": "planner", "tools": ["db.restart"], "budgets": {"max_calls": 1}}
    grant["expires_at"] = "2099-01-01T00:00:00Z"
    made = session("issue_capability", grant=Json(grant), minimal=True)
    proposal = {
        "state_snapshot_id": made["audit_event_id"],
        "provenance": {"source": "agent://p"},
        "capability_token": made["secret"],
        "idempotency_key": "k",
        "items": [CALL],
    }
    opened = session("propose", proposal=Json(proposal), credential=planner)
    return opened["items"][0]["interrupt_id"], opened["proposal_id"]


def continues(session: Session, proposal: str) -> str:
    """What is said to whoever approved it."""
    return (
        f"planner may continue: cmbs resume {session.id} {proposal} FILE, "
        f"or POST /v1/sessions/{session.id}/proposals/{proposal}/resume\n"
    )


@pytest.mark.parametrize(
    ("action", "status"),
    [("approve", "approved"), ("decline", "declined"), ("cancel", "cancelled")],
)
def test_the_login_answers_what_another_asked(
    cmbs: Run, session: Session, action: str, status: str
) -> None:
    interrupt, proposal_id = asked_by_another(session)
    line = f"question {interrupt} is {status}"
    then = continues(session, proposal_id) if action == "approve" else ""
    yes = {"approve": ["--yes"]}
    answer = (str(session.id), interrupt, "--comment", "ticket 7", *yes.get(action, []))
    answer = ("inbox", action, *answer)
    assert told(cmbs(*answer)) == f"{line}\n{then}"
    assert told(cmbs(*answer)) == f"{line} (recorded before)\n{then}"
    assert json.loads(told(cmbs(*answer, "--json")))["status"] == status
    other = "approve" if action == "decline" else "decline"
    refused = told(cmbs("inbox", other, str(session.id), interrupt, *yes.get(other, [])), 4)
    assert refused == "cmbs: APPROVAL_RESOLVED: The question has another answer already.\n"
    assert cmbs("inbox", "list").stdout == ""
    assert interrupt in told(cmbs("inbox", "list", "--status", status))


def test_nothing_is_approved_unseen(cmbs: Run, session: Session, secret: str) -> None:
    """Where there is no terminal to ask on, it takes the word of whoever calls."""
    _, interrupt = asked(cmbs, session, secret)
    for which in ([str(session.id), interrupt], [interrupt], ["last"]):
        assert told(cmbs("inbox", "approve", *which), 2) == (
            "cmbs: there is no terminal to ask on: look at the action with cmbs inbox show, and "
            "approve it with --yes\n"
        )
    (row,) = rows(told(cmbs("inbox", "list")))
    assert (row["question"], row["state"]) == (interrupt, "pending")


def typed(words: str, *command: str, is_seen: bool = True) -> tuple[int, str]:
    """The exit status of a command on a terminal on which somebody types this, and what it shows;
    not `is_seen`: standard error goes elsewhere."""
    leader, follower = pty.openpty()
    os.write(leader, f"{words}\n".encode())
    with os.fdopen(follower, "r+b", buffering=0), pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "200")
        with io.TextIOWrapper(io.FileIO(os.dup(follower)), write_through=True) as came_in:
            patch.setattr("sys.stdin", came_in)
            with io.TextIOWrapper(io.FileIO(os.dup(follower), "w"), write_through=True) as shown:
                if is_seen:
                    patch.setattr("sys.stderr", shown)
                status = main(command)
    said = b""
    # The end of what was written to a terminal that nobody has open is an error.
    with os.fdopen(leader, "rb", buffering=0) as reader, contextlib.suppress(OSError):
        while part := reader.read(65536):
            said += part
    plain = re.sub(r"\x1b\[[0-9;]*m", "", said.decode())
    return status, plain.replace("\r\n", "\n")


def test_on_a_terminal_it_asks_before_it_approves(
    database: str, cmbs: Run, session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupt, proposal = asked_by_another(session)
    shown = timeless(told(cmbs("inbox", "show", interrupt)))
    approve = ("inbox", "approve", interrupt, "--database-url", database)
    question = f"{shown}Approve exactly this action, as postgres? [y/N] "
    for words in ("n", "", "yess"):
        status, said = typed(words, *approve)
        # What is typed is shown before it is read.
        expected = f"{words}\n{question}cmbs: nothing was approved\n"
        assert (status, timeless(said).split()) == (3, expected.split())
        assert capsys.readouterr().out == ""
    (row,) = rows(told(cmbs("inbox", "list")))
    assert (row["question"], row["state"]) == (interrupt, "pending")
    status, _ = typed("y", *approve, is_seen=False)
    assert status == 2, "nobody approves what is shown elsewhere"
    assert "there is no terminal to ask on" in capsys.readouterr().err
    status, said = typed("Y", *approve)
    assert (status, timeless(said).split()) == (0, f"Y\n{question}".split())
    out = capsys.readouterr().out
    assert out == f"question {interrupt} is approved\n{continues(session, proposal)}"


def test_what_is_last_is_not_approved_unseen(cmbs: Run, session: Session) -> None:
    interrupt, _ = asked_by_another(session)
    said = told(cmbs("inbox", "approve", "last", "--yes"), 2)
    assert said == "cmbs: with --yes name the question by its id: another may be last by now\n"
    assert interrupt in told(cmbs("inbox", "list"))


def test_nobody_answers_what_he_asked(cmbs: Run, session: Session, secret: str) -> None:
    _, interrupt = asked(cmbs, session, secret)
    refused = told(cmbs("inbox", "approve", interrupt, "--yes"), 4)
    assert refused == (
        "cmbs: APPROVAL_OWN_REQUEST: Who proposes an action cannot answer the question about it.\n"
    )
    assert interrupt in told(cmbs("inbox", "list"))


def test_a_permit_from_first_to_last(cmbs: Run, session: Session, secret: str) -> None:
    id_ = str(session.id)
    none = cmbs("permit", "list", id_)
    assert (none.returncode, none.stdout) == (0, "")
    assert none.stderr == "cmbs: there are no permits in this session\n"
    none = cmbs("permit", "list", id_, "--status", "rolled_back")
    assert none.stderr == "cmbs: there are no permits in this session that are rolled_back\n"
    given = allowed(cmbs, session, secret)
    what = 'db.restart with {"host": "db-1"}'
    row = {"permit": given, "state": "issued", "begin before": "TIME", "calls": what}
    row |= {"proposed by": "postgres", "begun by": "-"}
    assert rows(told(cmbs("permit", "list", id_))) == [row]
    early = told(cmbs("permit", "complete", id_, given, "--outcome", "ok"), 4)
    assert early.startswith("cmbs: PERMIT_NOT_BEGUN: ")
    begun = told(cmbs("permit", "begin", id_, given))
    assert begun == f"permit  {given}\nstate   executing\ncalls   {what}\n"
    again = told(cmbs("permit", "begin", id_, given), 4)
    used = "The execution of the permit was begun before. postgres began it."
    assert again == f"cmbs: PERMIT_USED: {used}\n"
    shown = told(cmbs("permit", "show", id_, given))
    assert re.fullmatch(
        rf"permit        {given}\n"
        rf"proposal      {UUID_}, item 1\n"
        r"issued        TIME to postgres\n"
        r"begin before  TIME\n"
        r"state         executing, its end is not reported yet\n"
        rf"calls         {re.escape(what)}\n"
        r"digest        [0-9a-f]{64}\n"
        r"begun         TIME by postgres\n",
        timeless(shown),
    ), shown
    row |= {"state": "executing", "begin before": "-", "begun by": "postgres"}
    assert rows(told(cmbs("permit", "list", id_, "--status", "executing"))) == [row]
    result = json.dumps({"said": "done \x1b", "ms": 1.50}).replace("1.5", "1.50")
    ends = ("permit", "complete", id_, given, "--outcome", "ok", "--result", "-")
    committed = f"permit  {given}\nstate   committed"
    assert told(cmbs(*ends, sent=result)) == f"{committed}\n"
    assert told(cmbs(*ends, sent=result)) == f"{committed} (recorded before)\n"
    other = told(cmbs(*ends, sent="{}"), 4)
    assert other.startswith("cmbs: PERMIT_COMPLETED: ")
    shown = told(cmbs("permit", "show", id_, given))
    assert '\nresult        {"ms": 1.50, "said": "done \\u001b"}\n' in shown
    assert fields(shown)["state"] == "committed"
    answer = json.loads(told(cmbs("permit", "show", id_, given, "--json")))
    assert (answer["status"], answer["ended"]["result"]["ms"]) == ("committed", 1.5)
    assert "There is no such" in told(cmbs("permit", "show", id_, str(NO_EVENT)), 2)


def test_an_execution_that_failed(cmbs: Run, session: Session, secret: str, tmp_path: Path) -> None:
    id_, given = str(session.id), allowed(cmbs, session, secret)
    assert json.loads(told(cmbs("permit", "begin", id_, given, "--json")))["args"] == {
        "host": "db-1"
    }
    ends = ("permit", "complete", id_, given, "--outcome", "error")
    for wrong, said in (("[]", "must hold a JSON object"), ('{"a": 1, "a": 2}', "a key twice")):
        assert said in told(cmbs(*ends, "--result", file(tmp_path, wrong)), 2)
    assert "usage must be of units" in told(cmbs(*ends, "--usage", "cents=3"), 4)
    rolled_back = f"permit  {given}\nstate   rolled back\n"
    assert told(cmbs(*ends, "--usage", "max_calls=1")) == rolled_back
    assert fields(told(cmbs("permit", "show", id_, given)))["used"] == "max_calls 1"
    (row,) = rows(told(cmbs("permit", "list", id_, "--status", "rolled_back")))
    assert (row["permit"], row["state"]) == (given, "rolled back")
    assert cmbs(*ends, "--usage", "x").returncode == 2


def test_what_stands_against_a_permit_is_told(cmbs: Run, session: Session, secret: str) -> None:
    """As it is now: nothing is begun on the strength of what was true."""
    given = allowed(cmbs, session, secret)
    told(cmbs("policy", "halt", "--reason", "all stops"))
    first, *reasons = told(cmbs("permit", "begin", str(session.id), given), 4).splitlines()
    assert first.startswith("cmbs: CONSTRAINT_DENIED: ")
    assert [line.split()[:2] for line in reasons] == [["CONSTRAINT_DENIED", "constraint.halt:"]]
    (row,) = rows(told(cmbs("permit", "list", str(session.id))))
    assert (row["permit"], row["state"]) == (given, "issued")


def test_who_began_an_execution_is_named(
    cmbs: Run, session: Session, secret: str, db: Connection
) -> None:
    given = allowed(cmbs, session, secret)
    session("begin_execution", permit_id=given, credential=caller(db, "runner", "tool"))
    refused = told(cmbs("permit", "complete", str(session.id), given, "--outcome", "ok"), 4)
    assert refused.startswith("cmbs: PERMIT_HOLDER_MISMATCH: ")
    assert refused.endswith(" runner began it.\n")
    # What it needs to tell the end is its name, not the token that it lost.
    with_another = token(db, "runner", "another")
    ended = session("complete_execution", permit_id=given, outcome="error", credential=with_another)
    assert ended["status"] == "rolled_back"


def test_a_mode_forbids_and_is_left(cmbs: Run, session: Session, secret: str) -> None:
    id_ = str(session.id)
    assert told(cmbs("mode", id_)) == f"session  {id_}\nmode     normal\n"
    set_ = told(cmbs("mode", id_, "offline_safe", "--reason", "the line is down"))
    assert set_ == f"session  {id_}\nmode     offline_safe\n"
    assert told(cmbs("mode", id_)) == set_
    assert json.loads(told(cmbs("mode", id_, "--json"))) == {"mode": "offline_safe"}
    text = proposed(cmbs, session, CALL, status=3, capability_token=secret)
    why = "MODE_FORBIDS  the mode offline_safe forbids effects that are network"
    assert f"\n  because  {why}\n" in text
    assert json.loads(told(cmbs("mode", id_, "normal", "--json")))["mode"] == "normal"
    assert "MODE_FORBIDS" not in proposed(cmbs, session, CALL, status=3, capability_token=secret)
    assert cmbs("mode", id_, "none").returncode == 2
    for mode in ([], ["eco"]):
        assert "There is no such session" in told(cmbs("mode", str(NOBODY), *mode), 2)
    unnamed = told(cmbs("mode", id_, "--reason", "why"), 2)
    assert unnamed == "cmbs: --reason is why a mode is set: name the mode\n"


WAITS = "waits for  fact.ready\nnext try   TIME at the latest, 5 tries left\n"


def deferred(cmbs: Run, session: Session, secret: str, **entries: Any) -> str:
    """The id of a call that waits for `fact.ready`, under a policy that has these entries, too."""
    rule = {"v": 1, "effect": "deny", "subject": {"tool_id": "db.restart"}}
    waits = rule | {"on_fail": "defer", "when": {"op": "missing", "args": ["fact.ready"]}}
    all_ = {"policy.arbitration": {"v": 1, "default": "grant"}, "constraint.waits": waits}
    all_ |= {f"constraint.{name}": rule | found for name, found in entries.items()}
    told(cmbs("policy", "publish", "waits", "-", sent=json.dumps(all_)))
    told(cmbs("policy", "apply", str(session.id), "waits"))
    text = proposed(cmbs, session, CALL, status=3, capability_token=secret)
    assert timeless(text).startswith(
        f"proposal   {fields(text)['proposal']}\ndecision   defer, defer (CONSTRAINT_DENIED)\n"
        f"policy     waits, version 1\n{WAITS}item 1     defer, defer (CONSTRAINT_DENIED)\n"
        "  because  CONSTRAINT_DENIED  constraint.waits: fact.ready must be there, is not there\n"
    ), text
    return fields(text)["proposal"]


def supplied(cmbs: Run, session: Session, secret: str) -> None:
    """What it waits for."""
    fact = {"kind": "state_delta", "patch": {"fact.ready": '{"v": 1, "value": true}'}}
    proposed(cmbs, session, fact, capability_token=secret)


def test_what_a_proposal_waits_for_is_told(cmbs: Run, session: Session, secret: str) -> None:
    id_ = str(session.id)
    none = cmbs("deferral", "list", id_)
    assert (none.returncode, none.stdout) == (0, "")
    assert none.stderr == "cmbs: nothing was deferred in this session\n"
    proposal = deferred(cmbs, session, secret)
    assert f"\n{WAITS}" in timeless(told(cmbs("explain-decision", id_, proposal)))
    proposed_ = f"  proposed  TIME by postgres, {proposal}\n"
    text = timeless(told(cmbs("deferral", "list", id_)))
    assert re.fullmatch(
        rf"deferral    {UUID_}\n"
        rf"  state     waiting for fact.ready, next try TIME at the latest\n{proposed_}",
        text,
    ), text
    supplied(cmbs, session, secret)
    text = timeless(told(cmbs("deferral", "list", id_)))
    assert re.fullmatch(
        rf"deferral    {UUID_}\n  state     allowed by a later try\n{proposed_}"
        rf"  retry 1   TIME by postgres, {UUID_}: allow \(ALLOWED\)\n",
        text,
    ), text
    answer = json.loads(told(cmbs("deferral", "list", id_, "--json")))
    (found,) = answer["deferrals"]
    why = told(cmbs("explain-decision", id_, found["tries"][-1]["proposal_id"]))
    assert fields(why)["retry"] == "1, by postgres"
    assert "There is no such session" in told(cmbs("deferral", "list", str(NOBODY)), 2)


def test_long_lists_of_deferrals_go_on(cmbs: Run, session: Session, secret: str) -> None:
    made = [deferred(cmbs, session, secret) for _ in range(2)]
    found = []
    after: list[str] = []
    for _ in range(2):
        done = cmbs("deferral", "list", str(session.id), "--limit", "1", *after)
        assert done.returncode == 0, done
        found += re.findall(rf"\n  proposed  .+ by postgres, ({UUID_})\n", done.stdout)
        after = more(done)
    assert (found, after) == (made[::-1], [])


def test_a_try_that_asks_a_person_is_told(cmbs: Run, session: Session, secret: str) -> None:
    deferred(cmbs, session, secret, asks={"on_fail": "ask"})
    supplied(cmbs, session, secret)
    text = timeless(told(cmbs("deferral", "list", str(session.id))))
    found = re.fullmatch(
        rf"deferral    {UUID_}\n  state     asked a person: see ({UUID_})\n.+\n"
        rf"  retry 1   TIME by postgres, ({UUID_}): defer \(CONSTRAINT_DENIED\)\n",
        text,
    )
    assert found, text
    assert found[1] == found[2]
    (row,) = rows(told(cmbs("inbox", "list")))
    shown = told(cmbs("inbox", "show", str(session.id), row["question"]))
    assert f"\nproposal       {found[1]}, item 1\n" in shown


def timed(parts: list[Any]) -> list[tuple[str, str]]:
    """Fields without the times in them."""
    return [(label, timeless(text)) for label, text in parts]


def test_every_end_of_a_deferral_is_told() -> None:
    tries = [{"proposal_id": "p", "attempt": 0, "ts": THEN, "by": "b\x1b"}]
    one = {"deferral_id": "d", "missing": [], "next_at": None, "tries": tries}
    for status, said in (
        ("deny", "denied by a later try"),
        ("exhausted", "out of tries: the policy allows no more"),
        ("ended", "ended with its session"),
        ("defer", "deferred, without another try: see p"),
    ):
        answer = {"deferrals": [one | {"status": status}], "next_before": None}
        assert timed([*deferrals(answer, set())]) == [
            ("deferral", "d"),
            ("  state", said),
            ("  proposed", 'TIME by "b\\u001b", p'),
        ]


def test_offers_and_ends_are_told() -> None:
    """As they stand in an answer."""
    item = {"item_no": 1, "decision": "deny", "disposition": "degrade", "reason_code": "C"}
    item |= {"effective": False, "offer": {"kind": "mode", "mode": "offline_safe"}}
    answer = {**item, "proposal_id": "p", "duplicate": False, "reasons": [], "items": [item]}
    answer["policy"] = {"pack": "p", "version": 1}
    answer["deferral"] = {"missing": [], "next_at": None}
    assert [*decided(answer)][3:] == [
        ("item 1", "deny, degrade (C)"),
        ("  instead", "the mode offline_safe does not forbid it"),
    ]
    answer["deferral"] = {"missing": [], "next_at": THEN, "attempt": 3, "max_attempts": 5}
    assert timed([*decided(answer)][3:5]) == [
        ("waits for", "time to pass"),
        ("next try", "TIME at the latest, 2 tries left"),
    ]


def test_what_a_decision_goes_on_with_is_told() -> None:
    waives = [{"code": "CONSTRAINT_DENIED", "key": "constraint.a"}, {"code": "APPROVAL_REQUIRED"}]
    shadow = {"policy": {"pack": "s", "version": 2}, "decision": "deny", "disposition": "block"}
    answer: dict[str, Any] = {
        **{"proposal_id": "p", "ts": THEN, "actor": "a", "seq": 1, "decision": "allow"},
        **{"reasons": [], "items": [], "proposal": {"provenance": {"source": "s"}}},
        "policy": {"pack": "p", "version": 1},
        "resumes": {"seq": 7, "approvals": [{"waives": waives}, {"waives": waives[:1]}]},
        "shadow": {**shadow, "reason_code": "NO_APPLICABLE_ALLOW"},
    }
    assert [*explained(answer)][5:] == [
        ("continues", "event 7; approvals lift constraint.a, APPROVAL_REQUIRED"),
        ("shadow", "s, version 2: deny, block (NO_APPLICABLE_ALLOW)"),
    ]
    answer["retries"] = {"attempt": 2, "by": "b"}
    answer["deferral"] = {"missing": ["fact.a"], "next_at": THEN, "attempt": 2, "max_attempts": 5}
    assert timed([*explained(answer)][6:9]) == [
        ("retry", "2, by b"),
        ("waits for", "fact.a"),
        ("next try", "TIME at the latest, 3 tries left"),
    ]


def test_a_reason_is_told_where_the_constraint_fires() -> None:
    rule = {"key": "constraint.a", "reason": "a person approves", "on_fail": "ask"}
    answer: dict[str, Any] = {
        **{"proposal_id": "p", "ts": THEN, "actor": "a", "seq": 1, "decision": "allow"},
        **{"reasons": [], "proposal": {"provenance": {"source": "s"}}},
        "policy": {"pack": "p", "version": 1},
    }
    item = {"item_no": 1, "decision": "allow", "effective": True}
    item["item"] = {"kind": "tool_call", "tool_id": "t", "args": {}}
    always = {"condition": None, "unlock": "it denies always"}
    for outcome, more, said in (
        ("does not deny", {"condition": None}, ["does not deny"]),
        ("allows", {"condition": None}, ["allows"]),
        ("waived", {"condition": None}, ["waived: a person approves"]),
        ("denies", always, ["denies, on_fail ask: a person approves"]),
        ("malformed", {"unlock": "it is broken"}, ["malformed", "unlock: it is broken"]),
    ):
        answer["items"] = [item | {"constraints": [rule | {"outcome": outcome, **more}]}]
        first, *rest = [*explained(answer)][7:]
        assert [first.removeprefix("  constraint.a  "), *map(str.strip, rest)] == said


def test_a_question_of_a_token_and_a_permit_that_ran_out_are_told() -> None:
    who: dict[str, Any] = {"provenance": {}, "asked_at": THEN, "asked_by": "a"}
    who |= {"question": "q", "session_id": "s", "proposal_id": "p", "item_no": 1}
    who |= {"policy": {"pack": "p", "version": 1}, "expires_at": THEN, "action_digest": "d"}
    who |= {"status": "pending", "constraint_keys": [], "resolution": None, "consumed_by": None}
    parts = [*question(who | {"action": {"kind": "tool_call", "tool_id": "t", "args": {}}})]
    assert parts[-1] == ("a yes lifts", "nothing but the token's requirement")
    found: dict[str, Any] = {"permit_id": "i", "proposal_id": "p", "item_no": 1}
    found |= {"issued_at": THEN, "proposed_by": "a", "expires_at": THEN, "status": "expired"}
    found |= {"tool_id": "t", "args": {}, "args_hash": "h", "begun": None}
    found["ended"] = {"at": THEN, "result": None, "usage": None}
    assert timed([*permit(found)][4:]) == [
        ("state", "expired"),
        ("calls", "t with {}"),
        ("digest", "h"),
        ("ended", "TIME"),
    ]


def test_a_webhook_is_set_and_what_is_to_be_told_is_listed(
    cmbs: Run, session: Session, secret: str, db: Connection
) -> None:
    url = "https://chat.example/hook"
    told_ = told(cmbs("webhook", "set", url, sent=f"{SECRET}\n"))
    assert told_ == f"tenant    default\nnotifies  {url}\n"
    again = cmbs("webhook", "set", f"{url}2", "--json", CMBS_WEBHOOK_SECRET=f"{SECRET}2")
    assert json.loads(told(again)) == {"tenant": "default", "url": f"{url}2"}
    kept = db.execute("select url, secret from cmbs_store.webhook order by webhook_no").fetchall()
    assert kept == [(url, SECRET), (f"{url}2", f"{SECRET}2")]
    none = cmbs("webhook", "list")
    every = "cmbs: no message waits or was given up\n"
    assert (none.returncode, none.stdout, none.stderr) == (0, "", every)
    _, interrupt = asked(cmbs, session, secret)
    (line,) = rows(told(cmbs("webhook", "list")))
    message = line["message"]
    assert re.fullmatch(UUID_, message)
    assert line == {
        **{"message": message, "state": "pending", "event": "interrupt.opened"},
        **{"question": interrupt, "made": "TIME", "tries": "0", "next try": "TIME"},
        "last error": "-",
    }
    (taken,) = call(db, "take_webhooks")["messages"]
    failed = {"session_id": session.id, "message_id": taken["message_id"]}
    call(db, "settle_webhook", **failed, error="it said \x1b404", is_gone=True)
    line |= {"state": "dead", "tries": "1", "next try": "-", "last error": "it said \\u001b404"}
    assert rows(told(cmbs("webhook", "list"))) == [line]
    row = json.loads(told(cmbs("webhook", "list", "--json")))
    assert (row["state"], row["interrupt_id"]) == ("dead", interrupt)
    assert told(cmbs("webhook", "off")) == "tenant    default\nnotifies  nobody\n"
    asked(cmbs, session, secret)
    assert rows(told(cmbs("webhook", "list"))) == [line]


@pytest.mark.parametrize(
    ("url", "sent", "status", "said"),
    [
        (
            *("https://chat.example", "", 2),
            "there is no secret: set CMBS_WEBHOOK_SECRET, or write it to",
        ),
        ("https://chat.example", "short\n", 4, "secret must have 24 characters or more"),
        ("ftp://chat.example", f"{SECRET}\n", 4, "url must be an http or https address"),
    ],
)
def test_a_webhook_that_cannot_be(cmbs: Run, url: str, sent: str, status: int, said: str) -> None:
    refused = told(cmbs("webhook", "set", url, sent=sent), status)
    assert said in refused
    assert SECRET not in refused


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("permit list", "executing: it was begun, and its end is not reported yet"),
        (
            "permit complete",
            "exit status: 0 it is recorded, also where it was before, 4 it is refused",
        ),
        ("inbox list", "superseded: a constraint that a yes would lift was changed since"),
        ("inbox cancel", "It counts as neither yes nor no."),
    ],
)
def test_help_says_what_words_mean(cmbs: Run, command: str, said: str) -> None:
    assert said in " ".join(cmbs(*command.split(), "--help").stdout.split())
