"""cmbs.read_token"""

from uuid import UUID

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, refused
from tests.support.callers import caller, digest, principal, token_id


@pytest.mark.cold
def test_as_it_was_made_used_and_revoked(tx: Connection) -> None:
    principal(tx, "ann", "agent")
    mine = digest("a token")
    sent = {"digest": mine, "prefix": "cmbs_abc", "verbs": ["verify"]}
    made = call(tx, "create_token", name="ann", **sent)
    here = {"token_id": token_id(mine)}
    assert call(tx, "read_token", **here) == made
    call(tx, "identify", credential=mine)
    used = call(tx, "read_token", **here)
    assert made["last_used_at"] is None
    assert used.pop("last_used_at").endswith("Z")
    assert used.items() < made.items()
    revoked = call(tx, "revoke_token", **here)
    found = call(tx, "read_token", **here)
    assert found | {"duplicate": False} == revoked
    assert found["revoked_at"] is not None


def test_not_there(tx: Connection) -> None:
    caller(tx, "ann")
    error = refused(tx, errors.TokenNotFound, "read_token", token_id=UUID(int=1))
    assert error.details == {"token_id": str(UUID(int=1))}
    error = refused(tx, errors.InvalidRequest, "read_token", token_id=None)
    assert error.details["member"] == "token_id"


def test_of_another_tenant(tx: Connection) -> None:
    mine, foreign = caller(tx, "ann", "auditor", tenant="acme"), caller(tx, "bob")
    found = call(tx, "read_token", token_id=token_id(mine), credential=mine)
    assert (found["tenant"], found["name"]) == ("acme", "ann")
    error = refused(
        tx, errors.TokenNotFound, "read_token", token_id=token_id(foreign), credential=mine
    )
    unknown = refused(tx, errors.TokenNotFound, "read_token", token_id=UUID(int=1), credential=mine)
    assert error.message == unknown.message
    every = caller(tx, "root", "auditor", tenant="*")
    for one in (mine, foreign):
        assert call(tx, "read_token", token_id=token_id(one), credential=every)
