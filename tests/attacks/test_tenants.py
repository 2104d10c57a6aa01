"""Two tenants: neither reads, changes or finds out about anything of the other's."""

import json

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import sql

from tests.attacks.land import NAMELESS, PLACES, TAKEN, Land, shape, without
from tests.attacks.towns import GRANTS, MARKS
from tests.sql.schema.test_privileges import (
    ACT_ON_GRAPH,
    LOOK_AT_POLICY,
    PROPOSE,
    READ_GRAPH,
    SET_POLICY,
    SHARED,
)
from tests.support.beliefs import Connection
from tests.support.sizes import size

ARBITRATION = sorted(PROPOSE | SHARED | SET_POLICY | LOOK_AT_POLICY)


def test_every_argument_is_known(land: Land) -> None:
    named = {argument for arguments in land.verbs.values() for argument in arguments}
    assert named - NAMELESS <= land.values["alpha"].keys() | {"after", "login"}
    assert len(land.verbs) > 70


@pytest.mark.parametrize(
    "actor",
    [
        pytest.param("token every", marks=pytest.mark.slow("makes every call with every argument")),
        *(
            pytest.param(one, marks=pytest.mark.nightly)
            for one in ("agent", "policy", "auditor", "admin", "analyst")
        ),
    ],
)
def test_what_is_another_tenants_is_what_does_not_exist(land: Land, actor: str) -> None:
    n_asked = 0
    for verb in land.verbs:
        for name in land.names(verb):
            argument = name.partition(".")[0]
            if (verb, argument) in TAKEN:
                continue
            answers = []
            for place in ("beta", "nowhere"):
                sent = land.base(verb) | {argument: land.value(verb, name, place)}
                code, told = land.ask(actor, verb, sent)
                assert MARKS["beta"] not in without(told, sent), (verb, name)
                # What is kept at alpha's tells no more than the answer.
                kept = sorted(shape(without(row, sent)) for _, row in land.kept)
                answers.append((code, shape(without(told, sent)), kept))
            assert answers[0] == answers[1], (verb, name)
            n_asked += answers[0][0] != "42501"
    assert n_asked > (200 if actor == "token every" else 0)


@pytest.mark.parametrize(("verb", "argument"), sorted(TAKEN))
def test_an_id_that_is_taken_is_all_that_shows(land: Land, verb: str, argument: str) -> None:
    sent = land.base(verb) | {argument: land.value(verb, argument, "beta")}
    code, told = land.ask("agent", verb, sent)
    assert code == "MB102"
    detail = json.loads(json.loads(told)[1])
    assert detail == {argument: str(sent[argument])}


def views(admin: Connection) -> list[str]:
    found = admin.execute(
        "select c.relname::text from pg_class as c where c.relnamespace = 'cmbs'::regnamespace "
        "and c.relkind = 'v' order by 1"
    )
    return [name for (name,) in found]


# What is the same for all tenants.
OF_EVERYBODY = {"reason_code"}
# What has a row for a name that both tenants gave, of what is its own: as much each.
COUNTED = {"approval_latency": "sum(n_questions)"}


@pytest.mark.parametrize("role", GRANTS)
def test_no_view_shows_another_tenants(land: Land, role: str) -> None:
    readable = 0
    for view in views(land.admin):
        name = sql.Identifier("cmbs", view)
        with psycopg.connect(land.admin.info.dsn, user=land.alpha.logins[role]) as connection:
            granted = connection.execute(
                "select has_table_privilege(%s, 'select')", [f"cmbs.{view}"]
            )
            if granted.fetchone() != (True,):
                continue
            readable += 1
            query = sql.SQL("select v::text from {} as v").format(name)
            rows = [row for (row,) in connection.execute(query)]
            assert rows, view
            # What names no tenant's texts is its own all the same: as many as its owner counts.
            assert not [row for row in rows if MARKS["beta"] in row], view
            for condition in (
                "v::text like '%BETA9Z%'",
                "1 / (case when v::text like '%BETA9Z%' then 0 else 1 end) = 0",
                "exists (select from {0} as o where o::text like '%BETA9Z%')",
            ):
                asked = sql.SQL(f"select count(*) from {{0}} as v where {condition}")  # type: ignore[arg-type]
                found = connection.execute(asked.format(name)).fetchone()
                assert found == (0,), (view, condition)
            joined = sql.SQL("select count(*) from {} as v cross join {} as o").format(name, name)
            assert connection.execute(joined).fetchone() == (len(rows) ** 2,), view
            ((everything,),) = land.admin.execute(
                sql.SQL("select count(*) from {}").format(name)
            ).fetchall()
            if view in COUNTED:
                count = sql.SQL("select {} from {}").format(sql.SQL(COUNTED[view]), name)
                with psycopg.connect(
                    land.admin.info.dsn, user=land.alpha.logins[role]
                ) as connection:
                    ((mine,),) = connection.execute(count).fetchall()
                assert land.admin.execute(count).fetchall() == [(2 * mine,)], view
            elif view in OF_EVERYBODY:
                assert len(rows) == everything, view
            else:
                assert len(rows) < everything, view
    assert readable == {"agent": 0, "policy": 39, "auditor": 42, "analyst": 39, "admin": 3}[role]


