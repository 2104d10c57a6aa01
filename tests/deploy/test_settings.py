"""A caller's settings change how its client shows things, never what is recorded, hashed, said."""

import math
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from tests.support.beliefs import Connection, Session, rich_session

SETTINGS = [
    "TimeZone = 'Asia/Kathmandu'",
    "TimeZone = 'UTC-3'",
    "TimeZone = '<Z>7'",
    "DateStyle = 'SQL, DMY'",
    "IntervalStyle = 'sql_standard'",
    "extra_float_digits = -15",
    "extra_float_digits = 3",
    "bytea_output = 'escape'",
    "search_path = 'pg_temp'",
    "standard_conforming_strings = off",
    "quote_all_identifiers = on",
    "transform_null_equals = on",
    "array_nulls = off",
    "lc_numeric = 'C'",
    "jit = on",
    "jit_above_cost = 0",
    "work_mem = '64kB'",
    "plan_cache_mode = 'force_custom_plan'",
    "enable_indexscan = off",
    "enable_seqscan = off",
    "default_transaction_isolation = 'serializable'",
    "row_security = off",
    "xmlbinary = 'hex'",
    "check_function_bodies = off",
    "application_name = 'api'",
    "lock_timeout = '5s'",
]


EVERYTHING = "; set ".join(SETTINGS)
ANSWERS = [
    "query_belief",
    "audit_trace",
    "audit_lines",
    "verify",
    "list_obligations",
    "list_conclusions",
    "explain",
]


def shown(session: Session) -> list[Any]:
    """Everything that the server says about a session, in its own words."""
    ask = session.connection.execute
    texts = [
        ask(f"select cmbs.{verb}(%s)::text".encode(), [session.id]).fetchall() for verb in ANSWERS
    ]
    (source,) = ask(
        "select a.source_id from cmbs.audit_event as a where a.session_id = %s and a.seq = 2",
        [session.id],
    ).fetchone() or ("",)
    everything = "select a.record, a.event_hash, a.payload::text, a.eliminated::text "
    everything += "from cmbs.audit_event as a where a.session_id = %s order by a.seq"
    return [
        *texts,
        ask("select cmbs.whatif(%s, %s)::text", [session.id, source]).fetchall(),
        ask("select cmbs.list_sessions()::text").fetchall(),
        ask(everything.encode(), [session.id]).fetchall(),
    ]


def impersonal(session: Session) -> list[dict[str, Any]]:
    """The events of a session without what differs from one session to the next."""
    own = {"session_id", "event_id", "ts", "event_hash", "prev_event_hash"}
    return [
        {key: value for key, value in event.items() if key not in own} for event in session.events()
    ]


@pytest.mark.parametrize("setting", [*SETTINGS, EVERYTHING], ids=lambda one: one[:40])
def test_nothing_depends_on_it(tx: Connection, setting: str) -> None:
    plain, _ = rich_session(tx)
    open_one = Session(tx, "abcdefg", policy=Json({"stability_window": 7}))
    open_one.eliminate("a", "b")
    open_one.enter("o", 3)
    before = [shown(plain), shown(open_one)]
    tx.execute(f"set {setting}".encode())
    assert [shown(plain), shown(open_one)] == before
    odd, _ = rich_session(tx)
    assert odd.is_whole()
    tx.execute("reset all")
    assert odd.is_whole(), "also for who has other settings"
    assert impersonal(odd) == impersonal(plain)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_entropy_keeps_its_digits(tx: Connection, setting: str) -> None:
    tx.execute(f"set {setting}".encode())
    snapshot = Session(tx, "abcdefg").snapshot()
    assert snapshot["entropy_proxy"] == pytest.approx(math.log2(7), rel=0, abs=1e-12)


@pytest.mark.parametrize("isolation", ["read committed", "repeatable read", "serializable"])
def test_any_isolation(database: str, isolation: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"set default_transaction_isolation = '{isolation}'".encode())
        session, answers = rich_session(connection)
        assert session.is_whole()
        repeat = session.eliminate("zz", "b", observation_id="observation 1")
        assert repeat["duplicate"] is True
        assert repeat["audit_event_id"] == answers[1]["audit_event_id"]


def test_another_encoding_of_the_client(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        session = Session(connection, ["é", "ÿ", "a"])
        session.eliminate("é", source_id="ü")
        before = shown(session)
    # Asked for as text: psycopg reads JSON as UTF-8 whatever the connection speaks.
    eliminate = "select cmbs.eliminate(%s, 'ß', 'o', %s, null, null, 'ä')::text"
    with psycopg.connect(database, autocommit=True, client_encoding="LATIN1") as connection:
        session.connection = connection
        assert shown(session) == before
        connection.execute(eliminate, [session.id, ["ÿ"]])
    with psycopg.connect(database, autocommit=True) as connection:
        session.connection = connection
        assert session.is_whole()
        event = session.last_event()
        assert event["payload"]["source_id"] == "ß"
        assert event["delta"]["eliminated"] == ["ÿ"]
        assert event["notes"] == "ä"


PLANNERS = [
    "parallel_setup_cost = 0; set cpu_tuple_cost = 1000",
    "cpu_tuple_cost = 1e6; set min_parallel_index_scan_size = 0; set parallel_setup_cost = 0",
    "parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0",
    "enable_indexscan = off; set enable_bitmapscan = off; set enable_sort = off",
    "enable_hashagg = off; set enable_nestloop = off; set enable_hashjoin = off",
    "enable_seqscan = off; set random_page_cost = 1e6; set cpu_operator_cost = 1e6",
]


@pytest.mark.slow("the worst plans there are")
@pytest.mark.parametrize("planner", PLANNERS)
def test_a_plan_is_no_part_of_a_hash(database: str, planner: str) -> None:
    """Chunks of a mask strung together in the order of a plan were a wrong hash for ever."""
    ids = [f"h{number:05}" for number in range(20_000)]
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"set {planner}".encode())
        large, small = Session(connection, ids), Session(connection, ids[:1000])
        for session in (large, small):
            session.eliminate(ids[700], ids[3], "unknown", ids[9])
            session.eliminate(*ids[600:900:7], ids[3])
            assert session.is_whole()
        large.eliminate(ids[19_999], ids[8192], ids[8191])
        assert large.is_whole()
        connection.execute("reset all")
        assert large.is_whole()
        assert small.is_whole()
