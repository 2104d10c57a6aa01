"""The kernel of SQL and the reference kernel side by side: every call goes to both, and they must
agree on the answer or on the refusal, and in the end on every byte of every log.
"""

import json
import math
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any
from uuid import UUID

import psycopg
from hypothesis import strategies as st
from psycopg import sql

from cmbs.answers import AuditEntry
from cmbs.database.calls import call
from tests.support.oracle import Json, Oracle, Refused, restored

Connection = psycopg.Connection[Any]

# Ids of events of a refused batch, which nobody knows.
_UNDONE = "00000000-0000-0000-0000-"


class Pair:
    """Calls run in savepoints of the connection's transaction, as a refused one ends it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.oracle = Oracle(self._stamp, lambda: self.is_policy_role)
        self.role: str | None = None
        self.is_policy_role = True
        self._is_refused = False

    def __call__(self, verb: str, **arguments: Any) -> Json | str:
        """The answer, or the SQLSTATE of the refusal."""
        real = self._real(verb, arguments)
        self._is_refused = isinstance(real, psycopg.Error)
        expected, refused = self._expected(verb, arguments)
        if refused:
            _check_refusal(real, refused)
            return refused.state
        if isinstance(real, psycopg.Error):
            raise AssertionError(f"{verb} was refused, expected {expected}") from real
        agree(real, expected)
        return expected

    def _expected(self, verb: str, arguments: dict[str, Any]) -> tuple[Json, Refused | None]:
        try:
            return self.oracle(verb, **arguments), None
        except Refused as refused:
            return {}, refused

    def act_as(self, role: str | None, is_policy_role: bool) -> None:
        self.role, self.is_policy_role = role, is_policy_role

    def check_whole(self, session_id: UUID) -> None:
        """The logs are equal byte for byte; state, views and masks follow from them."""
        entries = self.oracle.entries(session_id)
        session = self.oracle.sessions[session_id]
        found = call(self.connection, "verify", session_id=session_id)
        head = {"head_hash": entries[-1].event_hash, "first_bad": None}
        assert found == {"ok": True, "rows_checked": len(entries)} | head
        hypotheses, lines = self._log(session_id)
        assert hypotheses == session.universe.ids
        assert lines == [(entry.event_hash, entry.record()) for entry in entries]
        logged = [AuditEntry.from_record(text, hashed) for hashed, text in lines]
        logged[0].payload["hypotheses"] = hypotheses
        again = restored(logged)[1]
        assert session.core.survivors == {*again.survivors}
        self._check_views(session_id, again.survivors)
        mask = self.connection.execute(
            "select coalesce(s.mask, (select string_agg(k.chunk, ''::bytea order by k.chunk_no) "
            "from cmbs_store.session_mask as k where k.session_id = s.session_id)) "
            "from cmbs_store.session as s where s.session_id = %s",
            [session_id],
        ).fetchone()
        assert mask == (session.mask,)
        agree(call(self.connection, "query_belief", session_id=session_id), again.to_dict())

    def _check_views(self, session_id: UUID, survivors: list[str]) -> None:
        surviving = self._column("select hypothesis_id from cmbs.survivor", session_id)
        assert sorted(surviving) == survivors
        gone = self._column("select hypothesis_id from cmbs.elimination", session_id)
        assert sorted([*gone, *survivors]) == self.oracle.sessions[session_id].universe.ids
        counts = self._column("select n_survivors from cmbs.survivors_over_time", session_id)
        assert sorted(counts, reverse=True) == self.oracle.n_survivors(session_id)
        listed = call(self.connection, "list_obligations", session_id=session_id)
        assert [
            (o["obligation_id"], o["state"], o["min_total_eliminations"], o["counted"])
            for o in listed["obligations"]
        ] == self.oracle.obligations(session_id)
        listed = call(self.connection, "list_conclusions", session_id=session_id)
        assert [
            (c["conclusion_id"], c["accepted"]) for c in listed["conclusions"]
        ] == self.oracle.conclusions(session_id)

    def _column(self, query: str, session_id: UUID) -> list[Any]:
        rows = self.connection.execute(f"{query} where session_id = %s".encode(), [session_id])
        return [row[0] for row in rows]

    def _log(self, session_id: UUID) -> tuple[list[str], list[tuple[str, str]]]:
        found = self.connection.execute("select cmbs.audit_lines(%s)", [session_id])
        lines = [json.loads(line) for (line,) in found]
        return lines[0]["hypotheses"], [(line["event_hash"], line["record"]) for line in lines]

    def _real(self, verb: str, arguments: dict[str, Any]) -> Any:
        try:
            with self.connection.transaction():
                if self.role:
                    self._become(self.role)
                answer = call(self.connection, verb, **arguments)
                if self.role:
                    self.connection.execute("reset session authorization")
                return answer
        except psycopg.Error as error:
            return error

    def _become(self, role: str) -> None:
        statement = sql.SQL("set local session authorization {}")
        self.connection.execute(statement.format(sql.Identifier(role)))

    def _stamp(self, session_id: UUID, seq: int) -> tuple[str, str, str]:
        if self._is_refused:
            # A batch may get some way in the oracle before it is refused there too.
            return f"{_UNDONE}{seq:012x}", "", ""
        row = self.connection.execute(
            "select e.event_id, to_char(e.ts at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') "
            "from cmbs.audit_event as e where e.session_id = %s and e.seq = %s",
            [session_id, seq],
        ).fetchone()
        assert row is not None, f"the kernel has not recorded event {seq}"
        event_id, ts = str(row[0]), f"{row[1].replace(' ', 'T')}Z"
        assert int(event_id[-12:], 16) == seq
        return event_id, ts, self.role or str(self.connection.info.user)


def _check_refusal(real: Any, refused: Refused) -> None:
    assert isinstance(real, psycopg.Error), f"expected {refused.state}, got {real}"
    allowed = {
        # Of two faults in the shape of a request either may be named.
        "MB201": "MB201|MB203|22...",
        "MB203": "MB201|MB203|22...",
        "MB302": "MB302|42501",
    }.get(refused.state, refused.state)
    assert re.fullmatch(allowed, real.sqlstate or ""), (
        f"{real.sqlstate} {real}, not {refused.state}"
    )
    if refused.state in {"MB201", "MB203"} and real.sqlstate != refused.state:
        return
    found = json.loads(real.diag.message_detail or "{}")
    unknown = refused.details.get("unknown")
    if refused.state not in {"MB201", "MB203", "MB302"}:
        assert real.diag.message_primary == refused.message
        assert found == refused.details
    elif unknown:
        assert found["unknown"] == unknown


def agree(found: Any, expected: Any, where: str = "answer") -> None:
    """Equal, the entropy to 1e-12."""
    if isinstance(expected, dict):
        assert isinstance(found, dict), f"{where} is {found}"
        assert found.keys() == expected.keys(), f"members of {where}"
        for name in expected:
            agree(found[name], expected[name], f"{where}.{name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), f"length of {where}: {found} {expected}"
        for no, (a, b) in enumerate(zip(found, expected, strict=True)):
            agree(a, b, f"{where}[{no}]")
    elif where.endswith("entropy_proxy"):
        assert math.isclose(found, expected, rel_tol=0, abs_tol=1e-12), where
    elif isinstance(expected, Decimal):
        # Digits are compared in the records, byte for byte.
        assert math.isclose(found, expected), where
    else:
        assert type(found) is type(expected), f"{where} is {found!r}, not {expected!r}"
        assert found == expected, f"{where} is {found!r}, not {expected!r}"


# What callers may send. No text of PostgreSQL holds a NUL or a lone surrogate.
characters = st.one_of(
    st.sampled_from("ab:\\/\"'{}[],% \n\t\r\b\f\x01\x1f\x7fé\u2028\ufffe\U0001f52c"),
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
)
ids = st.text(characters, min_size=1, max_size=8)
numbers = st.from_regex(
    r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,12})?([eE][+-]?[0-9]{1,2})?", fullmatch=True
)


class Number(str):
    """A number as it is written."""


def _written(value: Any, ascii_only: bool) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        members = (
            f"{json.dumps(key, ensure_ascii=ascii_only)} :{_written(of, ascii_only)}"
            for key, of in value.items()
        )
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + " , ".join(_written(one, ascii_only) for one in value) + "]"
    return json.dumps(value, ensure_ascii=ascii_only)


_values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers.map(Number), st.text(characters, max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(characters, max_size=4), inner, max_size=3),
    ),
    max_leaves=6,
)
objects = st.builds(
    _written, st.dictionaries(st.text(characters, max_size=4), _values, max_size=3), st.booleans()
)


def with_members(members: Iterable[tuple[str, str]]) -> str:
    """An object of members that are JSON text already."""
    return "{" + ", ".join(f"{json.dumps(name)}: {text}" for name, text in members) + "}"
