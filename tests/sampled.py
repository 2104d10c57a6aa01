"""The sample in a database, for tests: stored row by row, as a superuser can."""

import json
from typing import Any

import psycopg

from cmbs.sample_log import Session, canonical

Connection = psycopg.Connection[Any]


def load(connection: Connection, sessions: list[Session]) -> None:
    with connection.transaction():
        for universe in {
            session.universe.digest: session.universe for session in sessions
        }.values():
            connection.execute("select cmbs.register_universe(%s)", [universe.ids])
        for session in sessions:
            _store(connection, session)
    connection.execute("analyze")


def _insert(connection: Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
    if rows:
        places = ", ".join(["%s"] * len(rows[0]))
        statement = f"insert into cmbs_store.{table} values ({places})".encode()
        with connection.cursor() as cursor:
            cursor.executemany(statement, rows)


def _store(connection: Connection, session: Session) -> None:
    records = [json.loads(json.loads(line)["record"]) for line in session.lines]
    texts = [json.loads(line) for line in session.lines]
    key = session.session_id
    n_survivors = len(session.universe.ids)
    accepted: list[str] = []
    obligation: tuple[int, str, int, int] | None = None
    rows: dict[str, list[tuple[Any, ...]]] = {
        "audit_event": [],
        "tombstone": [],
        "obligation": [],
        "obligation_end": [],
        "conclusion": [],
    }
    for record, text in zip(records, texts, strict=True):
        payload, seq, verb = record["payload"], record["seq"], record["verb"]
        named = [payload.get(name) for name in ("source_id", "observation_id", "request_id")]
        head = bytes.fromhex(text["event_hash"])
        row = (key, seq, record["ts"], record["event_id"], head, verb, record["actor"])
        rows["audit_event"].append((*row, *named, text["record"]))
        gone = record["delta"]["eliminated"]
        rows["tombstone"] += [(key, seq, one) for one in gone]
        n_survivors -= len(gone)
        if verb == "ENTER_OBLIGATION":
            obligation = (seq, payload["obligation_id"], payload["min_total_eliminations"])
            obligation += (n_survivors,)
            rows["obligation"].append((key, *obligation))
        elif verb == "DECLARE_CONCLUSION":
            rows["conclusion"].append((key, seq, payload["conclusion_id"], payload["accepted"]))
            accepted += [payload["conclusion_id"]] if payload["accepted"] else []
        elif verb in ("REQUEST_EXIT", "WAIVE_OBLIGATION") and payload["approved"]:
            assert obligation
            outcome = "exited" if verb == "REQUEST_EXIT" else "waived"
            rows["obligation_end"].append((key, obligation[0], seq, outcome, n_survivors))
            obligation = None
    for table, found in rows.items():
        _insert(connection, table, found)
    policy, ontology = records[0]["payload"]["policy"], records[0]["payload"]["ontology"]
    bits = sum(1 << r for r, one in enumerate(session.universe.ids) if one in session.survivors)
    run = 0
    while run < len(accepted) and accepted[-1 - run] == accepted[-1]:
        run += 1
    state = {
        "session_id": key,
        "declared_at": records[0]["ts"],
        "universe_digest": bytes.fromhex(session.universe.digest),
        "n_hypotheses": len(session.universe.ids),
        **policy,
        "hypothesis_space_id": ontology["hypothesis_space_id"],
        "ontology": canonical(ontology),
        "policy_as_sent": canonical(session.policy_as_sent),
        "audit_seq": len(records),
        "audit_head_event_id": session.head_id,
        "audit_head_hash": bytes.fromhex(session.head_hash),
        "audit_head_at": records[-1]["ts"],
        "survivors_hash": bytes.fromhex(records[-1]["survivors_after_hash"]),
        "n_survivors": n_survivors,
        "is_terminated": session.is_terminated,
        "mask": bits.to_bytes((len(session.universe.ids) + 7) // 8, "little"),
        "conclusion_id": accepted[-1] if accepted else None,
        "conclusion_run": run,
    }
    active = ("obligation_seq", "obligation_id", "obligation_minimum", "obligation_survivors")
    state |= dict(zip(active, obligation or [None] * 4, strict=True))
    columns, places = ", ".join(state), ", ".join(["%s"] * len(state))
    connection.execute(
        f"insert into cmbs_store.session ({columns}) values ({places})".encode(), [*state.values()]
    )
