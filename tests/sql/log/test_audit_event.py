"""cmbs.audit_event"""

import pytest

from cmbs import errors
from tests.support.beliefs import (
    NO_EVENT,
    NOBODY,
    Connection,
    Session,
    declare,
    refused,
    rich_session,
)


@pytest.mark.cold
def test_each_as_the_trace_shows_it(tx: Connection) -> None:
    session, _ = rich_session(tx)
    for event in session.events():
        assert session("audit_event", event_id=event["event_id"]) == event


def test_refused(tx: Connection) -> None:
    session = Session(tx)
    other = declare(tx)["audit_event_id"]
    for unknown in (other, NO_EVENT):
        session.refuses(errors.EventNotFound, "audit_event", event_id=unknown)
    refused(tx, errors.SessionNotFound, "audit_event", session_id=NOBODY, event_id=NO_EVENT)
    refused(tx, errors.InvalidRequest, "audit_event", session_id=None, event_id=NO_EVENT)
    session.refuses(errors.InvalidRequest, "audit_event", event_id=None)
