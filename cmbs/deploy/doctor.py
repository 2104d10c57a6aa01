"""What a database's catalog says of CMBS, compared with what this version expects of it.

The facts and the commands that mend them are made by the files in sql/doctor/facts, and expected
are those of a fresh database. What is printed is a script: remarks, and SQL under them.
"""

import functools
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import psycopg

from cmbs.common import words
from cmbs.common.failure import Failure
from cmbs.deploy import ahead, embedded, migrate
from cmbs.deploy.resources import sql_dir

MIGRATE = "-- cmbs migrate"
_HERE = sql_dir() / "doctor"
# What comes first may be in the way of the rest; the last of these only migrate can do.
_ORDER = (
    *("role", "membership", "setting", "event trigger", "trigger", "rule", "policy", "inherits"),
    *("default privileges", "signature", "view columns", "exists", "owner", "table", "option"),
    *("column", "constraint", "index", "grant", "database", "function", "view", "revision"),
)
# In the order in which they can be dropped.
_DEPENDANTS = ("view", "materialized view", "table", "foreign table", "sequence", "operator")
_DIGESTS = ("function", "view")
_REPLACED = ("signature", "view columns")


class DoctorError(Failure):
    """There is nothing to compare with; the text is one clear sentence."""


class Fact(NamedTuple):
    kind: str
    name: str
    part: str
    fact: str
    undo: str | None
    redo: str | None

    @property
    def key(self) -> tuple[str, str, str]:
        return self.kind, self.name, self.part


@dataclass(frozen=True)
class Finding:
    """What is not as it should be, in a line, and the command that mends it."""

    kind: str
    what: str
    command: str


@dataclass(frozen=True)
class Report:
    findings: list[Finding]
    notes: list[Finding]


def facts(conninfo: str) -> list[Fact]:
    """What the catalog says; needs no right beyond connecting."""
    with psycopg.connect(conninfo) as connection:
        connection.read_only = True
        # Nobody else's functions, and names with their schemas.
        connection.execute((_HERE / "begin.sql").read_bytes())
        ours = (_HERE / "ours.sql").read_bytes()
        found = [
            Fact(*row)
            for path in (_HERE / "facts").glob("*.sql")
            for row in connection.execute(ours + path.read_bytes())
        ]
    return sorted(found, key=lambda fact: fact.key)


def fresh() -> tuple[Fact, ...]:
    """The facts of a fresh database, which is made for that.

    On a server of its own: roles belong to a whole server, and what is wrong with those of the one
    that is examined would be expected, too, or mended unasked.
    """
    # Root's PostgreSQL runs as another account, and a path to a socket must be short.
    try:
        with tempfile.TemporaryDirectory(prefix="cmbs-doctor-", dir="/tmp") as folder:
            Path(folder).chmod(0o755)
            with embedded.start(Path(folder, "data"), durable=False) as server:
                migrate.migrate(server.conninfo())
                return needed(server.conninfo())
    except (OSError, embedded.EmbeddedError) as error:
        raise DoctorError(
            "what a database should be is read off a fresh one, on a PostgreSQL that runs here "
            f"for a moment, and this one cannot: {error}"
        ) from error


expected = functools.cache(fresh)


def needed(conninfo: str) -> tuple[Fact, ...]:
    """What any other database has to have as well, if this is a healthy one."""
    return tuple(fact for fact in facts(conninfo) if fact.kind != "note")


def examine(conninfo: str) -> Report:
    found = facts(conninfo)
    notes = [
        Finding("note", " ".join(f"{f.name} {f.part} {f.fact}".split()), f.undo or "")
        for f in found
        if f.kind == "note"
    ]
    notes += [
        Finding("note", ahead.sentence(one), "-- nothing to run") for one in ahead.found(conninfo)
    ]
    return Report(_findings(conninfo, [f for f in found if f.kind != "note"]), notes)


