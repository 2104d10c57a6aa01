"""What is counted: in files of one folder, so that whichever process is asked tells the sum of all.

A file belongs to one process and stays when that has died, so no counter goes backwards. What only
living processes have, such as connections, is taken out with them. No label holds a caller's text.
"""

import asyncio
import fcntl
import logging
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from cmbs.api.shell import shedding, verdicts
from cmbs.common.log import line
from cmbs.database.pool import Database
from cmbs.database.principals import KINDS

log = logging.getLogger("cmbs.process")

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
# Who asks, as far as that is known: no token, one that is not known here, none needed, or a kind.
STRANGER, UNKNOWN_TOKEN, LOCAL = "stranger", "unknown_token", "local"
CLASSES = (STRANGER, UNKNOWN_TOKEN, LOCAL, *KINDS)
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
TASKS, OUTCOMES = ("sweep", "webhooks", "mirror"), ("ok", "failed", "read_only")
VERIFIED = {"verify": "session", "verify_identities": "identities"}
_PREFIX, _NEW = "cmbs-metrics-", "cmbs-new-metrics-"
# Bytes for all series that there can be, whose number is bounded.
_ROOM = {
    "counter": 2 << 20,
    "histogram": 1 << 20,
    "gauge_max": 64 << 10,
    "gauge_livesum": 64 << 10,
}
# After how many seconds a process says again how its connections are used.
_PAUSE = 1.0


class Kept(NamedTuple):
    """The folder of the files of one server, and since when it counts."""

    folder: str
    since: float


@contextmanager
def kept() -> Iterator[Kept]:
    """A folder for as long as a server runs; those of servers that were killed go."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            os.close(_locked(left))
            shutil.rmtree(left, ignore_errors=True)
    made = Path(tempfile.mkdtemp(prefix=_NEW))
    lock = _locked(made)
    # It has the name that others look for only when it is locked.
    folder = made.rename(made.with_name(made.name.replace(_NEW, _PREFIX, 1)))
    try:
        yield Kept(str(folder), time.time())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked(folder: Path) -> int:
    """A lock that nobody else has and that ends with the process; refused while somebody has it."""
    # Others may make what they like in a folder for temporary files.
    found = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(found, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(found)
        raise
    return found


def forget_living(kept: Kept, pid: int) -> None:
    """Take out what only a living process has; what it counted stays."""
    # The process itself and its supervisor may both be at it.
    with suppress(FileNotFoundError):
        mark_process_dead(pid, kept.folder)


def _reserve(folder: Path) -> None:
    """Take the room on disk that the files of a process need: they are mapped into memory, where a
    disk that is full later would end the process."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for kind, size in _ROOM.items():
        file = os.open(folder / f"{kind}_{os.getpid()}.db", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file, 0, size)
            elif os.fstat(file).st_size < size:
                os.pwrite(file, bytes(size), 0)
        finally:
            os.close(file)


class _Nowhere:
    """Takes what is still counted when the files are closed."""

    def inc(self) -> None: ...

    def set(self, value: float) -> None: ...

    def observe(self, value: float) -> None: ...


_NOWHERE = _Nowhere()


class _Series:
    """The series of one metric by their labels; asking the library each time takes longer."""

    def __init__(self, counters: "Counters", metric: Any) -> None:
        self._counters, self._metric = counters, metric
        self._known: dict[tuple[object, ...], Any] = {}

    def __call__(self, *labels: object) -> Any:
        if self._counters.is_over:
            return _NOWHERE
        found = self._known.get(labels)
        if found is None:
            self._counters.come_home()
            found = self._known[labels] = self._metric.labels(*labels)
        return found


