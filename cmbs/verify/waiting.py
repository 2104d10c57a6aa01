"""Proposals that wait for an approval or for a time, and go on."""

from typing import Any, NamedTuple

from cmbs.verify.errors import refuse
from cmbs.verify.questions import Questions, approvals_of, waivable
from cmbs.verify.state import At, State
from cmbs.verify.text import canonical

# What else is the same when a deferred proposal is tried again, and nothing of it is new.
_RETRIED = ("retries", "proposal", "resumes", "request_id")


class Waiting(NamedTuple):
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
            (item["item_no"], item["interrupt_id"], waivable(item["reasons"]))
            for item in self.payload["items"]
            if "interrupt_id" in item
        ]
        for one in approvals_of(self.payload):
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


def check_deferral(at: At, sent: dict[str, Any]) -> None:
    """That what is deferred waits for something, and what became of it is told."""
    deferral, retries = sent.get("deferral"), sent.get("retries", {})
    attempt, is_exhausted = retries.get("attempt", 0), False
    for reason in sent["reasons"]:
        is_exhausted |= reason["code"] == "DEFER_EXHAUSTED"
    refuse({"it was not tried again, and that too often": is_exhausted and not retries})
    if deferral is None:
        is_lost = retries and sent["reason_code"] != "EVALUATION_ERROR"
        refuse({"it does not say what became of what was deferred": is_lost})
        return
    deferral_id = retries.get("deferral_id")
    deferral_id = deferral_id or at.derived_id(sent["decided_at"], "deferral")
    is_so = (deferral["deferral_id"], deferral["attempt"]) == (deferral_id, attempt)
    refuse({"what is deferred is another": not is_so})
    is_crowded = "is_full" in sent and deferral["next_at"] is not None
    refuse({"no more could wait": is_crowded and not retries})
    if deferral["next_at"] is None:
        is_so = retries and not deferral["missing"] and "max_attempts" not in deferral
        refuse({"it waits for nothing": not is_so})
        return
    is_waiting = sent["disposition"] == "defer" or (
        not sent["proposal"]["atomic"]
        and any(item["disposition"] == "defer" for item in sent["items"])
    )
    is_waiting = is_waiting and all(one["stage"] != "session" for one in sent["reasons"])
    refuse({"it waits, and was not deferred": not is_waiting})
    refuse({"it was tried again too often": attempt >= deferral["max_attempts"]})
    refuse({"it waits for no time": deferral["next_at"] <= sent["decided_at"]})
    is_sorted = deferral["missing"] == sorted({*deferral["missing"]})
    refuse({"what it waits for is not sorted, each once": not is_sorted})


class WaitingProposals:
    """What of the verdicts of a session may still go on."""

    def __init__(self, questions: Questions, state: State) -> None:
        self._questions, self._state = questions, state
        self._asked: dict[int, Waiting] = {}
        self._deferred: dict[str, Waiting] = {}

    def keep(self, at: At, sent: dict[str, Any]) -> None:
        waiting = Waiting(at.seq, at.actor, sent)
        if any("interrupt_id" in verdict for verdict in sent["items"]):
            self._asked[at.seq] = waiting
        if deferral := sent.get("deferral"):
            self._deferred[deferral["deferral_id"]] = waiting

    def check_resumption(self, at: At, sent: dict[str, Any]) -> None:
        """That a proposal goes on about which people were asked, and that all of them said yes."""
        asked = self._asked.get(sent["resumes"]["seq"])
        if asked is None:
            raise ValueError("what it goes on with is not there")
        refuse({"somebody else had proposed it": asked.actor != at.actor})
        item_nos = asked.item_nos("interrupt_id")
        approvals = asked.approvals(item_nos)
        questions = [self._questions.by_id[one["interrupt_id"]] for one in approvals]
        for state in (question.state(sent["decided_at"]) for question in questions):
            refuse({f"it could not go on: APPROVAL_{state.upper()}": state != "approved"})
        resumes = {"seq": asked.seq, "item_nos": item_nos, "approvals": approvals}
        proposal = asked.going_on(item_nos, at.head_event_id)
        is_so = canonical([sent["resumes"], sent["proposal"]]) == canonical([resumes, proposal])
        refuse({"it is not what was asked about": not is_so})

    def check_retry(self, at: At, sent: dict[str, Any]) -> None:
        """That a deferred proposal is tried again as it was, when it was due."""
        retries, now = sent["retries"], sent["decided_at"]
        last = self._deferred.get(retries["deferral_id"])
        if last is None:
            raise ValueError("what it goes on with is not there")
        refuse({"somebody else had proposed it": last.actor != at.actor})
        deferral = last.payload["deferral"]
        is_due = deferral["next_at"] is not None and (
            deferral["next_at"] <= now
            or any(self._state.written.get(key, 0) > last.seq for key in deferral["missing"])
        )
        refuse({"what it waited for had not come": not is_due})
        item_nos = last.item_nos("deferral_id")
        names = ("token_id", "is_token_shown")
        same: dict[str, Any] = {name: last.payload[name] for name in names if name in last.payload}
        same["retries"] = retries | {"attempt": deferral["attempt"] + 1}
        same["proposal"] = last.going_on(item_nos, at.head_event_id)
        if resumes := last.payload.get("resumes"):
            counted = approvals_of(sent)
            asked = last.approvals(item_nos)
            approvals = [
                one
                for one in asked
                if self._questions.counts(one["interrupt_id"], now, one in counted)
            ]
            same["resumes"] = resumes | {"item_nos": item_nos, "approvals": approvals}
        recorded = {name: sent[name] for name in (*_RETRIED, *names) if name in sent}
        is_so = canonical(recorded) == canonical(same)
        refuse({"it is not what was deferred": not is_so})
