"""What was proposed, what was decided, and why, in words, line by line."""

from collections.abc import Iterator
from typing import Any

from cmbs.cli.say.policy import verdict, version, why
from cmbs.common.words import Object, count, minute, printable, shown, written


def decided(answer: Object) -> Iterator[str]:
    """An answer of cmbs.propose."""
    again = " (recorded before)" if answer["duplicate"] else ""
    yield f"proposal  {answer['proposal_id'] or 'dry run, nothing was written'}{again}"
    yield f"decision  {verdict(answer)}"
    yield f"policy    {version(answer['policy'])}"
    yield from _waits(answer)
    for reason in answer["reasons"]:
        if "item_no" not in reason:
            yield f"  {why(reason)}"
    for item in answer["items"]:
        yield f"item {item['item_no']:<4} {_effect(item)}"
        yield from _reasons(answer, item)
        yield from _ways_out(item)


def explained(answer: Object) -> Iterator[str]:
    """An answer of cmbs.explain_decision."""
    who = shown(answer["actor"])
    yield f"proposal  {answer['proposal_id']}"
    yield f"made      {answer['ts']} by {who}, event {answer['seq']}"
    yield f"source    {shown(str(answer['proposal']['provenance'].get('source')))}"
    yield f"decision  {verdict(answer)}"
    yield f"policy    {version(answer['policy'])}"
    yield from _around(answer)
    for reason in answer["reasons"]:
        if "item_no" not in reason:
            yield f"  {why(reason)}"
    for item in answer["items"]:
        yield f"item {item['item_no']:<4} {_effect(item)}"
        yield from action(item["item"])
        yield from _reasons(answer, item)
        yield from _ways_out(item)
        for found in item["constraints"]:
            yield from _constraint(found)
        if not item["constraints"]:
            yield "  no constraint of the pack is about it"


def replayed(answer: Object) -> Iterator[str]:
    """An answer of cmbs.replay_policy."""
    proposals = count(answer["n_proposals"], "proposal")
    yield f"{version(answer)}: {answer['n_flips']} of {proposals} would be decided otherwise"
    for flip in answer["flips"]:
        yield (
            f"  event {flip['seq']}  {flip['proposal_id']} by {shown(flip['actor'])}: "
            f"{verdict(flip['recorded'])} -> {verdict(flip['replayed'])}"
        )
        for reason in flip["reasons"]:
            yield f"    {why(reason)}"
    if more := answer["n_flips"] - len(answer["flips"]):
        yield f"  and {count(more, 'proposal')} more; see --limit"


def diverged(row: Object) -> str:
    """A row of cmbs.shadow_divergence."""
    shadow = {
        name: row[f"shadow_{name}"]
        for name in ("pack", "version", "decision", "disposition", "reason_code")
    }
    call = "" if row["tool_id"] is None else f", {shown(row['tool_id'])}"
    return (
        f"event {row['seq']}, item {row['item_no']}  by {shown(row['actor'])}{call}: "
        f"{version(row)}: {verdict(row)}; {version(shadow)}: {verdict(shadow)}"
    )


def tokens(answer: Object) -> Iterator[str]:
    """An answer of cmbs.list_capabilities."""
    for token in answer["capability_tokens"]:
        parts = [token["token_id"], shown(token["holder"])]
        until = f"until {minute(token['expires_at'])}"
        parts.append("revoked" if token["revoked"] else until)
        for name in ("tools", "capabilities", "state_prefixes", "resource_roots"):
            if token[name]:
                parts.append(f"{name.replace('_', ' ')} {', '.join(map(shown, token[name]))}")
        left = (
            f"{shown(unit)} {token['left'][unit]} of {most}"
            for unit, most in token["budgets"].items()
        )
        parts.append(f"left {', '.join(left) or 'nothing'}")
        if token["approval_requirement"] == "required":
            parts.append("needs approval")
        if token["parent_id"]:
            parts.append(f"of {token['parent_id']}")
        yield "  ".join(parts)


def _effect(item: Object) -> str:
    if item["decision"] == "allow" and not item["effective"]:
        return "allow, but not without the others"
    return verdict(item)


def _reasons(answer: Object, item: Object) -> Iterator[str]:
    """What stands in the way of this item alone; what does so of all was told before."""
    for reason in answer["reasons"]:
        if reason.get("item_no") == item["item_no"]:
            yield f"  {why(reason)}"


def _ways_out(item: Object) -> Iterator[str]:
    """What follows: leave to execute it, a person to ask, a while to wait, or something else."""
    if permit := item.get("permit"):
        yield f"  permit  {item['permit_id']}, to be begun until {minute(permit['expires_at'])}"
    if question := item.get("interrupt"):
        keys = ", ".join(map(shown, question["constraint_keys"])) or "nothing"
        yield (
            f"  asks  a person, question {item['interrupt_id']}, until "
            f"{minute(question['expires_at'])}; a yes would lift {keys}"
        )
    if offer := item.get("offer"):
        yield f"  offer  {_offer(offer)}"


def _offer(offer: Object) -> str:
    if offer["kind"] == "mode":
        return f"in the mode {shown(offer['mode'])} it would not be forbidden"
    grant = offer["grant"]
    what = ", ".join(map(shown, grant["tools"] + grant["capabilities"]))
    return f"a token for one call of {what}, made from {grant['parent']}, would let it"


def _around(answer: Object) -> Iterator[str]:
    """What a decision goes on with, what it waits for, and what was asked beside it."""
    if resumes := answer.get("resumes"):
        waived = [reason for one in resumes["approvals"] for reason in one["waives"]]
        lifted = dict.fromkeys(shown(reason.get("key", reason["code"])) for reason in waived)
        yield f"goes on   with event {resumes['seq']}; approvals lift {', '.join(lifted)}"
    if retries := answer.get("retries"):
        yield f"tried     retry {retries['attempt']}, by {shown(retries['by'])}"
    yield from _waits(answer)
    if shadow := answer.get("shadow"):
        yield f"shadow    {version(shadow['policy'])}: {verdict(shadow)}"


def _waits(answer: Object) -> Iterator[str]:
    """What a deferred proposal waits for, if it does."""
    deferral = answer.get("deferral")
    if deferral and deferral.get("next_at") is not None:
        keys = ", ".join(map(shown, deferral["missing"])) or "time to pass"
        yield (
            f"waits     for {keys}; tried again at {minute(deferral['next_at'])} at the latest, "
            f"{deferral['max_attempts'] - deferral['attempt']} times at most"
        )


def action(item: Object) -> Iterator[str]:
    """An item as it was proposed."""
    if item["kind"] == "tool_call":
        yield f"  calls {shown(item['tool_id'])} with {written(item['args'])}"
        if "intent_summary" in item:
            yield f"  intent  {printable(item['intent_summary'])}"
        return
    for key, value in item.get("patch", {}).items():
        change = "deletes" if value is None else "writes "
        yield f"  {change} {shown(key)}" + ("" if value is None else f"  {printable(value)}")
    if "s_core" in item:
        yield f"  writes  the vector, of {count(len(item['s_core']), 'number')}"


def _constraint(found: Object) -> Iterator[str]:
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
