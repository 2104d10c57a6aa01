"""The golden vectors: texts and hashes that were computed independently of this project."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from cmbs.database.calls import call
from cmbs.kernel.canonical import canonical, hash_text, parse
from cmbs.kernel.universe import Universe
from tests.support.oracle import BUNDLE, hash_of
from tests.support.servers import ROOT

VECTORS = Path(__file__).parents[2] / "vectors"
HASHES = json.loads((VECTORS / "hashes.json").read_text())
CHAIN = json.loads((VECTORS / "chain.json").read_text(), parse_int=Decimal, parse_float=Decimal)
CASES = [
    pytest.param(sets, belief, id=f"{no}-{len(belief['survivors'])}")
    for no, sets in enumerate(HASHES["survivors"])
    for belief in sets["survivors"]
]
Connection = psycopg.Connection[Any]


def one(connection: Connection, query: str, *arguments: object) -> Any:
    row = connection.execute(query.encode(), arguments).fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize("vector", HASHES["canonical"], ids=lambda vector: vector["input"][:20])
def test_canonical_text(tx: Connection, vector: dict[str, str]) -> None:
    text = one(tx, "select %s::jsonb::text", vector["input"])
    assert text == vector["canonical"]
    assert one(tx, "select cmbs_store.event_hash_v1(%s)", text).hex() == vector["sha256"]
    assert canonical(parse(vector["input"])) == text
    assert hash_text(text) == vector["sha256"]
    if vector["input"].startswith("{"):
        assert one(tx, "select cmbs_store.free_object('context', %s)", vector["input"]) == text


@pytest.mark.parametrize(("sets", "belief"), CASES)
def test_frozen_hashes(tx: Connection, sets: dict[str, Any], belief: dict[str, Any]) -> None:
    universe = Universe(sets["hypotheses"])
    assert universe.ids == sets["sorted"]
    assert universe.digest == sets["universe_digest"]
    text = canonical(sets["sorted"])
    digest = one(tx, "select cmbs_store.universe_digest_v1(%s)", text)
    assert digest.hex() == sets["universe_digest"]

    mask = one(tx, "select cmbs_store.mask_v1(%s, true)", len(sets["sorted"]))
    assert mask == universe.full_mask
    for rank, hypothesis in enumerate(sets["sorted"]):
        if hypothesis not in belief["survivors"]:
            mask = one(tx, "select set_bit(%s::bytea, %s, 0)", mask, rank)
    found = one(tx, "select cmbs_store.survivors_hash_v1(%s, %s)", digest, mask)
    assert found.hex() == belief["survivors_hash"]
    assert hash_of(sets["hypotheses"], belief["survivors"]) == belief["survivors_hash"]
    if not belief["survivors"]:
        assert mask == one(tx, "select cmbs_store.mask_v1(%s, false)", len(sets["sorted"]))


@pytest.mark.parametrize(("sets", "belief"), CASES)
def test_hashes_of_real_sessions(
    tx: Connection, sets: dict[str, Any], belief: dict[str, Any]
) -> None:
    session_id = uuid4()
    call(
        tx,
        "declare_session",
        session_id=session_id,
        ontology=BUNDLE,
        hypotheses=sets["hypotheses"],
    )
    first = call(tx, "audit_trace", session_id=session_id)["events"][0]
    assert first["payload"]["universe_digest"] == sets["universe_digest"]
    assert first["payload"]["hypotheses"] == sets["sorted"]
    nothing = next(b for b in sets["survivors"] if not b["survivors"])
    assert first["survivors_before_hash"] == nothing["survivors_hash"]
    answer = call(
        tx,
        "eliminate",
        session_id=session_id,
        source_id="s",
        observation_id="o",
        eliminated=[h for h in sets["hypotheses"] if h not in belief["survivors"]],
    )
    assert answer["snapshot"]["survivors"] == belief["survivors"]
    assert answer["snapshot"]["survivors_hash"] == belief["survivors_hash"]
    assert call(tx, "verify", session_id=session_id)["ok"] is True


def test_large_vector(tx: Connection) -> None:
    large = HASHES["large"]
    ids = [f"svc-{number:06}" for number in range(large["n"])]
    session_id = uuid4()
    call(
        tx,
        "declare_session",
        session_id=session_id,
        ontology=BUNDLE,
        hypotheses=ids,
        minimal=True,
    )
    answer = call(
        tx,
        "eliminate",
        session_id=session_id,
        source_id="s",
        observation_id="o",
        eliminated=[h for number, h in enumerate(ids) if number % 7],
        minimal=True,
    )
    assert answer["snapshot"]["survivors_hash"] == large["survivors_hash"]
    first = call(tx, "audit_trace", session_id=session_id, limit=1)["events"][0]
    assert first["payload"]["universe_digest"] == large["universe_digest"]
    universe = Universe(ids)
    assert universe.digest == large["universe_digest"]
    assert hash_of(ids, ids[::7]) == large["survivors_hash"]


@pytest.mark.parametrize("event", CHAIN["events"], ids=lambda event: f"{event['seq']}")
def test_frozen_record(tx: Connection, event: dict[str, Any]) -> None:
    payload = {name: value for name, value in event["payload"].items() if name != "hypotheses"}
    text = canonical(payload)
    assert one(tx, "select %s::jsonb::text", text) == text
    record = one(
        tx,
        "select cmbs_store.record_v1(%s::uuid, %s::bigint, %s::uuid, %s::timestamptz, %s, %s, "
        "%s::text, %s, %s, decode(%s, 'hex'), decode(%s, 'hex'), decode(%s, 'hex'))",
        event["session_id"],
        int(event["seq"]),
        event["event_id"],
        event["ts"],
        event["verb"],
        event["actor"],
        event.get("notes"),
        text,
        canonical(event["delta"]["eliminated"]),
        event["survivors_before_hash"],
        event["survivors_after_hash"],
        event["prev_event_hash"],
    )
    found = one(tx, "select cmbs_store.event_hash_v1(%s)", record)
    assert found.hex() == event["event_hash"]
    members = {name: value for name, value in event.items() if name != "event_hash"}
    assert record == canonical(members | {"payload": payload})


@pytest.fixture
def actors(database: str) -> Iterator[dict[str, Connection]]:
    """A connection for each principal of the chain; roles are of the cluster, so they are dropped
    again."""
    roles = {"agent://demo": "cmbs_agent", "policy://on-call": "cmbs_policy"}
    with psycopg.connect(database, autocommit=True) as admin:
        for role, granted in roles.items():
            statement = sql.SQL("create role {} login in role {}")
            admin.execute(statement.format(sql.Identifier(role), sql.Identifier(granted)))
        try:
            opened = {
                role: psycopg.connect(make_conninfo(database, user=role), autocommit=True)
                for role in roles
            }
            yield opened | {"": admin}
            for connection in opened.values():
                connection.close()
        finally:
            for role in roles:
                admin.execute(sql.SQL("drop role {}").format(sql.Identifier(role)))


def test_chain_made_by_the_verbs(actors: dict[str, Connection]) -> None:
    admin = actors[""]
    pin_event_ids(admin, CHAIN["events"][0]["event_id"])
    for event in CHAIN["events"]:
        set_clock(admin, event["ts"])
        answer = call(actors[event["actor"]], event["verb"].lower(), **request_of(event))
        assert answer["audit_event_id"] == event["event_id"]
        assert answer["snapshot"]["audit_head_hash"] == event["event_hash"]
        for decided in {"approved", "accepted", "reason"} & event["payload"].keys():
            assert answer[decided] == event["payload"][decided]
    assert answer["snapshot"]["survivors"] == CHAIN["survivors"]

    session_id = UUID(CHAIN["events"][0]["session_id"])
    shown = one(admin, "select cmbs.audit_trace(%s)::text", session_id)
    trace = json.loads(shown, parse_int=Decimal, parse_float=Decimal)
    assert canonical(trace["events"]) == canonical(CHAIN["events"])
    found = call(admin, "verify", session_id=session_id)
    head = CHAIN["events"][-1]["event_hash"]
    assert found == {"ok": True, "rows_checked": 13, "head_hash": head, "first_bad": None}


def pin_event_ids(admin: Connection, event_id: str) -> None:
    """Event ids take their random part from one place."""
    source = (ROOT / "sql" / "call" / "random_id.sql").read_text()
    assert source.count("gen_random_uuid()") == 1
    admin.execute(source.replace("gen_random_uuid()", f"'{event_id}'::uuid").encode())


def set_clock(admin: Connection, ts: str) -> None:
    admin.execute(
        sql.SQL(
            "create or replace function cmbs_store.clock() returns timestamptz "
            "language sql volatile as {}"
        ).format(sql.Literal(f"select timestamptz '{ts}'"))
    )


def request_of(event: dict[str, Any]) -> dict[str, Any]:
    """The arguments that lead to an event."""
    sent = dict(event["payload"])
    for decided in ("approved", "accepted", "reason", "universe_digest", "n_hypotheses"):
        sent.pop(decided, None)
    if "waive_reason" in sent:
        sent["reason"] = sent.pop("waive_reason")
    if "min_total_eliminations" in sent:
        sent["min_total_eliminations"] = int(sent["min_total_eliminations"])
    for name in {"ontology", "metadata", "policy", "justification", "context"} & sent.keys():
        sent[name] = canonical(sent[name])
    return sent | {"session_id": UUID(event["session_id"]), "notes": event.get("notes")}
