"""Conformance cases 77 to 83: claims, what confirms them, promotion, time."""

import hashlib
from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.sql.verdict.scene import ALLOWED, CLAIMS, GRANT, Scene, allow, deny, op, told
from tests.support.beliefs import NO_EVENT, Connection, refused

POLICY = GRANT | CLAIMS


def digest(canonical: str) -> str:
    return hashlib.sha256(canonical.encode()).hexdigest()


def confirm(scene: Scene, key: str = "k", canonical: str = "1") -> str:
    answer = scene("confirm_claim", scene.approver, key=key, value_digest=digest(canonical))
    event: str = answer["audit_event_id"]
    return event


@pytest.mark.parametrize("kind", ["fact", "preference", "decision"])
def test_case_77_an_approver_confirms(tx: Connection, kind: str) -> None:
    scene = Scene(tx, GRANT)
    event = confirm(scene)
    answer = scene.claim(kind=kind, key="k", value=1, confirmed_by_event_id=event)
    assert (told(answer), answer["kind"], answer["confirmed"]) == (ALLOWED, kind, True)
    assert scene.is_whole()


def test_case_77_nothing_else_confirms(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    event = confirm(scene)
    for claim in (
        {"key": "other", "value": 1, "confirmed_by_event_id": event},
        {"key": "k", "value": 2, "confirmed_by_event_id": event},
        {"key": "k", "value": 1, "confirmed_by_event_id": scene.head()[:-12] + "0" * 11 + "1"},
        {"key": "k", "value": 1, "confirmed_by_event_id": str(NO_EVENT)},
        {"key": "k", "value": 1, "confirmed_by_event_id": scene.declared_event()},
        {"key": "k", "value": 1},
    ):
        answer = scene.claim(kind="fact", **claim)
        assert told(answer) == ("defer", "defer", "CLAIM_NOT_CONFIRMED"), claim
        assert answer["claim_id"] is None
    for who in (scene.agent, scene.tool, scene.policy):
        sent = {"session_id": scene.id, "key": "k", "value_digest": digest("1")}
        refused(tx, errors.Forbidden, "confirm_claim", credential=who, **sent)
    assert tx.execute("select count(*) from cmbs_store.claim").fetchone() == (0,)


@pytest.mark.parametrize(
    ("confidence", "confirmed"), [(0.8, True), (0.79999, False), (1, True), (0.80001, True)]
)
def test_case_78_the_threshold_itself(tx: Connection, confidence: float, confirmed: bool) -> None:
    scene = Scene(tx, POLICY)
    answer = scene.claim(
        kind="fact", key="k", value=1, confidence=confidence, source_chunk_ids=["c"]
    )
    expected = ALLOWED if confirmed else ("defer", "defer", "CLAIM_NOT_CONFIRMED")
    assert told(answer) == expected
    answer = scene.claim(kind="fact", key="k", value=1, confidence=confidence)
    assert answer["reason_code"] == "CLAIM_NOT_CONFIRMED", "without a source"


@pytest.mark.parametrize("state", ["contradictory", "superseded", "quarantined", "pending_review"])
def test_case_79_something_stands_against_it(tx: Connection, state: str) -> None:
    scene = Scene(tx, POLICY)
    answer = scene.claim(
        kind="fact",
        key="k",
        value=1,
        confidence=1,
        source_chunk_ids=["c"],
        conflict_state=state,
    )
    assert told(answer) == ("defer", "defer", "CLAIM_NOT_CONFIRMED")


@pytest.mark.parametrize("kind", ["hypothesis", "derived"])
def test_case_80_for_a_time(tx: Connection, kind: str) -> None:
    scene = Scene(tx, POLICY)
    answer = scene.claim(kind=kind, key="k", value=1)
    assert told(answer) == ("deny", "block", "CLAIM_TTL_REQUIRED")
    assert told(scene.claim(kind=kind, key="k", value=1, ttl_ms=60000)) == ALLOWED
    review = "2100-01-01T00:00:00Z"
    assert told(scene.claim(kind=kind, key="k", value=1, review_at=review)) == ALLOWED


def test_on_unconfirmed_demote(tx: Connection) -> None:
    scene = Scene(tx, GRANT | {"policy.claims": {"v": 1, "default_ttl_ms": 1000}})
    answer = scene.claim(kind="fact", key="k", value=1, on_unconfirmed="demote")
    assert told(answer) == ALLOWED
    assert (answer["kind"], answer["confirmed"]) == ("hypothesis", False)
    assert answer["expires_at"] is not None
    assert scene.is_whole()


def test_case_81_a_promotion_needs_new_evidence(tx: Connection) -> None:
    scene = Scene(tx, POLICY)
    claim = {"key": "k", "value": {"b": 1, "a": [1.50]}, "confidence": 0.5}
    first = scene.claim(kind="hypothesis", ttl_ms=60000, source_chunk_ids=["c1"], **claim)
    before = tx.execute("select c::text from cmbs_store.claim as c").fetchall()

    def promote(**evidence: object) -> Any:
        return scene(
            "promote_claim",
            scene.tool,
            claim_id=first["claim_id"],
            evidence=Json(evidence),
            minimal=True,
        )

    for evidence in ({}, {"confidence": 0.99}, {"source_chunk_ids": ["c1"], "confidence": 1}):
        answer = promote(**evidence)
        assert "CLAIM_NEW_EVIDENCE_REQUIRED" in [one["code"] for one in answer["reasons"]]
        assert answer["decision"] == "defer"
    assert promote(confidence=0.99, source_chunk_ids=["c1"])["reason_code"] == (
        "CLAIM_NEW_EVIDENCE_REQUIRED"
    )
    # An act that nobody took is no evidence, however much confidence goes with it.
    invented = promote(confidence=0.9, confirmed_by_event_id=str(NO_EVENT))
    assert invented["reason_code"] == "CLAIM_NEW_EVIDENCE_REQUIRED"
    answer = promote(confidence=0.9, source_chunk_ids=["c1", "c2"])
    assert (told(answer), answer["kind"], answer["confirmed"]) == (ALLOWED, "fact", True)
    rows = tx.execute("select c::text from cmbs_store.claim as c order by c.seq").fetchall()
    assert rows[:1] == before
    assert len(rows) == 2
    # A confirmation that none of them cited counts, and so it goes on along the chain.
    event = confirm(scene, canonical='{"a": [1.5], "b": 1}')
    # The claim holds 1.5 as it was sent by this client.
    first = {"claim_id": answer["claim_id"]}
    assert told(promote(confirmed_by_event_id=event)) == ALLOWED
    assert promote(source_chunk_ids=["c1", "c2"])["reason_code"] == "CLAIM_NEW_EVIDENCE_REQUIRED"
    sent = {"session_id": scene.id, "claim_id": NO_EVENT, "credential": scene.tool}
    refused(tx, errors.ClaimNotFound, "promote_claim", **sent)
    assert scene.is_whole()


def test_case_82_without_a_threshold_confidence_confirms_nothing(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    answer = scene.claim(kind="fact", key="k", value=1, confidence=1, source_chunk_ids=["c"])
    assert answer["reason_code"] == "CLAIM_NOT_CONFIRMED"
    scene.apply(GRANT | {"policy.claims": {"v": 1}})
    answer = scene.claim(kind="fact", key="k", value=1, confidence=0.8, source_chunk_ids=["c"])
    assert told(answer) == ALLOWED, "0.80 where the policy names no other"


def test_case_83_time_passes(db: Connection) -> None:
    scene = Scene(db, POLICY)
    scene.claim(kind="hypothesis", key="ttl", value=1, ttl_ms=60000)
    scene.claim(kind="hypothesis", key="review", value=1, review_at="2090-01-01T00:00:00Z")
    scene.claim(
        kind="fact",
        key="sure",
        value=1,
        confidence=1,
        source_chunk_ids=["c"],
        review_at="2090-01-01T00:00:00Z",
    )

    def live(**more: object) -> set[str]:
        return {claim["key"] for claim in scene.session("list_claims", **more)["claims"]}

    db.execute("set role none")
    assert live(credential=scene.agent) == {"ttl", "review", "sure"}
    db.execute(
        "create or replace function cmbs_store.clock() returns timestamptz language sql volatile "
        "as $$ select '2095-01-01'::timestamptz $$"
    )
    # The tokens of the callers have ended by then, the superuser's login has not.
    assert live() == {"sure"}
    assert live(history=True) == {"ttl", "review", "sure"}
    assert db.execute("select count(*) from cmbs.recorded_claim").fetchone() == (3,)


def test_constraints_on_claims(tx: Connection) -> None:
    scene = Scene(tx, CLAIMS)
    sent = {"kind": "hypothesis", "key": "k", "value": 1, "ttl_ms": 1000}
    assert scene.claim(**sent)["reason_code"] == "NO_APPLICABLE_ALLOW"
    scene.apply(CLAIMS | {"constraint.x": allow(capability="claim.write.hypothesis")})
    assert told(scene.claim(**sent)) == ALLOWED
    assert scene.claim(**sent | {"kind": "derived"})["reason_code"] == "NO_APPLICABLE_ALLOW"
    scene.apply(
        POLICY | {"constraint.x": deny(when=op("eq", "fact.belief.n_survivors", 4), on_fail="ask")}
    )
    assert told(scene.claim(**sent)) == ("defer", "ask", "CONSTRAINT_DENIED")


def test_a_claim_writes_no_fact(tx: Connection) -> None:
    scene = Scene(tx, POLICY)
    before = scene.head()
    scene.claim(kind="fact", key="fact.k", value=1, confidence=1, source_chunk_ids=["c"])
    assert scene.state() == {}
    # And what was read before it is not stale.
    answer = scene.propose({"kind": "tool_call", "tool_id": "R"}, state_snapshot_id=before)
    assert told(answer) == ALLOWED


def test_the_same_request_again(tx: Connection) -> None:
    scene = Scene(tx, POLICY)
    sent = Json({"kind": "hypothesis", "key": "k", "value": 1, "ttl_ms": 1000})
    first = scene("record_claim", scene.tool, claim=sent, request_id="r")
    again = scene("record_claim", scene.tool, claim=sent, request_id="r")
    assert again["duplicate"]
    assert again["claim_id"] == first["claim_id"]
    other = Json({"kind": "hypothesis", "key": "k", "value": 2, "ttl_ms": 1000})
    arguments = {"claim": other, "request_id": "r", "credential": scene.tool}
    refused(tx, errors.Conflict, "record_claim", session_id=scene.id, **arguments)


@pytest.mark.parametrize(
    "claim",
    [
        {},
        {"kind": "truth", "key": "k", "value": 1},
        {"kind": "fact", "value": 1},
        {"kind": "fact", "key": "", "value": 1},
        {"kind": "fact", "key": "k"},
        {"kind": "fact", "key": "k", "value": 1, "confidence": 1.1},
        {"kind": "fact", "key": "k", "value": 1, "confidence": -0.1},
        {"kind": "fact", "key": "k", "value": 1, "confidence": 0.799999},
        {"kind": "fact", "key": "k", "value": 1, "confidence": "1"},
        {"kind": "fact", "key": "k", "value": 1, "ttl_ms": 0},
        {"kind": "fact", "key": "k", "value": 1, "ttl_ms": 1.5},
        {"kind": "fact", "key": "k", "value": 1, "review_at": "soon"},
        {"kind": "fact", "key": "k", "value": 1, "conflict_state": "?"},
        {"kind": "fact", "key": "k", "value": 1, "on_unconfirmed": "?"},
        {"kind": "fact", "key": "k", "value": 1, "confirmed_by_event_id": "x"},
        {"kind": "fact", "key": "k", "value": 1, "source_chunk_ids": "c"},
        {"kind": "fact", "key": "k", "value": 1, "more": 1},
    ],
    ids=str,
)
def test_claims_that_cannot_be(tx: Connection, claim: dict[str, Any]) -> None:
    scene = Scene(tx, POLICY)
    sent = {"session_id": scene.id, "claim": Json(claim), "credential": scene.tool}
    refused(tx, errors.InvalidRequest, "record_claim", **sent)
