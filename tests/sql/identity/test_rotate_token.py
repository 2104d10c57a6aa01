"""cmbs.rotate_token"""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.support.beliefs import Connection, background, refused
from tests.support.callers import (
    caller,
    digest,
    identity_events,
    is_whole,
    principal,
    token,
    token_id,
)

NEW = digest("new")
SHOWN = {"digest": NEW, "prefix": "cmbs_new"}


@pytest.mark.cold
def test_a_new_one_in_the_place_of_the_old(tx: Connection) -> None:
    principal(tx, "ann", tenant="*")
    old = token(tx, "ann", tenant="*", scope_tenant="acme", verbs=["identify"])
    found = call(tx, "rotate_token", token_id=token_id(old), **SHOWN)
    assert found["token_id"] == str(token_id(NEW))
    assert found["replaces"] == str(token_id(old))
    same = ("name", "tenant", "verbs", "scope_tenant")
    assert [found[member] for member in same] == ["ann", "*", ["identify"], "acme"]
    error = refused(tx, errors.Unauthenticated, "identify", credential=old)
    assert error.details == {"credential": "revoked"}
    assert call(tx, "identify", credential=NEW)["tenant"] == "acme"
    made, ended = identity_events(tx, "*")[-2:]
    assert (made["verb"], made["payload"]["replaces"]) == ("CREATE_TOKEN", str(token_id(old)))
    assert (ended["verb"], ended["payload"]) == ("REVOKE_TOKEN", {"token_id": str(token_id(old))})
    assert is_whole(tx)


def test_it_lasts_as_long_as_the_old_one_was_to(tx: Connection) -> None:
    begin = datetime(2030, 1, 1, tzinfo=UTC)
    set_clock(tx, "2030-01-01T00:00:00.000000Z")
    principal(tx, "ann")
    old = token(tx, "ann", expires_at=begin + timedelta(days=10))
    set_clock(tx, "2030-01-04T00:00:00.000000Z")
    found = call(tx, "rotate_token", token_id=token_id(old), **SHOWN)
    assert found["expires_at"] == "2030-01-14T00:00:00.000000Z"
    ends = begin + timedelta(days=5)
    sent = {"token_id": token_id(NEW), "digest": digest("third"), "prefix": "cmbs_third"}
    assert call(tx, "rotate_token", **sent, expires_at=ends)["expires_at"].startswith("2030-01-06")


def test_no_end_is_beyond_what_a_time_can_be(tx: Connection) -> None:
    set_clock(tx, "2030-01-01T00:00:00.000000Z")
    principal(tx, "ann")
    old = token(tx, "ann", expires_at="9999-12-01T00:00:00Z")
    set_clock(tx, "2031-01-01T00:00:00.000000Z")
    found = call(tx, "rotate_token", token_id=token_id(old), **SHOWN)
    assert found["expires_at"] == "9999-12-31T00:00:00.000000Z"
    assert is_whole(tx)


def test_what_is_expired_may_be_rotated_and_what_is_revoked_not(tx: Connection) -> None:
    set_clock(tx, "2030-01-01T00:00:00.000000Z")
    principal(tx, "ann")
    old = token(tx, "ann")
    set_clock(tx, "2031-01-01T00:00:00.000000Z")
    call(tx, "rotate_token", token_id=token_id(old), **SHOWN)
    sent = {"token_id": token_id(old), "digest": digest("third"), "prefix": "cmbs_third"}
    error = refused(tx, errors.Conflict, "rotate_token", **sent)
    assert error.details == {"token_id": str(token_id(old))}


def test_made_before(tx: Connection) -> None:
    principal(tx, "ann")
    old, other = token(tx, "ann"), token(tx, "ann", "other")
    for known in (old, other):
        sent = {"token_id": token_id(old), "digest": known, "prefix": "cmbs_new"}
        refused(tx, errors.Conflict, "rotate_token", **sent)


@pytest.mark.parametrize(
    ("wrong", "member"),
    [
        ({"token_id": None}, "token_id"),
        ({"digest": None}, "digest"),
        ({"digest": b"x"}, "digest"),
        ({"prefix": None}, "prefix"),
        ({"prefix": "a b c d"}, "prefix"),
        ({"expires_at": "2000-01-01 00:00:00+00"}, "expires_at"),
    ],
    ids=str,
)
def test_refused(tx: Connection, wrong: dict[str, Any], member: str) -> None:
    old = caller(tx, "ann")
    sent = {"token_id": token_id(old), **SHOWN, **wrong}
    assert refused(tx, errors.InvalidRequest, "rotate_token", **sent).details["member"] == member


def test_not_there(tx: Connection) -> None:
    nobody = UUID(int=1)
    error = refused(tx, errors.TokenNotFound, "rotate_token", token_id=nobody, **SHOWN)
    assert error.details == {"token_id": str(nobody)}
    foreign, admin = caller(tx, "ann", tenant="acme"), caller(tx, "root", "admin")
    sent = {"token_id": token_id(foreign), **SHOWN, "credential": admin}
    refused(tx, errors.TokenNotFound, "rotate_token", **sent)


def test_it_cannot_widen(tx: Connection) -> None:
    """Neither the one that is rotated nor, by another that it rotates, the one that is shown."""
    principal(tx, "root", "admin")
    narrow = token(tx, "root", "narrow", verbs=["rotate_token"])
    wide = token(tx, "root", "wide")
    other = token(tx, "root", "other", verbs=["rotate_token", "create_token"])
    for target in (wide, other):
        sent = {"token_id": token_id(target), **SHOWN, "credential": narrow}
        refused(tx, errors.Forbidden, "rotate_token", **sent)
    found = call(tx, "rotate_token", token_id=token_id(narrow), **SHOWN, credential=narrow)
    assert found["verbs"] == ["rotate_token"]
    refused(tx, errors.Forbidden, "list_tokens", credential=NEW)


def test_two_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        old = caller(first, "ann")
        first.commit()
        call(first, "rotate_token", token_id=token_id(old), **SHOWN)
        sent = {"token_id": token_id(old), "digest": digest("third"), "prefix": "cmbs_third"}
        second = calls.call("rotate_token", **sent)
        calls.wait_until_blocked()
        first.commit()
        assert isinstance(second.exception(), errors.Conflict)
        assert [event["seq"] for event in identity_events(first)] == [1, 2, 3, 4]
        assert is_whole(first)
