"""cmbs.verify_identities; what it finds of who tampers is in test_tampering_with_identities.py."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, refused
from tests.support.callers import ROLES, caller, digest, identity_events, principal, token_id

EMPTY = {"tenant": "*", "ok": True, "rows_checked": 0, "head_hash": "0" * 64, "first_bad": None}
NAMES = ("ann", "bob")
TENANTS = ("default", "acme", "*")


@pytest.mark.cold
def test_nothing_yet(tx: Connection) -> None:
    assert call(tx, "verify_identities") == {"ok": True, "tenants": [EMPTY]}


def test_each_tenant_has_its_log(tx: Connection) -> None:
    for tenant in ("acme", "default"):
        caller(tx, "ann", "agent", tenant=tenant)
    found = call(tx, "verify_identities")
    assert found["ok"] is True
    assert [(one["tenant"], one["rows_checked"]) for one in found["tenants"]] == [
        ("*", 0),
        ("acme", 2),
        ("default", 2),
    ]


def test_of_another_tenant(tx: Connection) -> None:
    mine = caller(tx, "ann", "auditor", tenant="acme")
    caller(tx, "bob", "agent")
    found = call(tx, "verify_identities", credential=mine)
    assert [one["tenant"] for one in found["tenants"]] == ["acme"]


@pytest.mark.parametrize("role", [role for role in ROLES if role not in ("auditor", "admin")])
def test_refused(tx: Connection, role: str) -> None:
    refused(tx, errors.Forbidden, "verify_identities", credential=caller(tx, "ann", role))


tenant = st.sampled_from(TENANTS)
name = st.sampled_from(NAMES)
some = st.lists(st.sampled_from(ROLES), min_size=1, max_size=3)
prefixes = st.lists(st.sampled_from(["", "a", 'é"\\\n', "\U0001f600"]), max_size=2)
verbs = st.one_of(st.none(), st.lists(st.sampled_from(["eliminate", "identify"]), min_size=1))
secret = st.integers(0, 5).map(lambda no: digest(str(no)))
shown = {"prefix": st.just("cmbs_test")}
message = st.one_of(
    st.tuples(
        st.just("create_principal"),
        st.fixed_dictionaries(
            {"name": name, "tenant": tenant, "roles": some, "source_prefixes": prefixes},
        ).map(lambda sent: {**sent, "kind": "agent"}),
    ),
    st.tuples(
        st.just("change_principal"),
        st.fixed_dictionaries(
            {"name": name, "tenant": tenant},
            optional={"roles": some, "source_prefixes": prefixes, "is_enabled": st.booleans()},
        ),
    ),
    st.tuples(
        st.just("create_token"),
        st.fixed_dictionaries(
            {"name": name, "tenant": tenant, "digest": secret, "verbs": verbs, **shown}
        ),
    ),
    st.tuples(
        st.just("rotate_token"),
        st.fixed_dictionaries({"token_id": secret.map(token_id), "digest": secret, **shown}),
    ),
    st.tuples(st.just("revoke_token"), st.fixed_dictionaries({"token_id": secret.map(token_id)})),
)


@pytest.fixture(scope="module")
def connection(_shared_database: str) -> Iterator[Connection]:
    with psycopg.connect(_shared_database) as made:
        yield made
        made.rollback()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(messages=st.lists(message, min_size=5, max_size=20))
def test_what_is_stored_is_what_the_log_leads_to(
    connection: Connection, messages: list[tuple[str, dict[str, Any]]]
) -> None:
    with connection.transaction(force_rollback=True):
        for no, mine in enumerate(TENANTS):
            # So that few messages name what is not there.
            principal(connection, NAMES[0] + str(no), tenant=mine)
        for verb, sent in messages:
            before = {one: len(identity_events(connection, one)) for one in TENANTS}
            refusals = (errors.Conflict, errors.PrincipalNotFound, errors.TokenNotFound)
            try:
                with connection.transaction():
                    call(connection, verb, **sent)
            except refusals:
                # A refusal leaves nothing behind; any other error fails the test.
                after = {one: len(identity_events(connection, one)) for one in TENANTS}
                assert after == before
            found = call(connection, "verify_identities")
            assert found["ok"] is True, found
        assert sum(one["rows_checked"] for one in found["tenants"]) == sum(
            len(identity_events(connection, one)) for one in TENANTS
        )
