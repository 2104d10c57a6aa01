"""The lines of a log: each has a record and its hash, and all of it can be read."""

import hashlib
import re
from datetime import date
from typing import Any, NamedTuple

from cmbs.verify.errors import sentence
from cmbs.verify.payloads import PAYLOADS, is_payload
from cmbs.verify.shapes import (
    TIME_FORM,
    UUID_FORM,
    Rules,
    has_members,
    is_id,
    is_number,
    is_object,
    is_text,
    is_uuid,
)
from cmbs.verify.text import (
    CANONICAL_DECODER,
    MOST_LISTED,
    MOST_VALUES,
    canonical,
    check_length,
    parse,
)

_RECORD: Rules = {
    "v": lambda value: is_number(value, 1, 1),
    "session_id": is_uuid,
    "seq": lambda value: type(value) is int,
    "event_id": is_uuid,
    "ts": lambda value: type(value) is str,
    "verb": lambda value: type(value) is str,
    "actor": is_id,
    "payload": is_object,
    "delta": lambda value: has_members(value, {"eliminated": lambda ids: type(ids) is list}),
    "survivors_before_hash": lambda value: type(value) is str,
    "survivors_after_hash": lambda value: type(value) is str,
    "prev_event_hash": lambda value: type(value) is str,
    "notes?": lambda value: is_text(value, 0, 4096),
}
# An ELIMINATE of plain strings up to its event id. What fits is canonical, member for member, and
# 128 characters are never more than 512 bytes; what does not fit is looked at the long way.
_WORD = r'"([^"\\\x00-\x1f]{1,128})"'
_WORDS = r'\[((?:"[^"\\\x00-\x1f]{1,128}"(?:, "[^"\\\x00-\x1f]{1,128}")*)?)\]'
_PLAIN = re.compile(
    rf'{{"v": 1, "ts": "({TIME_FORM.pattern})", "seq": ([1-9][0-9]{{0,14}}), "verb": "ELIMINATE", '
    rf'"actor": {_WORD}, "delta": {{"eliminated": {_WORDS}}}, "payload": {{"source_id": {_WORD}, '
    rf'"eliminated": {_WORDS}, "justification": ({{[^\\\x00-\x1f]*?}}), '
    rf'"observation_id": {_WORD}}}, "event_id": "({UUID_FORM.pattern})"'
)


class Event(NamedTuple):
    seq: int
    event_id: str
    ts: str
    verb: str
    actor: str
    payload: dict[str, Any]
    eliminated: list[str]
    record: str
    event_hash: str


def follows(ts: str, last: str) -> bool:
    """Whether it has the form of a time, is one, and is not earlier than the last."""
    if ts < last or not TIME_FORM.fullmatch(ts):
        return False
    if ts[:10] != last[:10]:
        try:
            date.fromisoformat(ts[:10])
        except ValueError:
            return False
    return True


def read_plain(line: bytes) -> tuple[Event, str] | None:
    """A plain ELIMINATE and what follows its event id; None if it has to be read the long way."""
    if line[:16] != b'{"event_hash": "' or line[80:94] != b'", "record": "':
        return None
    body = line[94:-2]
    quotes = body.count(b'\\"')
    # Every backslash is before a quote, and every quote after a backslash.
    if line[-2:] != b'"}' or body.count(b"\\") != quotes or body.count(b'"') != quotes:
        return None
    raw = body.replace(b'\\"', b'"')
    try:
        record = raw.decode()
    except UnicodeDecodeError:
        return None
    found = _PLAIN.match(record)
    if not found:
        return None
    event_hash = hashlib.sha256(raw).hexdigest()
    ts, number, actor, delta, source, asked, because, observation, event_id = found.groups()
    seq, justification = int(number), _plain_object(because)
    if event_hash.encode() != line[16:80] or int(event_id[24:], 16) != seq or justification is None:
        return None
    payload = {
        "source_id": source,
        "eliminated": asked[1:-1].split('", "') if asked else [],
        "justification": justification,
        "observation_id": observation,
    }
    applied = delta[1:-1].split('", "') if delta else []
    event = Event(seq, event_id, ts, "ELIMINATE", actor, payload, applied, record, event_hash)
    return event, record[found.end() :]


def _plain_object(text: str) -> dict[str, Any] | None:
    if text == "{}":
        return {}
    # Longer, deeper or stranger ones are measured the long way.
    if len(text) > 1000 or text.count("{") + text.count("[") > 128 or "$redactable" in text:
        return None
    try:
        value = parse(text, decoder=CANONICAL_DECODER)
        return value if canonical(value, 2) == text else None
    except ValueError:
        return None


def read_line(line: bytes, is_first: bool) -> tuple[str, str, dict[str, Any], Any]:
    """The hash of the record, its text, what it says, and the hypotheses beside the first."""
    event_hash, text, hypotheses = _members_of(line, is_first)
    if hashlib.sha256(text.encode()).hexdigest() != event_hash:
        raise ValueError("the hash is not that of the record")
    record = parse(text, decoder=CANONICAL_DECODER)
    if not has_members(record, _RECORD):
        raise ValueError("the record has not the members of a record")
    if canonical(record) != text:
        raise ValueError("the record is not in canonical text")
    verb, payload = record["verb"], record["payload"]
    if verb == "APPLY_PROBE":
        raise ValueError("a provider inside a process said it, and nobody can say it again")
    if verb not in PAYLOADS:
        raise ValueError("there is no such verb")
    if not is_payload(verb, payload):
        raise ValueError("the payload is not one that this verb records")
    return event_hash, text, record, hypotheses


def _members_of(line: bytes, is_first: bool) -> tuple[str, str, Any]:
    check_length(line)
    if line[-1:] == b"\r":
        raise ValueError("the line ends in a carriage return, which the log had not")
    if line[:1] != b"{" or line[-1:] != b"}":
        raise ValueError("the line is not a JSON object, with nothing around it")
    try:
        members = parse(line.decode(), MOST_LISTED if is_first else MOST_VALUES)
    except ValueError as error:
        raise ValueError(f"the line cannot be read: {sentence(error)}") from None
    names = {"event_hash", "record"} | ({"hypotheses"} & set(members) if is_first else set())
    if not is_first and set(members) == names | {"hypotheses"}:
        raise ValueError("another session begins here: check the lines of each by themselves")
    if set(members) != names:
        raise ValueError("the line has other members than event_hash and record")
    event_hash, text = members["event_hash"], members["record"]
    if type(event_hash) is not str or type(text) is not str:
        raise ValueError("event_hash and record are not texts")
    return event_hash, text, members.get("hypotheses")
