"""Sessions of arbitration from before permits, answers and deferrals: whole, and taken further."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call, stream
from cmbs.deploy import migrate
from tests import older
from tests.arbitration.scene import tool_call
from tests.beliefs import Connection
from tests.callers import caller, digest
from tests.test_bundles import export, other, run, take  # noqa: F401
from tests.test_migrate import create_database, state

# Who proposed everything.
ANN = digest("token of ann of None")


@pytest.fixture
def url(db: Connection) -> Iterator[str]:
    name = f"{db.info.dbname}_older"
    made = create_database(db, name)
    older.create(made, "0007")
    with psycopg.connect(made, autocommit=True) as connection:
        loaded = older.load(connection)
        older.add_dropped_functions(connection, "0007")
        assert (loaded["session"], loaded["proposal"], loaded["interrupt"]) == (3, 14, 5)
    assert migrate.revision(made) == "0007"
    yield made
    db.execute(f'drop database "{name}" with (force)'.encode())


@pytest.fixture
def upgraded(url: str) -> Iterator[Connection]:
    migrate.migrate(url)
    with psycopg.connect(url, autocommit=True) as connection:
        let_it_be_late(connection)
        yield connection


def let_it_be_late(connection: Connection) -> None:
    """To a clock that is behind what is recorded, all that was granted has run out."""
    ((late,),) = connection.execute(
        "select extract(epoch from max(e.recorded_at) - now())::text "
        "from cmbs_store.audit_event as e"
    ).fetchall()
    connection.execute(
        "create or replace function cmbs_store.clock() returns timestamptz language sql "
        f"volatile as $$ select clock_timestamp() + interval '{late} seconds' $$".encode()
    )


def asking(connection: Connection) -> Any:
    """The session in which two questions are open, and its id as an argument."""
    ((session_id,),) = connection.execute(
        "select i.session_id from cmbs.interrupt as i where i.status = 'expired' "
        "group by i.session_id having count(*) = 2"
    ).fetchall()
    return {"session_id": session_id, "credential": ANN}


def logs(connection: Connection) -> list[Any]:
    query = "select session_id, seq, record, event_hash from cmbs_store.audit_event order by 1, 2"
    return connection.execute(query.encode()).fetchall()


def test_it_stays_whole(url: str, db: Connection) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        before = logs(connection)
        migrate.migrate(url)
        assert logs(connection) == before
        assert state(connection) == state(db)
        assert all(f'"{member}"' not in record for _, _, record, _ in before for member in NEW)
        found = connection.execute("select ok, reason from cmbs.verify_all()").fetchall()
        assert found == [(True, None)] * 3
        assert call(connection, "verify_identities")["ok"] is True
        for session_id in {row[0] for row in before}:
            assert call(connection, "verify", session_id=session_id)["ok"] is True


# What no record of that time has.
NEW = ("permit_id", "deferral", "shadow", "retries", "resumes")


def test_what_was_open_is_in_the_inbox(upgraded: Connection) -> None:
    approver = caller(upgraded, "eve", "approver")
    statuses = upgraded.execute("select status, count(*) from cmbs.interrupt group by 1 order by 1")
    assert statuses.fetchall() == [("ended", 2), ("expired", 3)]
    inbox = call(upgraded, "list_inbox", credential=approver)["interrupts"]
    assert [found["status"] for found in inbox] == ["pending"] * 3
    session = asking(upgraded)
    mine = [found for found in inbox if found["session_id"] == str(session["session_id"])]
    assert len(mine) == 2
    assert call(upgraded, "list_interrupts", **session)["interrupts"]
    for verb, member in (("list_permits", "permits"), ("list_deferrals", "deferrals")):
        assert call(upgraded, verb, **session)[member] == []
    assert call(upgraded, "list_due", credential=ANN)["sessions"] == []


def test_it_is_answered_and_gone_on_with(upgraded: Connection) -> None:
    approver = caller(upgraded, "eve", "approver")
    session = asking(upgraded)

    def send(verb: str, **more: object) -> Any:
        return call(upgraded, verb, **session | more)

    newest, asked = send("list_interrupts")["interrupts"]
    items = Json({"items": [tool_call("rich.tool", {"n": 1.1})]})
    going_on = {"proposal_id": asked["proposal_id"], "proposal": items}
    with pytest.raises(errors.Conflict) as caught:
        send("resume", **going_on)
    assert caught.value.details["reason_code"] == "APPROVAL_PENDING"
    for question, resolution in ((asked, "approve"), (newest, "decline")):
        answer = {"interrupt_id": question["interrupt_id"], "resolution": resolution}
        send("interrupt_resolve", **answer, credential=approver)
    resumed = send("resume", **going_on)
    assert resumed["decision"] == "allow", resumed["reasons"]
    permit = {"permit_id": resumed["items"][0]["permit_id"]}
    assert send("begin_execution", **permit)["status"] == "executing"
    assert send("complete_execution", **permit, outcome="ok")["status"] == "committed"
    other_one = Json({"items": [tool_call("rich.tool")]})
    with pytest.raises(errors.Conflict) as caught:
        send("resume", proposal_id=newest["proposal_id"], proposal=other_one)
    assert caught.value.details["reason_code"] == "APPROVAL_DECLINED"
    found = [one["status"] for one in send("list_interrupts")["interrupts"]]
    assert found == ["declined", "consumed"]
    assert call(upgraded, "verify", session_id=session["session_id"])["ok"] is True


def test_a_repeat_hears_what_was_decided(upgraded: Connection) -> None:
    """The very message of that time, with the same key: nothing is decided anew."""
    session = asking(upgraded)
    proposals = call(upgraded, "list_proposals", **session)["proposals"]
    (allowed, *_) = proposals
    before = len(logs(upgraded))
    event = {"event_id": allowed["proposal_id"], **session}
    payload = call(upgraded, "audit_event", **event)["payload"]
    assert "v" not in payload
    found = call(upgraded, "propose", proposal=Json(payload["proposal"]), **session)
    assert found["duplicate"] is True
    assert (found["decision"], found["items"]) == (allowed["decision"], payload["items"])
    assert len(logs(upgraded)) == before


def test_it_is_taken_into_another_database(
    upgraded: Connection,
    other: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.zip"
    export(upgraded.info.dsn, file)
    assert run("verify", file).stdout.count("\nok ") + 1 >= 3
    take(other, file)
    with psycopg.connect(other, autocommit=True) as there:
        assert logs(there) == logs(upgraded)
        for session_id in {row[0] for row in logs(there)}:
            assert call(there, "verify", session_id=session_id)["ok"] is True
            lines = list(stream(upgraded, "audit_lines", session_id=session_id))
            assert list(stream(there, "audit_lines", session_id=session_id)) == lines
        let_it_be_late(there)
        pending = call(there, "list_inbox")["interrupts"]
        assert len({UUID(found["interrupt_id"]) for found in pending}) == 3
