"""What a scrape costs the database: by the number of sessions, by that of events, by what waits."""

import statistics
import time
from typing import Any

import psycopg

from bench.filling import fill
from bench.harness import Bench, bar, load

_SESSIONS = (100, 1_000, 10_000, 50_000)
_EVENTS = (10_000, 100_000, 500_000)
# Sessions with two events each. One of ten has a permit that is used, one that may be, and a
# question; a hundredth has an active obligation, and two thirds are terminated.
_FILL = """
insert into cmbs_store.universe values (sha256('bench'), 1000, now());
insert into cmbs_store.session (
    session_id, tenant, declared_at, universe_digest, n_hypotheses, stability_window,
    validate_hypotheses, allow_forced_termination, hypothesis_space_id, ontology, audit_seq,
    audit_head_event_id, audit_head_hash, audit_head_at, survivors_hash, n_survivors,
    is_terminated, mask, obligation_seq, conclusion_run, is_mirrored, n_clock_steps
)
select
    md5('session ' || s)::uuid, 'default', now(), sha256('bench'), 1000, 0, false, false, 'bench',
    repeat('o', 150), 2, md5('head ' || s)::uuid, sha256('h'), now(), sha256('h'), 900,
    s % 3 > 0, decode(repeat('aa', 125), 'hex'), case when s % 100 = 0 then 2 end, 0, false, 0
from generate_series(1, {sessions}) as s;
insert into cmbs_store.audit_event (
    session_id, seq, recorded_at, event_id, event_hash, verb, actor, record
)
select s.session_id, q, now(), gen_random_uuid(), sha256('h'), 'PROPOSE', 'api', repeat('r', 700)
from cmbs_store.session as s cross join generate_series(1, 2) as q;
insert into cmbs_store.permit (session_id, permit_id, seq, item_no, tool_id, actor, expires_at)
select md5('session ' || s)::uuid, md5('permit ' || k || s)::uuid, 2, k, 'tool', 'api', 'infinity'
from generate_series(1, {sessions}, 10) as s cross join generate_series(1, 2) as k;
insert into cmbs_store.permit_begin (session_id, permit_id, seq, actor)
select p.session_id, p.permit_id, 3, 'api' from cmbs_store.permit as p where p.item_no = 2;
insert into cmbs_store.interrupt (
    session_id, interrupt_id, seq, item_no, action_digest, constraint_keys, expires_at
)
select p.session_id, p.permit_id, 2, 1, '', '{{}}', 'infinity'
from cmbs_store.permit as p where p.item_no = 1;
insert into cmbs_store.open_item (session_id, kind, item_id, tenant, due_at, is_open)
select p.session_id, k.kind, p.permit_id, 'default', 'infinity', true
from cmbs_store.permit as p cross join unnest(array['permit', 'interrupt']) as k (kind)
where p.item_no = 1;
vacuum analyze"""


def run(bench: Bench, rounds: int) -> None:
    print("\nread_metrics, by the number of sessions; in a tenth of them three things are open")
    costs: dict[int, float] = {}
    for sessions in _SESSIONS:
        bench.create_migrated("monitoring")
        with bench.connect("monitoring") as connection:
            for statement in _FILL.format(sessions=sessions).split(";\n"):
                connection.execute(statement.encode())
            costs[sessions] = _cost(connection, rounds)
    _show(costs)
    print("\nread_metrics, by the number of events, a hundred a session")
    costs = {}
    for events in _EVENTS:
        bench.create_migrated("monitoring")
        with bench.connect("monitoring") as connection:
            fill(connection, events)
            costs[events] = _cost(connection, rounds)
    _show(costs)


def _cost(connection: psycopg.Connection[Any], rounds: int) -> float:
    """Milliseconds of one call; the first, which compiles every function, does not count."""
    took = []
    for _ in range(1 + 4 * rounds):
        began = time.perf_counter()
        connection.execute("select cmbs.read_metrics()")
        took.append(time.perf_counter() - began)
    return statistics.median(took[1:]) * 1000


def _show(costs: dict[int, float]) -> None:
    for number, cost in costs.items():
        print(f"{number:>9,}  {cost:7.1f} ms  {bar(cost, max(costs.values()))}  {load()}")
