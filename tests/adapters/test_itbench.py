"""The adapter of incidents: checks with any number of outcomes."""

import pytest

from cmbs.adapters import (
    Action,
    BeliefAdapter,
    EliminateMessage,
    ITBenchAction,
    ITBenchAdapter,
    ITBenchKit,
    ITBenchOracle,
)
from cmbs.adapters.itbench import load_builtin_kit
from tests.adapters.playing import play, snapshot

KIT = load_builtin_kit("itb_sre_6")
ALL = KIT.hypotheses


def test_it_is_an_adapter_of_checks() -> None:
    adapter = ITBenchAdapter(KIT)
    assert isinstance(adapter, BeliefAdapter)
    actions = adapter.list_actions(snapshot(ALL))
    assert [action.action_id for action in actions] == KIT.actions_order
    assert actions[4] == Action(
        "check_disk",
        "Read how much space is left on the disks.",
        {"outcomes": ["plenty", "little", "none"]},
    )
    context = adapter.apply_action("check_disk", snapshot(ALL))
    assert context.payload == {"description": "Read how much space is left on the disks."}
    assert adapter.observe(context, "none") == [
        EliminateMessage(
            verb="ELIMINATE",
            source_id="adapter://itbench",
            observation_id="check_disk:none",
            eliminated=["cpu_throttle", "db_connection_exhaustion", "replication_lag"],
            justification={
                "description": "Read how much space is left on the disks.",
                "outcome": "none",
            },
        )
    ]
    (nothing,) = adapter.observe(context, "little")
    assert nothing.eliminated == []
    left = adapter.list_actions(snapshot(["disk_full", "network_partition"]))
    assert [action.action_id for action in left] == [
        "check_error_onset",
        "check_reachability",
        "check_connections",
    ]
    with pytest.raises(ValueError, match="its outcomes are 'plenty', 'little', 'none'"):
        adapter.observe(context, "yes")


def test_a_scenario_is_a_root_cause_or_the_outcomes() -> None:
    oracle = ITBenchOracle(KIT, "disk_full")
    told = {action_id: oracle.answer(action_id) for action_id in KIT.actions_order}
    assert told == {
        "check_error_onset": "slowly",
        "check_reachability": "all_reached",
        "check_replication": "in_step",
        "check_connections": "below_limit",
        # The first that does not rule it out, though `none` would say more.
        "check_disk": "little",
        "check_throttling": "never",
        "check_deploys": "no_release",
    }
    sure = ITBenchOracle(KIT, told | {"check_disk": "none"})
    left, said = play(ITBenchAdapter(KIT, "adapter://mine"), ALL, sure.answer)
    assert left == {"disk_full"}
    assert {message.source_id for message in said} == {"adapter://mine"}
    assert ITBenchOracle(KIT, {"check_disk": "none"}).answer("check_disk") == "none"


def test_what_is_no_scenario_is_refused() -> None:
    with pytest.raises(ValueError, match="no hypothesis 'gremlins'; the kit has db_connection_"):
        ITBenchOracle(KIT, "gremlins")
    for scenario in ({"check_moon": "full"}, {"check_disk": "foul"}):
        with pytest.raises(ValueError, match="the kit has no outcome 'f"):
            ITBenchOracle(KIT, scenario)
    with pytest.raises(ValueError, match="the scenario has no outcome of an action 'check_disk'"):
        ITBenchOracle(KIT, {"check_deploys": "no_release"}).answer("check_disk")
    with pytest.raises(ValueError, match="no outcome of an action 'check_moon'"):
        ITBenchOracle(KIT, "disk_full").answer("check_moon")
    action = ITBenchAction("look", "Look.", ["a"])
    unfair = ITBenchKit(["x", "y"], {"look": action}, ["look"], {"look": {"a": frozenset({"x"})}})
    assert ITBenchOracle(unfair, "y").answer("look") == "a"
    with pytest.raises(ValueError, match="every outcome of action 'look' rules out 'x'"):
        ITBenchOracle(unfair, "x")
