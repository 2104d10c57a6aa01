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
from collections.abc import Callable, Container, Iterator
from datetime import date
from itertools import pairwise
from json.encoder import encode_basestring
from typing import IO, Any, NamedTuple

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
    except json.JSONDecodeError:
        raise ValueError("it is not JSON") from None
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


def _has(value: Any, rules: dict[str, Callable[[Any], bool]]) -> bool:
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
_POLICY: dict[str, Callable[[Any], bool]] = {
    "validate_hypotheses": _is_flag,
    "allow_forced_termination": _is_flag,
    "stability_window": lambda value: _is_number(value, 0, 1000),
}
_DECIDED: dict[str, Callable[[Any], bool]] = {
    "approved": _is_flag,
    "reason": lambda value: type(value) is str,
    "request_id?": _is_id,
}
_PAYLOADS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "DECLARE_SESSION": {
        "ontology": lambda value: _has(value, _ONTOLOGY),
        "universe_digest": lambda value: type(value) is str,
        "n_hypotheses": lambda value: type(value) is int,
        "policy": lambda value: _has(value, _POLICY),
        "metadata?": _is_free,
        "arbitration?": lambda value: _has(value, _PINNED),
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
_KINDS: dict[str, Callable[[Any], bool]] = {
    "any": lambda value: True,
    "array": lambda value: type(value) is list,
    "boolean": _is_flag,
    "budgets": lambda value: (
        type(value) is dict and all(_is_number(one, 0, 2**62) for one in value.values())
    ),
    "claim": lambda value: _has(value, _CLAIM),
    "comment": lambda value: _is_text(value, 0, 4096),
    "hash": lambda value: type(value) is str and bool(_HASH.fullmatch(value)),
    "id": _is_id,
    "ids": _is_ids,
    "moment": _is_moment,
    "moment|null": lambda value: value is None or _is_moment(value),
    "object": _is_object,
    "pinned": lambda value: _has(value, _PINNED),
    "proposal": lambda value: _has(value, _PROPOSAL),
    "string": lambda value: type(value) is str,
    "uuid": lambda value: type(value) is str and bool(_UUID.fullmatch(value)),
    "uuid|null": lambda value: value is None or _KINDS["uuid"](value),
    "version": lambda value: _is_number(value, 0, 2**31 - 1),
}


def _rules(members: str) -> dict[str, Callable[[Any], bool]]:
    return {name: _KINDS[kind] for name, kind in (one.split(":") for one in members.split())}


_PINNED: dict[str, Callable[[Any], bool]] = _rules("pack:string version:version policy_hash:hash")
_PROPOSAL: dict[str, Callable[[Any], bool]] = _rules(
    "state_snapshot_id:uuid provenance:object atomic:boolean idempotency_key?:id items:array"
)
_CLAIM: dict[str, Callable[[Any], bool]] = _rules(
    "key:id value:any kind:string confidence:any source_chunk_ids:ids ttl_ms:any "
    "confirmed_by_event_id:uuid|null review_at:moment|null conflict_state:string "
    "on_unconfirmed:string"
)
_GROUND = _rules("tools:object schemas:object reads:object reasons:array")
_BY_POLICY = _GROUND | _rules(
    "policy:pinned roles:ids decided_at:moment halt?:string decision:string disposition:string "
    "reason_code:string"
)
# What else is inside of their objects and lists is looked at where it is used.
_ARBITRATION = {
    "PROPOSE": _BY_POLICY
    | _rules("proposal:proposal is_token_shown:boolean token_id?:uuid items:array"),
    "POLICY_APPLY": _PINNED | _GROUND | _DECIDED,
    "TOKEN_ISSUE": _rules(
        "token_id:uuid parent_id:uuid|null holder:string tools:ids capabilities:ids "
        "state_prefixes:ids resource_roots:ids budgets:budgets approval:string valid_from:moment "
        "expires_at:moment secret_hash:hash decided_at:moment request_id?:id"
    ),
    "TOKEN_REVOKE": _rules("token_id:uuid request_id?:id"),
    "RECORD_CLAIM": _BY_POLICY
    | _rules(
        "claim:claim claim_id:uuid promotes:uuid|null kind:string confirmed:boolean "
        "expires_at:moment|null request_id?:id"
    ),
    "CONFIRM_CLAIM": _rules("key:id value_digest:hash comment:comment request_id?:id"),
}
_PAYLOADS |= _ARBITRATION
_RECORD: dict[str, Callable[[Any], bool]] = {
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


def _refuse(faults: dict[str, Any]) -> None:
    for reason in filter(faults.get, faults):
        raise ValueError(reason)


class Arbitration:
    """What a log holds beside belief, as far as it follows with no policy being evaluated."""

    def __init__(self) -> None:
        # The members of a bundle that are policies, schemas and tools; None without a bundle.
        self.contents: Container[str] | None = None
        self._policy: dict[str, Any] | None = None
        self._tokens: dict[str, dict[str, Any]] = {}
        # Of each token: itself and all that it was made from.
        self._chains: dict[str, list[str]] = {}
        self._revoked: set[str] = set()
        self._calls: dict[str, int] = {}
        # What was first proposed under each key of an actor, which its hash stands for.
        self._proposals: dict[int, str] = {}
        self._confirmed: dict[str, tuple[str, str]] = {}
        self._claims: set[str | None] = {None}

    def pin(self, pinned: dict[str, Any]) -> None:
        """That a policy is in force from here on."""
        self._name("policies", pinned["policy_hash"])
        self._policy = {name: pinned[name] for name in _PINNED}

    def take(self, event_id: str, verb: str, actor: str, sent: dict[str, Any]) -> None:
        if "reads" in sent:
            self._name("policies", sent.get("policy", sent)["policy_hash"])
            for kind in ("schemas", "tools"):
                # What was not there has no hash, and what was withdrawn false.
                for digest in filter(None, sent[kind].values()):
                    self._name(kind, digest)
        if "policy" in sent:
            policy = sent["policy"]
            if self._policy is None and (policy["pack"], policy["version"]) == ("deny-all", 1):
                # Its hash stands nowhere before, and stays the same.
                self._policy = policy
            _refuse({"the policy is not the one in force": policy != self._policy})
        if verb == "PROPOSE":
            self._propose(actor, sent)
        elif verb == "RECORD_CLAIM":
            self._record_claim(sent)
        elif verb == "CONFIRM_CLAIM":
            self._confirmed[event_id] = sent["key"], sent["value_digest"]
        elif verb == "TOKEN_ISSUE":
            self._issue(sent)
        elif verb == "TOKEN_REVOKE":
            self._known(sent["token_id"])
            _refuse({"the token was revoked before": sent["token_id"] in self._revoked})
            self._revoked.add(sent["token_id"])
        else:
            reason = "an invariant of the policy does not hold" if sent["reasons"] else "applied"
            is_so = (sent["approved"], sent["reason"]) == (not sent["reasons"], reason)
            _refuse({f"the decision is another: {reason}": not is_so})
            if sent["approved"]:
                self.pin(sent)

    def _name(self, kind: str, digest: str) -> None:
        name = f"{kind}/{digest}.json"
        is_there = self.contents is None or name in self.contents
        _refuse({f"of {kind} it names one by no hash": not _KINDS["hash"](digest)})
        _refuse({f"the bundle has no {name}": not is_there})

    def _known(self, token_id: str) -> dict[str, Any]:
        _refuse({"the token is not one of the session": token_id not in self._tokens})
        return self._tokens[token_id]

    def _check_token(self, token: dict[str, Any], at: str) -> None:
        is_revoked = not self._revoked.isdisjoint(self._chains[token["token_id"]])
        _refuse({"the token, or one that it was made from, is revoked": is_revoked})
        _refuse({"the token is not valid yet": at < token["valid_from"]})
        _refuse({"the token has expired": at >= token["expires_at"]})

    def _left(self, token: dict[str, Any], unit: str) -> int:
        """What is left of a unit in the budgets of a token and all that it was made from."""
        spent = self._calls if unit == "max_calls" else {}
        chain = self._chains[token["token_id"]]
        budgets: dict[str, dict[str, int]] = {one: self._tokens[one]["budgets"] for one in chain}
        return min(budgets[one].get(unit, 0) - spent.get(one, 0) for one in chain)

    def _issue(self, sent: dict[str, Any]) -> None:
        token_id, chain, begins = sent["token_id"], list[str](), sent["valid_from"]
        _refuse({"a token of this id was issued before": token_id in self._tokens})
        _refuse({"it is never valid": sent["expires_at"] <= max(begins, sent["decided_at"])})
        if sent["parent_id"] is not None:
            parent, chain = self._known(sent["parent_id"]), self._chains[sent["parent_id"]]
            self._check_token(parent, sent["decided_at"])
            wider = {
                "depth": len(chain) >= 8,
                "tools": not {*sent["tools"]} <= {*parent["tools"]},
                "capabilities": not {*sent["capabilities"]} <= {*parent["capabilities"]},
                "expires_at": sent["expires_at"] > parent["expires_at"],
                "valid_from": begins < parent["valid_from"],
                "approval": (sent["approval"], parent["approval"]) == ("none", "required"),
                "state_prefixes": not _are_under(sent["state_prefixes"], parent["state_prefixes"]),
                "budgets": any(n > self._left(parent, unit) for unit, n in sent["budgets"].items()),
            }
            lead = "the token is wider than the one that it is made from: "
            _refuse({lead + name: is_wider for name, is_wider in wider.items()})
        self._tokens[token_id], self._chains[token_id] = sent, [*chain, token_id]

    def _propose(self, actor: str, sent: dict[str, Any]) -> None:
        proposal, reasons, effective = sent["proposal"], sent["reasons"], list[Any]()
        is_atomic, items = proposal["atomic"], proposal["items"]
        digest, first = _digest([is_atomic, items]), None
        if "idempotency_key" in proposal:
            key = hash((actor, proposal["idempotency_key"]))
            first = self._proposals.get(key)
            self._proposals.setdefault(key, digest)
        is_reused = sent["reason_code"] == "IDEMPOTENCY_MISMATCH"
        _refuse({"the same was proposed under this key before": first == digest})
        _refuse({"the key was used for other items before": first and not is_reused})
        _refuse({"the key was not used for other items": is_reused and not first})
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
            # What is offered instead is not looked at.
            offers = ("interrupt_id", "interrupt", "offer") if its else ()
            bare = {name: value for name, value in told.items() if name not in offers}
            is_so = canonical(bare) == canonical(verdict)
            _refuse({f"the verdict on item {no} is not what its reasons come to": not is_so})
            if verdict["effective"]:
                effective.append(item)
        head = _verdict([] if effective else reasons) | {"reasons": reasons}
        is_so = all(sent[name] == value for name, value in head.items())
        _refuse({"the verdict is not what its reasons come to": not is_so})
        token = self._known(sent["token_id"]) if "token_id" in sent else None
        if effective:
            self._take_effect(actor, sent, effective, token)

    def _take_effect(
        self, actor: str, sent: dict[str, Any], items: list[Any], token: dict[str, Any] | None
    ) -> None:
        """That a token let these items of a proposal be; spend what they cost."""
        if token is None or not sent["is_token_shown"] or token["holder"] != actor:
            raise ValueError("something took effect without a token of the proposer")
        self._check_token(token, sent["decided_at"])
        _refuse({"something took effect while the kill switch was on": "halt" in sent})
        called = [item["tool_id"] for item in items if item["kind"] == "tool_call"]
        keys = [key for item in items for key in item.get("patch", {})]
        keys += ["core" for item in items if "s_core" in item]
        spaces = [one[12:] for one in token["capabilities"] if one.startswith("state.write.")]
        is_known = all(sent["tools"].get(tool_id) for tool_id in called)
        # Which capabilities would do in place of a tool's name stands in its definition.
        is_covered = token["capabilities"] or {*called} <= {*token["tools"]}
        is_covered = is_covered and _are_under(keys, token["state_prefixes"] + spaces)
        is_spent = len(called) > max(self._left(token, "max_calls"), 0)
        _refuse({"a tool was called that was not registered": not is_known})
        _refuse({"the token does not cover a tool or a key": not is_covered})
        _refuse({"the token had not so many calls left": is_spent})
        _refuse({"nobody approved a call": called and token["approval"] == "required"})
        for one in self._chains[token["token_id"]]:
            self._calls[one] = self._calls.get(one, 0) + len(called)

    def _record_claim(self, sent: dict[str, Any]) -> None:
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
            "ontology": self.ontology,
            "survivors": [one for no, one in enumerate(self.universe.ids) if self._survives(no)],
            "n_survivors": self.n_survivors,
            "n_hypotheses": len(self.universe.ids),
            "entropy_proxy": math.log2(self.n_survivors) if self.n_survivors > 1 else 0,
            "terminated": self.terminated,
            "active_obligation_id": active and active["obligation_id"],
            "active_obligation": active,
            "policy": self.policy,
            "survivors_hash": self.survivors_hash,
            "audit_seq": self.seq,
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
        if not _has(payload, _PAYLOADS[verb]):
            raise ValueError("the payload is not one that this verb records")
        self._check_place(record)
        if verb == "DECLARE_SESSION":
            self._declare(payload, hypotheses)
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
        elif verb not in ("DECLARE_SESSION", "ELIMINATE"):
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
        if self.terminated:
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
        event_id, verb, actor = record["event_id"], record["verb"], record["actor"]
        try:
            self.arbitration.take(event_id, verb, actor, payload)
        except (AttributeError, KeyError, TypeError):
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
_FILE: dict[str, Callable[[Any], bool]] = {
    "bytes": lambda value: _is_number(value, 0, 2**62),
    "sha256": lambda value: type(value) is str and bool(_HASH.fullmatch(value)),
}
_SESSION: dict[str, Callable[[Any], bool]] = {
    "session_id": _RECORD["session_id"],
    "n_events": lambda value: _is_number(value, 1, 2**48),
    "head_event_id": _RECORD["event_id"],
    "head_hash": _FILE["sha256"],
    "universe_digest": _FILE["sha256"],
    "policy_as_sent": lambda value: (
        value is None or _has(value, {name + "?": rule for name, rule in _POLICY.items()})
    ),
}
_MANIFEST: dict[str, Callable[[Any], bool]] = {
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
        log.arbitration.contents = self.contents
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
    options = parser.parse_args(arguments)
    if options.head is not None and not _HASH.fullmatch(options.head):
        parser.error("the head is 64 hexadecimal digits, in lower case")
    try:
        if options.head is not None and is_bundle(options.file):
            parser.error(
                "--head is for the log of one session; a bundle's manifest names its heads"
            )
        return _report(options.file, options.head, options.snapshot)
    except Unreadable as error:
        print(f"{parser.prog}: {options.file}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _report(path: str, head: str | None, is_snapshot: bool) -> int:
    out = sys.stderr if is_snapshot else sys.stdout
    progress = _Progress(path)
    sessions = rows = broken = 0
    try:
        for result, log in _replayed(path, progress.advance):
            bad = result.first_bad
            if not bad and head is not None and head != result.head_hash:
                bad = result.rows_checked, f"the log does not end with the head {head}"
            progress.clear()
            if bad:
                print(f"BROKEN  {result.session_id or '-'}  event {bad[0]}: {bad[1]}", file=out)
            else:
                rows_, head_ = result.rows_checked, result.head_hash
                print(f"ok      {result.session_id}  {rows_} rows  {head_}", file=out)
                if is_snapshot:
                    print(json.dumps(log.snapshot()), flush=True)
            sessions, rows, broken = (
                sessions + 1,
                rows + result.rows_checked,
                broken + (bad is not None),
            )
    finally:
        progress.clear()
    if not sessions:
        print("there is no session to check", file=out)
        return 1
    said = f"{broken} broken" if broken else "every chain is whole"
    print(f"checked {sessions} sessions, {rows} rows in {progress.seconds:.1f} s: {said}", file=out)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
