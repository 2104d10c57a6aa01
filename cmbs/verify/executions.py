"""Permits for calls, and what became of them."""

from dataclasses import dataclass
from typing import Any

from cmbs.verify.errors import refuse
from cmbs.verify.policies import Policies
from cmbs.verify.questions import Questions
from cmbs.verify.state import At, State
from cmbs.verify.text import digest_of
from cmbs.verify.tokens import Tokens


@dataclass
class Permit:
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


class Executions:
    """The permits of a session."""

    def __init__(
        self, policies: Policies, tokens: Tokens, questions: Questions, state: State
    ) -> None:
        self._policies, self._tokens, self._questions = policies, tokens, questions
        self._state = state
        self._permits: dict[str, Permit] = {}

    def permit(self, permit_id: str, permit: Permit) -> None:
        self._permits[permit_id] = permit

    def end_all(self) -> None:
        for permit in self._permits.values():
            permit.expires_at = ""

    def _known(self, permit_id: str) -> Permit:
        is_known = permit_id in self._permits
        refuse({"what it goes on with is not one of the session": not is_known})
        return self._permits[permit_id]

    def begin(self, at: At, sent: dict[str, Any]) -> None:
        permit, now = self._known(sent["permit_id"]), sent["decided_at"]
        token = self._tokens.known(permit.token_id)
        is_late = now >= permit.expires_at or permit.is_ended
        cannot = "the execution could not be begun: "
        refuse({cannot + "PERMIT_USED": permit.begun_by is not None})
        refuse({cannot + "PERMIT_EXPIRED": is_late})
        self._tokens.check(token, now)
        if "tools" in sent:
            assert self._policies.in_force is not None
            is_superseded = any(
                self._questions.by_id[one].is_superseded for one in permit.approvals
            )
            is_so = sent["policy_hash"] == self._policies.in_force["policy_hash"]
            refuse({cannot + "APPROVAL_SUPERSEDED": is_superseded})
            refuse({"the policy is not the one in force": not is_so})
            is_known = sent["tools"].get(permit.tool_id)
            refuse({"a tool was called that was not registered": not is_known})
        else:
            is_same = sent["roles"] == permit.roles and self._state.changed < permit.seq
            refuse({"it was not decided anew, and something had changed": not is_same})
        permit.begun_by = at.actor

    def complete(self, at: At, sent: dict[str, Any]) -> None:
        permit, usage = self._known(sent["permit_id"]), sent["usage"]
        is_other = permit.begun_by != at.actor
        refuse({"the execution was not begun by who ended it": is_other})
        refuse({"the execution had ended before": permit.is_ended})
        status = {"ok": "committed", "error": "rolled_back"}.get(sent["outcome"])
        refuse({"the outcome is neither ok nor error": status is None})
        refuse({"the status does not follow from the outcome": sent["status"] != status})
        is_so = sent["result_hash"] == digest_of(sent["result"])
        refuse({"the hash is not that of the result": not is_so})
        is_so = all(n <= self._tokens.granted(permit.token_id, u) for u, n in usage.items())
        refuse({"it used up what no budget names, or more than was granted": not is_so})
        permit.is_ended = True
        # One call was reserved: it is given back, or settled.
        calls = 0 if status == "rolled_back" else usage.get("max_calls", 1)
        self._tokens.spend(permit.token_id, usage | {"max_calls": calls - 1})

    def sweep(self, at: At, sent: dict[str, Any]) -> None:
        permits = [self._known(permit_id) for permit_id in sent["permits"]]
        is_so = len({*sent["permits"]}) == len(permits) >= ("clock" not in sent) and all(
            permit.expires_at <= sent["decided_at"]
            and permit.begun_by is None
            and not permit.is_ended
            for permit in permits
        )
        refuse({"a permit was released that had not run out": not is_so})
        for permit in permits:
            permit.is_ended = True
            self._tokens.spend(permit.token_id, {"max_calls": -1})
