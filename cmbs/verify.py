"""Checks exported audit logs with nothing but the standard library: no database, no other file.

It reads one session as the audit route gives it (NDJSON), or a bundle of sessions (zip), and
replays every event by the rules of BELIEF_PROTOCOL.md: hashes, links, numbers, times, what was
eliminated, and every decision, which is made anew and never taken from the record. But for what a
policy decides: none is evaluated here, and what must be so under any of them is checked.
"""

import argparse
import hashlib
import json
import math
import os
import re
import stat
import struct
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from json.encoder import encode_basestring
from typing import IO, Any, NamedTuple
from uuid import UUID

_LONGEST = 256 << 20
_CHUNK = 1 << 20
_DEEPEST = 200
# Values in what lists a whole universe or a whole bundle.
_MANY = 40_000_000
# Values and commas of a record: a message of a million ids, the same in its delta, and the rest.
_MOST = 6_000_000
_ZEROS = "0" * 64
_HASH = re.compile("[0-9a-f]{64}")
_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z"
_TS = re.compile(_TIME)


class Unreadable(Exception):
    """The file is not what it should be."""


class Fault(Exception):
    """A log that does not follow the rules: the first bad seq and why."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"event {seq}: {reason}")
        self.seq, self.reason = seq, reason


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


class Result(NamedTuple):
    session_id: str | None
    ok: bool
    rows_checked: int
    head_hash: str | None
    first_bad: tuple[int, str] | None


# Canonical text: what PostgreSQL prints for jsonb


class Number(NamedTuple):
    """A number that is kept as it was written, because a float would lose its digits."""

    text: str


_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)0*([0-9]{1,6}))?")


def canonical(value: Any, depth: int = 0) -> str:
    if depth > _DEEPEST:
        raise ValueError("it is nested too deep")
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("it holds a NUL")
        return encode_basestring(value)
    if isinstance(value, dict):
        pairs = sorted((len(key.encode()), key.encode(), key) for key in value)
        members = (canonical(key) + ": " + canonical(value[key], depth + 1) for _, _, key in pairs)
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([canonical(one, depth + 1) for one in value]) + "]"
    if isinstance(value, Number):
        return _plain(value.text)
    if type(value) is int:
        return str(value)
    return "null" if value is None else "true" if value else "false"


def _plain(text: str) -> str:
    found = _NUMBER.fullmatch(text)
    if not found:
        raise ValueError("it holds a number beyond all limits")
    sign, whole, part, *exponent = found.groups("")
    digits, point = whole + part, len(whole) + int("".join(exponent) or 0)
    if point < 1:
        digits, point = "0" * (1 - point) + digits, 1
    digits = digits.ljust(point, "0")
    whole, part = digits[:point].lstrip("0") or "0", digits[point:]
    if len(whole) > 131_072 or len(part) > 16_383:
        raise ValueError("it holds a number beyond all limits")
    return (sign if digits.strip("0") else "") + whole + ("." + part if part else "")


def _check_length(text: bytes) -> None:
    """With one odd character Python takes four bytes for each of a text, several times over."""
    if len(text) > (_LONGEST if text.isascii() else 64 * _CHUNK):
        raise ValueError("it is longer than 256 MiB, or than 64 MiB and not ASCII")


_TOKEN = re.compile(r'[\[{,]|"[^"]*"?')


def parse(text: str, most: int = _MOST, decoder: json.JSONDecoder | None = None) -> Any:
    """JSON without repeated keys, of at most so many values; ValueError says what is wrong."""
    _check_size(text, most)
    try:
        return (decoder or _DECODER).decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"it is not JSON, at {where}: {error.msg}") from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _check_size(text: str, most: int) -> None:
    """A value takes up to fifty times the memory of its text, so a long text must not hold many."""
    if len(text) < 8 * _CHUNK or sum(map(text.count, "[{,")) < most:
        return
    bare = text.replace("\\\\", "").replace('\\"', "")
    if any(count == most for count, _ in enumerate(_TOKEN.finditer(bare))):
        raise ValueError("it holds too many values")


def _without_exponent(text: str) -> Number:
    # A short one of a million digits would take long to write out, only to be refused then.
    if "e" in text or "E" in text:
        raise ValueError("it holds a number with an exponent")
    return Number(text)


def _no_constant(name: str) -> None:
    raise ValueError(f"it holds {name}")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("it holds a key twice")
    return members


def _decoder(number: Callable[[str], Number]) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_int=lambda digits: int(digits) if len(digits) < 20 else Number(digits),
        parse_float=number,
        parse_constant=_no_constant,
        object_pairs_hook=_members,
    )


_DECODER, _CANONICAL_DECODER = _decoder(Number), _decoder(_without_exponent)


# The rules


def _is_text(value: Any, least: int, most: int) -> bool:
    return type(value) is str and least <= len(value.encode()) <= most


# What members an object must have, and what each of them must be.
_Rules = dict[str, Callable[[Any], bool]]


def _is_id(value: Any) -> bool:
    return _is_text(value, 1, 512)


def _is_ids(value: Any) -> bool:
    return type(value) is list and all(map(_is_id, value))


def _is_object(value: Any) -> bool:
    return type(value) is dict


def _is_free(value: Any) -> bool:
    """An object that the caller filled as he liked, within the limits of every verb."""
    return (
        type(value) is dict
        and _is_sane(value, 1)
        and (not value or len(canonical(value).encode()) <= _CHUNK)
    )


def _is_sane(value: Any, depth: int) -> bool:
    if isinstance(value, dict | list) and not isinstance(value, Number):
        inside = value.values() if isinstance(value, dict) else value
        return (
            depth <= 128
            and not (isinstance(value, dict) and "$redactable" in value)
            and all(_is_sane(one, depth + 1) for one in inside)
        )
    if isinstance(value, Number):
        whole, _, part = canonical(value).lstrip("-").partition(".")
        return len(whole) <= 1000 and len(part) <= 1000
    return True


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _is_number(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_moment(value: Any) -> bool:
    try:
        return type(value) is str and bool(_TS.fullmatch(value) and date.fromisoformat(value[:10]))
    except ValueError:
        return False


def _has(value: Any, rules: _Rules) -> bool:
    """Whether it is an object with exactly these members; those with a ? may be left out."""
    if type(value) is not dict:
        return False
    needed = [name for name in rules if not name.endswith("?")]
    return all(name in value for name in needed) and all(
        (rule := rules.get(name) or rules.get(name + "?")) is not None and rule(one)
        for name, one in value.items()
    )


_ONTOLOGY = dict.fromkeys(
    ("hypothesis_space_id", "hypothesis_version", "causal_graph_ref", "causal_graph_version"),
    lambda value: _is_text(value, 1, 2048),
)
_POLICY: _Rules = {
    "validate_hypotheses": _is_flag,
    "allow_forced_termination": _is_flag,
    "stability_window": lambda value: _is_number(value, 0, 1000),
}
_FROM: _Rules = {"tee_incident": _is_id, "edges?": lambda value: value is True}
_DECIDED: _Rules = {
    "approved": _is_flag,
    "reason": lambda value: type(value) is str,
    "request_id?": _is_id,
}
_PAYLOADS: dict[str, _Rules] = {
    "DECLARE_SESSION": {
        "ontology": lambda value: _has(value, _ONTOLOGY),
        "universe_digest": lambda value: type(value) is str,
        "n_hypotheses": lambda value: type(value) is int,
        "policy": lambda value: _has(value, _POLICY),
        "metadata?": _is_free,
        "arbitration?": lambda value: _has(value, _PINNED | _BESIDE),
        "universe_from?": lambda value: _has(value, _FROM),
    },
    "ELIMINATE": {
        "source_id": _is_id,
        "observation_id": _is_id,
        "eliminated": _is_ids,
        "justification": _is_free,
    },
    "ENTER_OBLIGATION": {
        "obligation_id": _is_id,
        "min_total_eliminations": lambda value: _is_number(value, 0, 2**63 - 1),
        "request_id?": _is_id,
    },
    "REQUEST_EXIT": {"obligation_id": _is_id, "context": _is_free, **_DECIDED},
    "WAIVE_OBLIGATION": {
        "obligation_id": _is_id,
        "waive_reason": lambda value: _is_text(value, 1, 4096),
        **_DECIDED,
    },
    "DECLARE_CONCLUSION": {
        "conclusion_id": _is_id,
        "context": _is_free,
        "accepted": _is_flag,
        "reason": lambda value: type(value) is str,
        "request_id?": _is_id,
    },
    "REQUEST_TERMINATION": {"context": _is_free, **_DECIDED},
}
_KINDS: _Rules = {
    "any": lambda value: True,
    "array": lambda value: type(value) is list,
    "boolean": _is_flag,
    "budgets": lambda value: (
        type(value) is dict and all(_is_number(one, 0, 2**62) for one in value.values())
    ),
    "claim": lambda value: _has(value, _CLAIM),
    "comment": lambda value: _is_text(value, 0, 4096),
    "deferral": lambda value: _has(value, _DEFERRAL),
    "free": _is_free,
    "hash": lambda value: type(value) is str and bool(_HASH.fullmatch(value)),
    "id": _is_id,
    "ids": _is_ids,
    "int": lambda value: type(value) is int,
    "moment": _is_moment,
    "moment|null": lambda value: value is None or _is_moment(value),
    "object": _is_object,
    "permit": lambda value: _has(value, _rules("expires_at:moment")),
    "pinned": lambda value: _has(value, _PINNED),
    "proposal": lambda value: _has(value, _PROPOSAL),
    "question": lambda value: _has(value, _QUESTION),
    "resumes": lambda value: _has(value, _RESUMES),
    "retries": lambda value: _has(value, _RETRIES),
    "shadow": lambda value: _has(value, _SHADOW),
    "string": lambda value: type(value) is str,
    # Whole numbers of at most 13 digits, and a call that was made counts for one at least.
    "usage": lambda value: (
        type(value) is dict
        and all(_is_number(one, 0, 10**13 - 1) for one in value.values())
        and value.get("max_calls") != 0
    ),
    "uuid": lambda value: type(value) is str and bool(_UUID.fullmatch(value)),
    "uuids": lambda value: type(value) is list and all(map(_KINDS["uuid"], value)),
    "uuid|null": lambda value: value is None or _KINDS["uuid"](value),
    "version": lambda value: _is_number(value, 0, 2**31 - 1),
}


def _rules(members: str) -> _Rules:
    return {name: _KINDS[kind] for name, kind in (one.split(":") for one in members.split())}


_PINNED: _Rules = _rules("pack:string version:version policy_hash:hash")
_PROPOSAL: _Rules = _rules(
    "state_snapshot_id:uuid provenance:object atomic:boolean idempotency_key?:id items:array"
)
_CLAIM: _Rules = _rules(
    "key:id value:any kind:string confidence:any source_chunk_ids:ids ttl_ms:any "
    "confirmed_by_event_id:uuid|null review_at:moment|null conflict_state:string "
    "on_unconfirmed:string"
)
# The policy that is asked beside the one in force, and never followed.
_BESIDE: _Rules = _rules("shadow?:pinned")
_GROUND = _rules("tools:object schemas:object reads:object reasons:array")
_DECISION = _GROUND | _rules("policy:pinned decision:string disposition:string reason_code:string")
_BY_POLICY = _DECISION | _rules("roles:ids decided_at:moment clock?:moment halt?:string")
_SHADOW: _Rules = _DECISION | _rules("items:array")
_RESUMES: _Rules = _rules("seq:int item_nos:array approvals:array")
_RETRIES: _Rules = _rules("deferral_id:uuid attempt:int by:string")
_DEFERRAL: _Rules = _rules(
    "deferral_id:uuid attempt:int max_attempts?:int missing:ids next_at:moment|null"
)
_QUESTION: _Rules = _rules("action_digest:hash constraint_keys:ids expires_at:moment")
# What verdicts have since there are permits, and what begins where something changed since.
_SECOND = _rules(
    "is_full?:boolean resumes?:resumes retries?:retries deferral?:deferral shadow?:shadow"
)
_ANEW = _rules("policy_hash?:hash tools?:object schemas?:object reads?:object")
# What else is inside of their objects and lists is looked at where it is used.
_ARBITRATION = {
    "PROPOSE": _BY_POLICY
    | _SECOND
    | _rules(
        "proposal:proposal is_token_shown:boolean token_id?:uuid items:array v?:int request_id?:id"
    ),
    "POLICY_APPLY": _PINNED | _BESIDE | _GROUND | _DECIDED,
    "TOKEN_ISSUE": _rules(
        "token_id:uuid parent_id:uuid|null holder:string tools:ids capabilities:ids "
        "state_prefixes:ids resource_roots:ids budgets:budgets approval:string valid_from:moment "
        "expires_at:moment secret_hash:hash decided_at:moment clock?:moment request_id?:id"
    ),
    "TOKEN_REVOKE": _rules("token_id:uuid request_id?:id"),
    "RECORD_CLAIM": _BY_POLICY
    | _rules(
        "claim:claim claim_id:uuid promotes:uuid|null kind:string confirmed:boolean "
        "expires_at:moment|null request_id?:id"
    ),
    "CONFIRM_CLAIM": _rules("key:id value_digest:hash comment:comment request_id?:id"),
    "BEGIN_EXECUTION": _ANEW | _rules("permit_id:uuid roles:ids decided_at:moment request_id?:id"),
    "COMPLETE_EXECUTION": _rules(
        "permit_id:uuid outcome:string status:string result:free result_hash:hash usage:usage "
        "request_id?:id"
    ),
    "RESOLVE_INTERRUPT": _rules(
        "interrupt_id:uuid resolution:string comment:comment action_digest:hash "
        "decided_at:moment request_id?:id"
    ),
    "SET_MODE": _rules("mode:string reason:comment request_id?:id"),
    "SWEEP_EXPIRED": _rules("decided_at:moment clock?:moment permits:uuids request_id?:id"),
}
_PAYLOADS |= _ARBITRATION


def _is_payload(verb: str, payload: Any) -> bool:
    if not _has(payload, _PAYLOADS[verb]):
        return False
    if verb == "PROPOSE":
        is_second = "v" in payload or not any(name[:-1] in payload for name in _SECOND)
        return is_second and ("resumes" in payload or "request_id" not in payload)
    if verb == "BEGIN_EXECUTION":
        return len({name[:-1] for name in _ANEW} & payload.keys()) in (0, len(_ANEW))
    return True


_RECORD: _Rules = {
    "v": lambda value: _is_number(value, 1, 1),
    "session_id": lambda value: type(value) is str and bool(_UUID.fullmatch(value)),
    "seq": lambda value: type(value) is int,
    "event_id": lambda value: type(value) is str and bool(_UUID.fullmatch(value)),
    "ts": lambda value: type(value) is str,
    "verb": lambda value: type(value) is str,
    "actor": _is_id,
    "payload": _is_object,
    "delta": lambda value: _has(value, {"eliminated": lambda ids: type(ids) is list}),
    "survivors_before_hash": lambda value: type(value) is str,
    "survivors_after_hash": lambda value: type(value) is str,
    "prev_event_hash": lambda value: type(value) is str,
    "notes?": lambda value: _is_text(value, 0, 4096),
}

# An ELIMINATE of plain strings up to its event id. What fits is canonical, member for member, and
# 128 characters are never more than 512 bytes; what does not fit is looked at the long way.
_WORD = r'"([^"\\\x00-\x1f]{1,128})"'
_WORDS = r'\[((?:"[^"\\\x00-\x1f]{1,128}"(?:, "[^"\\\x00-\x1f]{1,128}")*)?)\]'
_PLAIN = re.compile(
    rf'{{"v": 1, "ts": "({_TIME})", "seq": ([1-9][0-9]{{0,14}}), "verb": "ELIMINATE", '
    rf'"actor": {_WORD}, "delta": {{"eliminated": {_WORDS}}}, "payload": {{"source_id": {_WORD}, '
    rf'"eliminated": {_WORDS}, "justification": ({{[^\\\x00-\x1f]*?}}), '
    rf'"observation_id": {_WORD}}}, "event_id": "({_UUID.pattern})"'
)


class Universe:
    """The hypotheses that a session starts from, as a sorted list or its canonical text."""

    def __init__(self, ids: list[str] | str) -> None:
        try:
            found = parse(ids, _MANY) if isinstance(ids, str) else ids
            text = canonical(found)
            raw = text.encode()
        except ValueError as error:
            raise Unreadable(f"the hypotheses cannot be read: {_sentence(error)}") from None
        # A server inside a process may begin with nothing; what comes in a bundle never did.
        if not _is_ids(found) or (isinstance(ids, str) and not found):
            raise Unreadable("the hypotheses are not a list of ids")
        if any(one >= other for one, other in pairwise(found)):
            raise Unreadable("the hypotheses are not sorted, each once")
        if isinstance(ids, str) and ids != text:
            raise Unreadable("the hypotheses are not in canonical text")
        self.ids: list[str] = found
        self.ranks = {hypothesis: rank for rank, hypothesis in enumerate(found)}
        self._digest = hashlib.sha256(raw).digest()
        self.digest = self._digest.hex()

    def full_mask(self) -> bytearray:
        mask = bytearray(b"\xff" * (len(self.ids) // 8))
        return mask + bytes([(1 << len(self.ids) % 8) - 1]) * (len(self.ids) % 8 > 0)

    def hash(self, mask: bytes | bytearray) -> str:
        return hashlib.sha256(self._digest + mask).hexdigest()


def _sentence(error: ValueError) -> str:
    if isinstance(error, UnicodeError):
        return "it is not UTF-8"
    return str(error)


_SEVERITIES = {"ask": 1, "degrade": 2, "defer": 3}
_MODES = ("boost", "normal", "eco", "thermal", "offline_safe")
# What a verdict on an item may offer: to execute, to ask a person, to wait, to ask for less.
_OFFERS = ("permit_id", "permit", "interrupt_id", "interrupt", "deferral_id", "offer")
_DAY = 86_400_000
# What else is the same when a deferred proposal is tried again, and nothing of it is new.
_RETRIED = ("retries", "proposal", "resumes", "request_id")


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def _verdict(reasons: list[dict[str, Any]]) -> dict[str, Any]:
    """What reasons come to."""
    severity = max((_SEVERITIES.get(reason["disposition"], 4) for reason in reasons), default=0)
    return {
        "decision": ("allow", "defer", "deny", "defer", "deny")[severity],
        "disposition": ("execute", "ask", "degrade", "defer", "block")[severity],
        "reason_code": reasons[0]["code"] if reasons else "ALLOWED",
        "reasons": reasons,
    }


def _are_under(keys: list[str], prefixes: list[str]) -> bool:
    roots = [prefix.rstrip(".") + "." for prefix in prefixes]
    return all(key in prefixes or key.startswith(tuple(roots)) for key in keys)


def _is_within(at: str, until: str, most_ms: int) -> bool:
    """Whether one moment is later than another, by so much at most."""
    between = datetime.fromisoformat(until[:-1]) - datetime.fromisoformat(at[:-1])
    return timedelta(0) < between <= timedelta(milliseconds=most_ms)


def _refuse(faults: dict[str, Any]) -> None:
    for reason in filter(faults.get, faults):
        raise ValueError(reason)


class _Place(NamedTuple):
    """Where an event of arbitration stands: what it says of itself, and the head before it."""

    session_id: str
    seq: int
    event_id: str
    verb: str
    actor: str
    head_event_id: str

    def derived_id(self, at: str, of: str) -> str:
        """The id of something that a verdict gives, which follows from that verdict."""
        text = f"{self.session_id} {self.seq - 1} {at} {of}"
        return str(UUID(hashlib.sha256(text.encode()).hexdigest()[:32]))


class _Tokens:
    """Capability tokens, and what was spent of their budgets."""

    def __init__(self) -> None:
        self._tokens: dict[str, dict[str, Any]] = {}
        # Of each token: itself and all that it was made from.
        self._chains: dict[str, list[str]] = {}
        self._revoked: set[str] = set()
        self._spent: dict[tuple[str, str], int] = {}

    def known(self, token_id: str) -> dict[str, Any]:
        _refuse({"the token is not one of the session": token_id not in self._tokens})
        return self._tokens[token_id]

    def check(self, token: dict[str, Any], at: str) -> None:
        is_revoked = not self._revoked.isdisjoint(self._chains[token["token_id"]])
        _refuse({"the token, or one that it was made from, is revoked": is_revoked})
        _refuse({"the token is not valid yet": at < token["valid_from"]})
        _refuse({"the token has expired": at >= token["expires_at"]})

    def end_all(self) -> None:
        self._tokens = {one: token | {"expires_at": ""} for one, token in self._tokens.items()}

    def left(self, token: dict[str, Any], unit: str) -> int:
        """What is left of a unit in the budgets of a token and all that it was made from."""
        chain = self._chains[token["token_id"]]
        budgets: dict[str, dict[str, int]] = {one: self._tokens[one]["budgets"] for one in chain}
        return min(budgets[one].get(unit, 0) - self._spent.get((one, unit), 0) for one in chain)

    def used_up(self, token: dict[str, Any]) -> list[str]:
        """The units besides calls that a token, or one that it was made from, has used up."""
        chain = self._chains[token["token_id"]]
        units = {unit for one in chain for unit in self._tokens[one]["budgets"]} - {"max_calls"}
        return sorted(unit for unit in units if any(self._is_used_up(one, unit) for one in chain))

    def _is_used_up(self, token_id: str, unit: str) -> bool:
        budgets: dict[str, int] = self._tokens[token_id]["budgets"]
        return 0 < self._spent.get((token_id, unit), 0) >= budgets.get(unit, 0)

    def granted(self, token_id: str, unit: str) -> int:
        """As much of a unit as a call may have used up; below zero if no budget names it."""
        own = self.known(token_id)["budgets"].get(unit)
        named = [self._tokens[one]["budgets"].get(unit, -1) for one in self._chains[token_id]]
        return int(own or max(named))

    def spend(self, token_id: str, amounts: dict[str, int]) -> None:
        for one in self._chains[token_id]:
            for unit, amount in amounts.items():
                self._spent[one, unit] = self._spent.get((one, unit), 0) + amount

    def issue(self, sent: dict[str, Any]) -> None:
        token_id, chain, begins = sent["token_id"], list[str](), sent["valid_from"]
        _refuse({"a token of this id was issued before": token_id in self._tokens})
        _refuse({"it is never valid": sent["expires_at"] <= max(begins, sent["decided_at"])})
        if sent["parent_id"] is not None:
            parent, chain = self.known(sent["parent_id"]), self._chains[sent["parent_id"]]
            self.check(parent, sent["decided_at"])
            wider = {
                "depth": len(chain) >= 8,
                "tools": not {*sent["tools"]} <= {*parent["tools"]},
                "capabilities": not {*sent["capabilities"]} <= {*parent["capabilities"]},
                "expires_at": sent["expires_at"] > parent["expires_at"],
                "valid_from": begins < parent["valid_from"],
                "approval": (sent["approval"], parent["approval"]) == ("none", "required"),
                "state_prefixes": not _are_under(sent["state_prefixes"], parent["state_prefixes"]),
                "budgets": any(n > self.left(parent, unit) for unit, n in sent["budgets"].items()),
            }
            lead = "the token is wider than the one that it is made from: "
            _refuse({lead + name: is_wider for name, is_wider in wider.items()})
        self._tokens[token_id], self._chains[token_id] = sent, [*chain, token_id]

    def revoke(self, token_id: str) -> None:
        self.known(token_id)
        _refuse({"the token was revoked before": token_id in self._revoked})
        self._revoked.add(token_id)


@dataclass
class _Permit:
    """A call that may be executed once."""

    seq: int
    actor: str
    roles: list[str]
    tool_id: str
    token_id: str
    expires_at: str
    approvals: list[str]
    begun_by: str | None = None
    is_ended: bool = False


@dataclass
class _Question:
    """What a person is asked about an action, and what has become of it."""

    seq: int
    actor: str
    digest: str
    expires_at: str
    policy_hash: str
    # The texts of the constraints that a yes would waive, None where only a bundle would have them.
    texts: dict[str, str | None] | None
    resolution: str | None = None
    is_used: bool = False
    # Whether one of them was changed since; without their texts None where they may have been.
    is_superseded: bool | None = False

    def state(self, at: str) -> str:
        if self.is_used:
            return "consumed"
        if self.resolution in ("decline", "cancel"):
            return {"decline": "declined", "cancel": "cancelled"}[self.resolution]
        if self.is_superseded:
            return "superseded"
        if at >= self.expires_at:
            return "expired"
        return "approved" if self.resolution else "pending"


class _Asked(NamedTuple):
    """A proposal that may go on when people approve, or when what it waits for has come."""

    seq: int
    actor: str
    payload: dict[str, Any]

    def item_nos(self, offer: str) -> list[int]:
        """Which items go on: all that belong together, or those that have this offer."""
        is_atomic, items = self.payload["proposal"]["atomic"], self.payload["items"]
        return [item["item_no"] for item in items if is_atomic or offer in item]

    def approvals(self, item_nos: list[int]) -> list[dict[str, Any]]:
        """The approvals that it needs: to its own questions, and those that it went on by."""
        needed = [
            (item["item_no"], item["interrupt_id"], _waivable(item["reasons"]))
            for item in self.payload["items"]
            if "interrupt_id" in item
        ]
        for one in self.payload.get("resumes", {"approvals": ()})["approvals"]:
            needed.append((one["item_no"], one["interrupt_id"], one["waives"]))
        return [
            {"interrupt_id": interrupt_id, "item_no": no, "waives": waives}
            for no, item_no in enumerate(item_nos, 1)
            for its_no, interrupt_id, waives in sorted(needed, key=lambda one: one[1])
            if its_no == item_no
        ]

    def going_on(self, item_nos: list[int], head_event_id: str) -> dict[str, Any]:
        """The proposal that goes on: those of its items, in the state as it is."""
        proposal = dict(self.payload["proposal"])
        proposal.pop("idempotency_key", None)
        items = [proposal["items"][no - 1] for no in item_nos]
        return proposal | {"state_snapshot_id": head_event_id, "items": items}


def _waivable(reasons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    asked = [reason for reason in reasons if reason["disposition"] == "ask"]
    return [{name: one[name] for name in ("code", "key") if name in one} for one in asked]


def _approved(sent: dict[str, Any]) -> set[int]:
    """The numbers of the items of which somebody approved that the token takes an approval."""
    return {
        one["item_no"]
        for one in sent.get("resumes", {"approvals": ()})["approvals"]
        if {"code": "APPROVAL_REQUIRED"} in one["waives"]
    }


class Arbitration:
    """What a log holds beside belief, as far as it follows with no policy being evaluated."""

    def __init__(self) -> None:
        # Where the policies, schemas and tools are; None without a bundle.
        self.bundle: Bundle | None = None
        # The last event after which a verdict might be another one, besides what it writes.
        self.changed = 0
        self._policy: dict[str, Any] | None = None
        self._shadow: dict[str, Any] | None = None
        self._entries: tuple[str, dict[str, str]] = ("", {})
        self._mode = "normal"
        self._tokens = _Tokens()
        # What was first proposed under each key of an actor, which its hash stands for.
        self._proposals: dict[int, str] = {}
        self._confirmed: dict[str, tuple[str, str]] = {}
        self._claims: set[str | None] = {None}
        self._permits: dict[str, _Permit] = {}
        self._questions: dict[str, _Question] = {}
        self._asked: dict[int, _Asked] = {}
        self._deferred: dict[str, _Asked] = {}
        # The last event that wrote each key of the state.
        self._written: dict[str, int] = {}

    def pin(self, pinned: dict[str, Any]) -> None:
        """That a policy is in force from here on, with another one beside it or none."""
        self._policy = {name: pinned[name] for name in _PINNED}
        self._shadow = pinned.get("shadow")
        for policy in filter(None, (self._policy, self._shadow)):
            self._name("policies", policy["policy_hash"])
        digest = pinned["policy_hash"]
        for question in self._questions.values():
            if question.texts is None:
                is_same = question.policy_hash == digest
                question.is_superseded = question.is_superseded if is_same else None
            elif question.texts:
                entries = self._entries_of(digest)
                is_other = any(entries.get(key) != text for key, text in question.texts.items())
                question.is_superseded = question.is_superseded or is_other

    def _end_all(self) -> None:
        """The clock was set back: what was granted before has run out, however long it was for."""
        self._tokens.end_all()
        for permit in self._permits.values():
            permit.expires_at = ""
        for question in self._questions.values():
            question.expires_at = ""

    def take(self, place: _Place, sent: dict[str, Any]) -> None:
        if "clock" in sent:
            self._end_all()
        for named in (sent, sent.get("shadow", {})):
            if "reads" in named:
                self._name_all(named)
        if "policy" in sent:
            policy = sent["policy"]
            if self._policy is None and (policy["pack"], policy["version"]) == ("deny-all", 1):
                # Its hash stands nowhere before, and stays the same.
                self._policy = policy
            _refuse({"the policy is not the one in force": policy != self._policy})
        takers: dict[str, Callable[[_Place, dict[str, Any]], None]] = {
            "PROPOSE": self._propose,
            "POLICY_APPLY": self._apply,
            "TOKEN_ISSUE": lambda _, sent: self._tokens.issue(sent),
            "TOKEN_REVOKE": lambda _, sent: self._tokens.revoke(sent["token_id"]),
            "RECORD_CLAIM": self._record_claim,
            "CONFIRM_CLAIM": self._confirm_claim,
            "BEGIN_EXECUTION": self._begin,
            "COMPLETE_EXECUTION": self._complete,
            "RESOLVE_INTERRUPT": self._resolve,
            "SET_MODE": self._set_mode,
            "SWEEP_EXPIRED": self._sweep,
        }
        takers[place.verb](place, sent)

    # Policies

    def _name_all(self, sent: dict[str, Any]) -> None:
        self._name("policies", sent.get("policy", sent)["policy_hash"])
        for kind in ("schemas", "tools"):
            # What was not there has no hash, and what was withdrawn false.
            for digest in filter(None, sent[kind].values()):
                self._name(kind, digest)

    def _name(self, kind: str, digest: str) -> None:
        name = f"{kind}/{digest}.json"
        is_there = self.bundle is None or name in self.bundle.contents
        _refuse({f"of {kind} it names one by no hash": not _KINDS["hash"](digest)})
        _refuse({f"the bundle has no {name}": not is_there})

    def _entries_of(self, digest: str) -> dict[str, str]:
        """The texts of the entries of a policy, which only a bundle has."""
        assert self.bundle is not None
        if self._entries[0] != digest:
            text = self.bundle.content(f"policies/{digest}.json")
            self._entries = digest, parse(text, _MANY)
        return self._entries[1]

    def _apply(self, place: _Place, sent: dict[str, Any]) -> None:
        reason = "an invariant of the policy does not hold" if sent["reasons"] else "applied"
        is_so = (sent["approved"], sent["reason"]) == (not sent["reasons"], reason)
        _refuse({f"the decision is another: {reason}": not is_so})
        self.changed = place.seq
        if sent["approved"]:
            self.pin(sent)

    def _set_mode(self, place: _Place, sent: dict[str, Any]) -> None:
        _refuse({"there is no such mode": sent["mode"] not in _MODES})
        self._mode, self.changed = sent["mode"], place.seq

    # Verdicts

    def _propose(self, place: _Place, sent: dict[str, Any]) -> None:
        _refuse({"the version of the verdict is not known": sent.get("v", 2) != 2})
        proposal, is_second = sent["proposal"], "v" in sent
        self._check_key(place.actor, sent)
        if "retries" in sent:
            self._check_retry(place, sent)
        elif "resumes" in sent:
            self._check_resumption(place, sent)
        token = self._tokens.known(sent["token_id"]) if "token_id" in sent else None
        effective = self._check_verdict(proposal, sent, token)
        is_asked = is_second and self._shadow is not None
        _refuse({"a policy beside the one in force was not asked": is_asked != ("shadow" in sent)})
        if is_asked:
            self._check_shadow(proposal, sent["shadow"], token)
        if effective:
            self._check_effect(place.actor, sent, effective, token)
        self._check_deferral(place, sent)
        for told in sent["items"]:
            self._check_offers(place, sent, told, token)
        self._keep(place, sent)

    def _check_key(self, actor: str, sent: dict[str, Any]) -> None:
        """That nothing is proposed twice under one key."""
        proposal, first = sent["proposal"], None
        digest = _digest([proposal["atomic"], proposal["items"]])
        if "idempotency_key" in proposal:
            key = hash((actor, proposal["idempotency_key"]))
            first = self._proposals.get(key)
            self._proposals.setdefault(key, digest)
        is_reused = sent["reason_code"] == "IDEMPOTENCY_MISMATCH"
        _refuse({"the same was proposed under this key before": first == digest})
        _refuse({"the key was used for other items before": first and not is_reused})
        _refuse({"the key was not used for other items": is_reused and not first})

    def _check_verdict(
        self, proposal: dict[str, Any], sent: dict[str, Any], token: dict[str, Any] | None
    ) -> list[int]:
        """That a verdict is what its reasons come to; the numbers of the items that take effect."""
        reasons, effective = sent["reasons"], list[int]()
        is_atomic, items = proposal["atomic"], proposal["items"]
        _refuse(
            {"there is no verdict on each item": not 0 < len(items) == len(sent["items"]) < 101}
        )
        for no, (item, told) in enumerate(zip(items, sent["items"], strict=True), 1):
            is_call, patch = item["kind"] == "tool_call", item.get("patch", {})
            is_so = _is_id(item["tool_id"]) if is_call else item["kind"] == "state_delta"
            _refuse({f"item {no} is no call and no delta": not (is_so and _is_object(patch))})
            its = [
                {name: value for name, value in reason.items() if name != "item_no"}
                for reason in reasons
                if reason.get("item_no", no) == no
            ]
            verdict = _verdict(its) | {"item_no": no, "digest": _digest(item)}
            verdict["effective"] = not its and not (is_atomic and reasons)
            if "args" in item:
                verdict["args_hash"] = _digest(item["args"])
            for name in ("digest", "args_hash"):
                _refuse(
                    {f"the {name} of item {no} is another": told.get(name) != verdict.get(name)}
                )
            bare = {name: value for name, value in told.items() if name not in _OFFERS}
            is_so = canonical(bare) == canonical(verdict)
            _refuse({f"the verdict on item {no} is not what its reasons come to": not is_so})
            if verdict["effective"]:
                effective.append(no)
        head = _verdict([] if effective else reasons) | {"reasons": reasons}
        is_so = all(sent[name] == value for name, value in head.items())
        _refuse({"the verdict is not what its reasons come to": not is_so})
        for reason in reasons:
            self._check_reason(reason, token)
        return effective

    def _check_reason(self, reason: dict[str, Any], token: dict[str, Any] | None) -> None:
        """That what a reason says of budget and mode is so, as the log alone tells both."""
        code, detail = reason["code"], reason.get("detail", "")
        if code == "MODE_FORBIDS":
            is_so = detail.startswith(f"the mode {self._mode} forbids ")
            _refuse({"the mode is another": not is_so})
        elif code == "BUDGET_EXHAUSTED":
            told = list[str]()
            if token is not None:
                left = f"{self._tokens.left(token, 'max_calls')} left"
                told += [f"{left} of max_calls", f"past the soft limit of max_calls, {left}"]
                told += [f"nothing left of {unit}" for unit in self._tokens.used_up(token)]
            _refuse({"of the budget something else was left": detail not in told})

    def _check_effect(
        self, actor: str, sent: dict[str, Any], nos: list[int], token: dict[str, Any] | None
    ) -> None:
        """That a token let these items of a proposal be; spend what they cost."""
        if token is None or not sent["is_token_shown"] or token["holder"] != actor:
            raise ValueError("something took effect without a token of the proposer")
        self._tokens.check(token, sent["decided_at"])
        _refuse({"something took effect while the kill switch was on": "halt" in sent})
        items = {no: sent["proposal"]["items"][no - 1] for no in nos}
        calls = {no: item["tool_id"] for no, item in items.items() if item["kind"] == "tool_call"}
        called = {*calls.values()}
        keys = [key for item in items.values() for key in item.get("patch", {})]
        keys += ["core" for item in items.values() if "s_core" in item]
        spaces = [one[12:] for one in token["capabilities"] if one.startswith("state.write.")]
        is_known = all(sent["tools"].get(tool_id) for tool_id in called)
        # Which capabilities would do in place of a tool's name stands in its definition.
        is_covered = token["capabilities"] or called <= {*token["tools"]}
        is_covered = is_covered and _are_under(keys, token["state_prefixes"] + spaces)
        is_spent = len(calls) > max(self._tokens.left(token, "max_calls"), 0)
        is_used_up = calls and "v" in sent and self._tokens.used_up(token)
        is_approved = token["approval"] != "required" or calls.keys() <= _approved(sent)
        _refuse({"a tool was called that was not registered": not is_known})
        _refuse({"the token does not cover a tool or a key": not is_covered})
        _refuse({"the token had not so many calls left": is_spent})
        _refuse({"the token had nothing left of what calls use up": is_used_up})
        _refuse({"nobody approved a call": not is_approved})
        self._tokens.spend(token["token_id"], {"max_calls": len(calls)})

    def _check_shadow(
        self, proposal: dict[str, Any], sent: dict[str, Any], token: dict[str, Any] | None
    ) -> None:
        """That what the policy beside the one in force said is a verdict, and has no effect."""
        _refuse({"the policy beside the one in force is another": sent["policy"] != self._shadow})
        self._check_verdict(proposal, sent, token)
        for told in sent["items"]:
            is_acted_on = {*_OFFERS[:-1]} & told.keys()
            _refuse({"something follows from a verdict that is not in force": is_acted_on})

    # What follows from verdicts

    def _check_offers(
        self,
        place: _Place,
        sent: dict[str, Any],
        told: dict[str, Any],
        token: dict[str, Any] | None,
    ) -> None:
        """That exactly that is offered with the verdict on an item which follows from it."""
        no, at, deferral = told["item_no"], sent["decided_at"], sent.get("deferral", {})
        item, of = sent["proposal"]["items"][no - 1], f"{no} {told['digest']}"
        is_alone = not sent["proposal"]["atomic"]
        offered: dict[str, Any] = {}
        if told["effective"]:
            if "v" in sent and item["kind"] == "tool_call":
                offered["permit_id"] = place.derived_id(at, f"permit {of}")
                offered["permit"] = told.get("permit")
                _refuse(
                    {"a call is allowed without a permit": not _KINDS["permit"](told.get("permit"))}
                )
                until = told["permit"]["expires_at"]
                by = sent.get("resumes", {"approvals": ()})["approvals"]
                ends = [self._questions[one["interrupt_id"]] for one in by if one["item_no"] == no]
                is_long = token is None or until > token["expires_at"]
                is_long = is_long or any(until > question.expires_at for question in ends)
                is_so = _is_within(at, until, _DAY) and not is_long
                _refuse({f"the permit for item {no} does not run out in time": not is_so})
        elif told["disposition"] == "ask":
            if sent["disposition"] == "ask" or is_alone:
                offered["interrupt_id"] = place.derived_id(at, of)
                offered["interrupt"] = self._question(place, sent, told)
        elif told["disposition"] == "degrade":
            # What it is is not looked at.
            offered["offer"] = told["offer"]
        elif told["disposition"] == "defer" and deferral.get("next_at"):
            offered["deferral_id"] = deferral["deferral_id"]
        is_so = {name: told[name] for name in _OFFERS if name in told} == offered
        _refuse({f"what is offered with the verdict on item {no} is another": not is_so})

    def _question(
        self, place: _Place, sent: dict[str, Any], told: dict[str, Any]
    ) -> dict[str, Any]:
        """The question that must be asked about an item."""
        _refuse({"a person is asked nothing": not _KINDS["question"](told.get("interrupt"))})
        until = told["interrupt"]["expires_at"]
        is_so = _is_within(sent["decided_at"], until, 365 * _DAY)
        _refuse({"a question does not run out in time": not is_so})
        action = {
            "item": sent["proposal"]["items"][told["item_no"] - 1],
            "state_snapshot_id": place.head_event_id,
            "policy_hash": sent["policy"]["policy_hash"],
        }
        keys = [one["key"] for one in _waivable(told["reasons"]) if "key" in one]
        return {
            "action_digest": _digest(action) if "v" in sent else told["digest"],
            "constraint_keys": sorted({*keys}),
            "expires_at": until,
        }

    def _check_deferral(self, place: _Place, sent: dict[str, Any]) -> None:
        """That what is deferred waits for something, and what became of it is told."""
        deferral, retries = sent.get("deferral"), sent.get("retries", {})
        attempt, is_exhausted = retries.get("attempt", 0), False
        for reason in sent["reasons"]:
            is_exhausted |= reason["code"] == "DEFER_EXHAUSTED"
        _refuse({"it was not tried again, and that too often": is_exhausted and not retries})
        if deferral is None:
            is_lost = retries and sent["reason_code"] != "EVALUATION_ERROR"
            _refuse({"it does not say what became of what was deferred": is_lost})
            return
        deferral_id = retries.get("deferral_id")
        deferral_id = deferral_id or place.derived_id(sent["decided_at"], "deferral")
        is_so = (deferral["deferral_id"], deferral["attempt"]) == (deferral_id, attempt)
        _refuse({"what is deferred is another": not is_so})
        is_crowded = "is_full" in sent and deferral["next_at"] is not None
        _refuse({"no more could wait": is_crowded and not retries})
        if deferral["next_at"] is None:
            is_so = retries and not deferral["missing"] and "max_attempts" not in deferral
            _refuse({"it waits for nothing": not is_so})
            return
        is_waiting = sent["disposition"] == "defer" or (
            not sent["proposal"]["atomic"]
            and any(item["disposition"] == "defer" for item in sent["items"])
        )
        is_waiting = is_waiting and all(one["stage"] != "session" for one in sent["reasons"])
        _refuse({"it waits, and was not deferred": not is_waiting})
        _refuse({"it was tried again too often": attempt >= deferral["max_attempts"]})
        _refuse({"it waits for no time": deferral["next_at"] <= sent["decided_at"]})
        is_sorted = deferral["missing"] == sorted({*deferral["missing"]})
        _refuse({"what it waits for is not sorted, each once": not is_sorted})

    def _keep(self, place: _Place, sent: dict[str, Any]) -> None:
        """What of a verdict later events go on with."""
        asked, approvals = _Asked(place.seq, place.actor, sent), list[dict[str, Any]]()
        approvals += sent.get("resumes", {"approvals": ()})["approvals"]
        digest = sent["policy"]["policy_hash"]
        for item, told in zip(sent["proposal"]["items"], sent["items"], strict=True):
            by = [one["interrupt_id"] for one in approvals if one["item_no"] == told["item_no"]]
            if told["effective"]:
                for interrupt_id in by:
                    self._questions[interrupt_id].is_used = True
                if item["kind"] == "state_delta":
                    self.changed = place.seq
                    self._written |= dict.fromkeys(item.get("patch", {}), place.seq)
            if "permit_id" in told:
                self._permits[told["permit_id"]] = _Permit(
                    place.seq, place.actor, sent["roles"], item["tool_id"], sent["token_id"],
                    told["permit"]["expires_at"], by,
                )  # fmt: skip
            if "interrupt_id" in told:
                question = told["interrupt"]
                keys, texts = question["constraint_keys"], None
                if self.bundle is not None and keys:
                    entries = self._entries_of(digest)
                    texts = {key: entries.get(key) for key in keys}
                self._questions[told["interrupt_id"]] = _Question(
                    place.seq, place.actor, question["action_digest"], question["expires_at"],
                    digest, texts if keys else {},
                )  # fmt: skip
                self._asked[place.seq] = asked
        if deferral := sent.get("deferral"):
            self._deferred[deferral["deferral_id"]] = asked

    # What goes on

    def _check_resumption(self, place: _Place, sent: dict[str, Any]) -> None:
        """That a proposal goes on about which people were asked, and that all of them said yes."""
        asked = self._asked.get(sent["resumes"]["seq"])
        if asked is None:
            raise ValueError("what it goes on with is not there")
        _refuse({"somebody else had proposed it": asked.actor != place.actor})
        item_nos = asked.item_nos("interrupt_id")
        approvals = asked.approvals(item_nos)
        questions = [self._questions[one["interrupt_id"]] for one in approvals]
        for state in (question.state(sent["decided_at"]) for question in questions):
            _refuse({f"it could not go on: APPROVAL_{state.upper()}": state != "approved"})
        resumes = {"seq": asked.seq, "item_nos": item_nos, "approvals": approvals}
        proposal = asked.going_on(item_nos, place.head_event_id)
        is_so = canonical([sent["resumes"], sent["proposal"]]) == canonical([resumes, proposal])
        _refuse({"it is not what was asked about": not is_so})

    def _check_retry(self, place: _Place, sent: dict[str, Any]) -> None:
        """That a deferred proposal is tried again as it was, when it was due."""
        retries, at = sent["retries"], sent["decided_at"]
        last = self._deferred.get(retries["deferral_id"])
        if last is None:
            raise ValueError("what it goes on with is not there")
        _refuse({"somebody else had proposed it": last.actor != place.actor})
        deferral = last.payload["deferral"]
        is_due = deferral["next_at"] is not None and (
            deferral["next_at"] <= at
            or any(self._written.get(key, 0) > last.seq for key in deferral["missing"])
        )
        _refuse({"what it waited for had not come": not is_due})
        item_nos = last.item_nos("deferral_id")
        names = ("token_id", "is_token_shown")
        same: dict[str, Any] = {name: last.payload[name] for name in names if name in last.payload}
        same["retries"] = retries | {"attempt": deferral["attempt"] + 1}
        same["proposal"] = last.going_on(item_nos, place.head_event_id)
        if resumes := last.payload.get("resumes"):
            told = sent.get("resumes", {"approvals": ()})["approvals"]
            asked = last.approvals(item_nos)
            approvals = [one for one in asked if self._counts(one["interrupt_id"], at, one in told)]
            same["resumes"] = resumes | {"item_nos": item_nos, "approvals": approvals}
        told = {name: sent[name] for name in (*_RETRIED, *names) if name in sent}
        is_so = canonical(told) == canonical(same)
        _refuse({"it is not what was deferred": not is_so})

    def _counts(self, interrupt_id: str, at: str, is_told: bool) -> bool:
        """Whether an approval still counts; where only a policy would tell, the record does."""
        question = self._questions[interrupt_id]
        is_good = question.state(at) == "approved"
        return is_good and (is_told or question.is_superseded is not None)

    # Executions, answers, upkeep

    def _permit(self, permit_id: str) -> _Permit:
        is_known = permit_id in self._permits
        _refuse({"what it goes on with is not one of the session": not is_known})
        return self._permits[permit_id]

    def _begin(self, place: _Place, sent: dict[str, Any]) -> None:
        permit, at = self._permit(sent["permit_id"]), sent["decided_at"]
        token = self._tokens.known(permit.token_id)
        is_late = at >= permit.expires_at or permit.is_ended
        cannot = "the execution could not be begun: "
        _refuse({cannot + "PERMIT_USED": permit.begun_by is not None})
        _refuse({cannot + "PERMIT_EXPIRED": is_late})
        self._tokens.check(token, at)
        if "tools" in sent:
            assert self._policy is not None
            is_superseded = any(self._questions[one].is_superseded for one in permit.approvals)
            is_so = sent["policy_hash"] == self._policy["policy_hash"]
            _refuse({cannot + "APPROVAL_SUPERSEDED": is_superseded})
            _refuse({"the policy is not the one in force": not is_so})
            is_known = sent["tools"].get(permit.tool_id)
            _refuse({"a tool was called that was not registered": not is_known})
        else:
            is_same = sent["roles"] == permit.roles and self.changed < permit.seq
            _refuse({"it was not decided anew, and something had changed": not is_same})
        permit.begun_by = place.actor

    def _complete(self, place: _Place, sent: dict[str, Any]) -> None:
        permit, usage = self._permit(sent["permit_id"]), sent["usage"]
        is_other = permit.begun_by != place.actor
        _refuse({"the execution was not begun by who ended it": is_other})
        _refuse({"the execution had ended before": permit.is_ended})
        status = {"ok": "committed", "error": "rolled_back"}.get(sent["outcome"])
        _refuse({"the outcome is neither ok nor error": status is None})
        _refuse({"the status does not follow from the outcome": sent["status"] != status})
        is_so = sent["result_hash"] == _digest(sent["result"])
        _refuse({"the hash is not that of the result": not is_so})
        is_so = all(n <= self._tokens.granted(permit.token_id, u) for u, n in usage.items())
        _refuse({"it used up what no budget names, or more than was granted": not is_so})
        permit.is_ended = True
        # One call was reserved: it is given back, or settled.
        calls = 0 if status == "rolled_back" else usage.get("max_calls", 1)
        self._tokens.spend(permit.token_id, usage | {"max_calls": calls - 1})

    def _sweep(self, place: _Place, sent: dict[str, Any]) -> None:
        permits = [self._permit(permit_id) for permit_id in sent["permits"]]
        is_so = len({*sent["permits"]}) == len(permits) >= ("clock" not in sent) and all(
            permit.expires_at <= sent["decided_at"]
            and permit.begun_by is None
            and not permit.is_ended
            for permit in permits
        )
        _refuse({"a permit was released that had not run out": not is_so})
        for permit in permits:
            permit.is_ended = True
            self._tokens.spend(permit.token_id, {"max_calls": -1})

    def _resolve(self, place: _Place, sent: dict[str, Any]) -> None:
        is_known = sent["interrupt_id"] in self._questions
        _refuse({"what it goes on with is not one of the session": not is_known})
        question = self._questions[sent["interrupt_id"]]
        state, cannot = question.state(sent["decided_at"]), "the question does not take this answer"
        codes = {"superseded": "APPROVAL_SUPERSEDED", "expired": "APPROVAL_EXPIRED"}
        _refuse({f"{cannot}: APPROVAL_OWN_REQUEST": question.actor == place.actor})
        code = codes.get(state, "APPROVAL_RESOLVED")
        _refuse({f"{cannot}: {code}": state != "pending"})
        is_other = sent["action_digest"] != question.digest
        _refuse({"the question was about something else": is_other})
        is_so = sent["resolution"] in ("approve", "decline", "cancel")
        _refuse({"there is no such answer": not is_so})
        question.resolution = sent["resolution"]

    # Claims

    def _confirm_claim(self, place: _Place, sent: dict[str, Any]) -> None:
        self._confirmed[place.event_id] = sent["key"], sent["value_digest"]

    def _record_claim(self, place: _Place, sent: dict[str, Any]) -> None:
        claim, kind, is_confirmed = sent["claim"], sent["kind"], sent["confirmed"]
        is_so = all(sent[name] == value for name, value in _verdict(sent["reasons"]).items())
        _refuse({"the verdict is not what its reasons come to": not is_so})
        _refuse({"a claim of this id was recorded before": sent["claim_id"] in self._claims})
        _refuse({"it promotes what was not recorded": sent["promotes"] not in self._claims})
        act = claim["key"], _digest(claim["value"])
        is_acted = self._confirmed.get(claim["confirmed_by_event_id"]) == act
        is_cited = claim["source_chunk_ids"] and claim["conflict_state"] == "none"
        is_failed = sent["reason_code"] == "EVALUATION_ERROR"
        _refuse({"nothing confirms the claim": is_confirmed and not is_acted and not is_cited})
        _refuse({"the claim was confirmed": is_acted and not is_confirmed and not is_failed})
        is_demoted = claim["on_unconfirmed"] == "demote" and kind == "hypothesis"
        is_same = kind == claim["kind"] or (is_demoted and not is_confirmed)
        _refuse({"the claim is recorded as another kind": not is_same})
        if sent["decision"] == "allow":
            is_loose = kind in ("hypothesis", "derived") and (
                sent["expires_at"] or claim["review_at"]
            )
            _refuse(
                {f"a {kind} was recorded that nothing confirms": not is_confirmed and not is_loose}
            )
            _refuse({"a claim was recorded while the kill switch was on": "halt" in sent})
            self._claims.add(sent["claim_id"])


class Log:
    """Replays the log of one session, line by line, up to the first fault."""

    def __init__(self, universe: Universe | None = None, session_id: str | None = None) -> None:
        self.universe, self.session_id = universe, session_id
        self.arbitration = Arbitration()
        self.seq, self.head_hash, self.head_event_id, self.ts = 0, _ZEROS, "", ""
        self.owner, self.declared_at = "", ""
        self.n_survivors, self.survivors_hash = 0, ""
        self.terminated = False
        self.ontology: dict[str, str] = {}
        self.policy: dict[str, Any] = {}
        self._obligation: tuple[str, int, int] | None = None
        self._conclusion, self._run = "", 0
        self._mask = bytearray()
        # A set of all identities would be most of the memory, so their hashes stand for them. Two
        # identities of one hash (one in 10^7 logs of a million events) would be taken for a repeat.
        self._observations: set[int] = set()
        self._requests: set[int] = set()

    def feed(self, line: bytes) -> Event:
        """Verify the next line, with or without the newline at its end."""
        if line[-1:] == b"\n":
            line = line[:-1]
        if event := self._feed_plain(line):
            return event
        try:
            return self._feed_any(line)
        except (Unreadable, ValueError) as error:
            reason = _sentence(error) if isinstance(error, ValueError) else str(error)
            raise Fault(self.seq + 1, reason) from None

    def finish(self) -> None:
        if not self.seq:
            raise Fault(1, "the log has no events")

    def snapshot(self) -> dict[str, Any]:
        """The session after the last event, as QUERY_BELIEF shows it."""
        assert self.universe is not None
        active = None
        if self._obligation:
            obligation_id, minimum, at_entry = self._obligation
            active = {
                "obligation_id": obligation_id,
                "min_total_eliminations": minimum,
                "eliminated_since_entry": at_entry - self.n_survivors,
                "satisfiable": minimum <= at_entry,
            }
        return {
            "session_id": self.session_id,
            "owner": self.owner,
            "declared_at": self.declared_at,
            "ontology": self.ontology,
            "survivors": [one for no, one in enumerate(self.universe.ids) if self._survives(no)],
            "n_survivors": self.n_survivors,
            "n_hypotheses": len(self.universe.ids),
            "entropy_proxy": math.log2(self.n_survivors) if self.n_survivors > 1 else 0,
            "is_contradicted": self.n_survivors == 0,
            "terminated": self.terminated,
            "active_obligation_id": active and active["obligation_id"],
            "active_obligation": active,
            "policy": self.policy,
            "survivors_hash": self.survivors_hash,
            "audit_seq": self.seq,
            "audit_head_at": self.ts,
            "audit_head_event_id": self.head_event_id,
            "audit_head_hash": self.head_hash,
        }

    def _survives(self, rank: int) -> int:
        return self._mask[rank >> 3] >> (rank & 7) & 1

    def _applied(self, ids: list[str]) -> list[str] | None:
        """What of these ids survives; None if one is unknown and must not be."""
        assert self.universe is not None
        ranks, mask, applied = self.universe.ranks, self._mask, set()
        for one in ids:
            rank = ranks.get(one)
            if rank is not None:
                if mask[rank >> 3] >> (rank & 7) & 1:
                    applied.add(one)
            elif self.policy["validate_hypotheses"]:
                return None
        return sorted(applied)

    def _masked(self, applied: list[str]) -> tuple[bytearray, str]:
        """The mask without these, and its hash."""
        if not applied:
            return self._mask, self.survivors_hash
        assert self.universe is not None
        mask = self._mask.copy()
        for one in applied:
            rank = self.universe.ranks[one]
            mask[rank >> 3] &= ~(1 << (rank & 7))
        return mask, self.universe.hash(mask)

    # The short way: it takes what is plainly good and leaves everything else to the long way.

    def _feed_plain(self, line: bytes) -> Event | None:
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
        if not found or not self.seq or self.terminated:
            return None
        event_hash = hashlib.sha256(raw).hexdigest()
        ts, number, actor, delta, source, asked, because, observation, event_id = found.groups()
        seq = int(number)
        ids = asked[1:-1].split('", "') if asked else []
        identity = hash((source, observation))
        applied = self._applied(ids)
        if (
            event_hash.encode() != line[16:80]
            or seq != self.seq + 1
            or int(event_id[24:], 16) != seq
            or not self._is_time(ts)
            or identity in self._observations
            or applied is None
            or applied != (delta[1:-1].split('", "') if delta else [])
        ):
            return None
        mask, after = self._masked(applied)
        end = (
            f', "session_id": "{self.session_id}", "prev_event_hash": "{self.head_hash}", '
            f'"survivors_after_hash": "{after}", "survivors_before_hash": "{self.survivors_hash}"}}'
        )
        justification = self._plain_object(because)
        if justification is None or record[found.end() :] != end:
            return None
        self._observations.add(identity)
        self.arbitration.changed = seq
        self._mask, self.survivors_hash = mask, after
        self.n_survivors -= len(applied)
        self.seq, self.ts, self.head_event_id, self.head_hash = seq, ts, event_id, event_hash
        payload = {
            "source_id": source,
            "eliminated": ids,
            "justification": justification,
            "observation_id": observation,
        }
        return Event(seq, event_id, ts, "ELIMINATE", actor, payload, applied, record, event_hash)

    @staticmethod
    def _plain_object(text: str) -> dict[str, Any] | None:
        if text == "{}":
            return {}
        # Longer, deeper or stranger ones are measured the long way.
        if len(text) > 1000 or text.count("{") + text.count("[") > 128 or "$redactable" in text:
            return None
        try:
            value = parse(text, decoder=_CANONICAL_DECODER)
            return value if canonical(value, 2) == text else None
        except ValueError:
            return None

    def _is_time(self, ts: str) -> bool:
        """Whether it has the form of a time, is one, and is not earlier than the last."""
        if ts < self.ts or not _TS.fullmatch(ts):
            return False
        if ts[:10] != self.ts[:10]:
            try:
                date.fromisoformat(ts[:10])
            except ValueError:
                return False
        return True

    # The long way

    def _feed_any(self, line: bytes) -> Event:
        event_hash, text, hypotheses = self._members_of(line)
        if hashlib.sha256(text.encode()).hexdigest() != event_hash:
            raise ValueError("the hash is not that of the record")
        record = parse(text, decoder=_CANONICAL_DECODER)
        if not _has(record, _RECORD):
            raise ValueError("the record has not the members of a record")
        if canonical(record) != text:
            raise ValueError("the record is not in canonical text")
        verb, payload = record["verb"], record["payload"]
        if verb == "APPLY_PROBE":
            raise ValueError("a provider inside a process said it, and nobody can say it again")
        if verb not in _PAYLOADS:
            raise ValueError("there is no such verb")
        if not _is_payload(verb, payload):
            raise ValueError("the payload is not one that this verb records")
        self._check_place(record)
        if verb == "DECLARE_SESSION":
            self._declare(payload, hypotheses)
            self.owner, self.declared_at = record["actor"], record["ts"]
        if not self.seq:
            assert self.universe is not None
            before = self.universe.hash(bytes(len(self._mask)))
        else:
            before = self.survivors_hash
        if record["survivors_before_hash"] != before:
            raise ValueError("the survivors hash before it is another")
        applied = self._applied(payload["eliminated"] if verb == "ELIMINATE" else [])
        if applied is None:
            raise ValueError("it names a hypothesis outside of the universe")
        if record["delta"]["eliminated"] != applied:
            raise ValueError("the delta is not what was asked for and survived")
        mask, after = self._masked(applied)
        if record["survivors_after_hash"] != after:
            raise ValueError("the survivors hash after it is another")
        self._remember(verb, payload)
        if verb in _ARBITRATION:
            self._arbitrate(record)
        else:
            self.arbitration.changed = record["seq"]
            if verb not in ("DECLARE_SESSION", "ELIMINATE"):
                self._decide(verb, payload)
        self._mask, self.survivors_hash = mask, after
        self.n_survivors -= len(applied)
        self.seq, self.ts, self.session_id = record["seq"], record["ts"], record["session_id"]
        self.head_event_id, self.head_hash = record["event_id"], event_hash
        return Event(
            self.seq, self.head_event_id, self.ts, verb, record["actor"], payload, applied, text,
            event_hash,
        )  # fmt: skip

    def _members_of(self, line: bytes) -> tuple[str, str, Any]:
        _check_length(line)
        if line[-1:] == b"\r":
            raise ValueError("the line ends in a carriage return, which the log had not")
        if line[:1] != b"{" or line[-1:] != b"}":
            raise ValueError("the line is not a JSON object, with nothing around it")
        try:
            members = parse(line.decode(), _MANY if not self.seq else _MOST)
        except ValueError as error:
            raise ValueError(f"the line cannot be read: {_sentence(error)}") from None
        names = {"event_hash", "record"} | (
            {"hypotheses"} & set(members) if not self.seq else set()
        )
        if self.seq and set(members) == names | {"hypotheses"}:
            raise ValueError("another session begins here: check the lines of each by themselves")
        if set(members) != names:
            raise ValueError("the line has other members than event_hash and record")
        event_hash, text = members["event_hash"], members["record"]
        if type(event_hash) is not str or type(text) is not str:
            raise ValueError("event_hash and record are not texts")
        return event_hash, text, members.get("hypotheses")

    def _check_place(self, record: dict[str, Any]) -> None:
        """That the event is the next one of this session."""
        if record["seq"] != self.seq + 1:
            what = "missing" if record["seq"] > self.seq + 1 else "foreign"
            raise ValueError(f"the event is {what}: here is seq {record['seq']}")
        if (record["verb"] == "DECLARE_SESSION") != (self.seq == 0):
            raise ValueError("a log begins with DECLARE_SESSION, and nothing else does")
        if self.session_id is not None and record["session_id"] != self.session_id:
            raise ValueError("the event is of another session")
        if record["prev_event_hash"] != self.head_hash:
            raise ValueError("the previous hash is not that of the event before")
        if int(record["event_id"][24:], 16) != record["seq"]:
            raise ValueError("the event id does not end in the seq")
        if not _TS.fullmatch(record["ts"]):
            raise ValueError("the time has another form")
        if not self._is_time(record["ts"]):
            raise ValueError("the time is earlier than that of the event before, or none at all")
        # What was begun before may still end.
        if self.terminated and record["verb"] != "COMPLETE_EXECUTION":
            raise ValueError("the session was terminated before")

    def _declare(self, payload: dict[str, Any], hypotheses: Any) -> None:
        if self.universe is None:
            if type(hypotheses) is not list:
                raise ValueError("the first line carries no hypotheses")
            self.universe = Universe(hypotheses)
        elif hypotheses is not None:
            raise ValueError("the first line carries hypotheses of its own")
        if payload["universe_digest"] != self.universe.digest:
            raise ValueError("the universe is another: the digest of the hypotheses differs")
        if payload["n_hypotheses"] != len(self.universe.ids):
            raise ValueError("the universe has another number of hypotheses")
        if "arbitration" in payload:
            self.arbitration.pin(payload["arbitration"])
        self.ontology, self.policy = payload["ontology"], payload["policy"]
        self.n_survivors, self._mask = len(self.universe.ids), self.universe.full_mask()
        self.survivors_hash = self.universe.hash(self._mask)

    def _remember(self, verb: str, payload: dict[str, Any]) -> None:
        """That no message is recorded twice."""
        if verb == "ELIMINATE":
            seen = self._observations
            identity = hash((payload["source_id"], payload["observation_id"]))
        elif "request_id" in payload:
            seen, identity = self._requests, hash(payload["request_id"])
        else:
            return
        if identity in seen:
            raise ValueError("a message of this identity was recorded before")
        seen.add(identity)

    def _arbitrate(self, record: dict[str, Any]) -> None:
        payload = record["payload"]
        if not self.ts <= payload.get("decided_at", self.ts) <= record["ts"]:
            raise ValueError("the decision was not taken between the event before and this one")
        if payload.get("clock", "") > payload.get("decided_at", ""):
            raise ValueError("the clock is later than the decision")
        names = ("session_id", "seq", "event_id", "verb", "actor")
        place = _Place(**{name: record[name] for name in names}, head_event_id=self.head_event_id)
        try:
            self.arbitration.take(place, payload)
        except (AttributeError, IndexError, KeyError, TypeError):
            # Something inside is missing, or not of its kind.
            raise ValueError("the payload is not one that this verb records") from None

    def _decide(self, verb: str, payload: dict[str, Any]) -> None:
        """Make the decision anew, compare it with the recorded one, and act on it."""
        active = self._obligation
        if verb == "ENTER_OBLIGATION":
            if active:
                raise ValueError("another obligation is active")
            minimum = payload["min_total_eliminations"]
            self._obligation = payload["obligation_id"], minimum, self.n_survivors
            return
        if verb in ("REQUEST_EXIT", "WAIVE_OBLIGATION"):
            if not active or active[0] != payload["obligation_id"]:
                raise ValueError("the obligation is not active")
            if verb == "WAIVE_OBLIGATION":
                decision = True, "waived"
            elif active[2] - self.n_survivors >= active[1]:
                decision = True, "approved"
            else:
                decision = False, "minimum eliminations not met"
        elif verb == "DECLARE_CONCLUSION":
            decision = (
                (False, "active obligation blocks conclusion") if active else (True, "accepted")
            )
        else:
            decision = self._termination(payload["context"].get("force") is True)
        recorded = payload["accepted" if verb == "DECLARE_CONCLUSION" else "approved"]
        if (recorded, payload["reason"]) != decision:
            raise ValueError(f"the decision is another: {decision[1]}")
        if not decision[0]:
            return
        if verb == "DECLARE_CONCLUSION":
            is_same = self._run > 0 and self._conclusion == payload["conclusion_id"]
            self._conclusion, self._run = payload["conclusion_id"], self._run * is_same + 1
        elif verb == "REQUEST_TERMINATION":
            self.terminated = True
        else:
            self._obligation = None

    def _termination(self, force: bool) -> tuple[bool, str]:
        if self._obligation:
            return False, "active obligation blocks termination"
        if force and self.policy["allow_forced_termination"]:
            return True, "approved by force"
        if self.n_survivors == 1:
            if self._run >= self.policy["stability_window"]:
                return True, "approved"
            if not force:
                return False, "conclusion not stable"
        if force:
            return False, "force not allowed by policy"
        return False, "termination requires a singleton survivor"


# Files


def _open(path: str | os.PathLike[str]) -> IO[bytes]:
    """The file, if it is one: opening a pipe would wait for ever."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        number = os.open(path, flags)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Unreadable(f"the file cannot be opened: {why}") from None
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise Unreadable("this is not a regular file")
    return open(number, "rb")


