"""cmbs.set_policy_defaults"""

from uuid import uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import ONTOLOGY, Connection, Session, background, declare, refused
from tests.support.callers import caller

DEFAULTS = {"stability_window": 0, "validate_hypotheses": False, "allow_forced_termination": False}


def defaults(connection: Connection) -> object:
    return declare(connection, minimal=True)["snapshot"]["policy"]


@pytest.mark.cold
def test_what_is_left_out_stays(tx: Connection) -> None:
    assert defaults(tx) == DEFAULTS
    expected = dict(DEFAULTS)
    for change in ({"stability_window": 5}, {"validate_hypotheses": True}, {}):
        expected |= change
        assert call(tx, "set_policy_defaults", policy=Json(change)) == expected
        assert defaults(tx) == expected


def test_what_a_declare_gives_wins(tx: Connection) -> None:
    call(tx, "set_policy_defaults", policy=Json({"stability_window": 5}))
    policy = {"stability_window": 2, "allow_forced_termination": True}
    found = declare(tx, policy=Json(policy))["snapshot"]["policy"]
    assert found == {**DEFAULTS, **policy}


def test_old_sessions_are_untouched(tx: Connection) -> None:
    session = Session(tx, policy=Json({"validate_hypotheses": False}))
    call(tx, "set_policy_defaults", policy=Json({"stability_window": 9}))
    assert session.snapshot()["policy"] == DEFAULTS
    again = declare(tx, session_id=session.id, policy=Json({"validate_hypotheses": False}))
    assert again["duplicate"] is True, "the same request, whatever it means by now"
    assert session.is_whole()


def test_history_is_kept(tx: Connection) -> None:
    for window in (1, 2, 2):
        call(tx, "set_policy_defaults", policy=Json({"stability_window": window}))
    history = tx.execute(
        "select default_no, stability_window, set_by from cmbs_store.policy_default order by 1"
    ).fetchall()
    assert history == [(1, 0, "cmbs"), (2, 1, "postgres"), (3, 2, "postgres"), (4, 2, "postgres")]


WRONG = [
    None,
    Json(None),
    Json([]),
    Json({"stability": 1}),
    Json({"stability_window": -1}),
    Json({"stability_window": 1001}),
    Json({"stability_window": 1.5}),
    Json({"stability_window": "1"}),
    Json({"stability_window": True}),
    Json({"stability_window": None}),
    Json({"validate_hypotheses": 1}),
    Json({"validate_hypotheses": "true"}),
    Json({"validate_hypotheses": None}),
    Json({"allow_forced_termination": "yes"}),
    Json({"allow_forced_termination": None}),
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_refused(tx: Connection, wrong: object) -> None:
    refused(tx, errors.InvalidRequest, "set_policy_defaults", policy=wrong)
    if wrong is not None:
        sent = {"session_id": uuid4(), "ontology": Json(ONTOLOGY), "hypotheses": ["a"]}
        refused(tx, errors.InvalidRequest, "declare_session", policy=wrong, **sent)


@pytest.mark.parametrize("window", [0, 1000])
def test_bounds(tx: Connection, window: int) -> None:
    answer = call(tx, "set_policy_defaults", policy=Json({"stability_window": window}))
    assert answer["stability_window"] == window


def test_of_two_at_once_the_later_builds_on_the_earlier(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        call(first, "set_policy_defaults", policy=Json({"stability_window": 7}))
        late = calls.call("set_policy_defaults", policy=Json({"validate_hypotheses": True}))
        calls.wait_until_blocked()
        first.commit()
        expected = {**DEFAULTS, "stability_window": 7, "validate_hypotheses": True}
        assert late.result() == expected
        assert defaults(first) == expected


def window(connection: Connection, **whose: object) -> object:
    return declare(connection, minimal=True, **whose)["snapshot"]["policy"]["stability_window"]


def test_those_of_all_hold_where_a_tenant_has_none(tx: Connection) -> None:
    ours, theirs = (
        {"credential": caller(tx, "ann", "agent", "policy", tenant=tenant)}
        for tenant in ("acme", "other")
    )
    every = {"credential": caller(tx, "root", "policy", tenant="*")}

    def rule(policy: dict[str, object], **whose: object) -> object:
        return call(tx, "set_policy_defaults", policy=Json(policy), **whose)

    rule({"stability_window": 3}, tenant="acme", **every)
    rule({"stability_window": 7}, tenant="*", **every)
    assert [window(tx, **ours), window(tx, **theirs), window(tx)] == [3, 7, 7]
    # The first of its own begin where those of all stand.
    assert rule({"validate_hypotheses": True}, **theirs) == {
        **DEFAULTS,
        "stability_window": 7,
        "validate_hypotheses": True,
    }
    rule({"stability_window": 9}, tenant="*", **every)
    rule({"stability_window": 4}, tenant="acme", **ours)
    assert [window(tx, **ours), window(tx, **theirs), window(tx)] == [4, 7, 9]
    rule({"stability_window": 5}, **every)
    assert [window(tx, **ours), window(tx, **theirs), window(tx)] == [4, 7, 5]


def test_a_tenant_rules_itself_alone(tx: Connection) -> None:
    mine = {"credential": caller(tx, "ann", "policy", tenant="acme")}
    sent = {"policy": Json({"stability_window": 3})}
    for tenant in ("default", "other", "*"):
        refused(tx, errors.Forbidden, "set_policy_defaults", **sent, tenant=tenant, **mine)
    error = refused(tx, errors.InvalidRequest, "set_policy_defaults", **sent, tenant="")
    assert error.details["member"] == "tenant"
    assert window(tx) == 0
