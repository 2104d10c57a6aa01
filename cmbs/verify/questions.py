"""What people were asked about actions, and what they answered."""

from dataclasses import dataclass
from typing import Any

from cmbs.verify.errors import refuse
from cmbs.verify.payloads import KINDS
from cmbs.verify.policies import Policies
from cmbs.verify.shapes import DAY_MS, is_within
from cmbs.verify.state import At
from cmbs.verify.text import digest_of


def waivable(reasons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    asked = [reason for reason in reasons if reason["disposition"] == "ask"]
    return [{name: one[name] for name in ("code", "key") if name in one} for one in asked]


def approvals_of(sent: dict[str, Any]) -> list[dict[str, Any]]:
    """The approvals by which a proposal goes on, if it is one that does."""
    resumes: dict[str, list[dict[str, Any]]] = sent.get("resumes", {"approvals": []})
    return resumes["approvals"]


def question_about(at: At, sent: dict[str, Any], verdict: dict[str, Any]) -> dict[str, Any]:
    """The question that must be asked about an item."""
    refuse({"a person is asked nothing": not KINDS["question"](verdict.get("interrupt"))})
    until = verdict["interrupt"]["expires_at"]
    is_so = is_within(sent["decided_at"], until, 365 * DAY_MS)
    refuse({"a question does not run out in time": not is_so})
    action = {
        "item": sent["proposal"]["items"][verdict["item_no"] - 1],
        "state_snapshot_id": at.head_event_id,
        "policy_hash": sent["policy"]["policy_hash"],
    }
    keys = [one["key"] for one in waivable(verdict["reasons"]) if "key" in one]
    return {
        "action_digest": digest_of(action),
        "constraint_keys": sorted({*keys}),
        "expires_at": until,
    }


@dataclass
class Question:
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

    def state(self, now: str) -> str:
        if self.is_used:
            return "consumed"
        if self.resolution in ("decline", "cancel"):
            return {"decline": "declined", "cancel": "cancelled"}[self.resolution]
        if self.is_superseded:
            return "superseded"
        if now >= self.expires_at:
            return "expired"
        return "approved" if self.resolution else "pending"


class Questions:
    """The questions of a session."""

    def __init__(self, policies: Policies) -> None:
        self._policies = policies
        self.by_id: dict[str, Question] = {}

    def ask(self, at: At, sent: dict[str, Any], verdict: dict[str, Any]) -> None:
        asked, digest = verdict["interrupt"], sent["policy"]["policy_hash"]
        keys = asked["constraint_keys"]
        texts = self._policies.texts(digest, keys) if keys else {}
        self.by_id[verdict["interrupt_id"]] = Question(
            at.seq, at.actor, asked["action_digest"], asked["expires_at"], digest, texts
        )

    def supersede(self, digest: str) -> None:
        """That another policy is in force, which may have changed what would be waived."""
        for question in self.by_id.values():
            if question.texts is None:
                is_same = question.policy_hash == digest
                question.is_superseded = question.is_superseded if is_same else None
            elif question.texts:
                is_other = self._policies.texts(digest, question.texts) != question.texts
                question.is_superseded = question.is_superseded or is_other

    def end_all(self) -> None:
        for question in self.by_id.values():
            question.expires_at = ""

    def counts(self, interrupt_id: str, now: str, is_recorded: bool) -> bool:
        """Whether an approval still counts; where only a policy would tell, the record does."""
        question = self.by_id[interrupt_id]
        is_good = question.state(now) == "approved"
        return is_good and (is_recorded or question.is_superseded is not None)

    def resolve(self, at: At, sent: dict[str, Any]) -> None:
        is_known = sent["interrupt_id"] in self.by_id
        refuse({"what it goes on with is not one of the session": not is_known})
        question = self.by_id[sent["interrupt_id"]]
        state, cannot = question.state(sent["decided_at"]), "the question does not take this answer"
        codes = {"superseded": "APPROVAL_SUPERSEDED", "expired": "APPROVAL_EXPIRED"}
        refuse({f"{cannot}: APPROVAL_OWN_REQUEST": question.actor == at.actor})
        code = codes.get(state, "APPROVAL_RESOLVED")
        refuse({f"{cannot}: {code}": state != "pending"})
        is_other = sent["action_digest"] != question.digest
        refuse({"the question was about something else": is_other})
        is_so = sent["resolution"] in ("approve", "decline", "cancel")
        refuse({"there is no such answer": not is_so})
        question.resolution = sent["resolution"]
