"""The packs that come along: what each lets an agent do, in a session that names it."""

from typing import Any

import pytest

from cmbs.database.calls import call
from tests.sql.verdict.scene import ALLOWED, BLOCKED, Scene, delta, told, tool_call, value
from tests.support.beliefs import Connection

# What sessions were decided by is recorded by these: a better pack is a new version.
HASHES = {
    "belief-gated": "c8ce531143a59e5331d9c47be5f7ab2062c8e026a7d967c1d98d1955c1969f76",
    "deny-all": "586ae1b3c2705e117ad6f5c263c7a603d3220e8ef3f98aad382b693f0d5230e5",
    "observe-only": "ed5ee715ae89843eb19c2763c1f154933d54f8fd3175b5e380a5b6bff3179de4",
    "supervised": "b3eb17b0500928d7a5a7243cc36101b6251d07e7342d5ed04cf14c326b0f20c6",
}


def scene_with(connection: Connection, pack: str) -> Scene:
    scene = Scene(connection)
    assert scene("apply_policy", scene.policy, pack=pack, version=1)["approved"]
    return scene


def test_they_are_there_and_well_formed(tx: Connection) -> None:
    listed = call(tx, "list_policies")["policies"]
    found = [(one["pack"], one["version"], one["policy_hash"]) for one in listed]
    assert found == [(name, 1, digest) for name, digest in HASHES.items()]
    for name in HASHES:
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
