"""The golden chain, forged by somebody who makes the hashes fit: each way is found where it begins.

The verifier has a short way for what is plainly good; what it leaves must be found on the long one.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from cmbs import verify
from cmbs.kernel.canonical import canonical, hash_text, parse
from tests.support.oracle import Json
from tests.support.tampering import Log, Row, forged, linked
from tests.verify.shipped import fault
from tests.verify.test_file import LINES

FIRST = json.loads(LINES[0])
CHAIN = [
    Row(no, line["event_hash"], line["record"]) for no, line in enumerate(map(json.loads, LINES), 1)
]
Forgery = Callable[[Log], Log]


def record(seq: int, **members: Any) -> Forgery:
    """Members of an event, and the log hashed anew from there on."""
    return lambda rows: forged(rows, seq - 1, lambda found: found | members)


def payload(seq: int, **members: Any) -> Forgery:
    def edit(found: Json) -> Json:
        return found | {"payload": found["payload"] | members}

    return lambda rows: forged(rows, seq - 1, edit)


def alone(seq: int, **members: Any) -> Forgery:
    """Members of an event that is hashed anew, and the log after it as it was."""

    def forge(rows: Log) -> Log:
        text = canonical(parse(rows[seq - 1].record) | members)
        return [*rows[: seq - 1], Row(seq, hash_text(text), text), *rows[seq:]]

    return forge


def hashed(seq: int) -> Forgery:
    """Another hash beside a record that is as it was."""
    return lambda rows: [
        *rows[: seq - 1],
        rows[seq - 1]._replace(event_hash=hash_text("another record")),
        *rows[seq:],
    ]


def appended(seq: int) -> Forgery:
    """An event once more, as the next one."""

    def forge(rows: Log) -> Log:
        of, no = parse(rows[seq - 1].record), len(rows) + 1
        last = parse(rows[-1].record)
        again = of | {"seq": no, "ts": last["ts"], "event_id": of["event_id"][:24] + f"{no:012x}"}
        again["survivors_before_hash"] = again["survivors_after_hash"] = last[
            "survivors_after_hash"
        ]
        return linked([*rows, Row(no, "", canonical(again))], no - 1)

    return forge


EXITED = {"reason": "approved", "approved": True}
FORGERIES: list[tuple[int, Forgery, str]] = [
    (10, hashed(10), "the hash is not that of the record"),
    (9, hashed(9), "the hash is not that of the record"),
    (13, alone(13, prev_event_hash="0" * 64), "previous hash"),
    (10, alone(10, prev_event_hash="f" * 64), "previous hash"),
    (7, record(7, survivors_after_hash="0" * 64), "survivors hash after"),
    (7, record(7, survivors_before_hash="0" * 64), "survivors hash before"),
    (10, record(10, delta={"eliminated": ["bad_deploy"]}), "delta"),
    (8, record(8, delta={"eliminated": ["replication_lag"]}), "delta"),
    (5, payload(5, eliminated=["disk_full"]), "delta"),
    (4, payload(4, **EXITED), "decision"),
    (6, payload(6, approved=False), "decision"),
    (8, payload(8, accepted=True, reason="accepted"), "decision"),
    (11, payload(11, **EXITED), "decision"),
    (13, payload(13, reason="approved by force"), "decision"),
    (9, payload(9, obligation_id="another"), "not active"),
    (14, appended(12), "terminated before"),
    (14, appended(10), "terminated before"),
    (10, payload(10, source_id="human://operator", observation_id="obs-2"), "this identity"),
    (12, payload(12, request_id="r-1"), "this identity"),
    (6, record(6, ts="2026-11-18T07:49:08.000000Z"), "earlier"),
    (5, record(5, event_id="9d3c6a52-7b1e-4f08-a1c4-000000000006"), "does not end in the seq"),
    (3, record(3, session_id="6f9619ff-8b86-4d01-b42d-00c04fc964f0"), "another session"),
    (1, payload(1, n_hypotheses=4), "number of hypotheses"),
    (1, payload(1, universe_digest="0" * 64), "universe is another"),
]


def lines(rows: Log) -> list[bytes]:
    beside = {"hypotheses": FIRST["hypotheses"]}
    found: list[Json] = [{"event_hash": row.event_hash, "record": row.record} for row in rows]
    return [json.dumps(one).encode() for one in [found[0] | beside, *found[1:]]]


def test_the_chain_itself_is_whole() -> None:
    log = verify.Log()
    for line in lines(CHAIN):
        log.feed(line)
    assert (log.seq, log.head_hash) == (13, CHAIN[-1].event_hash)


@pytest.mark.parametrize(("seq", "forgery", "words"), FORGERIES)
def test_a_forged_chain(seq: int, forgery: Forgery, words: str) -> None:
    found = fault(lines(forgery(CHAIN)))
    assert found is not None
    assert found[0] == seq
    assert words in found[1]
