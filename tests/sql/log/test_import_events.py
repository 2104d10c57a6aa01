"""cmbs.import_events: a log taken over leaves what the verbs would have left."""

import random
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call, stream
from cmbs.kernel.canonical import canonical, hash_text, parse
from tests.support.beliefs import Connection, Session, background, contents, rich_session
from tests.support.plays import play
from tests.support.sizes import size
from tests.support.tables import of_kind


class Taken:
    """A session as it was before it was rolled back: what to import, and what must come of it."""

    def __init__(self, connection: Connection, session_id: UUID) -> None:
        self.id = session_id
        (self.policy,) = _one(
            connection,
            "select policy_as_sent from cmbs_store.session where session_id = %s",
            self.id,
        )
        (self.ids,) = _one(
            connection,
            "select array_agg(hypothesis_id) from cmbs.universe_member where session_id = %s",
            self.id,
        )
        self.records = [
            row[0]
            for row in connection.execute(
                "select record from cmbs_store.audit_event where session_id = %s order by seq",
                [self.id],
            )
        ]
        self.state = state(connection, self.id)

    def register(self, connection: Connection) -> None:
        call(connection, "register_universe", hypotheses=self.ids)

    def send(self, connection: Connection, records: list[str], **more: object) -> Any:
        sent = {"session_id": self.id, "records": "\n".join(records), **more}
        if '"seq": 1,' in records[0][:80]:
            sent = {"policy_as_sent": self.policy, **sent}
        return call(connection, "import_events", **sent)


def _one(connection: Connection, query: str, *values: object) -> Any:
    return connection.execute(query.encode(), values).fetchone()


def state(connection: Connection, session_id: UUID) -> list[Any]:
    """Every row of the session in every table, as it is stored."""
    parts = [
        f"select '{name}', t::text from cmbs_store.{name} as t where t.session_id = %(id)s"
        for name in of_kind("session")
    ]
    query = " union all ".join(parts) + " order by 1, 2"
    return connection.execute(query.encode(), {"id": session_id}).fetchall()


@pytest.fixture
def rich(tx: Connection) -> Taken:
    with tx.transaction(force_rollback=True):
        return Taken(tx, rich_session(tx)[0].id)


@pytest.mark.parametrize("part", [1, 2, 7, 1000])
def test_a_rich_session_comes_back_as_it_was(tx: Connection, rich: Taken, part: int) -> None:
    rich.register(tx)
    for start in range(0, len(rich.records), part):
        answer = rich.send(tx, rich.records[start : start + part])
        assert answer["audit_seq"] == min(start + part, len(rich.records))
    assert state(tx, rich.id) == rich.state
    found = call(tx, "verify", session_id=rich.id)
    assert (found["ok"], found["rows_checked"]) == (True, len(rich.records))
    assert found["head_hash"] == answer["audit_head_hash"]


@pytest.mark.slow("a search")
@pytest.mark.cold
def test_any_session_comes_back_as_it_was(tx: Connection) -> None:
    chance = random.Random(4)
    with tx.transaction(force_rollback=True):
        sessions = [Taken(tx, play(tx, chance)) for _ in range(size(120, 300))]
    assert {len(one.records) > 1 for one in sessions} == {True, False}
    for one in sessions:
        one.register(tx)
        cut = chance.randrange(1, len(one.records) + 1)
        for part in (one.records[:cut], one.records[cut:]):
            if part:
                one.send(tx, part)
        assert state(tx, one.id) == one.state
    checked = tx.execute("select session_id, ok from cmbs.verify_all()").fetchall()
    assert {one.id for one in sessions} <= {row[0] for row in checked if row[1]}


def test_a_large_universe(tx: Connection) -> None:
    with tx.transaction(force_rollback=True):
        session = Session(tx, [f"h{number}" for number in range(20_000)])
        session.eliminate(*(f"h{number}" for number in range(0, 20_000, 3)))
        session.eliminate("h1", "h19999", "h8191", "h8192")
        one = Taken(tx, session.id)
    one.register(tx)
    one.send(tx, one.records)
    assert state(tx, one.id) == one.state


def test_the_session_goes_on(tx: Connection) -> None:
    with tx.transaction(force_rollback=True):
        session = Session(tx, "abc", policy=Json({"stability_window": 1}))
        session.enter("o", 1)
        session.conclude("x", request_id="r")
        session.eliminate("a", observation_id="seen")
        one = Taken(tx, session.id)
    one.register(tx)
    one.send(tx, one.records)
    repeated = session.eliminate("a", observation_id="seen")
    assert (repeated["duplicate"], repeated["applied_eliminated"]) == (True, ["a"])
    assert session.conclude("x", request_id="r")["duplicate"]
    declared = call(
        tx, "declare_session", session_id=one.id, ontology=Json(_ontology(one)),
        hypotheses=["c", "b", "a"], policy=Json({"stability_window": 1}),
    )  # fmt: skip
    assert declared["duplicate"]
    assert session.exit("o")["approved"]
    session.eliminate("b")
    session.conclude("x")
    assert session.terminate()["approved"]
    assert session.is_whole()


def _ontology(one: Taken) -> Any:
    return parse(one.records[0])["payload"]["ontology"]


def refuses(
    connection: Connection, error: type[psycopg.Error], one: Taken, records: list[str], **more: Any
) -> Any:
    before = contents(connection)
    with pytest.raises(error) as caught, connection.transaction():
        one.send(connection, records, **more)
    assert contents(connection) == before
    return caught.value


def test_what_is_here_already(tx: Connection, rich: Taken) -> None:
    rich.register(tx)
    rich.send(tx, rich.records)
    refuses(tx, errors.Conflict, rich, rich.records)
    refuses(tx, errors.InvalidRequest, rich, rich.records[3:])


