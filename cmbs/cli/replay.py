"""`cmbs replay`: a log event by event, and whether it leads where it should."""

import contextlib
import json
import math
import sys
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from cmbs import verify
from cmbs.cli.page import State, show_line
from cmbs.common.failure import UsageError, WrongError
from cmbs.common.words import count, printable

if TYPE_CHECKING:
    import psycopg

_PAGE = 5000
_SHOWN_IDS = 5


def replay_file(path: Path, *, as_json: bool = False) -> int:
    """Replay each session of a bundle, or the one of an NDJSON export."""
    shown = _Shown(as_json)
    try:
        if not verify.is_bundle(path):
            return 0 if shown.log(verify.ndjson(path), verify.Log()) else 1
        with verify.Bundle(path) as bundle:
            broken = 0
            for entry in bundle.sessions:
                broken += not shown.log(bundle.lines(entry), bundle.log(entry), entry)
            return 1 if broken or not bundle.sessions else 0
    except verify.Unreadable as error:
        raise WrongError(f"{path}: {error}") from error


def replay_session(url: str, session_id: UUID, *, as_json: bool = False) -> int:
    """Replay the log of a session and compare with the state that is stored."""
    shown = _Shown(as_json)
    import psycopg

    from cmbs import errors
    from cmbs.database import calls

    with psycopg.connect(url) as connection:
        # Log and state of one moment, however long it takes.
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        try:
            stored = calls.call(connection, "query_belief", session_id=session_id)
        except errors.SessionNotFound:
            raise UsageError(f"there is no session {session_id}") from None
        log = verify.Log()
        # Closed before the connection, which would wait for it for ever.
        with contextlib.closing(_stored_lines(connection, session_id, log)) as lines:
            if not shown.log(lines, log):
                return 1
    replayed = log.snapshot()
    differing = sorted(name for name in stored if not _is_same(stored[name], replayed.get(name)))
    shown.comparison(log, differing)
    return 1 if differing else 0


def _is_same(stored: Any, replayed: Any) -> bool:
    if isinstance(stored, float):
        return isinstance(replayed, int | float) and math.isclose(stored, replayed, abs_tol=1e-12)
    return bool(stored == replayed)


def _stored_lines(
    connection: "psycopg.Connection[Any]", session_id: UUID, log: verify.Log
) -> Generator[bytes, None, None]:
    """The lines in pages; each is fed to `log` before the next is asked for."""
    from cmbs.database import calls

    since = None
    while True:
        count = 0
        for line in calls.stream(
            connection, "audit_lines", session_id=session_id, since_event_id=since, limit=_PAGE
        ):
            yield line.encode() + b"\n"
            count += 1
        if count < _PAGE:
            return
        since = log.head_event_id


