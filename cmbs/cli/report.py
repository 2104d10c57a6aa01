"""What `cmbs status` finds, and how it tells it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import exc, func, select

from cmbs import __version__, errors
from cmbs.cli import page
from cmbs.common import words
from cmbs.common.words import count
from cmbs.database import calls, connections, tables
from cmbs.deploy import ahead

# The newest minor versions when requirements.lock was last made; those of all majors come out on
# one day.
_NEWEST = {15: 20, 16: 16, 17: 12, 18: 6}


def status(url: str, revision: str, address: str | None, *, as_json: bool = False) -> int:
    found = _found(url) | {"version": __version__, "revision": revision, "address": address}
    if as_json:
        print(words.as_json(found))
    else:
        page.show(_parts(found))
    return 0


def _found(url: str) -> dict[str, Any]:
    with psycopg.connect(url) as connection:
        info = connection.info
        major, minor = divmod(info.server_version, 10000)
        version, newest = f"{major}.{minor}", f"{major}.{max(minor, _NEWEST.get(major, 0))}"
        where = {"name": info.dbname, "host": info.host, "user": info.user}
        where |= {"postgresql": version, "newest_known": newest}
    session = tables.session.c
    counted = select(
        func.count(),
        func.count().filter(session.terminated),
        func.count().filter(~session.terminated, session.active_obligation_id.is_not(None)),
        func.coalesce(func.sum(session.audit_seq), 0),
    )
    with connections.engine(url).connect() as views:
        sessions, terminated, stuck, events = views.execute(counted).one()
    callers = count_identities(url)
    return {
        "database": where,
        "n_sessions": sessions,
        "n_terminated": terminated,
        "n_stuck": stuck,
        "n_events": int(events),
        "halted": read_halt(url),
        "callers": callers and callers._asdict(),
        "mirror": read_mirror(url),
        "heads_in_future": ahead.found(url),
    }


def _parts(found: dict[str, Any]) -> Iterator[page.Part]:
    where, callers, mirror = found["database"], found["callers"], found["mirror"]
    version, newest = where["postgresql"], where["newest_known"]
    later = f" ({newest} is out: see docs/operating.md)" if newest != version else ""
    login = f"{where['name']} on {where['host']} as {where['user']}"
    yield "database", f"{login}, PostgreSQL {version}{later}"
    yield "version", f"CMBS {found['version']}, schema revision {found['revision']}"
    if found["address"]:
        yield "address", found["address"]
    stuck, terminated = found["n_stuck"], found["n_terminated"]
    n_open = found["n_sessions"] - stuck - terminated
    yield "sessions", f"{n_open} open, {stuck} stuck in an obligation, {terminated} terminated"
    yield "events", str(found["n_events"])
    if found["halted"] is not None:
        reason = words.printable(found["halted"])
        yield "agents", page.State(f"HALTED: {reason} (cmbs policy resume)")
    if callers:
        principals = count(callers["n_principals"], "principal")
        yield "callers", f"{principals}, {count(callers['n_tokens'], 'valid token')}"
    if mirror and (progress := mirror_in_words(mirror)):
        yield "mirror", progress
    for one in found["heads_in_future"]:
        yield "clock", ahead.sentence(one)


def read_mirror(url: str) -> dict[str, Any] | None:
    """How far the mirror is; None if the login may not look."""
    with connections.connect(url, autocommit=True) as connection:
        try:
            return dict(calls.call(connection, "read_mirror"))
        except (psycopg.errors.InsufficientPrivilege, errors.Forbidden):
            return None


def read_halt(url: str) -> str | None:
    """Why agents of the login's tenant are halted; None if they are not, or it may not look."""
    with connections.connect(url, autocommit=True) as connection:
        try:
            halted: str | None = calls.call(connection, "list_policies")["halted"]
            return halted
        except (psycopg.errors.InsufficientPrivilege, errors.Forbidden, errors.InvalidRequest):
            return None


def mirror_in_words(found: dict[str, Any]) -> str | None:
    """What the mirror has to tell; None if there is none."""
    waits = found["n_pending"] + found["n_dead"]
    if not waits:
        return f"{found['endpoint']}, no message waits" if found["endpoint"] else None
    parts = [found["endpoint"] or "off"]
    if found["n_pending"]:
        parts.append(f"{found['n_pending']} waiting")
    if found["n_dead"]:
        parts.append(f"{found['n_dead']} refused")
    parts[1] += f" of {count(found['n_sessions'], 'session')}"
    return ", ".join([*parts, f"{found['lag_seconds']:.0f} s behind"])


class Identities(NamedTuple):
    """How many there are; of tokens, those that count now."""

    n_principals: int
    n_tokens: int


def count_identities(url: str) -> Identities | None:
    """Those that the login sees; None if it may not look."""
    token, principal = tables.api_token.c, tables.principal.c
    live = (
        principal.tenant == token.tenant,
        principal.name == token.name,
        principal.is_enabled,
        token.revoked_at.is_(None),
        token.expires_at > func.now(),
    )
    try:
        with connections.engine(url).connect() as connection:
            principals = connection.scalar(select(func.count()).select_from(tables.principal))
            tokens = connection.scalar(select(func.count()).where(*live))
    except exc.ProgrammingError as error:
        if not isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
            raise
        return None
    return Identities(principals or 0, tokens or 0)