def test_a_part_that_does_not_follow(tx: Connection, rich: Taken) -> None:
    rich.register(tx)
    refuses(tx, errors.SessionNotFound, rich, rich.records[1:])
    for records in (
        rich.records[:3] + rich.records[4:],
        rich.records[:3] + rich.records[2:4],
        rich.records[:1] * 2,
    ):
        refuses(tx, errors.InvalidRequest, rich, records)
    rich.send(tx, rich.records[:5])
    for records in (rich.records[6:], rich.records[4:], rich.records[2:4]):
        refuses(tx, errors.InvalidRequest, rich, records)


@pytest.mark.parametrize("at", [0, 4, -1])
def test_a_link_that_leads_elsewhere(tx: Connection, rich: Taken, at: int) -> None:
    """Whichever hash it names: nothing but the one of the event before will do."""
    rich.register(tx)
    record = parse(rich.records[at])
    for named in ("f" * 64, "0" * 63 + "1", hash_text("another event")):
        forged = canonical(record | {"prev_event_hash": named})
        records = [forged if text == rich.records[at] else text for text in rich.records]
        error = refuses(tx, errors.InvalidRequest, rich, records)
        assert "does not follow" in str(error.diag.message_detail)


def test_no_universe(tx: Connection, rich: Taken) -> None:
    refused = refuses(tx, errors.InvalidRequest, rich, rich.records)
    assert "universe" in refused.diag.message_detail


def test_another_session_or_policy(tx: Connection, rich: Taken) -> None:
    rich.register(tx)
    nobody = UUID(int=7)
    refuses(tx, errors.InvalidRequest, rich, rich.records, session_id=nobody)
    wrong = Json({"stability_window": 3})
    refuses(tx, errors.InvalidRequest, rich, rich.records, policy_as_sent=wrong)


@pytest.mark.parametrize(
    "records", [None, "", "nonsense", "{}", '{"seq": 1}', '{"seq": 1, "verb": "ELIMINATE"}', "1"]
)
def test_no_records(tx: Connection, rich: Taken, records: str | None) -> None:
    before = contents(tx)
    expected = (errors.InvalidRequest, errors.SessionNotFound, psycopg.errors.DataError)
    with pytest.raises(expected), tx.transaction():
        call(tx, "import_events", session_id=rich.id, records=records)
    assert contents(tx) == before


@pytest.mark.parametrize("name", ["session_id", "seq", "ts", "event_id", "verb", "actor"])
def test_a_record_that_lacks_a_member(tx: Connection, rich: Taken, name: str) -> None:
    rich.register(tx)
    declared, following = (parse(record) for record in rich.records[:2])
    del declared[name], following[name]
    # Without its number a first record is one of a session that is not here.
    error = errors.SessionNotFound if name == "seq" else errors.InvalidRequest
    refuses(tx, error, rich, [canonical(declared)], policy_as_sent=rich.policy)
    rich.send(tx, rich.records[:1])
    refuses(tx, errors.InvalidRequest, rich, [canonical(following)])
    for record in ("{}", "1", "[]", '"x"', "null", "{}\n{}"):
        refused = refuses(tx, errors.InvalidRequest, rich, [record])
        assert refused.details["seq"] == 2


def rehashed(records: list[str], seq: int, edit: Any) -> list[str]:
    """The records with one edited, and every hash after it made to fit."""
    forged = records[: seq - 1]
    for record in map(parse, records[seq - 1 :]):
        if record["seq"] == seq:
            edit(record)
        record["prev_event_hash"] = hash_text(forged[-1])
        forged.append(canonical(record))
    return forged


EDITS: dict[str, tuple[int, Any]] = {
    "a decision": (5, lambda record: record["payload"].update(approved=True)),
    "a reason": (5, lambda record: record["payload"].update(reason="waived")),
    "a time": (9, lambda record: record.update(ts="2001-01-01T00:00:00.000000Z")),
    "an event id": (9, lambda record: record.update(event_id=str(UUID(int=3)))),
    "a delta of nobody": (9, lambda record: record["delta"].update(eliminated=["stranger"])),
    "a delta of what is gone": (9, lambda record: record["delta"].update(eliminated=["b"])),
    "a delta of more": (9, lambda record: record["delta"]["eliminated"].append("a")),
    "a delta of less": (9, lambda record: record["delta"].update(eliminated=[])),
    "another payload": (5, lambda record: record["payload"].pop("context")),
    "another verb": (5, lambda record: record.update(verb="NOTHING")),
    "the last hash": (21, lambda record: record.update(survivors_after_hash="0" * 64)),
}


@pytest.mark.parametrize("name", EDITS)
def test_forgeries_with_right_hashes(tx: Connection, rich: Taken, name: str) -> None:
    rich.register(tx)
    seq, edit = EDITS[name]
    refuses(tx, errors.InvalidRequest, rich, rehashed(rich.records, seq, edit))


def test_a_declare_of_the_same_id_waits(database: str, db: Connection) -> None:
    with psycopg.connect(database) as maker:
        one = Taken(maker, Session(maker, "abc").id)
        maker.rollback()
    one.register(db)
    with background(database) as calls, psycopg.connect(database) as importer:
        one.send(importer, one.records)
        other = calls.call(
            "declare_session", session_id=one.id, ontology=Json(_ontology(one)), hypotheses=["z"]
        )
        calls.wait_until_blocked()
        importer.commit()
        with pytest.raises(errors.Conflict):
            other.result(30)
    assert state(db, one.id) == one.state
    assert list(stream(db, "audit_lines", session_id=one.id))