class _Shown:
    """Prints what is replayed, for people or for programs."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._is_narrow = sys.stdout.isatty()

    def log(
        self, lines: Iterable[bytes], log: verify.Log, entry: dict[str, Any] | None = None
    ) -> bool:
        """Print each event as it is verified; whether all of them were right."""
        is_first = not self._as_json
        try:
            for line in lines:
                event = log.feed(line)
                if is_first:
                    print(f"session {log.session_id}")
                    id_and_time = f"{'event id':<36}  {'time':<27}"
                    columns = f"{'time':<19}" if self._is_narrow else id_and_time
                    print(f"{'seq':>7}  {columns}  survivors   entropy  event")
                    is_first = False
                self._event(log, event)
            log.finish()
            if entry:
                verify.compare(log, entry)
        except verify.Fault as fault:
            if self._as_json:
                self._object(log, verdict="broken", seq=fault.seq, reason=fault.reason)
            else:
                session = log.session_id or "session"
                show_line(State(f"BROKEN  {session}  event {fault.seq}: {fault.reason}"))
            return False
        found = {"n_survivors": log.n_survivors, "survivors_hash": log.survivors_hash}
        if self._as_json:
            self._object(log, verdict="ok", n_events=log.seq, **found)
        else:
            leads = f"{count(log.seq, 'event')} lead to {count(log.n_survivors, 'survivor')}"
            show_line(State(f"ok      {log.session_id}  {leads}, hash {log.survivors_hash}"))
        return True

    def comparison(self, log: verify.Log, differing: list[str]) -> None:
        """Whether the stored state is the one of the log."""
        if self._as_json:
            self._object(log, is_stored_state=not differing, differing=differing)
        elif differing:
            differs = f"the stored state differs from the log: {', '.join(differing)}"
            show_line(State(f"BROKEN  {differs}"))
        else:
            print("the stored state is the same")

    def _event(self, log: verify.Log, event: verify.Event) -> None:
        count = log.n_survivors
        if self._as_json:
            self._object(
                log,
                **{"seq": event.seq, "event_id": event.event_id, "ts": event.ts},
                **{"verb": event.verb, "actor": event.actor, "eliminated": event.eliminated},
                **{"n_survivors": count, "payload": event.payload},
            )
            return
        entropy = math.log2(count) if count > 1 else 0
        # An event is named by its seq, too: on a terminal its id is in the way.
        time = event.ts[:19].replace("T", " ")
        columns = time if self._is_narrow else f"{event.event_id}  {event.ts}"
        print(f"{event.seq:>7}  {columns}  {count:>9}  {entropy:8.4f}  {_in_words(event)}")

    def _object(self, log: verify.Log, **members: object) -> None:
        print(printable(verify.canonical({"session_id": log.session_id, **members})))


def _in_words(event: verify.Event) -> str:
    payload = event.payload
    if event.verb == "DECLARE_SESSION":
        return f"declared over {payload['n_hypotheses']} hypotheses"
    if event.verb == "ELIMINATE":
        where = f"{_quoted(payload['source_id'])} {_quoted(payload['observation_id'])}"
        gone = _listed(event.eliminated)
        return f"{where} eliminates {len(event.eliminated)}" + f": {gone}" * bool(gone)
    if sentence := _arbitration_in_words(event.verb, payload):
        return sentence
    subject = payload.get("obligation_id") or payload.get("conclusion_id")
    words = [event.verb.replace("_", " ").lower(), *([_quoted(subject)] if subject else [])]
    if event.verb == "ENTER_OBLIGATION":
        return f"{' '.join(words)}: needs {payload['min_total_eliminations']} eliminations"
    return f"{' '.join(words)}: {_answer(payload)}"


def _answer(payload: dict[str, Any]) -> str:
    """What a gate answered, and why where that says more."""
    answer = "approved" if payload.get("approved", payload.get("accepted")) else "denied"
    reason = payload["reason"]
    return answer if reason in (answer, "accepted") else f"{answer} ({reason})"


def _arbitration_in_words(verb: str, payload: dict[str, Any]) -> str | None:
    said = f"{payload.get('decision')} ({_quoted(payload.get('reason_code', ''))})"
    if verb == "PROPOSE":
        items = payload["proposal"]["items"]
        asked = (
            [item["tool_id"]] if item["kind"] == "tool_call" else item.get("patch") or ["s_core"]
            for item in items
        )
        listed = _listed([name for names in asked for name in names])
        return f"propose {listed}: {said}" + "".join(_around(payload))
    if verb == "RECORD_CLAIM":
        how = "confirmed" if payload["confirmed"] else "not confirmed"
        key, kind = _quoted(payload["claim"]["key"]), _quoted(payload["kind"])
        return f"record claim {key} {kind}: {said}, {how}"
    if verb == "CONFIRM_CLAIM":
        return f"confirm claim {_quoted(payload['key'])}"
    if verb == "TOKEN_ISSUE":
        made = f" from {payload['parent_id']}" if payload["parent_id"] else ""
        covered = payload["tools"] + payload["state_prefixes"] + payload["capabilities"]
        whose = f"{payload['token_id']}{made} to {_quoted(payload['holder'])}"
        return f"token issue {whose}: {_listed(covered)}"
    if verb == "TOKEN_REVOKE":
        return f"token revoke {payload['token_id']}"
    if verb == "POLICY_APPLY":
        pack = f"{_quoted(payload['pack'])} {payload['version']}"
        return f"policy apply {pack}: {_answer(payload)}"
    return _execution_in_words(verb, payload)


def _around(payload: dict[str, Any]) -> Iterator[str]:
    """What a proposal goes on with, and what another policy said of it, if that was asked."""
    if retries := payload.get("retries"):
        yield f"; retry {retries['attempt']} of {retries['deferral_id']}"
    elif resumes := payload.get("resumes"):
        yield f"; continues event {resumes['seq']}"
    if shadow := payload.get("shadow"):
        yield f"; the shadow: {shadow['decision']} ({_quoted(shadow['reason_code'])})"


def _execution_in_words(verb: str, payload: dict[str, Any]) -> str | None:
    if verb == "BEGIN_EXECUTION":
        return f"begin execution {payload['permit_id']}" + ", decided anew" * ("tools" in payload)
    if verb == "COMPLETE_EXECUTION":
        return (
            f"complete execution {payload['permit_id']} {payload['outcome']}, {payload['status']}"
        )
    if verb == "RESOLVE_INTERRUPT":
        return f"resolve interrupt {payload['interrupt_id']} {payload['resolution']}"
    if verb == "SET_MODE":
        why = payload["reason"]
        return f"set mode {payload['mode']}" + (f": {_quoted(why)}" if why else "")
    if verb == "SWEEP_EXPIRED":
        return f"sweep expired {_listed(payload['permits'])}"
    return None


def _listed(names: list[str]) -> str:
    shown = [_quoted(name) for name in names[:_SHOWN_IDS]]
    return ", ".join([*shown, "..."] if len(names) > _SHOWN_IDS else shown)


def _quoted(text: str) -> str:
    """An id as it is, if nothing in it could be taken for something else on a terminal."""
    is_plain = printable(text) == text and " " not in text
    return text if is_plain else printable(json.dumps(text, ensure_ascii=False))
