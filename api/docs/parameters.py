"""What the parameters of the routes are called and mean, for the documentation."""

from typing import Any

from cmbs.api.docs import examples

_COMPARED = examples.ANSWERS["Diff"]
_CLAIMED: dict[str, Any] = next(iter(examples.ANSWERS.get("Claims", {}).get("claims", [])), {})


def _text(longest: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": longest}


PARAMETERS: dict[str, dict[str, Any]] = {
    "session_id": {
        "description": "The session.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "event_id": {
        "description": "An `audit_event_id` of this session.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "obligation_id": {"description": "The active obligation.", "schema": _text(512)},
    "hypothesis_id": {"description": "A hypothesis of the session.", "schema": _text(512)},
    "hypothesis_space_id": {"description": "The name of a space.", "schema": _text(512)},
    "hypothesis_version": {"description": "The version of a space.", "schema": _text(2048)},
    "as_of": {
        "description": "An event id: as it stood right after that event. Or a time of RFC 3339 "
        "with its zone: as of the last event that is not later.",
        "schema": {
            "anyOf": [
                {"type": "string", "format": "uuid"},
                {"type": "string", "format": "date-time"},
            ]
        },
    },
    "since_event_id": {
        "description": "Only the events after this one.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "from": {
        "description": "An event id. The earlier of the two is taken for this one.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _COMPARED.get("from", {}).get("event_id"),
    },
    "to": {
        "description": "An event id.",
        "schema": {"type": "string", "format": "uuid"},
        "example": _COMPARED.get("to", {}).get("event_id"),
    },
    "without_source": {
        "description": "Think away the messages of this source; this or the other is needed.",
        "schema": _text(512),
        "example": "human://ann",
    },
    "without_observation": {
        "description": "Think away this observation, of the source or of any.",
        "schema": _text(512),
    },
    "limit": {
        "description": "How many at most (default: 50 sessions, principals or tokens, all events "
        "of a log, 500 of identities, 100 entries of other lists).",
        "schema": {"type": "integer", "minimum": 1, "maximum": 500},
    },
    "proposal_id": {
        "description": "The `proposal_id` of a proposal of this session.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "permit_id": {
        "description": "A permit of this session.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "interrupt_id": {
        "description": "A question of this session.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "permit_status": {
        "description": "Only permits of which this has become.",
        "schema": {"enum": ["issued", "expired", "executing", "committed", "rolled_back", "ended"]},
    },
    "interrupt_status": {
        "description": "Only questions of which this has become; the inbox has those that are "
        "pending, unless it is asked for others.",
        "schema": {
            "enum": [
                *("pending", "approved", "declined", "cancelled"),
                *("consumed", "superseded", "expired", "ended"),
            ]
        },
    },
    "wait": {
        "description": "For how many seconds the answer may wait for news; for none, if it is left "
        "out.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 55},
    },
    "resume_id": {
        "description": "`resume_id` of an answer: what differs from it is news, also if it was "
        "missed.",
        "schema": {"type": "string"},
    },
    "before": {
        "description": "`next_before` of the page before.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    "decision": {
        "description": "Only proposals that were decided so.",
        "schema": {"enum": ["allow", "deny", "defer"]},
    },
    "as_of_event": {
        "description": "An event id: as it stood right after that event.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "include": {
        "description": "`policy` for the entries of the pack in force.",
        "schema": {"enum": ["policy"]},
    },
    "claim_id": {
        "description": "A claim of this session.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "key": {
        "description": "What claims are about.",
        "schema": _text(512),
        "example": _CLAIMED.get("key"),
    },
    "history": {
        "description": "Also those that live no more.",
        "schema": {"type": "boolean"},
    },
    "pack": {
        "description": "The name of a policy pack.",
        "schema": _text(128),
        "example": "belief-gated",
    },
    "version": {
        "description": "The number of a version of the pack.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 999_999_999},
        "example": 1,
    },
    "to_version": {
        "description": "The number of the version to compare with.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 999_999_999},
        "example": 1,
    },
    "to_pack": {
        "description": "The pack of the version to compare with, if it is another.",
        "schema": _text(128),
        "example": "supervised",
    },
    "tool_id": {"description": "A tool.", "schema": _text(512)},
    "schema_id": {"description": "The id of a schema.", "schema": _text(512)},
    "name": {"description": "A principal.", "schema": _text(128)},
    "token_id": {
        "description": "A token, by its id; what it begins with is not its id.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "tenant": {
        "description": "A tenant, if it is not that of the caller; who sees all of them may name "
        "any, and `*`.",
        "schema": _text(128),
    },
    "after": {
        "description": "`next_after` of the page before.",
        "schema": {"type": "string"},
    },
    "since_seq": {
        "description": "Only the events after this one: `next_since_seq` of the page before.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    "cursor": {
        "description": "`next_cursor` of the page before.",
        "schema": {"type": "string"},
    },
    "terminated": {
        "description": "Only sessions that are over, or only those that are not.",
        "schema": {"type": "boolean"},
    },
    "X-Capability-Token": {
        "description": "The secret of a capability token of this session.",
        "schema": {"type": "string"},
    },
    "If-Match": {
        "description": "The heads that the session may have: a tag, a list of them, or `*`.",
        "schema": {"type": "string"},
    },
    "If-None-Match": {
        "description": "The head that is known already: 304 if the session still has it.",
        "schema": {"type": "string"},
    },
    "Prefer": {
        "description": "`return=minimal` leaves `survivors` out of the snapshot, `return=none` all "
        "but `n_survivors`, `audit_seq` and `audit_head_event_id`.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "description": "The identity of this message; sent again, it is answered as recorded.",
        "schema": _text(512),
    },
}
