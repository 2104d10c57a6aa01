"""Principals and tokens over HTTP: what an administrator's client may, and what others may not."""

import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cmbs import errors
from cmbs.client.found import (
    Caller,
    ChangedPrincipal,
    Principal,
    RevokedToken,
    VerifiedIdentities,
)
from cmbs.database import tokens
from cmbs.database.calls import call
from tests.client.between import Answered, Front, cutting, fronting
from tests.client.conftest import Connect
from tests.client.test_methods import declare
from tests.support.beliefs import NO_EVENT
from tests.support.web import serving

Connection = psycopg.Connection[Any]
DAY = 86400.0


@pytest.fixture
def owned(database: str, db: Connection) -> Iterator[SimpleNamespace]:
    """A server whose database has one principal: an administrator of all tenants."""
    new = tokens.new()
    call(db, "create_principal", name="root", kind="human", roles=["admin"], tenant="*")
    call(db, "create_token", name="root", digest=new.digest, prefix=new.prefix, tenant="*")
    with serving(database, connections=2) as address:
        yield SimpleNamespace(address=address, token=new.text)


@pytest.fixture
def admin(connect: Connect, owned: SimpleNamespace) -> Any:
    return connect(owned.address, token=owned.token)


def test_principals(admin: Any) -> None:
    made = admin.create_principal("planner", "agent", {"agent", "tool"}, ["tool://"])
    assert isinstance(made, ChangedPrincipal)
    assert (made.name, made.tenant, made.kind) == ("planner", "default", "agent")
    assert (made.roles, made.source_prefixes) == (["agent", "tool"], ["tool://"])
    assert (made.is_login, made.is_enabled, made.duplicate) == (False, True, False)
    assert isinstance(made.created_at, float)
    again = admin.create_principal("planner", "agent", ["tool", "agent"], ["tool://"])
    assert again.duplicate is True
    changed = admin.change_principal(
        "planner", roles=["tool"], source_prefixes=[""], is_enabled=False
    )
    told = (changed.roles, changed.source_prefixes, changed.is_enabled)
    assert told == (["tool"], [""], False)
    assert admin.change_principal("planner").duplicate is True
    read = admin.read_principal("planner")
    assert isinstance(read, Principal)
    assert (read.roles, read.is_enabled, read.created_at) == (["tool"], False, made.created_at)
    other = admin.create_principal("Ä/ö ?", "tool", ["tool"], tenant="acme")
    assert (other.tenant, other.source_prefixes) == ("acme", [])
    assert admin.change_principal("Ä/ö ?", is_enabled=False, tenant="acme").is_enabled is False
    assert admin.read_principal("Ä/ö ?", tenant="acme").is_enabled is False
    assert [one.name for one in admin.list_principals()] == ["planner"]
    assert [one.name for one in admin.list_principals(tenant="acme")] == ["Ä/ö ?"]


def test_tokens(connect: Connect, owned: SimpleNamespace, admin: Any) -> None:
    admin.create_principal("planner", "agent", ["agent"], [""])
    made = admin.create_token("planner")
    assert made.token.startswith(made.prefix)
    assert len(made.token) == 48
    assert made.expires_at - made.created_at == pytest.approx(90 * DAY, abs=5)
    assert (made.verbs, made.scope_tenant, made.revoked_at) == (None, None, None)
    assert (made.created_by, made.last_used_at) == ("root", None)
    agent = connect(owned.address, token=made.token)
    session = declare(agent)
    assert agent.audit_event(session, agent.query_belief(session).audit_head_event_id).actor == (
        "planner"
    )
    end = datetime.now(UTC) + timedelta(days=2)
    newer = admin.rotate_token(UUID(made.token_id), expires_at=end)
    assert (newer.replaces, newer.name) == (made.token_id, "planner")
    assert newer.expires_at == pytest.approx(end.timestamp(), abs=1e-3)
    with pytest.raises(errors.Unauthenticated) as caught:
        agent.query_belief(session)
    assert caught.value.details == {"credential": "revoked"}
    agent = connect(owned.address, token=newer.token)
    assert agent.query_belief(session).audit_seq == 1
    revoked = admin.revoke_token(newer.token_id)
    assert isinstance(revoked, RevokedToken)
    assert (revoked.duplicate, isinstance(revoked.revoked_at, float)) == (False, True)
    with pytest.raises(errors.Unauthenticated):
        agent.query_belief(session)
    assert admin.revoke_token(newer.token_id).duplicate is True
    listed = [*admin.list_tokens("planner")]
    assert [one.token_id for one in listed] == [newer.token_id, made.token_id]
    assert all(one.revoked_at for one in listed)
    assert [admin.read_token(one.token_id) for one in listed] == listed
    with pytest.raises(errors.PrincipalNotFound):
        next(iter(admin.list_tokens("nobody")))
    with pytest.raises(errors.Conflict):
        admin.rotate_token(made.token_id)


