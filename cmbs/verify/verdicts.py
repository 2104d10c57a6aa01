"""Verdicts: what reasons come to, for which items, and what takes effect by a token."""

from typing import Any

from cmbs.verify.errors import refuse
from cmbs.verify.questions import approvals_of
from cmbs.verify.shapes import is_id, is_object
from cmbs.verify.state import State
from cmbs.verify.text import canonical, digest_of
from cmbs.verify.tokens import Tokens, are_under

_SEVERITIES = {"ask": 1, "degrade": 2, "defer": 3}
# What a verdict on an item may offer: to execute, to ask a person, to wait, to ask for less.
OFFERS = ("permit_id", "permit", "interrupt_id", "interrupt", "deferral_id", "offer")


def fold_reasons(reasons: list[dict[str, Any]]) -> dict[str, Any]:
    """What reasons come to."""
    severity = max((_SEVERITIES.get(reason["disposition"], 4) for reason in reasons), default=0)
    return {
        "decision": ("allow", "defer", "deny", "defer", "deny")[severity],
        "disposition": ("execute", "ask", "degrade", "defer", "block")[severity],
        "reason_code": reasons[0]["code"] if reasons else "ALLOWED",
        "reasons": reasons,
    }


def _approved(sent: dict[str, Any]) -> set[int]:
    """The numbers of the items of which somebody approved that the token takes an approval."""
    return {
        one["item_no"]
        for one in approvals_of(sent)
        if {"code": "APPROVAL_REQUIRED"} in one["waives"]
    }


class Verdicts:
    """Checks verdicts, and spends what they cost."""

    def __init__(self, tokens: Tokens, state: State) -> None:
        self._tokens, self._state = tokens, state

    def check(
        self, proposal: dict[str, Any], sent: dict[str, Any], token: dict[str, Any] | None
    ) -> list[int]:
        """That a verdict is what its reasons come to; the numbers of the items that take effect."""
        reasons, effective = sent["reasons"], list[int]()
        is_atomic, items = proposal["atomic"], proposal["items"]
        refuse({"there is no verdict on each item": not 0 < len(items) == len(sent["items"]) < 101})
        for no, (item, recorded) in enumerate(zip(items, sent["items"], strict=True), 1):
            is_call, patch = item["kind"] == "tool_call", item.get("patch", {})
            is_so = is_id(item["tool_id"]) if is_call else item["kind"] == "state_delta"
            refuse({f"item {no} is no call and no delta": not (is_so and is_object(patch))})
            its = [
                {name: value for name, value in reason.items() if name != "item_no"}
                for reason in reasons
                if reason.get("item_no", no) == no
            ]
            verdict = fold_reasons(its) | {"item_no": no, "digest": digest_of(item)}
            verdict["effective"] = not its and not (is_atomic and reasons)
            if "args" in item:
                verdict["args_hash"] = digest_of(item["args"])
            for name in ("digest", "args_hash"):
                refuse(
                    {f"the {name} of item {no} is another": recorded.get(name) != verdict.get(name)}
                )
            bare = {name: value for name, value in recorded.items() if name not in OFFERS}
            is_so = canonical(bare) == canonical(verdict)
            refuse({f"the verdict on item {no} is not what its reasons come to": not is_so})
            if verdict["effective"]:
                effective.append(no)
        head = fold_reasons([] if effective else reasons) | {"reasons": reasons}
        is_so = all(sent[name] == value for name, value in head.items())
        refuse({"the verdict is not what its reasons come to": not is_so})
        for reason in reasons:
            self._check_reason(reason, token)
        return effective

    def _check_reason(self, reason: dict[str, Any], token: dict[str, Any] | None) -> None:
        """That what a reason says of budget and mode is so, as the log alone tells both."""
        code, detail = reason["code"], reason.get("detail", "")
        if code == "MODE_FORBIDS":
            is_so = detail.startswith(f"the mode {self._state.mode} forbids ")
            refuse({"the mode is another": not is_so})
        elif code == "BUDGET_EXHAUSTED":
            possible = list[str]()
            if token is not None:
                left = f"{self._tokens.left(token, 'max_calls')} left"
                possible += [f"{left} of max_calls", f"past the soft limit of max_calls, {left}"]
                possible += [f"nothing left of {unit}" for unit in self._tokens.used_up(token)]
            refuse({"of the budget something else was left": detail not in possible})

    def spend(
        self, actor: str, sent: dict[str, Any], nos: list[int], token: dict[str, Any] | None
    ) -> None:
        """That a token let these items of a proposal be; spend what they cost."""
        if token is None or not sent["is_token_shown"] or token["holder"] != actor:
            raise ValueError("something took effect without a token of the proposer")
        self._tokens.check(token, sent["decided_at"])
        refuse({"something took effect while the kill switch was on": "halt" in sent})
        items = {no: sent["proposal"]["items"][no - 1] for no in nos}
        calls = {no: item["tool_id"] for no, item in items.items() if item["kind"] == "tool_call"}
        called = {*calls.values()}
        keys = [key for item in items.values() for key in item.get("patch", {})]
        keys += ["core" for item in items.values() if "s_core" in item]
        spaces = [one[12:] for one in token["capabilities"] if one.startswith("state.write.")]
        is_known = all(sent["tools"].get(tool_id) for tool_id in called)
        # Which capabilities would do in place of a tool's name stands in its definition.
        is_covered = token["capabilities"] or called <= {*token["tools"]}
        is_covered = is_covered and are_under(keys, token["state_prefixes"] + spaces)
        is_spent = len(calls) > max(self._tokens.left(token, "max_calls"), 0)
        is_used_up = calls and self._tokens.used_up(token)
        is_approved = token["approval"] != "required" or calls.keys() <= _approved(sent)
        refuse({"a tool was called that was not registered": not is_known})
        refuse({"the token does not cover a tool or a key": not is_covered})
        refuse({"the token had not so many calls left": is_spent})
        refuse({"the token had nothing left of what calls use up": is_used_up})
        refuse({"nobody approved a call": not is_approved})
        self._tokens.spend(token["token_id"], {"max_calls": len(calls)})
