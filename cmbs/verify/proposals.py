"""Proposals: the verdict on each, what it offers, and what later events go on with."""

from typing import Any

from cmbs.verify.errors import refuse
from cmbs.verify.executions import Executions, Permit
from cmbs.verify.payloads import KINDS
from cmbs.verify.policies import Policies
from cmbs.verify.questions import Questions, approvals_of, question_about
from cmbs.verify.shapes import DAY_MS, is_within
from cmbs.verify.state import At, State
from cmbs.verify.text import digest_of
from cmbs.verify.tokens import Tokens
from cmbs.verify.verdicts import OFFERS, Verdicts
from cmbs.verify.waiting import WaitingProposals, check_deferral


class Proposals:
    """The proposals of a session."""

    def __init__(
        self,
        policies: Policies,
        tokens: Tokens,
        questions: Questions,
        executions: Executions,
        state: State,
    ) -> None:
        self._policies, self._tokens, self._questions = policies, tokens, questions
        self._executions, self._state = executions, state
        self._verdicts = Verdicts(tokens, state)
        self._waiting = WaitingProposals(questions, state)
        # What was first proposed under each key of an actor, which its hash stands for.
        self._first: dict[int, str] = {}

    def take(self, at: At, sent: dict[str, Any]) -> None:
        refuse({"the version of the verdict is not known": sent["v"] != 2})
        refuse({"is_full is not true": not sent.get("is_full", True)})
        proposal = sent["proposal"]
        self._check_key(at.actor, sent)
        if "retries" in sent:
            self._waiting.check_retry(at, sent)
        elif "resumes" in sent:
            self._waiting.check_resumption(at, sent)
        token = self._tokens.known(sent["token_id"]) if "token_id" in sent else None
        effective = self._verdicts.check(proposal, sent, token)
        is_asked = self._policies.shadow is not None
        refuse({"a policy beside the one in force was not asked": is_asked != ("shadow" in sent)})
        if is_asked:
            self._check_shadow(proposal, sent["shadow"], token)
        if effective:
            self._verdicts.spend(at.actor, sent, effective, token)
        check_deferral(at, sent)
        for verdict in sent["items"]:
            self._check_offers(at, sent, verdict, token)
        self._keep(at, sent)

    def _check_key(self, actor: str, sent: dict[str, Any]) -> None:
        """That nothing is proposed twice under one key."""
        proposal, first = sent["proposal"], None
        digest = digest_of([proposal["atomic"], proposal["items"]])
        if "idempotency_key" in proposal:
            key = hash((actor, proposal["idempotency_key"]))
            first = self._first.get(key)
            self._first.setdefault(key, digest)
        is_reused = sent["reason_code"] == "IDEMPOTENCY_MISMATCH"
        refuse({"the same was proposed under this key before": first == digest})
        refuse({"the key was used for other items before": first and not is_reused})
        refuse({"the key was not used for other items": is_reused and not first})

    def _check_shadow(
        self, proposal: dict[str, Any], sent: dict[str, Any], token: dict[str, Any] | None
    ) -> None:
        """That what the policy beside the one in force said is a verdict, and has no effect."""
        refuse(
            {
                "the policy beside the one in force is another": sent["policy"]
                != self._policies.shadow
            }
        )
        self._verdicts.check(proposal, sent, token)
        for verdict in sent["items"]:
            is_acted_on = {*OFFERS[:-1]} & verdict.keys()
            refuse({"something follows from a verdict that is not in force": is_acted_on})

    # What follows from verdicts

    def _check_offers(
        self,
        at: At,
        sent: dict[str, Any],
        verdict: dict[str, Any],
        token: dict[str, Any] | None,
    ) -> None:
        """That exactly that is offered with the verdict on an item which follows from it."""
        no, now, deferral = verdict["item_no"], sent["decided_at"], sent.get("deferral", {})
        item, of = sent["proposal"]["items"][no - 1], f"{no} {verdict['digest']}"
        is_alone = not sent["proposal"]["atomic"]
        offered: dict[str, Any] = {}
        if verdict["effective"]:
            if item["kind"] == "tool_call":
                offered["permit_id"] = at.derived_id(now, f"permit {of}")
                offered["permit"] = verdict.get("permit")
                refuse(
                    {
                        "a call is allowed without a permit": not KINDS["permit"](
                            verdict.get("permit")
                        )
                    }
                )
                until = verdict["permit"]["expires_at"]
                by = approvals_of(sent)
                ends = [
                    self._questions.by_id[one["interrupt_id"]] for one in by if one["item_no"] == no
                ]
                is_long = token is None or until > token["expires_at"]
                is_long = is_long or any(until > question.expires_at for question in ends)
                is_so = is_within(now, until, DAY_MS) and not is_long
                refuse({f"the permit for item {no} does not run out in time": not is_so})
        elif verdict["disposition"] == "ask":
            if sent["disposition"] == "ask" or is_alone:
                offered["interrupt_id"] = at.derived_id(now, of)
                offered["interrupt"] = question_about(at, sent, verdict)
        elif verdict["disposition"] == "degrade":
            # What it is is not looked at.
            offered["offer"] = verdict["offer"]
        elif verdict["disposition"] == "defer" and deferral.get("next_at"):
            offered["deferral_id"] = deferral["deferral_id"]
        is_so = {name: verdict[name] for name in OFFERS if name in verdict} == offered
        refuse({f"what is offered with the verdict on item {no} is another": not is_so})

    def _keep(self, at: At, sent: dict[str, Any]) -> None:
        """What of a verdict later events go on with."""
        for item, verdict in zip(sent["proposal"]["items"], sent["items"], strict=True):
            no = verdict["item_no"]
            by = [one["interrupt_id"] for one in approvals_of(sent) if one["item_no"] == no]
            if verdict["effective"]:
                for interrupt_id in by:
                    self._questions.by_id[interrupt_id].is_used = True
                if item["kind"] == "state_delta":
                    self._state.changed = at.seq
                    self._state.written |= dict.fromkeys(item.get("patch", {}), at.seq)
            if "permit_id" in verdict:
                permit = Permit(
                    at.seq, at.actor, sent["roles"], item["tool_id"], sent["token_id"],
                    verdict["permit"]["expires_at"], by,
                )  # fmt: skip
                self._executions.permit(verdict["permit_id"], permit)
            if "interrupt_id" in verdict:
                self._questions.ask(at, sent, verdict)
        self._waiting.keep(at, sent)
