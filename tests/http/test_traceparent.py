"""The header `traceparent`: what counts as a trace of the caller, and the log that names it."""

import json
import logging

import pytest

from cmbs.api.shell.traceparent import Parent, parent_of
from tests.http.test_access_log import Log
from tests.support.web import Client

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SAMPLED = f"00-{TRACE}-{SPAN}-01"
# Each is ignored, whatever else it may be.
HOSTILE = (
    "",
    "00",
    f"00-{TRACE}-{SPAN}",
    f"00-{TRACE}-{SPAN}-1",
    f"00-{TRACE}-{SPAN}-0g",
    f"00-{TRACE}-{SPAN}-01-",
    f"00-{TRACE}-{SPAN}-01-more",
    f"01-{TRACE}-{SPAN}-01more",
    f"ff-{TRACE}-{SPAN}-01",
    f"FF-{TRACE}-{SPAN}-01",
    f"0-{TRACE}-{SPAN}-01",
    f"00-{TRACE.upper()}-{SPAN}-01",
    f"00-{TRACE}-{SPAN.upper()}-01",
    f"00-{TRACE[1:]}-{SPAN}-01",
    f"00-{TRACE}0-{SPAN}-01",
    f"00-{'0' * 32}-{SPAN}-01",
    f"00-{TRACE}-{'0' * 16}-01",
    f"00_{TRACE}_{SPAN}_01",
    f"{SAMPLED},{SAMPLED}",
    f"{SAMPLED}, x",
    f"{SAMPLED} x",
    f'"{SAMPLED}"',
    f"{SAMPLED}\u00b2",
    "\u0660\u0660" + SAMPLED[2:],
    "x" * 10_000,
)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Log:
    caplog.set_level(logging.INFO, "cmbs")
    return Log(caplog)


def sent(*values: str) -> list[tuple[bytes, bytes]]:
    return [(b"host", b"x"), *((b"traceparent", value.encode()) for value in values)]


def test_a_span_of_the_caller_is_understood(subtests: pytest.Subtests) -> None:
    for value, is_sampled in (
        (SAMPLED, True),
        (f" {SAMPLED}\t", True),
        (f"00-{TRACE}-{SPAN}-00", False),
        (f"00-{TRACE}-{SPAN}-02", False),
        (f"00-{TRACE}-{SPAN}-ff", True),
        (f"01-{TRACE}-{SPAN}-01", True),
        (f"cc-{TRACE}-{SPAN}-00-what the future brings", False),
    ):
        with subtests.test(value):
            assert parent_of(sent(value)) == Parent(TRACE, SPAN, is_sampled)


def test_anything_else_is_ignored(subtests: pytest.Subtests) -> None:
    for value in HOSTILE:
        with subtests.test(value[:80]):
            assert parent_of(sent(value)) is None
    assert parent_of(sent()) is None
    assert parent_of(sent(SAMPLED, SAMPLED)) is None
    assert parent_of([(b"x-traceparent", SAMPLED.encode())]) is None


def test_the_log_names_the_trace_of_the_caller(client: Client, log: Log) -> None:
    answer = client.get("/healthz", headers={"traceparent": SAMPLED})
    line = log.of(answer)
    assert line["trace_id"] == TRACE
    # This server makes no spans.
    assert "span_id" not in line
    assert "trace_id" not in log.of(client.get("/healthz"))
    for value in HOSTILE:
        if value.isascii():
            line = log.of(client.get("/healthz", headers={"traceparent": value}))
            assert line["status"] == 200
            assert "trace_id" not in line
    twice = [("traceparent", SAMPLED), ("traceparent", SAMPLED)]
    assert "trace_id" not in log.of(client.get("/healthz", headers=twice))


def test_no_event_knows_of_a_trace(client: Client) -> None:
    """The bytes of an event are the same, with a trace and without."""
    records = []
    for headers in ({}, {"traceparent": SAMPLED, "tracestate": "vendor=value"}):
        with Client(base_url=client.base_url, headers=headers) as caller:
            session = caller.declare()
            caller.eliminate(session, "a")
            assert not caller.post(f"{session}/terminate", json={}).json()["approved"]
        lines = client.get(f"{session}/audit", headers={"Accept": "application/x-ndjson"}).text
        assert TRACE not in lines
        assert SPAN not in lines
        events = client.get(f"{session}/audit").json()["events"]
        # What differs from one session to another by itself.
        own = [session[-36:], *(event[name] for event in events for name in ("event_id", "ts"))]
        record = [json.loads(line)["record"] for line in lines.splitlines()]
        text = "\n".join(record)
        for no, mine in enumerate(own):
            text = text.replace(mine, f"<{no}>")
        for event in events:
            text = text.replace(event["event_hash"], "<hash>")
        records.append(text)
    assert records[0].count("\n") == 2
    assert records[0] == records[1]
