"""The whole server under kill -9: what was acknowledged is in the log, once and as it was told."""

import contextlib
import itertools
import os
import random
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.support.served import PATIENCE, Served, is_free, running
from tests.support.servers import TLS, reachable_folder, until
from tests.support.sizes import size
from tests.support.web import ONTOLOGY

pytestmark = [
    pytest.mark.skipif(
        sys.platform != "linux", reason="only Linux ends PostgreSQL with the process that owns it"
    ),
    pytest.mark.timeout(300),
]

N_WRITERS, N_KILLS, N_OF_EACH = 8, size(5, 50), size(1, 10)
SEED = int(os.environ.get("CMBS_TEST_SEED") or random.SystemRandom().randrange(10**6))
IDS = [f"h{number}" for number in range(64)]
DECLARED = {"ontology": ONTOLOGY, "hypotheses": IDS, "policy": {"allow_forced_termination": True}}
CONCLUDED = {"conclusion_id": "so it is", "context": {"sure": 0.90}}


@dataclass
class Entry:
    """A message, and the answer that acknowledged it."""

    path: str
    body: dict[str, Any]
    key: str | None
    answer: dict[str, Any]

    @property
    def session(self) -> str:
        found: str = self.answer["snapshot"]["session_id"]
        return found


class Writer(threading.Thread):
    """Sends a message until it is acknowledged, and none before that."""

    def __init__(self, number: int, address: str, shared: str, over: threading.Event) -> None:
        super().__init__(name=f"writer {number}", daemon=True)
        self.shared, self.over = shared, over
        self.choose = random.Random(SEED + number)
        self.client = httpx.Client(base_url=address, timeout=30, verify=TLS)
        self.ledger: list[Entry] = []
        self.n_observations = self.n_failures = self.n_repeated = 0
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.client:
                while not self.over.is_set():
                    self.work()
        except BaseException as error:
            self.error = error

    def work(self) -> None:
        """A session with every verb, and beside it messages to one that all writers share."""
        session = str(uuid4())
        path = f"/v1/sessions/{session}"
        self.tell("/v1/sessions", {**DECLARED, "session_id": session})
        for turn in range(self.choose.randint(1, 5)):
            obligation = f"{path}/obligations/{turn}"
            entered = {"obligation_id": str(turn), "min_total_eliminations": 2}
            self.tell(f"{path}/obligations", entered, key=f"enter {turn}")
            self.tell(f"{path}/eliminate", self.message())
            self.tell(f"{path}/conclusions", CONCLUDED, key=f"too early {turn}")
            messages = [self.message() for _ in range(self.choose.randint(1, 8))]
            self.tell(f"{path}/eliminate/batch", {"messages": messages})
            self.tell(f"{obligation}/exit", {"context": {"turn": turn}}, key=f"exit {turn}")
            if not self.ledger[-1].answer["approved"]:
                self.tell(f"{obligation}/waive", {"reason": "too few"}, key=f"waive {turn}")
            self.tell(f"{path}/conclusions", CONCLUDED, key=f"conclude {turn}")
            self.tell(f"/v1/sessions/{self.shared}/eliminate", self.message())
            self.repeat(self.choose.choice(self.ledger))
        forced = {"context": {"force": True}, "notes": "the end"}
        self.tell(f"{path}/terminate", forced, key="terminate")

    def message(self) -> dict[str, Any]:
        self.n_observations += 1
        return {
            "source_id": self.name,
            "observation_id": str(self.n_observations),
            "eliminated": self.choose.sample(IDS, self.choose.randint(0, 3)),
            "justification": {"n": self.n_observations, "why": "Ä \U0001f600"},
        }

    def tell(self, path: str, body: dict[str, Any], key: str | None = None) -> None:
        answer, n_tries = self.send(path, body, key)
        if n_tries == 1:
            assert not answer["duplicate"], "nobody has sent it before"
        self.n_repeated += answer["duplicate"]
        self.ledger.append(Entry(path, body, key, answer))

    def repeat(self, entry: Entry) -> None:
        answer, _ = self.send(entry.path, entry.body, entry.key)
        assert answer["duplicate"]
        assert answer["audit_event_id"] == entry.answer["audit_event_id"]

    def send(self, path: str, body: dict[str, Any], key: str | None) -> tuple[Any, int]:
        headers = {"Idempotency-Key": key} if key else {}
        answers: list[Any] = []
        n_tries = 0

        def is_acknowledged() -> bool:
            nonlocal n_tries
            n_tries += 1
            with contextlib.suppress(httpx.TransportError):
                answer = self.client.post(path, json=body, headers=headers)
                if answer.is_success:
                    answers.append(answer.json())
                    return True
                assert answer.status_code == 503, answer.text
                assert answer.json()["error"]["code"] == "UNAVAILABLE", answer.text
                assert answer.headers["retry-after"]
            self.n_failures += 1
            return False

        until(is_acknowledged, PATIENCE)
        return answers[0], n_tries