def _lines(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The lines without their newlines; each must have one."""
    parts: list[bytes] = []
    length = 0
    while chunk := read(_CHUNK):
        lines = chunk.split(b"\n")
        if len(lines) > 1:
            yield b"".join([*parts, lines[0]])
            yield from lines[1:-1]
            parts, length = [], 0
        parts.append(lines[-1])
        length += len(lines[-1])
        if length > _LONGEST:
            raise Unreadable("a line is longer than 256 MiB")
    if length:
        raise Unreadable("the last line is cut off: it does not end in a newline")


_MEMBERS = re.compile(
    rf"README\.md|(?:universes|policies|schemas|tools)/({_HASH.pattern})\.json"
    rf"|sessions/({_UUID.pattern})\.ndjson|manifest\.json"
)
_CONTENTS = ("policies", "schemas", "tools")
_ORDER = ("README.md", "universes", *_CONTENTS, "sessions", "manifest.json")
_FILE: _Rules = {
    "bytes": lambda value: _is_number(value, 0, 2**62),
    "sha256": lambda value: type(value) is str and bool(_HASH.fullmatch(value)),
}
_SESSION: _Rules = {
    "session_id": _RECORD["session_id"],
    "n_events": lambda value: _is_number(value, 1, 2**48),
    "head_event_id": _RECORD["event_id"],
    "head_hash": _FILE["sha256"],
    "universe_digest": _FILE["sha256"],
    "policy_as_sent": lambda value: (
        value is None or _has(value, {name + "?": rule for name, rule in _POLICY.items()})
    ),
}
_MANIFEST: _Rules = {
    "format": lambda value: value == "cmbs-bundle",
    "version": lambda value: _is_number(value, 1, 1),
    "files": lambda value: type(value) is dict and all(_has(one, _FILE) for one in value.values()),
    "sessions": lambda value: type(value) is list and all(_has(one, _SESSION) for one in value),
}
_BAD_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


class Bundle:
    """A zip file of sessions and their universes; opening it checks its structure."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = _open(path)
        try:
            self._zip = zipfile.ZipFile(self._checked(self._file))
            self._infos = self._members()
            self._files: dict[str, dict[str, Any]] = {}
            # What logs name beside universes.
            self.contents: dict[str, str] = {}
            self.sessions: list[dict[str, Any]] = self._manifest()
            self._read("README.md", _CHUNK)
        except _BAD_ZIP as error:
            self._file.close()
            raise Unreadable(f"the bundle cannot be read: {error}") from None
        except Unreadable:
            self._file.close()
            raise
        self.n_events = sum(entry["n_events"] for entry in self.sessions)
        self._universe: Universe | None = None

    def __enter__(self) -> "Bundle":
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
        self._file.close()

    def lines(self, entry: dict[str, Any]) -> Iterator[bytes]:
        """The lines of a session; the last one given, its bytes are compared with the manifest."""
        return _lines(self._reader(f"sessions/{entry['session_id']}.ndjson"))

    def universe(self, digest: str) -> Universe:
        if self._universe is None or self._universe.digest != digest:
            self._universe = None
            try:
                raw = self._read(f"universes/{digest}.json", _LONGEST)
                _check_length(raw)
                text = raw.decode()
            except ValueError as error:
                raise Unreadable(f"the hypotheses cannot be read: {_sentence(error)}") from None
            universe = Universe(text)
            if universe.digest != digest:
                raise Unreadable(f"the digest of universes/{digest}.json is another")
            self._universe = universe
        return self._universe

    def content(self, name: str) -> str:
        """The text of a policy, a schema or a tool."""
        try:
            raw = self._read(name, _LONGEST)
            _check_length(raw)
            text = raw.decode()
            if canonical(parse(text, _MANY, _CANONICAL_DECODER)) != text:
                raise ValueError("it is not in canonical text")
        except ValueError as error:
            raise Unreadable(f"{name} cannot be read: {_sentence(error)}") from None
        return text

    def log(self, entry: dict[str, Any]) -> Log:
        """What replays the lines of a session."""
        log = Log(self.universe(entry["universe_digest"]), entry["session_id"])
        log.arbitration.bundle = self
        return log

    @staticmethod
    def _checked(file: IO[bytes]) -> IO[bytes]:
        """The file, if its directory is not too long: zipfile would read all of it."""
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 98, 0))
        tail = file.read().rjust(98, b"\0")
        length, offset, comment = struct.unpack("<IIH", tail[-10:])
        if tail[-22:-18] != b"PK\5\6" or comment:
            raise Unreadable("the bundle is cut off, or something follows its end")
        end = size - 22
        if tail[-42:-38] == b"PK\6\7":
            if tail[:4] != b"PK\6\6":
                raise Unreadable("the directory of the bundle cannot be read")
            length, offset = struct.unpack("<QQ", tail[40:56])
            end = size - 98
        # An entry takes ten times its size in memory.
        if length > 64 * _CHUNK or offset + length != end:
            raise Unreadable("the directory of the bundle is not where it should be")
        file.seek(0)
        return file

    def _members(self) -> dict[str, zipfile.ZipInfo]:
        infos = self._zip.infolist()
        kinds = []
        for info in infos:
            if info.filename != info.orig_filename or not _MEMBERS.fullmatch(info.filename):
                raise Unreadable(f"the bundle has a member of the name {info.orig_filename[:99]!a}")
            if info.flag_bits & 0x2049 or info.compress_type not in (0, 8):
                raise Unreadable(f"{info.filename} is encrypted or packed in an unknown way")
            kinds.append(_ORDER.index(info.filename.partition("/")[0]))
        if kinds != sorted(kinds):
            raise Unreadable("the members of the bundle are not in their order")
        names = {info.filename: info for info in infos}
        if len(names) < len(infos):
            raise Unreadable("the bundle has two members of one name")
        end = 0
        for info in sorted(infos, key=lambda info: info.header_offset):
            # What lies between them is seen by some readers and not by others.
            if info.header_offset != end:
                raise Unreadable("the members of the bundle overlap, or there is a gap")
            self._file.seek(end)
            header = self._file.read(30)
            if len(header) < 30 or header[:4] != b"PK\3\4":
                raise Unreadable("the members of the bundle are not where they should be")
            end += 30 + sum(struct.unpack("<HH", header[26:30])) + info.compress_size
        if end != self._zip.start_dir:
            raise Unreadable("the members of the bundle overlap, or there is a gap")
        return names

    def _manifest(self) -> list[dict[str, Any]]:
        info = self._infos.get("manifest.json")
        if info is None or info.file_size > _LONGEST:
            raise Unreadable("the bundle has no manifest.json of at most 256 MiB")
        try:
            with self._zip.open(info) as member:
                text = member.read(_LONGEST)
            _check_length(text)
            manifest = parse(text.decode(), _MANY)
        except ValueError as error:
            raise Unreadable(f"manifest.json cannot be read: {_sentence(error)}") from None
        if not _has(manifest, _MANIFEST):
            raise Unreadable("manifest.json is not the manifest of a bundle of version 1")
        self._files = manifest["files"]
        if self._files.keys() != self._infos.keys() - {"manifest.json"}:
            raise Unreadable("manifest.json names other files than the bundle has")
        for name, file in self._files.items():
            if self._infos[name].file_size != file["bytes"]:
                raise Unreadable(f"{name} has not the size that manifest.json names")
        parted = ((name, name.partition("/")[0]) for name in self._files)
        self.contents = {name: kind for name, kind in parted if kind in _CONTENTS}
        for name in self.contents:
            if self._files[name]["sha256"] != name[-69:-5]:
                raise Unreadable(f"the digest of {name} is another")
        sessions: list[dict[str, Any]] = manifest["sessions"]
        places = [(entry["universe_digest"], entry["session_id"]) for entry in sessions]
        named = {f"universes/{digest}.json" for digest, _ in places}
        named |= {f"sessions/{session_id}.ndjson" for _, session_id in places} | {"README.md"}
        if len({session_id for _, session_id in places}) < len(places):
            raise Unreadable("manifest.json names a session twice")
        if places != sorted(places) or named != self._files.keys() - self.contents.keys():
            raise Unreadable("the sessions of manifest.json are not those of the bundle, in order")
        return sessions

    def _read(self, name: str, most: int) -> bytes:
        if name not in self._files or self._files[name]["bytes"] > most:
            raise Unreadable(f"the bundle has no {name} of at most {most} bytes")
        read = self._reader(name)
        return b"".join(iter(lambda: read(_CHUNK), b""))

    def _reader(self, name: str) -> Callable[[int], bytes]:
        """A read that compares size and digest with the manifest when it comes to the end."""
        if name not in self._files:
            raise Unreadable(f"the bundle has no {name}")
        file, digest, length = self._files[name], hashlib.sha256(), 0
        try:
            member = self._zip.open(self._infos[name])
        except _BAD_ZIP as error:
            raise Unreadable(f"{name} cannot be read: {error}") from None

        def read(size: int) -> bytes:
            nonlocal length
            try:
                chunk = member.read(size)
            except _BAD_ZIP as error:
                raise Unreadable(f"{name} cannot be read: {error}") from None
            digest.update(chunk)
            length += len(chunk)
            if not chunk:
                member.close()
                if (length, digest.hexdigest()) != (file["bytes"], file["sha256"]):
                    raise Unreadable(f"{name} is not as it was written: its digest is another")
            return chunk

        return read


