"""cmbs.read_space"""

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, refused
from tests.support.callers import caller


@pytest.mark.cold
def test_as_registered(tx: Connection) -> None:
    space = {"hypothesis_space_id": 's"/%2F', "hypothesis_version": "Ä"}
    registered = call(tx, "register_space", **space, hypotheses=["b", "ä", "b", "B"])
    found = call(tx, "read_space", **space)
    assert found.pop("registered_at").endswith("Z")
    assert found.pop("registered_by") == "postgres"
    assert found == {
        **space,
        "n_hypotheses": 3,
        "universe_digest": registered["universe_digest"],
        "hypotheses": ["B", "b", "ä"],
    }


@pytest.mark.parametrize("unknown", [("s", "2"), ("S", "1"), ("s", " 1")])
def test_not_registered(tx: Connection, unknown: tuple[str | None, str | None]) -> None:
    call(tx, "register_space", hypothesis_space_id="s", hypothesis_version="1", hypotheses=["a"])
    space = {"hypothesis_space_id": unknown[0], "hypothesis_version": unknown[1]}
    error = refused(tx, errors.SpaceNotFound, "read_space", **space)
    assert error.details == space


@pytest.mark.parametrize("nothing", [None, ""])
def test_what_is_no_id(tx: Connection, nothing: str | None) -> None:
    for space in [(nothing, "1"), ("s", nothing)]:
        named = {"hypothesis_space_id": space[0], "hypothesis_version": space[1]}
        refused(tx, errors.InvalidRequest, "read_space", **named)


def test_of_a_tenant_that_is_named(tx: Connection) -> None:
    space = {"hypothesis_space_id": "s", "hypothesis_version": "1"}
    mine, foreign = (caller(tx, "ann", "agent", tenant=tenant) for tenant in ("acme", "other"))
    for credential, ids in ((None, ["a"]), (mine, ["b"]), (foreign, ["c"])):
        call(tx, "register_space", **space, hypotheses=ids, credential=credential)
    assert call(tx, "read_space", **space)["hypotheses"] == ["a"]
    every = caller(tx, "root", "auditor", tenant="*")
    for tenant, ids in ((None, ["a"]), ("default", ["a"]), ("acme", ["b"]), ("other", ["c"])):
        for credential in (None, every):
            sent = {"tenant": tenant, "credential": credential}
            assert call(tx, "read_space", **space, **sent)["hypotheses"] == ids
    assert call(tx, "read_space", **space, tenant="acme", credential=mine)["hypotheses"] == ["b"]
    for tenant in ("other", "default", "nowhere", "*"):
        refused(tx, errors.Forbidden, "read_space", **space, tenant=tenant, credential=mine)
    for tenant in ("*", "nowhere"):
        refused(tx, errors.SpaceNotFound, "read_space", **space, tenant=tenant)
    error = refused(tx, errors.InvalidRequest, "read_space", **space, tenant="")
    assert error.details["member"] == "tenant"
