"""The fixtures of a policy: what they see of it."""

from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs.database.calls import call
from cmbs.errors import InvalidRequest
from tests.support.beliefs import Connection, refused

CALL = {"kind": "tool_call", "tool_id": "t"}


def entries(first: int) -> dict[str, Any]:
    """One of the author's own, and a condition that reads it."""
    reads = {"op": "eq", "args": ["policy.hours.first", 9]}
    return {
        "policy.hours": {"v": 1, "value": {"first": first}},
        "constraint.a": {"v": 1, "effect": "allow", "subject": {"tool_id": "t"}, "when": reads},
    }


@pytest.mark.parametrize(("first", "decision"), [(9, "allow"), (10, "deny")])
def test_a_fixture_sees_the_entries_of_its_pack(tx: Connection, first: int, decision: str) -> None:
    fixture = {"item": CALL, "expect": {"decision": decision}}
    pack = {"pack": "p", "entries": Json(entries(first)), "fixtures": Json([fixture])}
    assert call(tx, "publish_policy", **pack)["n_fixtures"] == 1
    assert call(tx, "test_policy", pack="p")["n_failed"] == 0


@pytest.mark.parametrize("key", ["policy.hours", "policy.of.nobody"])
def test_and_none_may_name_others(tx: Connection, key: str) -> None:
    fixture = {"item": CALL, "given": {key: {"v": 1, "value": 1}}, "expect": {"decision": "deny"}}
    pack = {"pack": "p", "entries": Json(entries(9)), "fixtures": Json([fixture])}
    assert refused(tx, InvalidRequest, "publish_policy", **pack).details == {
        "member": "fixtures[0].given",
        "problem": "must not hold policy.*: a fixture sees the entries of its own pack",
    }


@pytest.mark.parametrize(("most", "decision"), [(3, "allow"), (2, "deny")])
def test_so_does_one_of_an_invariant(tx: Connection, most: int, decision: str) -> None:
    holds = {"op": "eq", "args": ["fact.x", {"ref": "policy.limits.most"}]}
    broken = {"op": "not", "args": [holds]}
    pack = {
        "policy.limits": {"v": 1, "value": {"most": most}},
        "constraint.writes": {
            "v": 1,
            "effect": "allow",
            "subject": {"capability": "state.write.fact"},
        },
        "constraint.invariant.x": {"v": 1, "effect": "deny", "when": broken},
    }
    item = {"kind": "state_delta", "patch": {"fact.x": {"v": 1, "value": 3}}}
    fixture = {"item": item, "expect": {"decision": decision}}
    sent = {"pack": "p", "entries": Json(pack), "fixtures": Json([fixture])}
    assert call(tx, "publish_policy", **sent)["n_fixtures"] == 1
