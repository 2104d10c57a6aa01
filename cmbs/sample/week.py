"""A data set to try queries on: a week of incidents, written as a bundle.

Everything in it follows from a seed, ids and times included, and holds by the rules of the
protocol: agents are simulated, and the reference kernel answers them by the clock of their week.
Its sessions are told from others by their space: the name begins with `sample/`.
"""

import hashlib
import json
import random
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from cmbs.kernel.canonical import canonical
from cmbs.kernel.universe import Universe
from cmbs.sample.session_log import Json, Session

SPACE = "sample/"
_BEGIN = datetime(2026, 3, 2, tzinfo=UTC)
_DAYS = 7
# Incidents begin in these hours of a day, more of them where it stands more often.
_HOURS = (1, 4, 7, 8, 9, 9, 10, 10, 11, 12, 13, 14, 14, 15, 15, 16, 17, 18, 20, 22)
_SERVICES = ("cart", "checkout", "login", "search")
_CAUSES = {
    "host": ("cpu_throttled", "disk_full", "memory_leak", "clock_skew", "noisy_neighbour"),
    "network": ("dns", "packet_loss", "tls_expired", "load_balancer", "firewall_rule"),
    "data": ("replication_lag", "pool_exhausted", "slow_query", "lock_contention", "cache_cold"),
    "change": ("bad_deploy", "feature_flag", "config_drift", "schema_change"),
}
# Who observes: what it can judge, how many suspects it clears at once, how many minutes it takes.
_SOURCES = {
    "tool://metrics": (("host", "data"), 4, 2),
    "tool://logs": (("data", "change", "network"), 4, 5),
    "tool://probe": (("network",), 3, 3),
    "tool://runbook": (("host", "network"), 2, 1),
    "human://on-call": (("host", "network", "data", "change"), 9, 25),
}
# How often each is asked; the person is asked last and seldom, and knows about changes.
_WEIGHTS = (8, 7, 3, 5, 2)


_README = """\
# A sample of CMBS sessions

A week of incidents that never happened, made by `cmbs sample`. `python verify.py THIS-FILE.zip`
checks it like any other bundle, `cmbs import` takes it over, and so does `cmbs sample` alone.
"""


def write(path: Path, seed: int, count: int) -> list[Session]:
    """The bundle of that sample; the same seed and count give the same bytes."""
    # As a reader wants them: one universe after the other.
    played = sorted(sessions(seed, count), key=lambda s: (s.universe.digest, str(s.session_id)))
    members = {"README.md": _README}
    members |= {f"universes/{s.universe.digest}.json": canonical(s.universe.ids) for s in played}
    members |= {f"sessions/{s.session_id}.ndjson": "".join(s.lines) for s in played}
    manifest: Json = {"format": "cmbs-bundle", "version": 1, "files": {}, "sessions": []}
    for name, text in members.items():
        digest = hashlib.sha256(text.encode()).hexdigest()
        manifest["files"][name] = {"bytes": len(text.encode()), "sha256": digest}
    manifest["sessions"] = [session.entry() for session in played]
    members["manifest.json"] = json.dumps(manifest, indent=1) + "\n"
    # Not compressed: what a compressor makes of it is another matter on every machine.
    with zipfile.ZipFile(path, "w") as bundle:
        for name, text in members.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o644 << 16
            bundle.writestr(info, text)
    return played


def sessions(seed: int, count: int) -> Iterator[Session]:
    """That many incidents, in the order in which they began."""
    dice = random.Random(seed)
    universes = {service: Universe(_hypotheses(service)) for service in _SERVICES}
    for began in sorted(_beginning(dice) for _ in range(count)):
        yield _incident(dice, began, universes)


def _hypotheses(service: str) -> list[str]:
    causes = [f"{kind}/{cause}" for kind, known in _CAUSES.items() for cause in known]
    # Each service has neighbours, which can be the cause as well.
    return causes + [f"network/{other} is down" for other in _SERVICES if other != service]


def _beginning(dice: random.Random) -> datetime:
    day, hour = dice.randrange(_DAYS), dice.choice(_HOURS)
    return _BEGIN + timedelta(days=day, hours=hour, microseconds=dice.randrange(3_600_000_000))


def _incident(dice: random.Random, began: datetime, universes: dict[str, Universe]) -> Session:
    service = dice.choice(_SERVICES)
    window = dice.choice((0, 0, 0, 2))
    session = Session(
        dice,
        universes[service],
        UUID(int=dice.getrandbits(128), version=4),
        began,
        space=f"{SPACE}{service}",
        policy={"allow_forced_termination": dice.random() < 0.3, "stability_window": window},
        metadata={"service": service, "severity": dice.randrange(1, 4)},
    )
    truth = dice.choice(universes[service].ids)
    _Agent(dice, session, truth).work(patience=dice.randrange(5, 45))
    return session


class _Agent:
    """Asks sources until one suspect is left or its patience is at an end."""

    def __init__(self, dice: random.Random, session: Session, truth: str) -> None:
        self._dice, self._session, self._truth = dice, session, truth
        self._believed: str | None = None

    def work(self, patience: int) -> None:
        dice, session = self._dice, self._session
        is_hasty = dice.random() < 0.25
        if is_hasty:
            self._conclude()
        if dice.random() < 0.6:
            # Now and then more is asked for than can be met: somebody has to waive it.
            least = 40 if dice.random() < 0.1 else dice.randrange(3, 13)
            session.wait(1)
            session.enter("look first", least)
        while patience and len(session.survivors) > 1:
            patience -= 1
            self._observe()
            if session.obligation and dice.random() < 0.35:
                self._leave_obligation()
            elif dice.random() < (0.3 if is_hasty else 0.07):
                self._conclude()
            elif dice.random() < 0.02:
                session.terminate()
        if not session.is_terminated:
            self._end()

    def _observe(self) -> None:
        dice, session = self._dice, self._session
        (source,) = dice.choices(list(_SOURCES), _WEIGHTS)
        kinds, most, minutes = _SOURCES[source]
        session.wait(minutes)
        known = [one for one in session.universe.ids if one.split("/")[0] in kinds]
        # A source repeats what it is sure of; it does not know what others have said.
        cleared = [one for one in known if one != self._truth and dice.random() < most / len(known)]
        if dice.random() < 0.02:
            cleared.append("host/gremlins")
        session.eliminate(source, sorted(cleared), {"confidence": dice.randrange(70, 100)})

    def _leave_obligation(self) -> None:
        session = self._session
        session.wait(1)
        if not session.exit() and not session.can_be_met():
            session.wait(15)
            session.waive("cannot be met any more")

    def _conclude(self) -> None:
        session = self._session
        # Whoever believes something stays with it until it is ruled out.
        if self._believed not in session.survivors:
            self._believed = self._dice.choice(session.survivors)
        session.wait(2)
        session.conclude(self._believed or "")

    def _end(self) -> None:
        dice, session = self._dice, self._session
        if session.obligation and dice.random() < 0.8:
            self._leave_obligation()
        if len(session.survivors) > 1:
            # Given up: ended by force where it is asked for and allowed, else left open.
            if dice.random() < 0.4:
                session.wait(30)
                session.terminate(force=True)
            return
        self._conclude()
        session.terminate()
        while not session.is_terminated and not session.obligation and dice.random() < 0.9:
            self._conclude()
            session.terminate()
