"""cmbs.audit_lines"""

import hashlib
import json
from typing import Any

import pytest

from cmbs import errors
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, Session, refused, rich_session


def lines(session: Session, **arguments: Any) -> list[str]:
    named = ", ".join(f"p_{name} => %({name})s" for name in ["session_id", *arguments])
    found = session.connection.execute(
        f"select cmbs.audit_lines({named})".encode(), {"session_id": session.id, **arguments}
    )
    return [row[0] for row in found]


@pytest.mark.cold
def test_the_bytes_of_a_record_hash_to_its_hash(tx: Connection) -> None:
    session, _ = rich_session(tx)
    found = lines(session)
    events = session.events()
    assert len(found) == len(events)
    for line, event in zip(found, events, strict=True):
        assert "\n" not in line
        parsed = json.loads(line)
        assert hashlib.sha256(parsed["record"].encode()).hexdigest() == parsed["event_hash"]
        shown = {**json.loads(parsed["record"]), "event_hash": parsed["event_hash"]}
        if event["seq"] == 1:
            assert list(parsed) == ["event_hash", "record", "hypotheses"]
            assert parsed["hypotheses"] == event["payload"].pop("hypotheses")
            assert '"hypotheses"' not in parsed["record"]
        else:
            assert list(parsed) == ["event_hash", "record"]
        assert shown == event


def test_the_hypotheses_hash_to_the_digest(tx: Connection) -> None:
    session, _ = rich_session(tx)
    first = json.loads(lines(session)[0])
    canonical = json.dumps(first["hypotheses"], ensure_ascii=False)
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    assert json.loads(first["record"])["payload"]["universe_digest"] == digest


def test_a_part(tx: Connection) -> None:
    session, _ = rich_session(tx)
    everything = lines(session)
    second = session.events()[1]["event_id"]
    assert lines(session, since_event_id=second) == everything[2:]
    assert lines(session, since_event_id=second, limit=3) == everything[2:5]
    assert lines(session, limit=1) == everything[:1]


def test_refused(tx: Connection) -> None:
    session = Session(tx)
    session.refuses(errors.EventNotFound, "audit_lines", since_event_id=NO_EVENT)
    session.refuses(errors.InvalidRequest, "audit_lines", limit=0)
    session.refuses(errors.InvalidRequest, "audit_lines", limit=10001)
    refused(tx, errors.SessionNotFound, "audit_lines", session_id=NOBODY)
    refused(tx, errors.InvalidRequest, "audit_lines", session_id=None)
