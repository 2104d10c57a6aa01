"""The packs that come along: what each lets an agent do, in a session that names it."""

from typing import Any

import pytest

from cmbs.database.calls import call
from tests.sql.verdict.scene import ALLOWED, BLOCKED, Scene, delta, told, tool_call, value
from tests.support.beliefs import Connection

STARTERS = ["belief-gated", "deny-all", "observe-only", "supervised"]


def scene_with(connection: Connection, pack: str) -> Scene:
    scene = Scene(connection)
    assert scene("apply_policy", scene.policy, pack=pack, version=1)["approved"]
    return scene


def test_they_are_there_and_well_formed(tx: Connection) -> None:
    listed = call(tx, "list_policies")["policies"]
    assert [(one["pack"], one["version"]) for one in listed] == [(name, 1) for name in STARTERS]
    for name in STARTERS:
        found = call(tx, "lint_published_policy", pack=name)
        assert found["n_errors"] == 0
        # That one allows nothing is what deny-all is for.
        assert found["n_warnings"] == (1 if name == "deny-all" else 0), found


FACT: Any = delta({"fact.x": value(1)})
GOAL: Any = delta({"goal.x": value(1)})


@pytest.mark.parametrize(
    ("pack", "reads", "writes", "fact", "goal", "claim"),
    [
        ("deny-all", False, "block", False, False, False),
        ("observe-only", True, "block", True, False, True),
        ("supervised", True, "ask", True, True, True),
        ("belief-gated", True, "block", True, True, True),
    ],
)
def test_what_they_allow(
    tx: Connection, pack: str, reads: bool, writes: str, fact: bool, goal: bool, claim: bool
) -> None:
    scene = scene_with(tx, pack)
    assert (told(scene.propose(tool_call("R"))) == ALLOWED) is reads
    assert scene.propose(tool_call("A"))["disposition"] == writes
    assert (told(scene.propose(FACT, who=scene.tool)) == ALLOWED) is fact
    assert (told(scene.propose(GOAL)) == ALLOWED) is goal
    made = scene.claim(kind="hypothesis", key="k", value=1, ttl_ms=1000)
    assert (made["decision"] == "allow") is claim
    assert scene.is_whole()


def test_belief_gates_what_writes(tx: Connection) -> None:
    scene = scene_with(tx, "belief-gated")
    answer = scene.propose(tool_call("A"))
    assert told(answer) == (*BLOCKED, "CONSTRAINT_DENIED")
    assert "isolated" in answer["reasons"][0]["detail"]
    # Nobody's own word is enough.
    scene.session.eliminate("a", "b", "c", credential=scene.agent)
    assert told(scene.propose(tool_call("A"))) == (*BLOCKED, "CONSTRAINT_DENIED")
    scene.session.eliminate("a", "b", "c", credential=scene.tool, source_id="tool://x")
    assert told(scene.propose(tool_call("A"))) == ALLOWED
    scene.session.enter("look first", 0, credential=scene.agent)
    answer = scene.propose(tool_call("A"))
    assert [one["key"] for one in answer["reasons"]] == ["constraint.no-obligation"]
    scene.session.exit("look first", credential=scene.agent)
    assert told(scene.propose(tool_call("A"))) == ALLOWED
    assert scene.is_whole()
