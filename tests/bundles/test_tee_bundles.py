"""Sessions that were declared from an incident, in files: the graph does not come along."""

import json
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call, stream
from cmbs.kernel.canonical import canonical, parse
from tests.bundles.test_bundles import export, other, run, take  # noqa: F401
from tests.sql.log.test_import_events import Taken, state
from tests.support.beliefs import Connection, Session
from tests.tee.scene import rich_tee, set_mirror


@pytest.fixture
def session(db: Connection) -> Session:
    """With nodes and edges, in part ruled out before it began; a Tee is told of it."""
    with db.transaction():
        set_mirror(db)
        session = rich_tee(db).session
        session.eliminate("a")
    return session


def row(connection: Connection, session: Session) -> dict[str, Any]:
    query = "select to_json(s) from cmbs_store.session as s where session_id = %s"
    found = connection.execute(query, [session.id]).fetchone()
    assert found is not None
    return dict(found[0])


def rest(connection: Connection, session: Session) -> list[Any]:
    """What a file takes along: not what a Tee is to be told here."""
    not_taken = ("session", "tee_message")
    return [one for one in state(connection, session.id) if one[0] not in not_taken]


def test_there_and_back(
    database: str,
    db: Connection,
    other: str,  # noqa: F811
    session: Session,
    tmp_path: Path,
) -> None:
    file, again = tmp_path / "a.zip", tmp_path / "b.zip"
    export(database, file)
    assert f"ok      {session.id}" in run("verify", file).stdout
    take(other, file)
    here = row(db, session)
    assert (here["is_mirrored"], json.loads(here["universe_from"])["edges"]) == (True, True)
    with psycopg.connect(other, autocommit=True) as there:
        assert row(there, session) == here | {"is_mirrored": False}
        assert rest(there, session) == rest(db, session)
        lines = list(stream(db, "audit_lines", session_id=session.id))
        assert list(stream(there, "audit_lines", session_id=session.id)) == lines
        assert call(there, "verify", session_id=session.id)["ok"]
        # Whoever took it over mirrors nothing of it, even where all that is new is mirrored.
        set_mirror(there)
        sent = {"source_id": "s", "observation_id": "there", "eliminated": ["b"]}
        call(there, "eliminate", session_id=session.id, **sent)
        assert there.execute("select from cmbs_store.tee_message").fetchall() == []
        assert call(there, "verify", session_id=session.id)["ok"]
    export(other, again)
    take(other, again)
    run("replay", file)
    assert f"session {session.id}" in run("replay", session.id, "--database-url", database).stdout


@pytest.mark.parametrize(
    "value",
    [
        *([], {}, {"tee_incident": ""}, {"tee_incident": "x" * 513}, {"edges": True}),
        *({"tee_incident": "i", "edges": of} for of in (False, None, 1)),
        {"tee_incident": "i", "x": 1},
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_no_verb_has_recorded_is_not_taken_over(tx: Connection, value: Any) -> None:
    with tx.transaction(force_rollback=True):
        taken = Taken(tx, rich_tee(tx).session.id)
    taken.register(tx)
    first = parse(taken.records[0])
    first["payload"]["universe_from"] = value
    with pytest.raises(errors.InvalidRequest) as caught, tx.transaction():
        taken.send(tx, [canonical(first)])
    assert caught.value.details["problem"] == "it does not declare the session"
    assert taken.send(tx, taken.records)["audit_seq"] == len(taken.records)
