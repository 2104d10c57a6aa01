"""The analysts' views: their columns are a contract, their values those of the log."""

import math
from datetime import datetime
from typing import Any

import pytest
from psycopg.rows import dict_row

from tests.support.beliefs import (
    ONTOLOGY,
    Connection,
    Session,
    begin_context,
    eliminate_in_context,
    rich_session,
)

# A new column goes to the end of its list; nothing else here may ever change.
COLUMNS = {
    "api_token": [
        ("tenant", "text"),
        ("name", "text"),
        ("token_id", "uuid"),
        ("prefix", "text"),
        ("verbs", "text[]"),
        ("scope_tenant", "text"),
        ("created_at", "timestamp with time zone"),
        ("created_by", "text"),
        ("expires_at", "timestamp with time zone"),
        ("revoked_at", "timestamp with time zone"),
        ("last_used_at", "timestamp with time zone"),
    ],
    "audit_event": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("event_id", "uuid"),
        ("ts", "timestamp with time zone"),
        ("verb", "text"),
        ("actor", "text"),
        ("source_id", "text"),
        ("observation_id", "text"),
        ("request_id", "text"),
        ("payload", "jsonb"),
        ("eliminated", "jsonb"),
        ("notes", "text"),
        ("survivors_before_hash", "text"),
        ("survivors_after_hash", "text"),
        ("prev_event_hash", "text"),
        ("event_hash", "text"),
        ("record", "text"),
    ],
    "chain_head": [
        ("session_id", "uuid"),
        ("audit_seq", "bigint"),
        ("audit_head_event_id", "uuid"),
        ("audit_head_hash", "text"),
        ("audit_head_at", "timestamp with time zone"),
    ],
    "claim": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("ts", "timestamp with time zone"),
        ("source_id", "text"),
        ("observation_id", "text"),
        ("hypothesis_id", "text"),
        ("applied", "boolean"),
    ],
    "conclusion": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("event_id", "uuid"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("conclusion_id", "text"),
        ("accepted", "boolean"),
    ],
    "context_elimination": [
        ("context_id", "text"),
        ("hypothesis_id", "text"),
        ("source_id", "text"),
        ("trigger", "text"),
        ("eliminated_at", "timestamp with time zone"),
    ],
    "elimination": [
        ("session_id", "uuid"),
        ("hypothesis_id", "text"),
        ("event_id", "uuid"),
        ("seq", "bigint"),
        ("ts", "timestamp with time zone"),
        ("source_id", "text"),
        ("observation_id", "text"),
        ("actor", "text"),
    ],
    "gate_decision": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("event_id", "uuid"),
        ("ts", "timestamp with time zone"),
        ("verb", "text"),
        ("actor", "text"),
        ("subject_id", "text"),
        ("approved", "boolean"),
        ("reason", "text"),
    ],
    "identity_event": [
        ("tenant", "text"),
        ("seq", "bigint"),
        ("ts", "timestamp with time zone"),
        ("verb", "text"),
        ("actor", "text"),
        ("payload", "jsonb"),
        ("event_hash", "text"),
        ("record", "text"),
    ],
    "obligation": [
        ("session_id", "uuid"),
        ("obligation_id", "text"),
        ("state", "text"),
        ("min_total_eliminations", "bigint"),
        ("counted", "integer"),
        ("entered_seq", "bigint"),
        ("ended_seq", "bigint"),
        ("entered_at", "timestamp with time zone"),
        ("ended_at", "timestamp with time zone"),
    ],
    "principal": [
        ("tenant", "text"),
        ("name", "text"),
        ("kind", "text"),
        ("roles", "text[]"),
        ("source_prefixes", "text[]"),
        ("is_login", "boolean"),
        ("is_enabled", "boolean"),
        ("created_at", "timestamp with time zone"),
    ],
    "session": [
        ("session_id", "uuid"),
        ("declared_at", "timestamp with time zone"),
        ("hypothesis_space_id", "text"),
        ("hypothesis_version", "text"),
        ("causal_graph_ref", "text"),
        ("causal_graph_version", "text"),
        ("universe_digest", "text"),
        ("n_hypotheses", "integer"),
        ("n_survivors", "integer"),
        ("entropy_proxy", "double precision"),
        ("terminated", "boolean"),
        ("active_obligation_id", "text"),
        ("audit_seq", "bigint"),
        ("audit_head_event_id", "uuid"),
        ("audit_head_hash", "text"),
        ("survivors_hash", "text"),
        ("validate_hypotheses", "boolean"),
        ("allow_forced_termination", "boolean"),
        ("stability_window", "integer"),
        ("policy_as_sent", "jsonb"),
        ("tenant", "text"),
        ("tee_incident", "text"),
        ("mirrored", "boolean"),
        ("last_event_at", "timestamp with time zone"),
    ],
    "source_effect": [
        ("session_id", "uuid"),
        ("source_id", "text"),
        ("n_events", "bigint"),
        ("n_eliminations", "bigint"),
        ("share", "double precision"),
    ],
    "survivor": [("session_id", "uuid"), ("hypothesis_id", "text")],
    "survivors_over_time": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("ts", "timestamp with time zone"),
        ("n_eliminated", "integer"),
        ("n_survivors", "bigint"),
        ("entropy_proxy", "double precision"),
    ],
    "universe_member": [
        ("session_id", "uuid"),
        ("hypothesis_id", "text"),
        ("hypothesis_rank", "integer"),
    ],
    "arbitration_content": [
        ("session_id", "uuid"),
        ("kind", "text"),
        ("content_hash", "text"),
        ("content", "text"),
    ],
    "capability_budget": [
        ("session_id", "uuid"),
        ("token_id", "uuid"),
        ("parent_id", "uuid"),
        ("holder", "text"),
        ("unit", "text"),
        ("granted", "bigint"),
        ("spent", "bigint"),
        ("expires_at", "timestamp with time zone"),
        ("revoked", "boolean"),
    ],
    "constraint_hit": [
        ("pack", "text"),
        ("version", "integer"),
        ("policy_hash", "text"),
        ("key", "text"),
        ("code", "text"),
        ("n_hits", "bigint"),
        ("n_sessions", "bigint"),
        ("last_at", "timestamp with time zone"),
    ],
    "decision": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("event_id", "uuid"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("decision", "text"),
        ("disposition", "text"),
        ("reason_code", "text"),
        ("pack", "text"),
        ("version", "integer"),
        ("policy_hash", "text"),
        ("idempotency_key", "text"),
        ("token_id", "uuid"),
        ("n_items", "integer"),
        ("reads", "jsonb"),
    ],
    "decision_item": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("item_no", "integer"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("kind", "text"),
        ("tool_id", "text"),
        ("decision", "text"),
        ("disposition", "text"),
        ("reason_code", "text"),
        ("effective", "boolean"),
        ("digest", "text"),
        ("args_hash", "text"),
        ("interrupt_id", "uuid"),
        ("item", "jsonb"),
    ],
    "denial": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("verb", "text"),
        ("item_no", "integer"),
        ("stage", "text"),
        ("code", "text"),
        ("key", "text"),
        ("disposition", "text"),
        ("detail", "text"),
    ],
    "reason_code": [
        ("code", "text"),
        ("stage_no", "integer"),
        ("stage", "text"),
        ("disposition", "text"),
        ("description", "text"),
    ],
    "recorded_claim": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("claim_id", "uuid"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("key", "text"),
        ("kind", "text"),
        ("value", "jsonb"),
        ("confidence", "numeric(6,5)"),
        ("confirmed", "boolean"),
        ("source_chunk_ids", "text[]"),
        ("confirmed_by_event_id", "uuid"),
        ("conflict_state", "text"),
        ("expires_at", "timestamp with time zone"),
        ("review_at", "timestamp with time zone"),
        ("promotes", "uuid"),
    ],
    "state_change": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("event_id", "uuid"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("kind", "text"),
        ("key", "text"),
        ("value", "text"),
    ],
    "unmatched_constraint": [
        ("pack", "text"),
        ("version", "integer"),
        ("policy_hash", "text"),
        ("key", "text"),
        ("effect", "text"),
        ("subject", "text"),
    ],
    "permit": [
        ("session_id", "uuid"),
        ("permit_id", "uuid"),
        ("seq", "bigint"),
        ("item_no", "integer"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("tool_id", "text"),
        ("token_id", "uuid"),
        ("status", "text"),
        ("expires_at", "timestamp with time zone"),
        ("begun_at", "timestamp with time zone"),
        ("begun_by", "text"),
        ("ended_at", "timestamp with time zone"),
        ("result_hash", "text"),
    ],
    "interrupt": [
        ("session_id", "uuid"),
        ("interrupt_id", "uuid"),
        ("seq", "bigint"),
        ("item_no", "integer"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("tool_id", "text"),
        ("action", "jsonb"),
        ("action_digest", "text"),
        ("constraint_keys", "text[]"),
        ("status", "text"),
        ("expires_at", "timestamp with time zone"),
        ("resolution", "text"),
        ("resolved_by", "text"),
        ("resolved_at", "timestamp with time zone"),
        ("comment", "text"),
        ("consumed_seq", "bigint"),
    ],
    "approval_latency": [
        ("key", "text"),
        ("n_questions", "bigint"),
        ("n_approved", "bigint"),
        ("n_declined", "bigint"),
        ("n_cancelled", "bigint"),
        ("n_unanswered", "bigint"),
        ("median_seconds", "double precision"),
        ("p95_seconds", "double precision"),
    ],
    "deferral": [
        ("session_id", "uuid"),
        ("deferral_id", "uuid"),
        ("seq", "bigint"),
        ("attempt", "integer"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("tried_by", "text"),
        ("decision", "text"),
        ("reason_code", "text"),
        ("missing", "text[]"),
        ("next_at", "timestamp with time zone"),
        ("is_last", "boolean"),
    ],
    "shadow_divergence": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("item_no", "integer"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("tool_id", "text"),
        ("pack", "text"),
        ("version", "integer"),
        ("decision", "text"),
        ("disposition", "text"),
        ("reason_code", "text"),
        ("shadow_pack", "text"),
        ("shadow_version", "integer"),
        ("shadow_decision", "text"),
        ("shadow_disposition", "text"),
        ("shadow_reason_code", "text"),
        ("effective", "boolean"),
    ],
    "session_mode": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("ts", "timestamp with time zone"),
        ("actor", "text"),
        ("mode", "text"),
        ("reason", "text"),
        ("is_in_force", "boolean"),
    ],
    "webhook_message": [
        ("session_id", "uuid"),
        ("message_id", "uuid"),
        ("event", "text"),
        ("interrupt_id", "uuid"),
        ("created_at", "timestamp with time zone"),
        ("state", "text"),
        ("n_attempts", "integer"),
        ("next_at", "timestamp with time zone"),
        ("last_error", "text"),
    ],
    "graph_node": [
        ("tenant", "text"),
        ("node_id", "text"),
        ("type", "text"),
        ("label", "text"),
        ("hypothetical", "boolean"),
        ("provenance", "jsonb"),
        ("version", "bigint"),
    ],
    "graph_edge": [
        ("tenant", "text"),
        ("source", "text"),
        ("target", "text"),
        ("type", "text"),
        ("provenance", "jsonb"),
        ("version", "bigint"),
    ],
    "graph_growth": [
        ("tenant", "text"),
        ("version", "bigint"),
        ("merged_at", "timestamp with time zone"),
        ("merged_by", "text"),
        ("n_new_nodes", "bigint"),
        ("n_new_edges", "bigint"),
        ("n_nodes", "bigint"),
        ("n_edges", "bigint"),
    ],
    "incident": [
        ("incident_id", "text"),
        ("tenant", "text"),
        ("created_at", "timestamp with time zone"),
        ("created_by", "text"),
        ("universe_anchor", "text"),
        ("is_subset", "boolean"),
        ("n_node_tombstones", "bigint"),
        ("n_edge_tombstones", "bigint"),
    ],
    "incident_tombstone": [
        ("incident_id", "text"),
        ("kind", "text"),
        ("id", "text"),
        ("matched", "boolean"),
        ("source_id", "text"),
        ("trigger", "text"),
        ("occurred_at", "timestamp with time zone"),
        ("recorded_at", "timestamp with time zone"),
        ("actor", "text"),
    ],
    "most_tombstoned": [
        ("tenant", "text"),
        ("kind", "text"),
        ("id", "text"),
        ("n_incidents", "bigint"),
        ("share", "double precision"),
        ("last_at", "timestamp with time zone"),
    ],
    "live_node": [
        ("incident_id", "text"),
        ("node_id", "text"),
        ("type", "text"),
        ("label", "text"),
        ("hypothetical", "boolean"),
    ],
    "live_edge": [
        ("incident_id", "text"),
        ("source", "text"),
        ("target", "text"),
        ("type", "text"),
    ],
    "tee_message": [
        ("session_id", "uuid"),
        ("seq", "bigint"),
        ("tenant", "text"),
        ("created_at", "timestamp with time zone"),
        ("state", "text"),
        ("n_attempts", "integer"),
        ("next_at", "timestamp with time zone"),
        ("last_error", "text"),
        ("delivered_at", "timestamp with time zone"),
        ("lag_seconds", "numeric"),
    ],
}


def rows(session: Session, view: str, order: str) -> list[dict[str, Any]]:
    query = f"select * from cmbs.{view} where session_id = %s order by {order}"
    with session.connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query.encode(), [session.id]).fetchall()


