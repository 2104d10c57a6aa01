"""Bundles for tests, written by hand as BELIEF_PROTOCOL.md describes them."""

import hashlib
import io
import json
import warnings
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from cmbs import verify
from cmbs.kernel.canonical import canonical, parse
from tests.support.oracle import Json

Members = list[tuple[str, bytes]]


def vector_log(path: Any) -> list[bytes]:
    """The golden chain as the lines of an export."""
    events = parse(path.read_text())["events"]
    lines = []
    for event in events:
        line = {"event_hash": event.pop("event_hash")}
        more = {}
        if event["seq"] == 1:
            more = {"hypotheses": event["payload"].pop("hypotheses")}
        line |= {"record": canonical(event), **more}
        lines.append(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    return lines


def members(logs: Sequence[list[bytes]]) -> Members:
    """Name and content of each member; the manifest is the last."""
    universes, sessions, entries = {}, {}, []
    for lines in logs:
        first = json.loads(lines[0])
        ids = verify.canonical(first.pop("hypotheses")).encode()
        digest = hashlib.sha256(ids).hexdigest()
        head, record = json.loads(lines[-1]), json.loads(json.loads(lines[-1])["record"])
        universes[f"universes/{digest}.json"] = ids
        name = f"sessions/{record['session_id']}.ndjson"
        sessions[name] = b"".join([json.dumps(first).encode() + b"\n", *lines[1:]])
        entries.append(
            {
                "session_id": record["session_id"],
                "n_events": len(lines),
                "head_event_id": record["event_id"],
                "head_hash": head["event_hash"],
                "universe_digest": digest,
                "policy_as_sent": None,
            }
        )
    entries.sort(key=lambda entry: (entry["universe_digest"], entry["session_id"]))
    made = [("README.md", b"A bundle.\n"), *sorted(universes.items()), *sorted(sessions.items())]
    return with_manifest(made, entries)


def with_manifest(
    made: Members, entries: list[Json], edit: Callable[[Json], Json] = lambda manifest: manifest
) -> Members:
    files = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in made
    }
    manifest = {"format": "cmbs-bundle", "version": 1, "files": files, "sessions": entries}
    return [*made, ("manifest.json", json.dumps(edit(manifest)).encode())]


def entries_of(made: Members) -> list[Json]:
    entries: list[Json] = json.loads(made[-1][1])["sessions"]
    return entries


def zipped(made: Members) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as bundle, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Duplicate name")
        for name, content in made:
            bundle.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, 8)
    return file.getvalue()
