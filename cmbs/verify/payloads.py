"""What each verb records: the members of its payload."""

from typing import Any

from cmbs.verify.shapes import (
    Rules,
    has_members,
    is_flag,
    is_free_object,
    is_hash,
    is_id,
    is_ids,
    is_moment,
    is_number,
    is_object,
    is_text,
    is_uuid,
)

_ONTOLOGY = dict.fromkeys(
    ("hypothesis_space_id", "hypothesis_version", "causal_graph_ref", "causal_graph_version"),
    lambda value: is_text(value, 1, 2048),
)
POLICY: Rules = {
    "validate_hypotheses": is_flag,
    "allow_forced_termination": is_flag,
    "stability_window": lambda value: is_number(value, 0, 1000),
}
_FROM: Rules = {"tee_incident": is_id, "edges?": lambda value: value is True}
_DECIDED: Rules = {
    "approved": is_flag,
    "reason": lambda value: type(value) is str,
    "request_id?": is_id,
}
PAYLOADS: dict[str, Rules] = {
    "DECLARE_SESSION": {
        "ontology": lambda value: has_members(value, _ONTOLOGY),
        "universe_digest": lambda value: type(value) is str,
        "n_hypotheses": lambda value: type(value) is int,
        "policy": lambda value: has_members(value, POLICY),
        "metadata?": is_free_object,
        "arbitration?": lambda value: has_members(value, PINNED | _WITH_SHADOW),
        "universe_from?": lambda value: has_members(value, _FROM),
    },
    "ELIMINATE": {
        "source_id": is_id,
        "observation_id": is_id,
        "eliminated": is_ids,
        "justification": is_free_object,
    },
    "ENTER_OBLIGATION": {
        "obligation_id": is_id,
        "min_total_eliminations": lambda value: is_number(value, 0, 2**63 - 1),
        "request_id?": is_id,
    },
    "REQUEST_EXIT": {"obligation_id": is_id, "context": is_free_object, **_DECIDED},
    "WAIVE_OBLIGATION": {
        "obligation_id": is_id,
        "waive_reason": lambda value: is_text(value, 1, 4096),
        **_DECIDED,
    },
    "DECLARE_CONCLUSION": {
        "conclusion_id": is_id,
        "context": is_free_object,
        "accepted": is_flag,
        "reason": lambda value: type(value) is str,
        "request_id?": is_id,
    },
    "REQUEST_TERMINATION": {"context": is_free_object, **_DECIDED},
}
KINDS: Rules = {
    "any": lambda value: True,
    "array": lambda value: type(value) is list,
    "boolean": is_flag,
    "budgets": lambda value: (
        type(value) is dict and all(is_number(one, 0, 2**62) for one in value.values())
    ),
    "claim": lambda value: has_members(value, _CLAIM),
    "comment": lambda value: is_text(value, 0, 4096),
    "deferral": lambda value: has_members(value, _DEFERRAL),
    "free": is_free_object,
    "hash": is_hash,
    "id": is_id,
    "ids": is_ids,
    "int": lambda value: type(value) is int,
    "moment": is_moment,
    "moment|null": lambda value: value is None or is_moment(value),
    "object": is_object,
    "permit": lambda value: has_members(value, _rules("expires_at:moment")),
    "pinned": lambda value: has_members(value, PINNED),
    "proposal": lambda value: has_members(value, _PROPOSAL),
    "question": lambda value: has_members(value, _QUESTION),
    "resumes": lambda value: has_members(value, _RESUMES),
    "retries": lambda value: has_members(value, _RETRIES),
    "shadow": lambda value: has_members(value, _SHADOW),
    "string": lambda value: type(value) is str,
    # Whole numbers of at most 13 digits, and a call that was made counts for one at least.
    "usage": lambda value: (
        type(value) is dict
        and all(is_number(one, 0, 10**13 - 1) for one in value.values())
        and value.get("max_calls") != 0
    ),
    "uuid": is_uuid,
    "uuids": lambda value: type(value) is list and all(map(is_uuid, value)),
    "uuid|null": lambda value: value is None or is_uuid(value),
    "version": lambda value: is_number(value, 0, 2**31 - 1),
}


def _rules(members: str) -> Rules:
    return {name: KINDS[kind] for name, kind in (one.split(":") for one in members.split())}


PINNED: Rules = _rules("pack:string version:version policy_hash:hash")
_PROPOSAL: Rules = _rules(
    "state_snapshot_id:uuid provenance:object atomic:boolean idempotency_key?:id items:array"
)
_CLAIM: Rules = _rules(
    "key:id value:any kind:string confidence:any source_chunk_ids:ids ttl_ms:any "
    "confirmed_by_event_id:uuid|null review_at:moment|null conflict_state:string "
    "on_unconfirmed:string"
)
# The policy that is asked beside the one in force, and never followed.
_WITH_SHADOW: Rules = _rules("shadow?:pinned")
_EVIDENCE = _rules("tools:object schemas:object reads:object reasons:array")
_DECISION = _EVIDENCE | _rules(
    "policy:pinned decision:string disposition:string reason_code:string"
)
_BY_POLICY = _DECISION | _rules("roles:ids decided_at:moment clock?:moment halt?:string")
_SHADOW: Rules = _DECISION | _rules("items:array")
_RESUMES: Rules = _rules("seq:int item_nos:array approvals:array")
_RETRIES: Rules = _rules("deferral_id:uuid attempt:int by:string")
_DEFERRAL: Rules = _rules(
    "deferral_id:uuid attempt:int max_attempts?:int missing:ids next_at:moment|null"
)
_QUESTION: Rules = _rules("action_digest:hash constraint_keys:ids expires_at:moment")
# What begins where something changed since the permit was given.
_DECIDED_ANEW = _rules("policy_hash?:hash tools?:object schemas?:object reads?:object")
# What else is inside of their objects and lists is looked at where it is used.
ARBITRATION = {
    "PROPOSE": _BY_POLICY
    | _rules(
        "v:int proposal:proposal is_token_shown:boolean token_id?:uuid items:array request_id?:id "
        "is_full?:boolean resumes?:resumes retries?:retries deferral?:deferral shadow?:shadow"
    ),
    "POLICY_APPLY": PINNED | _WITH_SHADOW | _EVIDENCE | _DECIDED,
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
    "BEGIN_EXECUTION": _DECIDED_ANEW
    | _rules("permit_id:uuid roles:ids decided_at:moment request_id?:id"),
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
PAYLOADS |= ARBITRATION


def is_payload(verb: str, payload: Any) -> bool:
    if not has_members(payload, PAYLOADS[verb]):
        return False
    if verb == "PROPOSE":
        return "resumes" in payload or "request_id" not in payload
    if verb == "BEGIN_EXECUTION":
        names = {name[:-1] for name in _DECIDED_ANEW}
        return len(names & payload.keys()) in (0, len(names))
    return True
