"""cmbs.read_space"""

import pytest

from cmbs import errors
from cmbs.calls import call
from tests.beliefs import Connection, refused


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
