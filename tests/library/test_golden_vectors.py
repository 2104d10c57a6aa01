"""The golden vectors: the library hashes, and chains, as they say."""

import json
from decimal import Decimal
from typing import Any

import pytest

from cmbs.answers import AuditEntry, timestamp
from cmbs.belief_server import BeliefServer
from cmbs.kernel.canonical import canonical, hash_text, parse
from cmbs.kernel.universe import Universe
from tests.library.kit import declared, lines_of, verified
from tests.sql.log.test_vectors import CASES, CHAIN, HASHES, VECTORS

EVENTS = CHAIN["events"]


@pytest.mark.parametrize("vector", HASHES["canonical"], ids=lambda vector: vector["input"][:20])
def test_canonical_text(vector: dict[str, str]) -> None:
    text = canonical(parse(vector["input"]))
    assert text == vector["canonical"]
    assert hash_text(text) == vector["sha256"]
    assert canonical(parse(text)) == text


@pytest.mark.parametrize(("sets", "belief"), CASES)
def test_universes_and_survivors(sets: dict[str, Any], belief: dict[str, Any]) -> None:
    universe = Universe(sets["hypotheses"])
    assert (universe.ids, universe.digest) == (sets["sorted"], sets["universe_digest"])
    gone = set(sets["sorted"]) - set(belief["survivors"])
    mask = universe.without(universe.full_mask, gone)
    assert universe.survivors_hash(mask) == belief["survivors_hash"]
    assert universe.members(mask) == belief["survivors"]
    if not belief["survivors"]:
        assert mask == universe.no_mask


@pytest.mark.parametrize(("sets", "belief"), CASES)
def test_sessions_over_them(
    server: BeliefServer, sets: dict[str, Any], belief: dict[str, Any]
) -> None:
    session_id = declared(server, sets["hypotheses"])
    gone = [one for one in sets["hypotheses"] if one not in belief["survivors"]]
    snapshot = server.eliminate(session_id, "s", "1", gone).snapshot
    assert snapshot.survivors == belief["survivors"]
    assert snapshot.survivors_hash == belief["survivors_hash"]
    first = server.audit_trace(session_id)[0].payload
    assert first["universe_digest"] == sets["universe_digest"]
    assert first["hypotheses"] == sets["sorted"]


def test_the_large_universe(server: BeliefServer) -> None:
    large = HASHES["large"]
    ids = [f"svc-{no:06}" for no in range(large["n"])]
    session_id = declared(server, ids)
    gone = (one for no, one in enumerate(ids) if no % 7)
    snapshot = server.eliminate(session_id, "s", "1", gone).snapshot
    assert snapshot.survivors_hash == large["survivors_hash"]
    assert snapshot.survivors == ids[::7]
    digest = server.audit_trace(session_id)[0].payload["universe_digest"]
    assert digest == large["universe_digest"]


def sent_again(server: BeliefServer, event: dict[str, Any]) -> None:
    """The message that led to an event of the chain."""
    sent, notes = dict(event["payload"]), event.get("notes")
    request_id, session_id = sent.get("request_id"), event["session_id"]
    about = {"request_id": request_id, "notes": notes}
    match event["verb"]:
        case "DECLARE_SESSION":
            policy = sent["policy"] | {"stability_window": int(sent["policy"]["stability_window"])}
            server.declare_session(
                sent["ontology"],
                sent["hypotheses"],
                sent["metadata"],
                policy=policy,
                session_id=session_id,
                notes=notes,
            )
        case "ELIMINATE":
            names = ("source_id", "observation_id", "eliminated", "justification")
            server.eliminate(session_id, *(sent[name] for name in names), notes=notes)
        case "ENTER_OBLIGATION":
            least = int(sent["min_total_eliminations"])
            server.enter_obligation(session_id, sent["obligation_id"], least, **about)
        case "REQUEST_EXIT":
            server.request_exit(session_id, sent["obligation_id"], sent["context"], **about)
        case "WAIVE_OBLIGATION":
            server.waive_obligation(
                session_id, sent["obligation_id"], sent["waive_reason"], **about
            )
        case "DECLARE_CONCLUSION":
            server.declare_conclusion(session_id, sent["conclusion_id"], sent["context"], **about)
        case "REQUEST_TERMINATION":
            server.request_termination(session_id, sent["context"], **about)


def test_the_chain_is_reproduced_byte_for_byte() -> None:
    times = iter([timestamp(event["ts"]) for event in EVENTS])
    server = BeliefServer(clock=lambda: next(times), new_id=lambda: EVENTS[0]["event_id"])
    session_id = EVENTS[0]["session_id"]
    for event in EVENTS:
        # The chain has two principals; a server has one.
        server._actor = event["actor"]
        sent_again(server, event)
    entries = server.audit_trace(session_id)
    assert [entry.event_hash for entry in entries] == [event["event_hash"] for event in EVENTS]
    shown = [entry.to_dict() for entry in entries]
    assert canonical(shown) == canonical(EVENTS)
    assert server.query_belief(session_id).survivors == CHAIN["survivors"]
    verified(lines_of(entries), server.query_belief(session_id))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event["verb"])
def test_entries_of_the_chain(event: dict[str, Any]) -> None:
    entry = AuditEntry.from_dict(event)
    assert hash_text(entry.record()) == entry.event_hash
    assert AuditEntry.from_dict(entry.to_dict()) == entry
    hypotheses = event["payload"].get("hypotheses")
    read = AuditEntry.from_record(entry.record(), entry.event_hash, hypotheses)
    assert canonical(read.to_dict()) == canonical(event)


def test_numbers_of_the_chain_keep_their_digits() -> None:
    text = (VECTORS / "chain.json").read_text()
    events = parse(text)["events"]
    assert events[0]["payload"]["metadata"]["severity"] == Decimal("1.50")
    assert canonical(events) == canonical(
        json.loads(text, parse_int=Decimal, parse_float=Decimal)["events"]
    )