def logged(session: Session, *verbs: str) -> list[dict[str, Any]]:
    return [event for event in session.events() if not verbs or event["verb"] in verbs]


def same_time(found: datetime, ts: str) -> bool:
    return found == datetime.fromisoformat(ts)


@pytest.fixture
def session(tx: Connection) -> Session:
    found, _ = rich_session(tx)
    Session(tx, "xyz").eliminate("x", source_id="source")
    return found


def test_columns(tx: Connection) -> None:
    found: dict[str, list[tuple[str, str]]] = {}
    for view, column, kind in tx.execute(
        "select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) from pg_class as c "
        "inner join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 "
        "where c.relnamespace = 'cmbs'::regnamespace and c.relkind = 'v' order by a.attnum"
    ):
        found.setdefault(view, []).append((column, kind))
    assert found == COLUMNS


def test_session(session: Session) -> None:
    snapshot = session.snapshot()
    (row,) = rows(session, "session", "1")
    first = session.events()[0]
    declared_at, last_event_at = row.pop("declared_at"), row.pop("last_event_at")
    assert last_event_at == datetime.fromisoformat(session.events()[-1]["ts"])
    assert declared_at <= datetime.fromisoformat(first["ts"])
    assert row == {
        "session_id": session.id,
        **ONTOLOGY,
        "universe_digest": first["payload"]["universe_digest"],
        "n_hypotheses": 10,
        "n_survivors": 1,
        "entropy_proxy": 0,
        "terminated": True,
        "active_obligation_id": None,
        "audit_seq": snapshot["audit_seq"],
        "audit_head_event_id": row["audit_head_event_id"],
        "audit_head_hash": snapshot["audit_head_hash"],
        "survivors_hash": snapshot["survivors_hash"],
        **snapshot["policy"],
        "policy_as_sent": {"stability_window": 2},
        "tenant": "default",
        "tee_incident": None,
        "mirrored": False,
    }
    assert str(row["audit_head_event_id"]) == snapshot["audit_head_event_id"]


