"""What someone with every privilege can do to stored sessions, for the tests of `cmbs.verify`."""

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.types.json import Json as Sent

from cmbs.database.calls import call
from cmbs.deploy.resources import sql_dir
from cmbs.kernel.canonical import canonical, hash_text, parse
from tests.sql.schema.test_privileges import WEBHOOK
from tests.sql.verdict.scene import (
    ALWAYS,
    GRANT,
    delta,
    deny,
    op,
    rich_arbitration,
    tool_call,
    value,
)
from tests.support.beliefs import Session, message, rich_session
from tests.support.oracle import Json
from tests.support.sizes import IS_NIGHTLY
from tests.support.tables import TABLES
from tests.tee.scene import rich_tee, set_mirror

Connection = psycopg.Connection[Any]
# From the record of an event to the one that takes its place, or to any text.
Edit = Callable[[Json], Json | str]
LOG = "cmbs_store.audit_event"
COLUMNS = {
    "event_id": ("event_id",),
    "recorded_at": ("ts",),
    "verb": ("verb",),
    "actor": ("actor",),
    "source_id": ("payload", "source_id"),
    "observation_id": ("payload", "observation_id"),
    "request_id": ("payload", "request_id"),
}


class Scene:
    """Sessions to forge, triggers switched off, and a twin that nobody touches.

    In a database of its own, in which every call commits: a permit counts in a later transaction
    than its verdict.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.rich = rich_session(connection)[0].id
        self.open = _open_session(connection, "abcdefghij")
        self.chunked = _chunked_session(connection)
        call(connection, "set_webhook", **WEBHOOK)
        self.arbitrated = _arbitrated_session(connection)
        self.tee = _tee_session(connection)
        self.twin = _open_session(connection, "abcdefghijk")
        for table in TABLES:
            name = sql.Identifier("cmbs_store", table)
            connection.execute(sql.SQL("alter table {} disable trigger all").format(name))

    def run(self, statement: str, *arguments: object) -> int:
        return self.connection.execute(statement.encode(), arguments).rowcount

    def value(self, statement: str, *arguments: object) -> Any:
        row = self.connection.execute(statement.encode(), arguments).fetchone()
        assert row is not None
        return row[0]

    def length(self, session_id: UUID) -> int:
        """How many events the untouched session has."""
        return int(
            self.value(
                "select max(seq) from cmbs_store.audit_event where session_id = %s", session_id
            )
        )

    def verdict(self, session_id: UUID, *, of_all: bool = True) -> Json:
        """What verify says; `of_all`, verify_all says the same and nothing ill of the twin.

        Which takes as long as all the sessions of the scene: a loop over rows asks it once.
        """
        found: Json = call(self.connection, "verify", session_id=session_id)
        assert found["ok"] is (found["first_bad"] is None)
        if not of_all:
            return found
        everyone = {
            row[0]: row[1:]
            for row in self.connection.execute(
                "select session_id, ok, rows_checked, first_bad_seq, reason from cmbs.verify_all()"
            )
        }
        bad = found["first_bad"] or {"seq": None, "reason": None}
        told = (found["ok"], found["rows_checked"], bad["seq"], bad["reason"])
        assert everyone[session_id] == told
        assert everyone[self.twin][0] is True
        assert call(self.connection, "verify", session_id=self.twin)["ok"] is True
        return found

    def first_bad(self, session_id: UUID, *, of_all: bool = IS_NIGHTLY) -> tuple[int, str]:
        """Where a forged log is broken, and how; with a push few tests ask whether verify_all says
        the same."""
        found = self.verdict(session_id, of_all=of_all)
        assert found["ok"] is False
        bad = found["first_bad"]
        assert isinstance(bad["reason"], str)
        assert bad["reason"]
        return bad["seq"], bad["reason"]

    def records(self, session_id: UUID) -> list[str]:
        rows = self.connection.execute(
            "select record from cmbs_store.audit_event where session_id = %s order by seq",
            [session_id],
        )
        return [record for (record,) in rows]

    def forge(self, session_id: UUID, seq: int, edit: Edit) -> None:
        """Replace an event and hash the log anew from there on, columns and head included."""
        records = self.records(session_id)
        forged: Json | str = edit(parse(records[seq - 1]))
        text = forged if isinstance(forged, str) else canonical(forged)
        previous = self._store(session_id, seq, text)
        for later, record in enumerate(records[seq:], seq + 1):
            text = canonical(parse(record) | {"prev_event_hash": previous})
            previous = self._store(session_id, later, text)
        self.set_head(session_id)

    def append(self, session_id: UUID, edit: Edit) -> None:
        """One more event, a good one but for what `edit` does to a copy of the last."""
        last = parse(self.records(session_id)[-1])
        seq, event_hash = self.length(session_id) + 1, hash_text(canonical(last))
        event_id = str(uuid4())[:24] + f"{seq:012x}"
        after = last["survivors_after_hash"]
        record = last | {"seq": seq, "event_id": event_id, "prev_event_hash": event_hash}
        record |= {"survivors_before_hash": after, "delta": {"eliminated": []}}
        record["payload"] = {**last["payload"], "observation_id": "one more"}
        if record["verb"] != "ELIMINATE":
            record["payload"].pop("observation_id")
        record["payload"].pop("request_id", None)
        forged = edit(record)
        self.run(
            "insert into cmbs_store.audit_event (session_id, seq, recorded_at, event_id, "
            "event_hash, verb, actor, record) values (%s, %s, now(), %s, '', '', '', '')",
            session_id,
            seq,
            event_id,
        )
        self._store(session_id, seq, forged if isinstance(forged, str) else canonical(forged))
        self.set_head(session_id)

    def _store(self, session_id: UUID, seq: int, text: str) -> str:
        event_hash = hash_text(text)
        self.run(
            "update cmbs_store.audit_event set record = %s, event_hash = decode(%s, 'hex') "
            "where session_id = %s and seq = %s",
            text,
            event_hash,
            session_id,
            seq,
        )
        self._store_columns(session_id, seq, text)
        return event_hash

    def _store_columns(self, session_id: UUID, seq: int, text: str) -> None:
        """The columns as the record has them, where a column can hold it."""
        for column, path in COLUMNS.items():
            try:
                value: Any = json.loads(text)
                for name in path:
                    value = value.get(name) if isinstance(value, dict) else None
                with self.connection.transaction():
                    self.run(
                        f"update cmbs_store.audit_event set {column} = %s "
                        "where session_id = %s and seq = %s",
                        value,
                        session_id,
                        seq,
                    )
            except (ValueError, RecursionError, psycopg.Error):
                continue

    def set_head(self, session_id: UUID) -> None:
        self.run(
            "update cmbs_store.session as s set audit_head_hash = e.event_hash, "
            "audit_seq = e.seq, audit_head_event_id = e.event_id, audit_head_at = e.recorded_at "
            "from (select * from cmbs_store.audit_event as a where a.session_id = %s "
            "order by a.seq desc limit 1) as e where s.session_id = e.session_id",
            session_id,
        )


def _open_session(connection: Connection, hypotheses: str) -> UUID:
    """Eight events; an obligation is active and the last event eliminates."""
    session = Session(connection, hypotheses, policy=json.dumps({"stability_window": 2}))
    session.eliminate("a", "b", "nothing")
    session.enter("first", 1)
    session.eliminate("c")
    session.exit("first", request_id="r")
    session.conclude("c", notes="a note")
    session.enter("second", 5)
    session.eliminate("d", "a")
    return session.id


def _chunked_session(connection: Connection) -> UUID:
    """Four events over a mask in three chunks."""
    ids = [f"{number:05}" for number in range(17_000)]
    session = Session(connection, ids)
    session.eliminate(ids[0], ids[8191], ids[8192])
    session.batch(message(ids[16_999], observation_id="1"), message(*ids[1:3], observation_id="2"))
    return session.id


def _tee_session(connection: Connection) -> UUID:
    """Four events; declared from an incident and mirrored, so that edges went with their ends."""
    set_mirror(connection)
    session = rich_tee(connection).session
    set_mirror(connection, None)
    session.eliminate("a")
    session.conclude()
    return session.id


# What rich_arbitration leaves out: a question to a person, a constraint that counts who asked for
# eliminations, required constraints, and a pack that does not fit the state.
INCOMPLETE: Json = GRANT | {"policy.required_constraints": {"v": 1, "value": ["constraint.x"]}}
UNFIT: Json = GRANT | {"constraint.invariant.x": deny(when=op("exists", "fact.x"))}
PACK: Json = GRANT | {
    "constraint.asked": deny("rich.tool", on_fail="ask", reason="a person is asked"),
    "constraint.alone": deny("nothing", when=op("eq", "fact.belief.n_survivors_independent", 1)),
    "policy.required_constraints": {"v": 1, "value": ["constraint.asked"]},
}


def _arbitrated_session(connection: Connection) -> UUID:
    """A row in every table of arbitration: more deltas than lie between two checkpoints, too."""
    session = rich_arbitration(connection)
    for entries, is_fit in ((INCOMPLETE, True), (UNFIT, False), (PACK, True)):
        published = call(connection, "publish_policy", pack="forger", entries=Sent(entries))
        applied = session("apply_policy", pack="forger", version=published["version"])
        assert applied["approved"] is is_fit
    holder = call(connection, "identify")["name"]
    grant = {"holder": holder, "state_prefixes": ["goal.", "fact."], "tools": ["rich.tool"]}
    grant |= {"budgets": {"max_calls": 9}, "expires_at": ALWAYS}
    token = session("issue_capability", grant=Sent(grant))["secret"]

    def propose(*items: object, **more: object) -> str:
        proposal = {
            "state_snapshot_id": session.snapshot()["audit_head_event_id"],
            "provenance": {"source": "forger"},
            "capability_token": token,
            "items": list(items),
            **more,
        }
        reason: str = session("propose", proposal=Sent(proposal))["reason_code"]
        return reason

    for no in range(2):
        deltas = [delta({f"goal.x{no}{item}": value(item)}) for item in range(60)]
        assert propose(*deltas) == "ALLOWED"
    assert propose(tool_call("rich.tool"), idempotency_key="asked") == "CONSTRAINT_DENIED"
    session.eliminate("b")
    assert propose(tool_call("nothing"), idempotency_key="alone") == "SCOPE_NOT_ALLOWED"
    with clock_set_back(connection):
        assert propose(tool_call("rich.tool"), idempotency_key="late") == "TOKEN_EXPIRED"
    return session.id


@contextlib.contextmanager
def clock_set_back(connection: Connection) -> Iterator[None]:
    """By an hour, for a while."""
    usual = (sql_dir() / "call" / "clock.sql").read_bytes()
    late = b"select clock_timestamp() - interval '1 hour'"
    connection.execute(usual.replace(b"select clock_timestamp()", late))
    yield
    connection.execute(usual)