class Crowd:
    """Writers at work, and how far they have come."""

    def __init__(self, address: str, n_writers: int) -> None:
        answer = httpx.post(f"{address}/v1/sessions", json=DECLARED, timeout=PATIENCE)
        self.declared = answer.json()
        self.shared = self.declared["session_id"]
        self.over = threading.Event()
        self.writers = [
            Writer(number, address, self.shared, self.over) for number in range(n_writers)
        ]

    @property
    def n_acknowledged(self) -> int:
        return sum(len(writer.ledger) for writer in self.writers)

    def await_more(self, n_more: int) -> None:
        wanted = self.n_acknowledged + n_more
        until(lambda: self.n_acknowledged >= wanted or self.errors(), PATIENCE)
        assert not self.errors(), self.errors()

    @property
    def n_failures(self) -> int:
        return sum(writer.n_failures for writer in self.writers)

    @property
    def n_repeated(self) -> int:
        return sum(writer.n_repeated for writer in self.writers)

    def errors(self) -> list[BaseException]:
        return [writer.error for writer in self.writers if writer.error]

    def entries(self) -> list[Entry]:
        return [entry for writer in self.writers for entry in writer.ledger]


@contextlib.contextmanager
def writing(address: str, n_writers: int) -> Iterator[Crowd]:
    """In the end everybody finishes the session at hand, so nothing is unacknowledged."""
    crowd = Crowd(address, n_writers)
    for writer in crowd.writers:
        writer.start()
    try:
        yield crowd
    finally:
        crowd.over.set()
        for writer in crowd.writers:
            writer.join(3 * PATIENCE)
    assert not any(writer.is_alive() for writer in crowd.writers)
    assert not crowd.errors(), crowd.errors()


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    with reachable_folder() as folder, running(Served(folder, request.param)) as served:
        yield served


@pytest.mark.slow("PostgreSQL, or all of the server, is killed again and again")
@pytest.mark.parametrize("served", [()], ids=["one process"], indirect=True)
def test_kill_after_kill(served: Served) -> None:
    choose = random.Random(SEED)
    print(f"CMBS_TEST_SEED={SEED}")
    n_kills: Counter[str] = Counter()
    with writing(served.address, N_WRITERS) as crowd:
        for kill in itertools.cycle([kill_postmaster] * 3 + [kill_server]):
            if n_kills.total() >= N_KILLS and n_kills["kill_server"] >= N_OF_EACH:
                break
            crowd.await_more(choose.randint(1, 60))
            n_kills[kill.__name__] += kill(served, twice=choose.random() < 0.2)
        crowd.await_more(N_WRITERS)
    told = f"{dict(n_kills)}, {crowd.n_acknowledged} messages"
    print(f"{told}, {crowd.n_failures} failures, {crowd.n_repeated} were in the log already")
    assert min(n_kills["kill_postmaster"], n_kills["kill_server"]) >= N_OF_EACH
    assert crowd.n_failures >= size(3, 50), "the kills hit nobody"
    check_logs(served, crowd)
    check_end(served)


@pytest.mark.nightly
@pytest.mark.slow("five kills, each of which is healed")
@pytest.mark.parametrize("served", [("--workers", "2")], ids=["two workers"], indirect=True)
def test_kill_workers_and_their_supervisor(served: Served) -> None:
    with writing(served.address, N_WRITERS) as crowd:
        for kill in (kill_worker, kill_postmaster, kill_worker, kill_server, kill_worker):
            crowd.await_more(5 * N_WRITERS)
            assert kill(served) == 1
        crowd.await_more(N_WRITERS)
    check_logs(served, crowd)
    check_end(served)


def kill_postmaster(served: Served, twice: bool = False) -> int:
    """The server finds it dead and heals it; killed once more, that is while it recovers."""
    for _ in range(1 + twice):
        os.kill(first := served.postmaster(), signal.SIGKILL)
        until(lambda first=first: served.has_postmaster_but(first), PATIENCE)
    until(served.is_ready, PATIENCE)
    assert served.is_running(), served.err
    return 1 + twice


