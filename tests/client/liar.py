"""A server that shows another log than the one it keeps, and is consistent about it."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cmbs.kernel.canonical import canonical, parse
from tests.client.between import Answered, Asked, Lie
from tests.support.tampering import Log, Row

Behind = Callable[[Asked], Answered]
LINES = {"Accept": "application/x-ndjson"}


def showing(edit: Callable[[Log], Log]) -> Lie:
    """Whatever is asked about a session, the answer is of the log as it was edited."""

    def lie(asked: Asked, behind: Behind) -> Answered:
        told = behind(asked)
        session, _, rest = asked.path.removeprefix("/v1/sessions/").partition("/")
        if asked.path.endswith("/v1/sessions"):
            session = told.json["session_id"]
        whole = behind(Asked("GET", f"/v1/sessions/{session}/audit", LINES, b""))
        rows = edit([as_row(line) for line in whole.lines])
        if rest.partition("?")[0] == "audit":
            return _lines(asked, rows, whole.lines[0]["hypotheses"])
        if rest.startswith("audit/"):
            return _event(rest.removeprefix("audit/"), rows, whole.lines[0]["hypotheses"])
        head = parse(rows[-1].record)
        members = told.json
        members["snapshot"] |= {
            "audit_seq": head["seq"],
            "audit_head_event_id": head["event_id"],
            "audit_head_hash": rows[-1].event_hash,
            "survivors_hash": head["survivors_after_hash"],
        }
        return Answered(told.status, json.dumps(members).encode())

    return lie


def as_row(line: dict[str, Any]) -> Row:
    return Row(parse(line["record"])["seq"], line["event_hash"], line["record"])


def as_lines(rows: Log, hypotheses: list[str]) -> bytes:
    lines = [{"event_hash": row.event_hash, "record": row.record} for row in rows]
    for line in lines:
        if parse(line["record"])["seq"] == 1:
            line |= {"hypotheses": hypotheses}
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _lines(asked: Asked, rows: Log, hypotheses: list[str]) -> Answered:
    query = parse_qs(urlsplit(asked.path).query)
    ids = [parse(row.record)["event_id"] for row in rows]
    since = query.get("since_event_id", [None])[0]
    if since is not None and since not in ids:
        return _not_found()
    start = ids.index(since) + 1 if since else 0
    end = start + int(query.get("limit", [len(rows)])[0])
    return Answered(200, as_lines(rows[start:end], hypotheses))


def _event(event_id: str, rows: Log, hypotheses: list[str]) -> Answered:
    for row in rows:
        members = parse(row.record)
        if members["event_id"] == event_id:
            if members["seq"] == 1:
                members["payload"]["hypotheses"] = hypotheses
            return Answered(200, canonical(members | {"event_hash": row.event_hash}).encode())
    return _not_found()


def _not_found() -> Answered:
    error = {"code": "EVENT_NOT_FOUND", "message": "m", "details": {}}
    return Answered(404, json.dumps({"error": error}).encode())
