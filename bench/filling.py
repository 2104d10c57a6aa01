"""Sessions by the million, set-wise and by a superuser: shaped like real ones, and not verifiable.

Each session has a hundred events over a universe of a thousand hypotheses: a declare, an obligation
that is asked to end too early and once more, two conclusions, a termination that is denied, and
eliminations of two ids by five sources, every tenth of which says what the one before said.
"""

from typing import Any

import psycopg

EVENTS = 100
# Sessions of one statement: so much is sorted and logged at a time.
_BLOCK = 5000

_BEGIN = """
insert into cmbs_store.universe values (sha256('bench'), 1000, now());
insert into cmbs_store.universe_member
select sha256('bench'), 'svc-' || lpad(g::text, 4, '0'), g from generate_series(0, 999) as g;
create function pg_temp.session_id(s integer) returns uuid language sql immutable
return md5('session ' || s)::uuid;
create function pg_temp.at(s integer, q integer) returns timestamptz language sql stable
return timestamptz '2026-01-05 00:00Z' + s * interval '37 s' + q * interval '53 s';
create function pg_temp.verb(q integer) returns text language sql immutable
return case q
    when 1 then 'DECLARE_SESSION' when 2 then 'ENTER_OBLIGATION'
    when 30 then 'REQUEST_EXIT' when 60 then 'REQUEST_EXIT'
    when 70 then 'DECLARE_CONCLUSION' when 90 then 'DECLARE_CONCLUSION'
    when 100 then 'REQUEST_TERMINATION' else 'ELIMINATE'
end;
create function pg_temp.ids(q integer) returns text language sql immutable
return format(
    '["svc-%s", "svc-%s"]', lpad((q * 2)::text, 4, '0'), lpad((q * 2 + 1)::text, 4, '0')
);
create function pg_temp.payload(s integer, q integer) returns text language sql immutable
return case pg_temp.verb(q)
    when 'DECLARE_SESSION' then
        '{"policy": {"stability_window": 0, "validate_hypotheses": false, '
        '"allow_forced_termination": false}, "ontology": {"causal_graph_ref": "graph://bench", '
        '"hypothesis_version": "1", "hypothesis_space_id": "bench", '
        '"causal_graph_version": "v17"}, "n_hypotheses": 1000, "universe_digest": "'
        || encode(sha256('bench'), 'hex') || '"}'
    when 'ENTER_OBLIGATION' then '{"obligation_id": "look first", "min_total_eliminations": 80}'
    when 'REQUEST_EXIT' then format(
        '{"reason": "%s", "context": {}, "approved": %s, "obligation_id": "look first"}',
        case q when 30 then 'minimum eliminations not met' else 'approved' end, (q = 60)::text
    )
    when 'DECLARE_CONCLUSION' then format(
        '{"reason": "accepted", "context": {}, "accepted": true, "conclusion_id": "svc-%s"}',
        case when s % 3 = 0 then q else 990 end
    )
    when 'REQUEST_TERMINATION' then
        '{"reason": "termination requires a singleton survivor", "context": {}, "approved": false}'
    else format(
        '{"source_id": "adapter://%s", "eliminated": %s, "justification": {"used": 0.41, '
        '"query": "rate(errors[5m])"}, "observation_id": "observation-%s"}',
        q % 5, pg_temp.ids(q - (q % 10 = 9)::integer), q
    )
end;
"""

_EVENTS = """
insert into cmbs_store.audit_event (
    session_id, seq, recorded_at, event_id, event_hash, verb, actor,
    source_id, observation_id, record
)
select
    e.session_id, e.q, pg_temp.at(e.s, e.q), e.event_id, sha256(convert_to(e.record, 'UTF8')),
    e.verb, 'api',
    case e.verb when 'ELIMINATE' then 'adapter://' || e.q %% 5 end,
    case e.verb when 'ELIMINATE' then 'observation-' || e.q end,
    e.record
from (
    select
        *,
        cmbs_store.record_v1(
            i.session_id, i.q, i.event_id, pg_temp.at(i.s, i.q), i.verb, 'api', null,
            pg_temp.payload(i.s, i.q),
            case when i.verb = 'ELIMINATE' and i.q %% 10 <> 9 then pg_temp.ids(i.q) else '[]' end,
            i.event_hash, i.event_hash, i.event_hash
        ) as record
    from (
        select
            s, q, pg_temp.session_id(s) as session_id, pg_temp.verb(q) as verb,
            gen_random_uuid() as event_id, sha256(int4send(s * 100 + q)) as event_hash
        from generate_series(%(first)s::integer, %(last)s) as s
        cross join generate_series(1, 100) as q
    ) as i
) as e
order by e.session_id, e.q
"""

_TOMBSTONES = """
insert into cmbs_store.tombstone (session_id, seq, hypothesis_id)
select pg_temp.session_id(s), q, 'svc-' || lpad((q * 2 + r)::text, 4, '0')
from generate_series(%(first)s::integer, %(last)s) as s
cross join generate_series(1, 100) as q
cross join generate_series(0, 1) as r
where pg_temp.verb(q) = 'ELIMINATE' and q %% 10 <> 9
order by 1, 3
"""

_REST = """
insert into cmbs_store.session (
    session_id, tenant, declared_at, universe_digest, n_hypotheses, stability_window,
    validate_hypotheses, allow_forced_termination, hypothesis_space_id, ontology, audit_seq,
    audit_head_event_id,
    audit_head_hash, audit_head_at, survivors_hash, n_survivors, is_terminated, mask,
    conclusion_run, is_mirrored, n_clock_steps
)
select
    e.session_id, 'default', pg_temp.at(s, 1), sha256('bench'), 1000, 0, false, false, 'bench',
    '{"causal_graph_ref": "graph://bench", "hypothesis_version": "1", '
    '"hypothesis_space_id": "bench", "causal_graph_version": "v17"}',
    100, e.event_id, e.event_hash, e.recorded_at, e.event_hash,
    1000 - (
        select count(*)::integer from cmbs_store.tombstone as t where t.session_id = e.session_id
    ),
    false, decode(repeat('aa', 1000 / 8), 'hex'), 1, false, 0
from generate_series(%(first)s::integer, %(last)s) as s
inner join cmbs_store.audit_event as e on e.session_id = pg_temp.session_id(s) and e.seq = 100;
"""

_GATES = (
    "insert into cmbs_store.obligation select pg_temp.session_id(s), 2, 'look first', 80, 1000 "
    "from generate_series(%(first)s::integer, %(last)s) as s",
    "insert into cmbs_store.obligation_end select pg_temp.session_id(s), 2, 60, 'exited', 900 "
    "from generate_series(%(first)s::integer, %(last)s) as s",
    "insert into cmbs_store.conclusion select pg_temp.session_id(s), q, "
    "'svc-' || case when s %% 3 = 0 then q else 990 end, true "
    "from generate_series(%(first)s::integer, %(last)s) as s cross join unnest(array[70, 90]) as q",
)


def fill(connection: psycopg.Connection[Any], events: int) -> None:
    """That many events, in an empty migrated database; the connection is a superuser's."""
    connection.execute(_BEGIN.encode())
    sessions = events // EVENTS
    for first in range(1, sessions + 1, _BLOCK):
        block = {"first": first, "last": min(first + _BLOCK - 1, sessions)}
        for statement in (_EVENTS, _TOMBSTONES, _REST, *_GATES):
            connection.execute(statement.encode(), block)
    connection.execute("vacuum analyze")