def test_what_a_token_covers(connect: Connect, owned: SimpleNamespace, admin: Any) -> None:
    admin.create_principal("all", "service", ["agent", "auditor"], [""], tenant="*")
    made = admin.create_token(
        "all", verbs={"declare_session", "query_belief"}, scope_tenant="acme", tenant="*"
    )
    assert (made.verbs, made.scope_tenant) == (["declare_session", "query_belief"], "acme")
    scoped = connect(owned.address, token=made.token)
    session = declare(scoped)
    assert scoped.query_belief(session).audit_seq == 1
    for refused in (
        lambda: scoped.eliminate(session, "s", "o", []),
        scoped.verify_identities,
        lambda: scoped.create_principal("p", "agent", ["agent"]),
    ):
        with pytest.raises(errors.Forbidden):
            refused()
    foreign = admin.create_token("all", scope_tenant="globex", tenant="*")
    with pytest.raises(errors.SessionNotFound):
        connect(owned.address, token=foreign.token).query_belief(session)


def test_who_am_i(connect: Connect, owned: SimpleNamespace, admin: Any, site: Any) -> None:
    me = admin.identify()
    assert isinstance(me, Caller)
    assert (me.name, me.tenant, me.kind, me.roles) == ("root", "*", "human", ["admin"])
    assert me.token is not None
    assert owned.token.startswith(me.token.prefix)
    nobody = connect(site.address).identify()
    assert (nobody.name, nobody.kind, nobody.source_prefixes, nobody.token) == ("api",) + (
        None,
    ) * 3


def test_a_space_of_another_tenant(connect: Connect, owned: SimpleNamespace, admin: Any) -> None:
    admin.create_principal("ann", "agent", ["agent"], tenant="acme")
    token = admin.create_token("ann", tenant="acme").token
    connect(owned.address, token=token).register_space("s", "1", ["a", "b"])
    assert admin.read_space("s", "1", tenant="acme").hypotheses == ["a", "b"]
    with pytest.raises(errors.SpaceNotFound):
        admin.read_space("s", "1")


def test_the_log_of_identities(admin: Any, db: Connection) -> None:
    for number in range(120):
        admin.create_principal(f"p{number:03}", "agent", ["agent"])
    assert len([*admin.list_principals()]) == 120
    events = [*admin.audit_identities()]
    assert [one.seq for one in events] == [*range(1, 121)]
    before = "0" * 64
    for event in events:
        assert hashlib.sha256(event.record.encode()).hexdigest() == event.event_hash
        assert event.prev_event_hash == before
        assert json.loads(event.record)["payload"] == event.payload
        before = event.event_hash
    assert (events[7].verb, events[7].actor) == ("CREATE_PRINCIPAL", "root")
    assert (events[7].payload["name"], events[7].tenant) == ("p007", "default")
    assert [one.seq for one in admin.audit_identities(since_seq=118)] == [119, 120]
    assert [one.verb for one in admin.audit_identities(tenant="*")] == [
        "CREATE_PRINCIPAL",
        "CREATE_TOKEN",
    ]
    found = admin.verify_identities()
    assert isinstance(found, VerifiedIdentities)
    assert [(one.tenant, one.ok, one.rows_checked) for one in found.tenants] == [
        ("*", True, 2),
        ("default", True, 120),
    ]
    assert (found.ok, found.tenants[1].head_hash) == (True, before)
    db.execute("update cmbs_store.principal set is_enabled = false where name = 'p007'")
    broken = admin.verify_identities()
    assert (broken.ok, broken.tenants[0].first_bad) == (False, None)
    assert broken.tenants[1].first_bad.reason


def test_what_is_not_there(admin: Any) -> None:
    for lost in (
        lambda: admin.change_principal("nobody", is_enabled=False),
        lambda: admin.create_token("nobody"),
        lambda: admin.read_principal("nobody"),
    ):
        with pytest.raises(errors.PrincipalNotFound) as caught:
            lost()
        assert caught.value.details["name"] == "nobody"
    for lost in (
        lambda: admin.revoke_token(NO_EVENT),
        lambda: admin.read_token(NO_EVENT),
        lambda: admin.rotate_token("cmbs_abcdefgh"),
    ):
        with pytest.raises(errors.TokenNotFound):
            lost()