@pytest.mark.parametrize("actor", ["token every", "agent", "policy", "auditor", "analyst"])
def test_what_is_ones_own_is_there(land: Land, actor: str) -> None:
    """The same calls find what is alpha's, or the tests above would show nothing."""
    verbs = [verb for verb, found in land.verbs.items() if "session_id" in found]
    codes = {verb: land.ask(actor, verb, land.base(verb))[0] for verb in verbs}
    allowed = {verb for verb, code in codes.items() if code not in ("42501", "MB302")}
    assert allowed, codes
    assert "MB001" not in codes.values(), codes


def test_the_verbs_of_arbitration_find_what_is_ones_own(land: Land) -> None:
    """Each of them does what it is asked, and what is listed is there."""
    told = {verb: land.ask("token every", verb, land.base(verb)) for verb in ARBITRATION}
    # Who proposed something is not who answers.
    code, told_of = told.pop("resolve_interrupt")
    assert (code, "APPROVAL_OWN_REQUEST" in told_of) == ("MB102", True)
    assert {code for code, _ in told.values()} == {"00000"}, told
    for verb in ("propose", "resume", "record_claim", "promote_claim"):
        assert json.loads(told[verb][1])[0][0]["decision"] == "allow", told[verb]
    for verb in told:
        looks = verb.startswith(("list_", "read_", "policy_", "explain_", "state_"))
        # What is due is nothing yet.
        if looks and verb not in ("halt_policy", "list_due"):
            assert MARKS["alpha"] in told[verb][1], verb


def test_the_verbs_of_the_graph_find_what_is_ones_own(land: Land) -> None:
    for verb in sorted(READ_GRAPH | ACT_ON_GRAPH):
        code, told = land.ask("token every", verb, land.base(verb))
        assert (code, MARKS["alpha"] in told) == ("00000", True), verb
    _, told = land.ask("token every", "merge_hypothesis", land.base("merge_hypothesis"))
    assert json.loads(told)[0][0]["created"] == [], "alpha's own, that are there"
    sent = {"universe_from": land.value("declare_session", "universe_from", "alpha")}
    code, told = land.ask("agent", "declare_session", land.base("declare_session") | sent)
    assert (code, f"{MARKS['alpha']} b" in told) == ("00000", True)


def test_packs_of_everybody_are_seen(land: Land) -> None:
    for role in ("agent", "policy", "auditor"):
        _, told = land.ask(role, "list_policies", {})
        named = {one["pack"] for one in json.loads(told)[0][0]["policies"]}
        starters = {"deny-all", "observe-only", "supervised", "belief-gated"}
        assert named == {*starters, f"{MARKS['alpha']} pack"}


@settings(
    max_examples=size(100, 1500),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_no_call_tells_of_another_tenant(land: Land, data: st.DataObject) -> None:
    """Any verb, by anybody, with members of both tenants in any mixture."""
    verb = data.draw(st.sampled_from(sorted(land.verbs)))
    actor = data.draw(st.sampled_from(land.actors))
    sent = land.base(verb)
    for name in land.names(verb):
        if data.draw(st.booleans()):
            place = data.draw(st.sampled_from(PLACES))
            sent[name.partition(".")[0]] = land.value(verb, name, place)
    code, told = land.ask(actor, verb, sent)
    assert MARKS["beta"] not in without(told, sent), (verb, actor, code)
