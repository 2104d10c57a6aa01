"""What the database says of itself, as gauges."""

from collections.abc import Iterator

from msgspec import Struct
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily


class Sessions(Struct):
    n_open: int
    n_stuck: int
    n_terminated: int
    n_events: int
    log_bytes: int
    table_bytes: int


class Waiting(Struct):
    n_questions: int
    question_seconds: float
    n_issued: int
    n_executing: int
    executing_seconds: float
    n_deferred: int
    due_seconds: float


class Webhooks(Struct):
    n_pending: int
    n_dead: int
    pending_seconds: float


class Mirror(Struct):
    endpoint: str | None
    n_pending: int
    n_dead: int
    n_sessions: int
    n_retries: int
    lag_seconds: float


class Identities(Struct):
    n_principals: int
    n_tokens: int


class Reading(Struct):
    """What the verb answers."""

    postgresql: str
    sessions: Sessions
    waiting: Waiting
    webhooks: Webhooks
    mirror: Mirror
    identities: Identities


def text(reading: Reading | None, build: dict[str, str], since: float) -> bytes:
    """The gauges; without a reading those that need none."""
    registry = CollectorRegistry()
    registry.register(_Told(reading, build, since))
    return generate_latest(registry)


class _Told:
    def __init__(self, reading: Reading | None, build: dict[str, str], since: float) -> None:
        self._reading, self._build, self._since = reading, build, since

    def collect(self) -> Iterator[GaugeMetricFamily]:
        info = GaugeMetricFamily("cmbs_build_info", _BUILD, labels=[*self._build])
        info.add_metric([*self._build.values()], 1)
        yield info
        yield _gauge("server_start_time_seconds", _START, self._since)
        yield _gauge("database_answered", _ANSWERED, int(self._reading is not None))
        if self._reading:
            yield from _sessions(self._reading.sessions)
            yield from _waiting(self._reading.waiting)
            yield from _webhooks(self._reading.webhooks)
            yield from _mirror(self._reading.mirror)
            found = self._reading.identities
            yield _gauge("principals", "Principals that are enabled.", found.n_principals)
            yield _gauge("tokens", "Tokens of principals that are valid.", found.n_tokens)


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"cmbs_{name}", meaning, value=value)


def _by(name: str, meaning: str, label: str, **parts: int) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"cmbs_{name}", meaning, labels=[label])
    for part, value in parts.items():
        family.add_metric([part], value)
    return family


def _sessions(found: Sessions) -> Iterator[GaugeMetricFamily]:
    yield _by(
        "sessions",
        "Sessions; stuck ones have an active obligation, open ones have none.",
        "state",
        open=found.n_open,
        stuck=found.n_stuck,
        terminated=found.n_terminated,
    )
    yield _gauge("log_events", "Events in the logs of all sessions.", found.n_events)
    yield _gauge("log_bytes", "Disk space of these logs, with indexes.", found.log_bytes)
    yield _gauge("database_bytes", "Disk space of all tables of CMBS.", found.table_bytes)


def _waiting(found: Waiting) -> Iterator[GaugeMetricFamily]:
    yield _gauge("questions_pending", "Questions that wait for a person.", found.n_questions)
    age = "How long the oldest pending question has waited; 0 if there is none."
    yield _gauge("oldest_question_age_seconds", age, found.question_seconds)
    yield _by(
        "permits",
        "Permits that may still be begun (issued), or whose call is running (executing).",
        "status",
        issued=found.n_issued,
        executing=found.n_executing,
    )
    age = "How long the oldest execution has been running; 0 if there is none."
    yield _gauge("oldest_execution_age_seconds", age, found.executing_seconds)
    yield _gauge(
        "deferrals_waiting", "Deferred proposals that wait for another try.", found.n_deferred
    )
    overdue = "How long the oldest due work has waited for upkeep; 0 if there is none."
    yield _gauge("upkeep_overdue_seconds", overdue, found.due_seconds)


def _webhooks(found: Webhooks) -> Iterator[GaugeMetricFamily]:
    yield _by(
        "webhook_messages",
        "Messages to webhooks that are pending, or were given up (dead).",
        "state",
        pending=found.n_pending,
        dead=found.n_dead,
    )
    age = "How long the oldest pending webhook message has waited; 0 if there is none."
    yield _gauge("oldest_webhook_message_age_seconds", age, found.pending_seconds)


def _mirror(found: Mirror) -> Iterator[GaugeMetricFamily]:
    for name, meaning, value in (
        ("configured", "Whether sessions are mirrored to a Tee.", int(found.endpoint is not None)),
        ("pending_messages", "Messages that wait to be sent to the Tee.", found.n_pending),
        ("dead_messages", "Messages that the Tee refused.", found.n_dead),
        ("waiting_sessions", "Sessions with messages that wait or were refused.", found.n_sessions),
        (
            "retries",
            "How often messages that wait or were refused were sent again.",
            found.n_retries,
        ),
        (
            "lag_seconds",
            "How long the oldest of these messages has waited; 0 if there is none.",
            found.lag_seconds,
        ),
    ):
        yield _gauge(f"tee_mirror_{name}", meaning, value)


_BUILD = "Always 1; the labels say the versions of CMBS, its schema, Python and PostgreSQL."
_START = "When the server was started, as a Unix time; its counters count since then."
_ANSWERED = "Whether the database answered this scrape; if not, its metrics are left out."
