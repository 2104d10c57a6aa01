"""cmbs.revoke_token"""

from uuid import UUID

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, background, refused
from tests.support.callers import caller, identity_events, is_whole, principal, token, token_id


@pytest.mark.cold
def test_it_counts_nowhere_from_the_next_call_on(tx: Connection) -> None:
    principal(tx, "ann", "agent")
    mine, other = token(tx, "ann"), token(tx, "ann", "other")
    found = call(tx, "revoke_token", token_id=token_id(mine))
    assert (found["revoked_at"] is not None, found["duplicate"]) == (True, False)
    error = refused(tx, errors.Unauthenticated, "list_sessions", credential=mine)
    assert error.details == {"credential": "revoked"}
    assert call(tx, "list_sessions", credential=other) == {"sessions": [], "next_cursor": None}
    assert identity_events(tx)[-1]["payload"] == {"token_id": str(token_id(mine))}
    assert is_whole(tx)


def test_repeated(tx: Connection) -> None:
    mine = token_id(caller(tx, "ann"))
    first = call(tx, "revoke_token", token_id=mine)
    assert call(tx, "revoke_token", token_id=mine) == {**first, "duplicate": True}
    assert len(identity_events(tx)) == 3


def test_one_may_revoke_the_token_that_one_shows(tx: Connection) -> None:
    mine = caller(tx, "root", "admin")
    call(tx, "revoke_token", token_id=token_id(mine), credential=mine)
    refused(tx, errors.Unauthenticated, "identify", credential=mine)


def test_refused(tx: Connection) -> None:
    error = refused(tx, errors.InvalidRequest, "revoke_token", token_id=None)
    assert error.details["member"] == "token_id"
    refused(tx, errors.TokenNotFound, "revoke_token", token_id=UUID(int=1))
    foreign, admin = caller(tx, "ann", tenant="acme"), caller(tx, "root", "admin")
    sent = {"token_id": token_id(foreign), "credential": admin}
    refused(tx, errors.TokenNotFound, "revoke_token", **sent)


def test_two_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        mine = token_id(caller(first, "ann"))
        first.commit()
        told = call(first, "revoke_token", token_id=mine)
        second = calls.call("revoke_token", token_id=mine)
        calls.wait_until_blocked()
        first.commit()
        assert second.result() == {**told, "duplicate": True}
        assert len(identity_events(first)) == 3