def _no_progress(_: int) -> None:
    pass


def check(
    path: str | os.PathLike[str], advance: Callable[[int], None] = _no_progress
) -> Iterator[Result]:
    """What is found for each session of the file; Unreadable if the file itself is not good."""
    return (result for result, _ in _replayed(path, advance))


def _replayed(
    path: str | os.PathLike[str], advance: Callable[[int], None]
) -> Iterator[tuple[Result, Log]]:
    if is_bundle(path):
        with Bundle(path) as bundle:
            for name in bundle.contents:
                bundle.content(name)
            for entry in bundle.sessions:
                log = bundle.log(entry)
                yield _result(log, bundle.lines(entry), advance, entry), log
    else:
        with _open(path) as file:
            log = Log()
            yield _result(log, _lines(file.read), advance), log


def ndjson(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The lines of an exported log."""
    with _open(path) as file:
        yield from _lines(file.read)


def is_bundle(path: str | os.PathLike[str]) -> bool:
    with _open(path) as file:
        start = file.read(16)
    if start.startswith((b'{"events"', b'{"error"')):
        raise Unreadable(
            "this is an answer in JSON and not a log: ask for it with Accept: application/x-ndjson"
        )
    if start[:2] != b"PK" and start[:1] != b"{":
        raise Unreadable("this is neither a log nor a bundle" if start else "the file is empty")
    return start[:2] == b"PK"


def _result(
    log: Log,
    lines: Iterator[bytes],
    advance: Callable[[int], None],
    entry: dict[str, Any] | None = None,
) -> Result:
    first_bad = None
    try:
        for line in lines:
            log.feed(line)
            if not log.seq % 1000:
                advance(1000)
        log.finish()
        if entry:
            compare(log, entry)
    except Fault as fault:
        first_bad = fault.seq, fault.reason
    advance(log.seq % 1000)
    head = log.head_hash if log.seq else None
    return Result(log.session_id, first_bad is None, log.seq, head, first_bad)


def compare(log: Log, entry: dict[str, Any]) -> None:
    """Whether the log is the one that the manifest names."""
    if log.seq != entry["n_events"]:
        reason = f"the manifest names {entry['n_events']} events, the log has {log.seq}"
        raise Fault(min(log.seq, entry["n_events"]) + 1, reason)
    if (log.head_event_id, log.head_hash) != (entry["head_event_id"], entry["head_hash"]):
        raise Fault(log.seq, "the manifest names another head")
    for name, value in (entry["policy_as_sent"] or {}).items():
        if log.policy[name] != value:
            raise Fault(1, "the policy as sent is not in the policy")


# The command


class _Progress:
    """On a terminal: how far it is, how fast, and the time left."""

    def __init__(self, path: str) -> None:
        self._done, self._total, self._began, self._drawn = 0, 0, time.monotonic(), 0.0
        self._is_shown = sys.stderr.isatty()
        if self._is_shown and is_bundle(path):
            with Bundle(path) as bundle:
                self._total = bundle.n_events
        elif self._is_shown:
            with _open(path) as file:
                self._total = sum(
                    chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b"")
                )

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def advance(self, count: int) -> None:
        self._done += count
        if self._is_shown and self.seconds - self._drawn > 0.1:
            self._drawn = self.seconds
            rate = self._done / self.seconds
            left = int(max(self._total - self._done, 0) / max(rate, 1))
            sys.stderr.write(
                f"\r\033[K{min(self._done / max(self._total, 1), 1):4.0%}  {rate:,.0f} rows/s  "
                f"{left // 60}:{left % 60:02d} left"
            )
            sys.stderr.flush()

    def clear(self) -> None:
        if self._is_shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def main(arguments: list[str] | None = None, prog: str | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Check exported audit logs: a session's log (NDJSON) or a bundle (zip). Every "
        "hash, link and decision is computed anew, with no database.",
        epilog="exit status: 0 every chain is whole, 1 one is broken, the file cannot be read or "
        "there was nothing to check, 2 usage. example: python verify.py audit.ndjson",
    )
    parser.add_argument("file", metavar="FILE", help="what was exported")
    parser.add_argument(
        "--head",
        metavar="HASH",
        help="of a log (NDJSON): it must end with this event hash, noted elsewhere; nothing else "
        "shows that the end of a log was cut off",
    )
    parser.add_argument(
        "--snapshot",
        action="store_true",
        help="print the final snapshot of each whole session as a line of JSON, and all else on "
        "stderr",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="a line of JSON for each session, with its verdict: ok or broken",
    )
    options = parser.parse_args(arguments)
    if options.head is not None and not _HASH.fullmatch(options.head):
        parser.error("the head is 64 hexadecimal digits, in lower case")
    try:
        if options.head is not None and is_bundle(options.file):
            parser.error(
                "--head is for the log of one session; a bundle's manifest names its heads"
            )
        return _report(options.file, options.head, options.snapshot, options.json)
    except Unreadable as error:
        print(f"{parser.prog}: {options.file}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _report(path: str, head: str | None, is_snapshot: bool, is_json: bool) -> int:
    out = sys.stderr if is_snapshot else sys.stdout
    progress = _Progress(path)
    sessions = rows = broken = 0
    try:
        for result, log in _replayed(path, progress.advance):
            bad = result.first_bad
            if not bad and head is not None and head != result.head_hash:
                bad = result.rows_checked, f"the log does not end with the head {head}"
            progress.clear()
            print(_as_json(result, bad) if is_json else _line(result, bad), file=out)
            if is_snapshot and not bad:
                print(json.dumps(log.snapshot()), flush=True)
            sessions, rows, broken = (
                sessions + 1,
                rows + result.rows_checked,
                broken + (bad is not None),
            )
    finally:
        progress.clear()
    if is_json:
        return 1 if broken or not sessions else 0
    if not sessions:
        print("there is no session to check", file=out)
        return 1
    said = f"{broken} broken" if broken else "every chain is whole"
    print(f"checked {sessions} sessions, {rows} rows in {progress.seconds:.1f} s: {said}", file=out)
    return 1 if broken else 0


def _line(result: Result, bad: tuple[int, str] | None) -> str:
    if bad:
        return f"BROKEN  {result.session_id or '-'}  event {bad[0]}: {bad[1]}"
    return f"ok      {result.session_id}  {result.rows_checked} rows  {result.head_hash}"


def _as_json(result: Result, bad: tuple[int, str] | None) -> str:
    said: dict[str, Any] = {"session_id": result.session_id, "verdict": "broken" if bad else "ok"}
    if bad:
        said |= {"seq": bad[0], "reason": bad[1]}
    else:
        said |= {"rows_checked": result.rows_checked, "head_hash": result.head_hash}
    return json.dumps(said)


if __name__ == "__main__":
    sys.exit(main())