BLAMED: list[tuple[Callable[[Any], Any], str]] = [
    (lambda c: c.create_principal(3, "agent", ["agent"]), "name"),
    (lambda c: c.create_principal("p", 3, ["agent"]), "kind"),
    (lambda c: c.create_principal("p", "boss", ["agent"]), "kind"),
    (lambda c: c.create_principal("p", "agent", "agent"), "roles"),
    (lambda c: c.create_principal("p", "agent", ["boss"]), "roles"),
    (lambda c: c.create_principal("p", "agent", []), "roles"),
    (lambda c: c.change_principal("p", roles=[]), "roles"),
    (lambda c: c.create_principal("p", "agent", ["agent"], "tool://"), "source_prefixes"),
    (lambda c: c.create_principal("p", "agent", ["agent"], tenant=3), "tenant"),
    (lambda c: c.change_principal("", is_enabled=True), "name"),
    (lambda c: c.change_principal("p", is_enabled=3), "is_enabled"),
    (lambda c: c.create_token("p", verbs="eliminate"), "verbs"),
    (lambda c: c.create_token("p", expires_at=datetime(2999, 1, 1)), "expires_at"),
    (lambda c: c.create_token("p", expires_at="tomorrow"), "expires_at"),
    (lambda c: c.create_token("p", expires_at="2000-01-01T00:00:00Z"), "expires_at"),
    (lambda c: c.revoke_token(3), "token_id"),
    (lambda c: c.read_token(3), "token_id"),
    (lambda c: c.read_principal(3), "name"),
    (lambda c: c.read_principal("p", tenant=3), "tenant"),
    (lambda c: c.read_space("s", "1", tenant=3), "tenant"),
    (lambda c: [*c.list_tokens(3)], "name"),
    (lambda c: [*c.list_principals(tenant=3)], "tenant"),
]


def test_the_right_member_is_blamed(admin: Any, subtests: pytest.Subtests) -> None:
    for no, (wrong, member) in enumerate(BLAMED):
        with subtests.test(member, no=no):
            with pytest.raises(errors.InvalidRequest) as caught:
                wrong(admin)
            assert caught.value.details["member"] == member


def test_only_administrators(connect: Connect, owned: SimpleNamespace, admin: Any) -> None:
    admin.create_principal("planner", "agent", ["agent", "policy"], [""])
    agent = connect(owned.address, token=admin.create_token("planner").token)
    assert agent.identify().roles == ["agent", "policy"]
    for refused in (
        lambda: agent.create_principal("p", "agent", ["admin"]),
        lambda: agent.change_principal("planner", roles=["admin"]),
        lambda: agent.create_token("planner"),
        lambda: agent.revoke_token(agent.identify().token.token_id),
        lambda: [*agent.list_tokens()],
        lambda: agent.read_principal("planner"),
        lambda: agent.read_token(agent.identify().token.token_id),
        lambda: [*agent.audit_identities()],
    ):
        with pytest.raises(errors.Forbidden) as caught:
            refused()
        assert "admin" in caught.value.details["required_roles"]
    with pytest.raises(errors.Unauthenticated):
        connect(owned.address).identify()


@pytest.fixture
def front(owned: SimpleNamespace) -> Iterator[Front]:
    with fronting(owned.address) as front:
        yield front


def test_a_token_is_made_once_or_not_at_all(
    connect: Connect, owned: SimpleNamespace, admin: Any
) -> None:
    admin.create_principal("planner", "agent", ["agent"])
    old = admin.create_token("planner").token_id
    with cutting(owned.address) as cutter:
        client = connect(cutter.address, token=owned.token)
        for n_made, make in (
            (2, lambda: client.create_token("planner")),
            (3, lambda: client.rotate_token(old)),
        ):
            cutter.cuts += [0]
            with pytest.raises(errors.Unavailable):
                make()
            assert len([*admin.list_tokens()]) == n_made
        # What says what it leads to is sent again.
        cutter.cuts += [0]
        assert client.create_principal("other", "agent", ["agent"]).duplicate is True
        cutter.cuts += [0]
        assert client.change_principal("other", is_enabled=False).duplicate is True
        cutter.cuts += [0]
        assert client.revoke_token(next(admin.list_tokens()).token_id).duplicate is True
        assert cutter.n_cut == 5


def test_limited_rates_are_waited_out_by_what_has_an_identity(
    connect: Connect, owned: SimpleNamespace, front: Front
) -> None:
    limit = json.dumps({"error": {"code": "RATE_LIMITED", "message": "m", "details": None}})
    refusals = [Answered(429, limit.encode(), {"Retry-After": "0"})]
    front.lie = lambda asked, behind: refusals.pop() if refusals else behind(asked)
    client = connect(front.address, token=owned.token)
    assert client.create_principal("planner", "agent", ["agent"]).duplicate is False
    assert len(front.asked) == 2
    refusals += [Answered(429, limit.encode(), {"Retry-After": "0"})]
    with pytest.raises(errors.RateLimited):
        client.create_token("planner")
    assert len(front.asked) == 3
