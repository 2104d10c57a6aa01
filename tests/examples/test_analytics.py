"""The analysts' queries over the sample: their committed outputs, and plans that stay sane."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from bench import filling
from tests.support import analytics
from tests.support.analytics import Analyst
from tests.support.databases import copy_of_a_module

Connection = psycopg.Connection[Any]
# Who asks what a record says has to read it: no column has the claims, and the reasons of gates.
_READS_RECORDS = {"04_sources", "05_what_only_one_source_saw", "08_denied_gates"}
_OF_ONE_SESSION = {
    "arbitration_content": "*",
    "audit_event": "seq, verb, payload",
    "capability_budget": "*",
    "chain_head": "*",
    "claim": "*",
    "conclusion": "*",
    "decision": "*",
    "decision_item": "*",
    "deferral": "*",
    "denial": "*",
    "elimination": "*",
    "gate_decision": "*",
    "interrupt": "*",
    "obligation": "*",
    "permit": "*",
    "recorded_claim": "*",
    "session": "*",
    "session_mode": "*",
    "shadow_divergence": "*",
    "source_effect": "*",
    "state_change": "*",
    "survivor": "*",
    "survivors_over_time": "*",
    "tee_message": "*",
    "universe_member": "*",
    "webhook_message": "*",
}


_OF_ONE_INCIDENT = ("incident", "incident_tombstone", "live_edge", "live_node")
# As many incidents as rule something out in a year, which no verb need make for a plan to be seen.
_INCIDENTS = """
insert into cmbs_store.graph_head values ('default', 1);
insert into cmbs_store.graph_node
select 'default', 'n' || n, 1, 'SERVICE', 'n' || n, false, 's', 't', null
from generate_series(1, 2000) as n;
insert into cmbs_store.graph_edge
select 'default', 'n' || n, 'n' || n + 1, 'DEPENDS_ON', 1, 's', 't', null
from generate_series(1, 2000) as n;
insert into cmbs_store.incident
select 'i' || i, 'default', now(), 'x', 1, null, false, 50 from generate_series(1, 300) as i;
insert into cmbs_store.incident_event
select 'i' || i, e, now(), 'x', 's', 't', null
from generate_series(1, 300) as i, generate_series(1, 50) as e;
insert into cmbs_store.node_tombstone
select 'i' || i, 'n' || e, e, true from generate_series(1, 300) as i, generate_series(1, 50) as e;
insert into cmbs_store.edge_tombstone
select 'i' || i, 'n' || e, 'n' || e + 1, 'DEPENDS_ON', e, true
from generate_series(1, 300) as i, generate_series(51, 100) as e;
"""


@pytest.fixture(scope="module")
def loaded(server: SimpleNamespace, template: Any) -> Iterator[Connection]:
    with copy_of_a_module(server, template, "sample") as admin:
        analytics.load(admin.info.dsn)
        yield admin


@pytest.fixture(scope="module")
def filled(server: SimpleNamespace, template: Any) -> Iterator[Connection]:
    with copy_of_a_module(server, template, "filled") as admin:
        filling.fill(admin, 30_000)
        admin.execute(_INCIDENTS.encode())
        admin.execute("analyze")
        yield admin


@pytest.fixture(scope="module")
def analyst(loaded: Connection) -> Iterator[Analyst]:
    made = Analyst(loaded)
    yield made
    made.remove()


def test_the_sample_is_whole(loaded: Connection) -> None:
    found = loaded.execute("select count(*), bool_and(ok) from cmbs.verify_all()").fetchone()
    assert found == (analytics.SESSIONS, True)


@pytest.mark.parametrize("path", analytics.QUERIES, ids=lambda path: path.stem)
def test_a_query_prints_what_is_committed(
    path: Path, analyst: Analyst, server: SimpleNamespace
) -> None:
    program = analytics.psql_of(server)
    if not program:
        pytest.skip("the queries are run by psql, and there is none")
    found = analyst.psql(program, path)
    assert found == path.with_suffix(".out").read_text(), "meant? python -m tests.support.analytics"
    # Rows that say nothing would be equal for ever.
    assert len(found.splitlines()) > 5


def test_every_output_has_its_query() -> None:
    outputs = sorted(path.stem for path in analytics.FOLDER.glob("*.out"))
    assert outputs == [path.stem for path in analytics.QUERIES]
    assert len(outputs) == 9


@pytest.mark.parametrize("path", analytics.QUERIES, ids=lambda path: path.stem)
def test_a_query_says_what_it_answers_and_reads_views_alone(path: Path) -> None:
    text = path.read_text()
    assert re.match(r"-- .+\?", text), "it begins with the question"
    assert "cmbs_store" not in text
    assert re.findall(r"\b(?:from|join) cmbs\.(\w+)", text)
    assert re.search(r"\norder by [^()]+(\nlimit \d+)?;\n\Z", text), "its order is its own"
    assert all(len(line) <= 100 for line in text.splitlines())


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


def plan_of(connection: Connection, query: str) -> dict[str, Any]:
    explain = f"explain (verbose, format json) {query}"
    ((found,),) = connection.execute(explain.encode()).fetchall()
    plan: dict[str, Any] = found[0]["Plan"]
    return plan


def reads_log(node: dict[str, Any]) -> bool:
    return node.get("Relation Name") in ("audit_event", "tombstone", "conclusion")


def test_the_views_are_all_planned_here(filled: Connection) -> None:
    views = filled.execute("select viewname from pg_views where schemaname = 'cmbs'").fetchall()
    # Contexts and identities are no sessions.
    others = {"context_elimination", "api_token", "identity_event", "principal"}
    # Nor are what is counted over all of them, and what explains codes.
    others |= {"approval_latency", "constraint_hit", "unmatched_constraint", "reason_code"}
    # Graphs are of tenants, and incidents have a plan of their own.
    others |= {"graph_edge", "graph_growth", "graph_node", "most_tombstoned", *_OF_ONE_INCIDENT}
    assert {view for (view,) in views} == others.union(_OF_ONE_SESSION)


@pytest.fixture(params=["operator", "analyst"])
def asking(request: pytest.FixtureRequest, filled: Connection) -> Iterator[Connection]:
    """Who sees every tenant, and who sees one."""
    if request.param == "operator":
        yield filled
        return
    made = Analyst(filled)
    try:
        with made.connect() as connection:
            yield connection
    finally:
        made.remove()


@pytest.mark.parametrize("view", _OF_ONE_SESSION)
def test_a_question_about_one_session_does_not_read_the_others(
    view: str, asking: Connection
) -> None:
    ((session_id,),) = asking.execute("select min(session_id::text) from cmbs.session").fetchall()
    columns = _OF_ONE_SESSION[view]
    for one in (
        f"'{session_id}'",
        "(select session_id from cmbs.session order by audit_seq desc, session_id limit 1)",
    ):
        plan = plan_of(asking, f"select {columns} from cmbs.{view} where session_id = {one}")
        is_by_session(plan)
    several = (
        "select t.* from (select session_id from cmbs.session limit 3) as s cross join lateral "
        f"(select {columns} from cmbs.{view} where session_id = s.session_id offset 0) as t"
    )
    is_by_session(plan_of(asking, several))


@pytest.mark.parametrize("view", _OF_ONE_INCIDENT)
def test_a_question_about_one_incident_does_not_read_the_others(
    view: str, asking: Connection
) -> None:
    plan = plan_of(asking, f"select * from cmbs.{view} where incident_id = 'i7'")
    grown = ("incident_event", "node_tombstone", "edge_tombstone")
    read = [node for node in nodes(plan) if node.get("Relation Name") in grown]
    assert read
    for node in read:
        # A bitmap's heap scan has its condition from the index scan below it.
        by = " ".join(str(one.get("Index Cond")) for one in nodes(node))
        assert "incident_id = " in by, node


def is_by_session(plan: dict[str, Any]) -> None:
    for node in filter(reads_log, nodes(plan)):
        # A bitmap's heap scan has its condition from the index scan below it.
        by = " ".join(str(one.get("Index Cond")) for one in nodes(node))
        assert "session_id = " in by, node


@pytest.mark.parametrize("path", analytics.QUERIES, ids=lambda path: path.stem)
def test_a_query_parses_no_record_without_need_and_rescans_no_log(
    path: Path, filled: Connection
) -> None:
    plan = plan_of(filled, path.read_text())
    for node in nodes(plan):
        if node["Node Type"] == "Nested Loop":
            # Of two inputs that grow with the log, none may be gone through for each of the other.
            (inner,) = (one for one in node["Plans"] if one["Parent Relationship"] == "Inner")
            grown = [one for one in nodes(inner) if one["Node Type"] == "Seq Scan"]
            assert not any(reads_log(one) for one in grown), path.stem
    parsed = re.search(r"\brecord\)?::json", json.dumps(plan)) is not None
    assert parsed is (path.stem in _READS_RECORDS)