def kill_server(served: Served, twice: bool = False) -> int:
    """It is started again, and killed once more while it starts."""
    for is_last in (False, True)[1 - twice :]:
        first = served.postmaster()
        assert served.end(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: is_free(served.port), PATIENCE)
        served.start()
        if not is_last:
            until(lambda first=first: served.has_postmaster_but(first), PATIENCE)
    served.await_ready()
    return 1 + twice


def kill_worker(served: Served) -> int:
    first = served.workers()
    os.kill(first[0], signal.SIGKILL)
    until(lambda: len(set(served.workers()) - set(first)) == 1, PATIENCE)
    return 1


def check_logs(served: Served, crowd: Crowd) -> None:
    """Every log holds what was acknowledged, nothing else, and is whole."""
    told: dict[str, list[Entry]] = {crowd.shared: [Entry("", DECLARED, None, crowd.declared)]}
    for entry in crowd.entries():
        told.setdefault(entry.session, []).append(entry)
    n_rows = 0
    with httpx.Client(base_url=f"{served.address}/v1/sessions", timeout=PATIENCE) as client:
        for session, entries in told.items():
            events = client.get(f"/{session}/audit").json()["events"]
            check_log(events, entries)
            verified = client.get(f"/{session}/verify").json()
            assert verified["ok"], verified
            assert verified["rows_checked"] == len(events)
            n_rows += len(events)
    where = f"host={served.data_dir / 'socket'} user=postgres dbname=cmbs"
    with psycopg.connect(where) as connection:
        found = connection.execute("select session_id, ok, rows_checked from cmbs.verify_all()")
        rows = found.fetchall()
    assert {str(session) for session, _, _ in rows} == told.keys()
    assert all(ok for _, ok, _ in rows)
    assert sum(n for _, _, n in rows) == n_rows


def check_log(events: list[dict[str, Any]], entries: list[Entry]) -> None:
    by_id = {event["event_id"]: event for event in events}
    expected: list[str] = []
    for entry in entries:
        for event_id, sent, answer in messages(entry):
            expected.append(event_id)
            event = by_id[event_id]
            check_event(event, sent, answer)
        # The head of that moment is the event itself, or a later one if the answer was a repeat.
        snapshot = entry.answer["snapshot"]
        head = events[snapshot["audit_seq"] - 1]
        assert head["event_id"] == snapshot["audit_head_event_id"]
        assert head["event_hash"] == snapshot["audit_head_hash"]
        if not entry.answer["duplicate"]:
            assert head["event_id"] == entry.answer["audit_event_id"]
    assert Counter(expected) == Counter(by_id.keys()), "one event for each message"
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


def messages(entry: Entry) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Event id, content and answer of each message that was acknowledged together."""
    if "messages" in entry.body:
        results = entry.answer["results"]
        for sent, answer in zip(entry.body["messages"], results, strict=True):
            yield answer["audit_event_id"], sent, answer
        return
    sent = {**entry.body, **({"request_id": entry.key} if entry.key else {})}
    yield entry.answer["audit_event_id"], sent, entry.answer


def check_event(event: dict[str, Any], sent: dict[str, Any], answer: dict[str, Any]) -> None:
    """What was sent and decided is what was recorded."""
    payload = event["payload"]
    if event["verb"] == "DECLARE_SESSION":
        assert payload["ontology"] == sent["ontology"]
        assert payload["hypotheses"] == sorted(sent["hypotheses"])
        return
    for name in ("source_id", "observation_id", "eliminated", "justification", "request_id"):
        assert payload.get(name) == sent.get(name)
    for name in ("obligation_id", "min_total_eliminations", "conclusion_id", "context"):
        assert payload.get(name) == sent.get(name) or name not in sent
    assert event.get("notes") == sent.get("notes")
    for name in ("approved", "accepted", "reason"):
        assert payload.get(name) == answer.get(name)
    assert event["delta"]["eliminated"] == answer.get("applied_eliminated", [])


def check_end(served: Served) -> None:
    """It ends cleanly, and nothing of it is left."""
    assert served.end() == 0
    served.await_nothing()
    assert not (served.data_dir / "socket").exists()
    assert not (served.data_dir / "postgres" / "postmaster.pid").exists()
