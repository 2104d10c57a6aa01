"""The log as a stream: one event at a time, and whole although the connection is lost."""

import random
import tracemalloc
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from cmbs.client import ChainBroken, Client
from cmbs.errors import EventNotFound, SessionNotFound, Unavailable
from tests.client.between import Answered, Cutter, cutting, fronting
from tests.client.conftest import Connect
from tests.client.test_methods import declare
from tests.support.beliefs import NO_EVENT, NOBODY
from tests.support.web import serving


@pytest.fixture
def cutter(site: SimpleNamespace) -> Iterator[Cutter]:
    with cutting(site.address) as proxy:
        yield proxy


def fill(client: Any, session: str, n: int, note: str = "") -> None:
    for batch in range(0, n, 500):
        messages = [
            {"source_id": "s", "observation_id": str(k), "eliminated": [], "notes": note or None}
            for k in range(batch, min(batch + 500, n))
        ]
        client.eliminate_batch(session, messages, minimal=True)


@pytest.mark.parametrize("verify", [False, True], ids=["", "verify"])
def test_it_goes_on_after_the_last_event_it_gave(
    connect: Connect, cutter: Cutter, verify: bool
) -> None:
    client = connect(cutter.address, verify=verify)
    session = declare(client)
    fill(client, session, 300, "x" * 100)
    # In the head, in the first line, between and within others; packed, as the server sends them.
    cutter.cuts += [10, 400, 1500, 5000, 12000]
    events = [*client.audit_stream(session)]
    assert cutter.n_cut == 5
    assert [event.seq for event in events] == [*range(1, 302)]
    cutter.cuts += [2000, 2000]
    assert client.audit_trace(session, events[99].event_id) == events[100:]
    assert cutter.n_cut == 7


def test_progress_gives_it_new_hope_and_nothing_else_does(connect: Connect, cutter: Cutter) -> None:
    client = connect(cutter.address, retries=1)
    session = declare(client)
    fill(client, session, 300, "x" * 100)
    cutter.cuts += [1500] * 5
    assert len(client.audit_trace(session)) == 301
    assert cutter.n_cut == 5
    cutter.cuts += [1500, 0, 0, 0]
    stream = client.audit_stream(session)
    with pytest.raises(Unavailable):
        assert [*stream]
    assert len(cutter.cuts) == 2, "after one more attempt it is given up"


def test_a_consumer_that_stops_leaves_the_client_well(connect: Connect, cutter: Cutter) -> None:
    client = connect(cutter.address)
    session = declare(client)
    fill(client, session, 2000, "x" * 500)
    for _ in range(3):
        stream = client.audit_stream(session)
        assert next(stream).seq == 1
        stream.close()
    assert client.query_belief(session).audit_seq == 2001


@pytest.mark.parametrize("verify", [False, True], ids=["", "verify"])
def test_what_is_not_there(connect: Connect, site: SimpleNamespace, verify: bool) -> None:
    client = connect(site.address, verify=verify)
    with pytest.raises(SessionNotFound):
        next(client.audit_stream(NOBODY))
    with pytest.raises(SessionNotFound):
        client.audit_trace("")
    session = declare(client)
    with pytest.raises(EventNotFound):
        client.audit_trace(session, NO_EVENT)
    for nothing in ("", ".", "..", "x/y"):
        with pytest.raises(EventNotFound):
            client.audit_event(session, nothing)


def test_every_letter_within_a_line(connect: Connect, site: SimpleNamespace) -> None:
    """Lines end with a newline and with nothing else that somebody may take for one."""
    client = connect(site.address, verify=True)
    ids = ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r\n", "\U0001f600"]
    session = declare(client, *ids)
    client.eliminate(session, "\u2028", "\x85", ids, notes="\u2029\r\n")
    declared, eliminated = client.audit_stream(session)
    assert sorted(declared.payload["hypotheses"]) == sorted(ids)
    assert eliminated.payload["eliminated"] == ids
    assert eliminated.notes == "\u2029\r\n"


@pytest.mark.parametrize(("verify", "kind"), [(False, Unavailable), (True, ChainBroken)])
def test_a_record_that_is_damaged_in_the_database(
    connect: Connect,
    database: str,
    db: psycopg.Connection[Any],
    verify: bool,
    kind: type[Exception],
) -> None:
    with serving(database) as address:
        client = connect(address, verify=verify)
        session = declare(client)
        fill(client, session, 9)
        db.execute("alter table cmbs_store.audit_event disable trigger all")
        db.execute("update cmbs_store.audit_event set record = 'no record' where seq = 8")
        stream = client.audit_stream(session)
        found: list[int] = []
        with pytest.raises(kind):
            found.extend(event.seq for event in stream)
        assert found == [*range(1, 8)]


def test_a_line_that_is_none(connect: Connect) -> None:
    with fronting() as front:
        for verify in (False, True):
            client = connect(front.address, verify=verify)
            for body in (b"x\n", b"{}\n", b"[]\n", b"\n", b'{"record": 1}\n'):
                front.lie = lambda asked, behind, body=body: Answered(200, body)
                with pytest.raises(Unavailable):
                    client.audit_trace("s")


@pytest.mark.nightly
@pytest.mark.parametrize("verify", [False, True], ids=["", "verify"])
def test_a_longer_log_takes_no_more_memory(site: SimpleNamespace, verify: bool) -> None:
    peaks = []
    with Client(site.address, verify=verify) as client:
        for n in (500, 4000):
            session = declare(client)
            fill(client, session, n, random.Random(n).randbytes(2000).hex())
            tracemalloc.start()
            try:
                assert sum(1 for _ in client.audit_stream(session)) == n + 1
                peaks.append(tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()
    # The server is in this process too; the longer log has 16 MB of notes alone.
    assert peaks[1] < min(1.5 * peaks[0], 10e6)
