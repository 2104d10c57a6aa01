"""What was proposed, what was decided, and why, in words, part by part."""

from collections.abc import Iterator
from typing import Any

from cmbs.cli.page import Id, Part, State, Table, validity, when
from cmbs.cli.say.policy import verdict, version, why
from cmbs.common.words import Object, count, printable, shown, written


def decided(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.propose."""
    again = " (recorded before)" if answer["duplicate"] else ""
    yield "proposal", f"{answer['proposal_id'] or 'dry run, nothing was written'}{again}"
    yield "decision", verdict(answer)
    yield "policy", version(answer["policy"])
    yield from _waits(answer)
    yield from _general_reasons(answer)
    for item in answer["items"]:
        yield f"item {item['item_no']}", _effect(item)
        yield from _reasons(answer, item)
        yield from _ways_out(item)


def explained(answer: Object, questions: dict[str, Object] | None = None) -> Iterator[Part]:
    """An answer of cmbs.explain_decision, and the questions that it opened as they are now."""
    yield "proposal", answer["proposal_id"]
    yield "made", f"{when(answer['ts'])} by {shown(answer['actor'])}, event {answer['seq']}"
    yield "source", shown(str(answer["proposal"]["provenance"].get("source")))
    yield "decision", verdict(answer)
    yield "policy", version(answer["policy"])
    yield from _around(answer)
    yield from _general_reasons(answer)
    for item in answer["items"]:
        yield f"item {item['item_no']}", _effect(item)
        yield from action(item["item"])
        yield from _reasons(answer, item)
        yield from _ways_out(item, (questions or {}).get(item.get("interrupt_id", "")))
        for found in item["constraints"]:
            yield from _constraint(found)
        if not item["constraints"]:
            yield "  no constraint of the pack is about it"


def replayed(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.replay_policy."""
    proposals = count(answer["n_proposals"], "proposal")
    yield f"{version(answer)} would decide {answer['n_flips']} of {proposals} otherwise"
    for flip in answer["flips"]:
        yield (
            f"  event {flip['seq']}  {flip['proposal_id']} by {shown(flip['actor'])}: "
            f"{verdict(flip['recorded'])} -> {verdict(flip['replayed'])}"
        )
        for reason in flip["reasons"]:
            yield f"    {why(reason)}"
    if more := answer["n_flips"] - len(answer["flips"]):
        yield f"  and {count(more, 'proposal')} more; see --limit"


def diverged(rows: list[Object]) -> Iterator[Part]:
    """Rows of cmbs.shadow_divergence."""
    yield Table(
        ["event", "item", "actor", "tool", "policy", "decided", "shadow", "would decide"],
        [*map(_divergence, rows)],
    )


def _divergence(row: Object) -> tuple[str, ...]:
    shadow = {
        name: row[f"shadow_{name}"]
        for name in ("pack", "version", "decision", "disposition", "reason_code")
    }
    return (
        *(str(row["seq"]), str(row["item_no"]), shown(row["actor"])),
        "-" if row["tool_id"] is None else shown(row["tool_id"]),
        *(version(row), verdict(row), version(shadow), verdict(shadow)),
    )


def tokens(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.list_capabilities."""
    if answer["capability_tokens"]:
        yield Table(
            ["token", "holder", "state", "expires", "covers", "left", "made from"],
            [*map(_token, answer["capability_tokens"])],
        )


def _token(token: Object) -> tuple[str, ...]:
    covers = [
        f"{name.replace('_', ' ')} {', '.join(map(shown, token[name]))}"
        for name in ("tools", "capabilities", "state_prefixes", "resource_roots")
        if token[name]
    ]
    left = (
        f"{shown(unit)} {token['left'][unit]} of {most}" for unit, most in token["budgets"].items()
    )
    state = "revoked" if token["revoked"] else validity(token["expires_at"])
    if token["approval_requirement"] == "required":
        state += ", needs approval"
    return (
        *(Id(token["token_id"]), shown(token["holder"]), State(state), when(token["expires_at"])),
        *("; ".join(covers) or "nothing", ", ".join(left) or "nothing"),
        Id(token["parent_id"]) if token["parent_id"] else "-",
    )


def _general_reasons(answer: Object) -> Iterator[Part]:
    """What stands in the way of all items."""
    for reason in answer["reasons"]:
        if "item_no" not in reason:
            yield "  because", why(reason)


def _effect(item: Object) -> str:
    if item["decision"] == "allow" and not item["effective"]:
        return State("allow, but only together with the others")
    return verdict(item)


def _reasons(answer: Object, item: Object) -> Iterator[Part]:
    """What stands in the way of this item alone; what does so of all was told before."""
    for reason in answer["reasons"]:
        if reason.get("item_no") == item["item_no"]:
            yield "  because", why(reason)


def _ways_out(item: Object, asked: Object | None = None) -> Iterator[Part]:
    """What follows: a permit to execute it, a person to ask, or something else that would do."""
    if permit := item.get("permit"):
        yield "  permit", f"{item['permit_id']}, begin before {when(permit['expires_at'])}"
    if question := item.get("interrupt"):
        keys = ", ".join(map(shown, question["constraint_keys"])) or "nothing"
        state = asked["status"] if asked else "pending"
        yield "  question", f"{item['interrupt_id']}, {state}"
        if answer := asked and asked["resolution"]:
            comment = f": {printable(answer['comment'])}" if answer["comment"] else ""
            yield "    answer", f"{when(answer['at'])} by {shown(answer['by'])}{comment}"
        if state == "pending":
            yield "    answer before", when(question["expires_at"])
            yield "    a yes lifts", keys
    if offer := item.get("offer"):
        yield "  instead", _offer(offer)


def _offer(offer: Object) -> str:
    if offer["kind"] == "mode":
        return f"the mode {shown(offer['mode'])} does not forbid it"
    grant = offer["grant"]
    what = ", ".join(map(shown, grant["tools"] + grant["capabilities"]))
    return f"a token for one call of {what}, made from {grant['parent']}"


def _around(answer: Object) -> Iterator[Part]:
    """What a decision continues, what it waits for, and what was asked beside it."""
    if resumes := answer.get("resumes"):
        waived = [reason for one in resumes["approvals"] for reason in one["waives"]]
        lifted = dict.fromkeys(shown(reason.get("key", reason["code"])) for reason in waived)
        yield "continues", f"event {resumes['seq']}; approvals lift {', '.join(lifted)}"
    if retries := answer.get("retries"):
        yield "retry", f"{retries['attempt']}, by {shown(retries['by'])}"
    yield from _waits(answer)
    if shadow := answer.get("shadow"):
        yield "shadow", f"{version(shadow['policy'])}: {verdict(shadow)}"


def _waits(answer: Object) -> Iterator[Part]:
    """What a deferred proposal waits for, if it does."""
    deferral = answer.get("deferral")
    if deferral and deferral.get("next_at") is not None:
        yield "waits for", ", ".join(map(shown, deferral["missing"])) or "time to pass"
        tries = count(deferral["max_attempts"] - deferral["attempt"], "try", "tries")
        yield "next try", f"{when(deferral['next_at'])} at the latest, {tries} left"


def action(item: Object) -> Iterator[Part]:
    """An item as it was proposed."""
    if item["kind"] == "tool_call":
        yield "  calls", f"{shown(item['tool_id'])} with {written(item['args'])}"
        if "intent_summary" in item:
            yield "  intent", printable(item["intent_summary"])
        return
    for key, value in item.get("patch", {}).items():
        if value is None:
            yield "  deletes", shown(key)
        else:
            yield "  writes", f"{shown(key)}  {printable(value)}"
    if "s_core" in item:
        yield "  writes", f"the vector, of {count(len(item['s_core']), 'number')}"


def _constraint(found: Object) -> Iterator[Part]:
    stands_in_the_way = found["outcome"] in ("denies", "does not allow")
    fails = f", on_fail {found['on_fail']}" if stands_in_the_way and "on_fail" in found else ""
    # The reason of a rule that lets something pass reads as if it did not.
    fires = stands_in_the_way or found["outcome"] == "waived"
    reason = f": {printable(found['reason'])}" if fires and "reason" in found else ""
    yield f"  {shown(found['key'])}  {found['outcome']}{fails}{reason}"
    if condition := found.get("condition"):
        yield from _clause(condition, 4)
    # Nothing unlocks what has no condition.
    if "unlock" in found and found.get("condition", True):
        yield f"    unlock: {printable(found['unlock'])}"


def _clause(node: Object, indent: int) -> Iterator[str]:
    """A condition: whether it holds, what it asks, and what it read."""
    op, arguments = node["op"], node["args"]
    start = f"{' ' * indent}{node['holds']:<7}  {op}"
    if op in ("all", "any", "not"):
        yield start
        for child in arguments:
            yield from _clause(child, indent + 2)
        return
    if op == "schema":
        fault = node.get("fault")
        why = "it conforms" if fault is None else printable(fault)
        yield f"{start} {' '.join(shown(str(one)) for one in arguments)}  ({why})"
        return
    reads = "; ".join(_read(node.get("read", {})) + _read(node.get("reference", {})))
    others = "".join(f" {_operand(one)}" for one in arguments[1:])
    yield f"{start} {shown(str(arguments[0]))}{others}  ({reads})"


def _operand(value: Any) -> str:
    if isinstance(value, dict) and "ref" in value:
        return shown(str(value["ref"]))
    return written(value)


def _read(found: dict[str, Any]) -> list[str]:
    special = {"absent": "is not there", "unreadable": "cannot be read"}
    values = []
    for path, value in found.items():
        marks = [text for mark, text in special.items() if value == {mark: True}]
        values.append(f"{shown(path)} {marks[0] if marks else f'is {written(value)}'}")
    return values