def test_session_with_an_obligation(tx: Connection) -> None:
    session = Session(tx, "abcde")
    session.enter("open", 2)
    (row,) = rows(session, "session", "1")
    assert row["active_obligation_id"] == "open"
    assert row["entropy_proxy"] == pytest.approx(math.log2(5), rel=0, abs=1e-12)


def test_universe_member_and_survivor(session: Session) -> None:
    universe = session.events()[0]["payload"]["hypotheses"]
    members = rows(session, "universe_member", "hypothesis_rank")
    assert [row["hypothesis_id"] for row in members] == universe
    assert [row["hypothesis_rank"] for row in members] == list(range(len(universe)))
    survivors = [
        row["hypothesis_id"] for row in rows(session, "survivor", 'hypothesis_id collate "C"')
    ]
    assert survivors == session.snapshot()["survivors"]


@pytest.mark.parametrize("n", [1, 8, 9, 8192, 8193, 20_000])
def test_survivors_are_the_bits_of_the_mask(tx: Connection, n: int) -> None:
    ids = [f"{i:05}" for i in range(n)]
    session = Session(tx, ids, minimal=True)
    session.eliminate(*ids[::3], ids[-1], minimal=True)
    (mask,) = tx.execute(
        "select coalesce(s.mask, (select string_agg(k.chunk, ''::bytea order by k.chunk_no) "
        "from cmbs_store.session_mask as k where k.session_id = s.session_id)) "
        "from cmbs_store.session as s where s.session_id = %s",
        [session.id],
    ).fetchone() or (b"",)
    bits = [rank for rank in range(8 * len(mask)) if mask[rank // 8] >> rank % 8 & 1]
    survivors = rows(session, "survivor", 'hypothesis_id collate "C"')
    assert [ids[rank] for rank in bits] == [row["hypothesis_id"] for row in survivors]
    assert len(mask) == (n + 7) // 8


def test_elimination(session: Session) -> None:
    expected = [
        (hypothesis_id, event["event_id"], event["seq"], event["ts"], *identity(event))
        for event in logged(session, "ELIMINATE")
        for hypothesis_id in event["delta"]["eliminated"]
    ]
    found = rows(session, "elimination", 'seq, hypothesis_id collate "C"')
    assert len(found) == 9
    for row, (hypothesis_id, event_id, seq, ts, source, observation, actor) in zip(
        found, expected, strict=True
    ):
        assert same_time(row.pop("ts"), ts)
        assert str(row.pop("event_id")) == event_id
        assert row == {
            "session_id": session.id,
            "hypothesis_id": hypothesis_id,
            "seq": seq,
            "source_id": source,
            "observation_id": observation,
            "actor": actor,
        }


def test_claim(session: Session) -> None:
    """As sent, with ids that were gone, unknown or there twice."""
    session.connection.execute("set local timezone to 'Asia/Kathmandu'")
    expected = [
        (event["seq"], *identity(event)[:2], hypothesis_id, hypothesis_id in gone)
        for event in logged(session, "ELIMINATE")
        for gone in [event["delta"]["eliminated"]]
        for hypothesis_id in sorted(event["payload"]["eliminated"])
    ]
    found = rows(session, "claim", "seq, hypothesis_id")
    members = ("seq", "source_id", "observation_id", "hypothesis_id", "applied")
    assert [tuple(row[name] for name in members) for row in found] == expected
    assert {applied for *_, applied in expected} == {True, False}
    times = {event["seq"]: event["ts"] for event in session.events()}
    assert all(same_time(row["ts"], times[row["seq"]]) for row in found)


def identity(event: dict[str, Any]) -> tuple[str, str, str]:
    return event["payload"]["source_id"], event["payload"]["observation_id"], event["actor"]


def test_audit_event(session: Session) -> None:
    found = rows(session, "audit_event", "seq")
    for row, event in zip(found, session.events(), strict=True):
        payload = event["payload"]
        payload.pop("hypotheses", None)
        assert same_time(row["ts"], event["ts"])
        assert str(row["event_id"]) == event["event_id"]
        assert row["payload"] == payload
        assert row["eliminated"] == event["delta"]["eliminated"]
        assert row["notes"] == event.get("notes")
        for member in ("source_id", "observation_id", "request_id"):
            assert row[member] == payload.get(member)
        for member in (
            "seq",
            "verb",
            "actor",
            "survivors_before_hash",
            "survivors_after_hash",
            "prev_event_hash",
            "event_hash",
        ):
            assert row[member] == event[member]


def test_obligation(session: Session) -> None:
    shown = [
        (row["obligation_id"], row["state"], row["min_total_eliminations"], row["counted"])
        for row in rows(session, "obligation", "entered_seq")
    ]
    listed = session("list_obligations")["obligations"]
    assert shown == [
        (one["obligation_id"], one["state"], one["min_total_eliminations"], one["counted"])
        for one in listed
    ]
    assert [row[1] for row in shown] == ["exited", "waived", "exited"]
    seqs = {event["event_id"]: event["seq"] for event in session.events()}
    times = {event["event_id"]: event["ts"] for event in session.events()}
    for row, one in zip(rows(session, "obligation", "entered_seq"), listed, strict=True):
        assert row["entered_seq"] == seqs[one["entered_event_id"]]
        assert row["ended_seq"] == seqs[one["ended_event_id"]]
        assert same_time(row["entered_at"], times[one["entered_event_id"]])
        assert same_time(row["ended_at"], times[one["ended_event_id"]])


def test_an_active_obligation_counts_on(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 3)
    session.eliminate("a", "b", "x")
    (row,) = rows(session, "obligation", "1")
    assert (row["state"], row["counted"], row["ended_seq"]) == ("active", 2, None)
    assert row["entered_at"] is not None
    assert row["ended_at"] is None


def test_conclusion_and_gate_decision(session: Session) -> None:
    conclusions = logged(session, "DECLARE_CONCLUSION")
    found = rows(session, "conclusion", "seq")
    assert [(row["conclusion_id"], row["accepted"], row["seq"]) for row in found] == [
        (event["payload"]["conclusion_id"], event["payload"]["accepted"], event["seq"])
        for event in conclusions
    ]
    decided = logged(
        session, "REQUEST_EXIT", "WAIVE_OBLIGATION", "DECLARE_CONCLUSION", "REQUEST_TERMINATION"
    )
    decisions = rows(session, "gate_decision", "seq")
    for row, event in zip(decisions, decided, strict=True):
        payload = event["payload"]
        assert row["seq"] == event["seq"]
        assert row["verb"] == event["verb"]
        assert row["actor"] == event["actor"]
        assert row["reason"] == payload["reason"]
        assert row["approved"] == payload.get("approved", payload.get("accepted"))
        assert row["subject_id"] == payload.get("obligation_id", payload.get("conclusion_id"))


def test_source_effect(session: Session) -> None:
    found = rows(session, "source_effect", 'source_id collate "C"')
    assert [(row["source_id"], row["n_events"], row["n_eliminations"]) for row in found] == [
        ("other", 2, 2),
        ('s"\\\u0001', 1, 4),
        ("source", 3, 3),
    ]
    assert [row["share"] for row in found] == pytest.approx([2 / 9, 4 / 9, 3 / 9])


def test_a_source_without_effect(tx: Connection) -> None:
    session = Session(tx)
    session.eliminate("x")
    (row,) = rows(session, "source_effect", "1")
    assert (row["n_events"], row["n_eliminations"], row["share"]) == (1, 0, 0)


def test_survivors_over_time(session: Session) -> None:
    found = rows(session, "survivors_over_time", "seq")
    for row, event in zip(found, session.events(), strict=True):
        snapshot = session.snapshot(as_of=event["event_id"])
        assert (row["seq"], row["n_eliminated"], row["n_survivors"]) == (
            event["seq"],
            len(event["delta"]["eliminated"]),
            snapshot["n_survivors"],
        )
        assert row["entropy_proxy"] == pytest.approx(snapshot["entropy_proxy"], rel=0, abs=1e-12)


def test_chain_head(session: Session) -> None:
    last = session.last_event()
    (row,) = rows(session, "chain_head", "1")
    assert same_time(row["audit_head_at"], last["ts"])
    assert (row["audit_seq"], str(row["audit_head_event_id"]), row["audit_head_hash"]) == (
        last["seq"],
        last["event_id"],
        last["event_hash"],
    )


def test_context_elimination(tx: Connection) -> None:
    began = tx.execute("select clock_timestamp()").fetchone() or ()
    begin_context(tx, "first", "b", "a", "unknown")
    begin_context(tx, "second", "c")
    eliminate_in_context(tx, "first", "a", "c", source_id="other", trigger="")
    eliminate_in_context(tx, "first", "a", source_id="too late")
    query = "select * from cmbs.context_elimination where eliminated_at > %s order by 1, 2"
    found = tx.execute(query, began).fetchall()
    assert [row[:4] for row in found] == [
        ("first", "a", "source", "trigger"),
        ("first", "b", "source", "trigger"),
        ("first", "c", "other", ""),
        ("second", "c", "source", "trigger"),
    ]
    assert found[0][4] == found[1][4] < found[3][4] < found[2][4]


def test_survivors_are_never_looked_for_one_by_one(db: Connection) -> None:
    """Without statistics a join would be nested loops: quadratic, and minutes at 20,000 ids."""
    db.execute("alter table cmbs_store.universe_member set (autovacuum_enabled = false)")
    db.execute("alter table cmbs_store.tombstone set (autovacuum_enabled = false)")
    session = Session(db, [f"h{number:05}" for number in range(20_000)])
    session.eliminate(*[f"h{number:05}" for number in range(10, 20_000)])
    query = f"select hypothesis_id from cmbs.survivor where session_id = '{session.id}'"
    plan = "\n".join(line for (line,) in db.execute(f"explain {query}".encode()))
    assert "SetOp" in plan
    assert sorted(row[0] for row in db.execute(query.encode())) == session.snapshot()["survivors"]
