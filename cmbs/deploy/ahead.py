"""Logs whose last event lies in the future: the clock of the server is wrong, or was."""

from datetime import timedelta
from typing import Any

from sqlalchemy import Subquery, exc, func, select

from cmbs.common.words import count, shown
from cmbs.database import connections, tables

# As much as a clock may be behind by itself.
_SMALL = timedelta(seconds=5)


def found(url: str) -> list[dict[str, Any]]:
    """Of sessions and of identities, how many there are, and the one that is furthest ahead."""
    head, session, event = tables.chain_head.c, tables.session.c, tables.identity_event.c
    # One that has ended takes no time any more.
    sessions = select(head.session_id.label("name"), head.audit_head_at.label("at")).join_from(
        tables.chain_head, tables.session, session.session_id == head.session_id
    )
    sessions = sessions.where(session.terminated.is_(False))
    identities = select(event.tenant.label("name"), func.max(event.ts).label("at"))
    logs = [("session", sessions), ("tenant", identities.group_by(event.tenant))]
    return [one for name, heads in logs if (one := _furthest(url, name, heads.subquery()))]


def _furthest(url: str, name: str, heads: Subquery) -> dict[str, Any] | None:
    later = heads.c.at - _SMALL > func.clock_timestamp()
    wanted = select(func.count().over(), heads.c.name, heads.c.at).where(later)
    try:
        with connections.engine(url).connect() as connection:
            row = connection.execute(wanted.order_by(heads.c.at.desc()).limit(1)).first()
    except exc.ProgrammingError:
        # The login may not look, or what it would look at is not there: others say so.
        return None
    return {"n": row[0], name: str(row[1]), "head_at": row[2].isoformat()} if row else None


def sentence(one: dict[str, Any]) -> str:
    logs = count(one["n"], "session")
    if "session" not in one:
        logs = count(one["n"], "log of identities", "logs of identities")
    ends = "ends" if one["n"] == 1 else "end"
    which = shown(one.get("session") or one["tenant"])
    return (
        f"{logs} {ends} in the future, {which} at {one['head_at']}: "
        "see *A clock that was set back* in docs/operating.md"
    )