class Counters:
    """What one process counts."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.is_over = False
        try:
            _reserve(Path(kept.folder))
            self._values: Any = values.MultiProcessValue()
        except OSError as error:
            # A full disk is no reason not to serve.
            log.error(line("metrics off", "error", message=error.strerror))
            self._values = values.MutexValue
        self.come_home()
        told: dict[str, Any] = {"registry": None}
        self._requests = self._of(
            Counter("cmbs_http_requests", _HELP["requests"], ["method", "route", "status"], **told)
        )
        self._seconds = self._of(
            Histogram(
                "cmbs_http_request_duration_seconds", _HELP["seconds"], ["verb"],
                buckets=_BUCKETS, **told,
            )
        )  # fmt: skip
        self._verdicts = self._of(
            Counter("cmbs_verdicts", _HELP["verdicts"], ["verb", "verdict", "reason"], **told)
        )
        self._shed = self._of(Counter("cmbs_shed", _HELP["shed"], ["reason", "class"], **told))
        self._rounds = self._of(
            Counter("cmbs_upkeep_rounds", _HELP["rounds"], ["task", "outcome"], **told)
        )
        self._upkeep = self._latest("cmbs_upkeep_last_success", _HELP["upkeep"], "task")
        self._verified = self._latest("cmbs_verify_last_success", _HELP["verified"], "class")
        self._pool = {
            of: self._living(f"cmbs_pool_{name}", _HELP[of], "pool")
            for of, name in (
                ("size", "connections"),
                ("in_use", "connections_in_use"),
                ("waiting", "waiting_calls"),
            )
        }
        self._workers = Gauge(
            "cmbs_workers", _HELP["workers"], registry=None, multiprocess_mode="livesum"
        )
        self._started = Counter("cmbs_workers_started", _HELP["started"], **told)
        self._died = Counter("cmbs_workers_died", _HELP["died"], **told)
        # Opens the file: later it may not be there to be opened.
        self._seconds("none")
        # What is not there yet could not be seen to begin.
        for reason in shedding.REASONS:
            for kind in CLASSES:
                self._shed(reason, kind)
        for task in TASKS:
            self._upkeep(task)
            for outcome in OUTCOMES:
                self._rounds(task, outcome)
        for what in VERIFIED.values():
            self._verified(what)

    def come_home(self) -> None:
        """The library looks for the folder when it makes a series; a process may have several
        servers, as in tests.
        """
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = self.kept.folder
        values.ValueClass = self._values

    def _of(self, metric: Any) -> _Series:
        return _Series(self, metric)

    def _latest(self, name: str, meaning: str, *labels: str) -> _Series:
        name = f"{name}_timestamp_seconds"
        gauge = Gauge(name, meaning, labels, registry=None, multiprocess_mode="max")
        return _Series(self, gauge)

    def _living(self, name: str, meaning: str, *labels: str) -> _Series:
        gauge = Gauge(name, meaning, labels, registry=None, multiprocess_mode="livesum")
        return _Series(self, gauge)

    def request(
        self, method: str, route: str | None, verb: str | None, status: int, seconds: float
    ) -> None:
        method = method if method in _METHODS else "other"
        self._requests(method, route or "none", status).inc()
        self._seconds(verb or "none").observe(seconds)

    def verdict(self, verb: str | None, verdict: str, reason: str) -> None:
        """How a verb answered; a reason that the house does not know is none."""
        verdict = verdict if verdict in verdicts.VERDICTS else "other"
        reason = reason if reason in verdicts.REASONS else "other"
        self._verdicts(verb or "none", verdict, reason).inc()

    def shed(self, reason: str, kind: str) -> None:
        self._shed(reason, kind).inc()

    def round(self, task: str, outcome: str) -> None:
        """One round of upkeep is over."""
        self._rounds(task, outcome).inc()
        if outcome != "failed":
            self._upkeep(task).set(time.time())

    def verified(self, verb: str) -> None:
        self._verified(VERIFIED[verb]).set(time.time())

    def died(self) -> None:
        """A worker ended that was not to end; its supervisor saw it."""
        self._died.inc()

    @asynccontextmanager
    async def living(self, store: Database) -> AsyncIterator[None]:
        """For as long as the process serves: that it does, and how its connections are used."""
        self._started.inc()
        self._workers.set(1)
        task = asyncio.create_task(self._watch(store))
        try:
            yield
        finally:
            forget_living(self.kept, os.getpid())
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            self._close()

    def _close(self) -> None:
        """A process may have had several servers, as in tests: none keeps its files open."""
        self.is_over = True
        if self._values is not values.MutexValue:
            self._values.close_all_files()

    async def _watch(self, store: Database) -> None:
        while True:
            self.look(store)
            await asyncio.sleep(_PAUSE)

    def look(self, store: Database) -> None:
        """How the connections are used at this moment."""
        for pool, usage in store.usage().items():
            for of, series in self._pool.items():
                series(pool).set(getattr(usage, of))

    def text(self) -> bytes:
        """What all processes of the server have counted."""
        registry = CollectorRegistry()
        registry.register(_Files(self.kept))
        return generate_latest(registry)


class _Files:
    """The sum over the files of all processes."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def collect(self) -> Iterable[Metric]:
        # A file that was only just made holds nothing that could be read.
        found = [str(file) for file in Path(self._kept.folder).glob("*.db") if _size(file)]
        yield from MultiProcessCollector.merge(found)


def _size(file: Path) -> int:
    with suppress(FileNotFoundError):
        return file.stat().st_size
    return 0


_HELP = {
    "requests": "Requests that were answered; route is none where no route fits.",
    "seconds": "How long requests took; verb is none where the route has no verb of its own.",
    "verdicts": "What verbs answered: decisions with their reason, and refusals with their code.",
    "shed": "Requests that were not worked off, by why and by what is known of who sent them.",
    "rounds": "Rounds of upkeep, by their outcome.",
    "upkeep": "When a round of upkeep last went well in any worker; 0 if never.",
    "verified": "When this server last answered a verify that found everything whole; 0 if never.",
    "size": "Connections to the database that the workers may open.",
    "in_use": "Connections that work at this moment.",
    "waiting": "Calls that wait for a connection.",
    "workers": "Workers that serve.",
    "started": "Workers that were started.",
    "died": "Workers that ended by themselves, or were killed, and were replaced.",
}