def _findings(conninfo: str, found: list[Fact]) -> list[Finding]:
    if not any(fact.name.startswith("schema ") for fact in found):
        return [Finding("revision", "there is no CMBS in this database", MIGRATE)]
    revision, needed = _revision(conninfo), migrate.head()
    if revision and revision != needed:
        if migrate.knows(revision):
            what = f"the database is at revision {revision} and this CMBS needs {needed}"
            return [Finding("revision", what, MIGRATE)]
        what, _, advice = migrate.why_unknown(revision).partition(": ")
        return [Finding("revision", f"the database is of {what}", f"-- {advice}")]
    differences = sorted(_differences(found, expected()), key=_place)
    if not differences and revision == "":
        what = "the database does not say which revision it has"
        return [Finding("revision", what, "-- restore the last dump: cmbs restore FILE")]
    return differences


def _revision(conninfo: str) -> str | None:
    """Nothing if there is none; None if this login may not ask, or what answers is not ours."""
    try:
        found: object = migrate.revision(conninfo)
    except (migrate.MigrationError, psycopg.Error):
        return None
    return found if isinstance(found, str) else ""


def _place(finding: Finding) -> tuple[bool, int, int, str]:
    kind = finding.what.partition(" ")[0]
    return (
        finding.command.startswith("--"),
        # A role first of all: other commands name it.
        -1 if finding.what.startswith("role ") else _ORDER.index(finding.kind),
        _DEPENDANTS.index(kind) if kind in _DEPENDANTS else len(_DEPENDANTS),
        finding.what,
    )


def _differences(found: list[Fact], wanted: Iterable[Fact]) -> Iterator[Finding]:
    has, needs = {f.key: f for f in found}, {f.key: f for f in wanted}
    only = (has.keys() | needs.keys()) - (has.keys() & needs.keys())
    parts = {(name, part) for _, name, part in only}
    # Of what is not there at all, should not be, or has to go first, nothing else is said.
    whole = {name for kind, name, _ in only if kind == "exists"}
    gone = {f.name for f in found if f.kind in _REPLACED and _differs(f, needs.get(f.key))}
    for key in has.keys() | needs.keys():
        kind, name, part = key
        have, need = has.get(key), needs.get(key)
        if kind != "exists" and name in whole:
            continue
        if name in gone and kind not in (*_REPLACED, *_DIGESTS):
            continue
        whole_part = part.partition(" of ")[2]
        if key in only and whole_part and (name, whole_part) in parts:
            continue
        # A name may hold the end of a line, and what follows it would be run.
        what = " ".join(f"{name}: {part}".removesuffix(": ").split())
        if need is None:
            assert have is not None
            yield Finding(kind, f"{what} should not be there", have.undo or MIGRATE)
        elif have is None:
            yield Finding(kind, f"{what} is missing", need.redo or MIGRATE)
        elif _differs(have, need):
            says = f"{what} is {have.fact}, should be {need.fact}"
            if kind in _DIGESTS:
                says = f"{what} is not that of this version"
            yield Finding(kind, says, need.redo or have.undo or MIGRATE)


def _differs(have: Fact, need: Fact | None) -> bool:
    return need is not None and have.fact != need.fact


def tell(report: Report, migrate_command: str, *, as_json: bool = False) -> int:
    """Print a script that mends what can be mended by SQL; 0 if there is nothing to mend."""
    if as_json:
        found = {
            "is_healthy": not report.findings,
            "findings": [_as_json(finding, migrate_command) for finding in report.findings],
            "notes": [_as_json(finding, migrate_command) for finding in report.notes],
        }
        print(words.as_json(found))
        return 1 if report.findings else 0
    for label, findings in (("note: ", report.notes), ("", report.findings)):
        for finding in findings:
            print(f"-- {label}{finding.what}")
            command = finding.command
            if label and not command.startswith("--"):
                # No fault: whoever runs the script should not change it by accident.
                command = "".join(f"-- {line}" for line in command.splitlines(keepends=True))
            print(migrate_command if command == MIGRATE else command)
    if not report.findings:
        print("-- healthy: everything is as this version expects it")
        return 0
    print(f"-- {len(report.findings)} found; run the SQL above as a superuser, in its order,")
    print("-- and after it the commands in remarks")
    return 1


def _as_json(finding: Finding, migrate_command: str) -> dict[str, str]:
    mends = migrate_command if finding.command == MIGRATE else finding.command
    return {"what": finding.what, "command": mends}
