"""What the gates decide, and the reasons they give."""

from typing import Any

import pytest

from cmbs.belief_server import BeliefServer
from tests.library.kit import FORCE, IDS, check, declared

STRICT: dict[str, Any] = {}
OPEN = {"allow_forced_termination": True}


def ended(
    policy: dict[str, Any] | None, context: Any, gone: int = 0, conclusions: str = ""
) -> tuple[bool, str]:
    server = BeliefServer()
    session_id = declared(server, policy=policy)
    server.eliminate(session_id, "s", "1", IDS[:gone])
    for one in conclusions:
        assert server.declare_conclusion(session_id, one)[:2] == (True, "accepted")
    approved, reason, snapshot, _ = server.request_termination(session_id, context)
    assert snapshot.terminated is approved
    payload = server.audit_trace(session_id)[-1].payload
    assert (payload["approved"], payload["reason"]) == (approved, reason)
    assert payload["context"] == (context or {})
    check(server, session_id)
    return approved, reason


@pytest.mark.parametrize("gone", [0, 2, 4])
def test_the_end_needs_a_single_survivor(gone: int) -> None:
    expected = (False, "termination requires a singleton survivor")
    assert ended(None, None, gone) == expected
    assert ended(STRICT, {"force": False}, gone, "cc") == expected


@pytest.mark.parametrize(
    ("window", "conclusions", "approved"),
    [
        *[(0, "", True), (1, "", False), (1, "c", True), (2, "c", False), (2, "cdd", True)],
        *[(2, "ccd", False), (3, "ddd", True), (1000, "c" * 999, False), (1000, "c" * 1000, True)],
    ],
)
def test_the_end_needs_stable_conclusions(window: int, conclusions: str, approved: bool) -> None:
    reason = "approved" if approved else "conclusion not stable"
    policy = {"stability_window": window}
    assert ended(policy, None, 3, conclusions) == (approved, reason)


@pytest.mark.parametrize("policy", [None, OPEN])
@pytest.mark.parametrize("gone", [0, 3, 4])
def test_force_where_it_is_allowed(policy: Any, gone: int) -> None:
    assert ended(policy, FORCE, gone) == (True, "approved by force")


@pytest.mark.parametrize("gone", [0, 4])
def test_force_where_it_is_not_allowed(gone: int) -> None:
    assert ended(STRICT, FORCE, gone) == (False, "force not allowed by policy")
    assert ended({"stability_window": 1}, FORCE, 3) == (False, "force not allowed by policy")
    assert ended(STRICT, FORCE, 3) == (True, "approved"), "force was not needed"


@pytest.mark.parametrize("value", [1, 1.0, "true", [True], {"force": True}, None, False])
def test_force_is_the_value_true_alone(value: Any) -> None:
    assert ended(None, {"force": value})[0] is False


@pytest.mark.parametrize("context", [None, FORCE])
def test_an_obligation_keeps_from_the_end(server: BeliefServer, context: Any) -> None:
    session_id = declared(server, ["a", "b"])
    server.enter_obligation(session_id, "o", 1)
    server.eliminate(session_id, "s", "1", ["a"])
    blocked = (False, "active obligation blocks termination")
    assert server.request_termination(session_id, context)[:2] == blocked
    assert server.request_exit(session_id, "o")[:2] == (True, "approved")
    assert server.request_termination(session_id, context)[0] is True
    check(server, session_id)


def test_a_conclusion_under_an_obligation_does_not_count(server: BeliefServer) -> None:
    session_id = declared(server, ["a"], policy={"stability_window": 2})
    server.declare_conclusion(session_id, "c")
    server.enter_obligation(session_id, "o", 0)
    denied = server.declare_conclusion(session_id, "c")
    assert denied[:2] == (False, "active obligation blocks conclusion")
    server.request_exit(session_id, "o")
    assert server.request_termination(session_id)[:2] == (False, "conclusion not stable")
    assert server.declare_conclusion(session_id, "c")[:2] == (True, "accepted")
    assert server.request_termination(session_id)[:2] == (True, "approved")
    check(server, session_id)


def test_a_denied_conclusion_does_not_break_a_row(server: BeliefServer) -> None:
    session_id = declared(server, ["a"], policy={"stability_window": 2})
    server.declare_conclusion(session_id, "c")
    server.enter_obligation(session_id, "o", 0)
    server.declare_conclusion(session_id, "other")
    server.request_exit(session_id, "o")
    server.declare_conclusion(session_id, "c")
    assert server.request_termination(session_id).approved is True


@pytest.mark.parametrize(("least", "approved"), [(0, True), (1, True), (2, True), (3, False)])
def test_an_exit_counts_what_was_applied(server: BeliefServer, least: int, approved: bool) -> None:
    session_id = declared(server)
    server.eliminate(session_id, "before", "1", ["d"])
    server.enter_obligation(session_id, "o", least)
    server.eliminate(session_id, "s", "1", ["a", "d", "x"])
    server.eliminate(session_id, "s", "1", ["a", "d", "x"])
    server.eliminate(session_id, "s", "2", ["a", "b"])
    answer = server.request_exit(session_id, "o")
    reason = "approved" if approved else "minimum eliminations not met"
    assert answer[:2] == (approved, reason)
    assert (answer.snapshot.active_obligation_id is None) is approved
    check(server, session_id)


def test_an_obligation_used_again_counts_anew(server: BeliefServer, session_id: str) -> None:
    server.enter_obligation(session_id, "o", 1)
    server.eliminate(session_id, "s", "1", ["a"])
    server.request_exit(session_id, "o")
    server.enter_obligation(session_id, "o", 1)
    assert server.request_exit(session_id, "o").approved is False


def test_a_waiver_leaves_what_cannot_be_met(server: BeliefServer, session_id: str) -> None:
    server.enter_obligation(session_id, "o", 2**63 - 1)
    answer = server.waive_obligation(session_id, "o", "w" * 4096)
    assert answer[:2] == (True, "waived")
    assert answer.snapshot.active_obligation_id is None
    assert server.audit_trace(session_id)[-1].payload["waive_reason"] == "w" * 4096
    assert server.declare_conclusion(session_id, "c").approved is True
    check(server, session_id)
