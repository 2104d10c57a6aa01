"""The answers about questions, permits and modes in words, part by part."""

from collections.abc import Iterator
from typing import Any

from cmbs.cli.page import Id, Part, State, Table, label, when
from cmbs.cli.say.decision import action
from cmbs.cli.say.policy import version
from cmbs.common.words import Object, printable, shown, written

_ENDS = {
    "allow": "allowed by a later try",
    "deny": "denied by a later try",
    "exhausted": "out of tries: the policy allows no more",
    "ended": "ended with its session",
}


def inbox(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.list_inbox or cmbs.list_interrupts."""
    if answer["interrupts"]:
        yield Table(
            [
                "question",
                "session",
                "state",
                "asked",
                "answer before",
                "by",
                "action",
                "why",
            ],
            [*map(_asked, answer["interrupts"])],
        )


def _asked(found: Object) -> tuple[str, ...]:
    item = found["action"]
    is_call = item["kind"] == "tool_call"
    what = (item["tool_id"], item["args"]) if is_call else ("write", item.get("patch", {}))
    return (
        *(Id(found["interrupt_id"]), Id(found["session_id"]), State(found["status"])),
        *(when(found["asked_at"]), when(found["expires_at"]), shown(found["asked_by"])),
        f"{shown(what[0])} {written(what[1])}",
        printable(found["question"].partition(": ")[2]),
    )


def question(found: Object) -> Iterator[Part]:
    """An answer of cmbs.read_interrupt."""
    yield "question", printable(found["question"])
    yield "session", found["session_id"]
    yield "proposal", f"{found['proposal_id']}, item {found['item_no']}"
    source = shown(str(found["provenance"].get("source")))
    yield "asked", f"{when(found['asked_at'])} by {shown(found['asked_by'])}, source {source}"
    yield "policy", version(found["policy"])
    yield "state", State(found["status"])
    yield "answer before", when(found["expires_at"])
    yield "the action", ""
    yield from action(found["action"])
    yield "  digest", found["action_digest"]
    # A token that takes approval for each call asks without a constraint.
    keys = ", ".join(map(shown, found["constraint_keys"])) or "nothing but the token's requirement"
    yield "a yes lifts", keys
    if answer := found["resolution"]:
        comment = f": {printable(answer['comment'])}" if answer["comment"] else ""
        at_and_by = f"{when(answer['at'])} by {shown(answer['by'])}"
        yield "answer", f"{answer['resolution']}, {at_and_by}{comment}"
    if found["consumed_by"]:
        yield "used", f"by the proposal {found['consumed_by']}"


def resolved(answer: Object, found: Object | None) -> Iterator[Part]:
    """An answer of cmbs.resolve_interrupt, and of an approved question that of read_interrupt."""
    again = " (recorded before)" if answer["duplicate"] else ""
    yield f"question {answer['interrupt_id']} is {answer['status']}{again}"
    if found:
        session, proposal = found["session_id"], found["proposal_id"]
        yield (
            f"{shown(found['asked_by'])} may continue: cmbs resume {session} {proposal} FILE, "
            f"or POST /v1/sessions/{session}/proposals/{proposal}/resume"
        )


def permits(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.list_permits."""
    if answer["permits"]:
        yield Table(
            ["permit", "state", "begin before", "calls", "proposed by", "begun by"],
            [*map(_permit, answer["permits"])],
        )


def _permit(found: Object) -> tuple[str, ...]:
    return (
        Id(found["permit_id"]),
        State(label(found["status"])),
        when(found["expires_at"]) if found["status"] == "issued" else "-",
        f"{shown(found['tool_id'])} with {written(found['args'])}",
        shown(found["proposed_by"]),
        shown(found["begun"]["by"]) if found["begun"] else "-",
    )


def permit(found: Object) -> Iterator[Part]:
    """An answer of cmbs.read_permit."""
    yield "permit", found["permit_id"]
    yield "proposal", f"{found['proposal_id']}, item {found['item_no']}"
    yield "issued", f"{when(found['issued_at'])} to {shown(found['proposed_by'])}"
    yield "begin before", when(found["expires_at"])
    is_open_end = found["status"] == "executing"
    yield (
        "state",
        State(label(found["status"]) + ", its end is not reported yet" * is_open_end),
    )
    yield "calls", f"{shown(found['tool_id'])} with {written(found['args'])}"
    yield "digest", found["args_hash"]
    if begun := found["begun"]:
        yield "begun", f"{when(begun['at'])} by {shown(begun['by'])}"
    if ended := found["ended"]:
        yield "ended", when(ended["at"])
        if ended["result"] is not None:
            yield "result", written(ended["result"])
        if ended["usage"]:
            yield "used", ", ".join(f"{shown(u)} {n}" for u, n in ended["usage"].items())


def begun(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.begin_execution."""
    yield from completed(answer)
    yield "calls", f"{shown(answer['tool_id'])} with {written(answer['args'])}"


def completed(answer: Object) -> Iterator[Part]:
    """An answer of cmbs.complete_execution."""
    again = " (recorded before)" if answer["duplicate"] else ""
    yield "permit", answer["permit_id"]
    yield "state", State(f"{label(answer['status'])}{again}")


def deferrals(answer: Object, asked: set[str]) -> Iterator[Part]:
    """An answer of cmbs.list_deferrals, and which of the tries opened a question."""
    for found in answer["deferrals"]:
        first, *tries = found["tries"]
        last = found["tries"][-1]["proposal_id"]
        status = _ENDS.get(found["status"], found["status"])
        if found["status"] == "waiting":
            keys = ", ".join(map(shown, found["missing"])) or "time to pass"
            status = f"waiting for {keys}, next try {when(found['next_at'])} at the latest"
        elif found["status"] == "defer":
            status = "asked a person" if last in asked else "deferred, without another try"
            status += f": see {last}"
        yield "deferral", found["deferral_id"]
        yield "  state", State(status)
        yield "  proposed", f"{when(first['ts'])} by {shown(first['by'])}, {first['proposal_id']}"
        for one in tries:
            yield (
                f"  retry {one['attempt']}",
                f"{when(one['ts'])} by {shown(one['by'])}, {one['proposal_id']}: "
                f"{one['decision']} ({one['reason_code']})",
            )


def messages(rows: list[dict[str, Any]]) -> Iterator[Part]:
    """Rows of cmbs.webhook_message."""
    yield Table(
        ["message", "state", "event", "question", "made", "tries", "next try", "last error"],
        [
            (
                *(Id(row["message_id"]), State(row["state"]), row["event"]),
                *(Id(row["interrupt_id"]), when(row["created_at"]), str(row["n_attempts"])),
                "-" if row["next_at"] is None else when(row["next_at"]),
                "-" if row["last_error"] is None else printable(row["last_error"]),
            )
            for row in rows
        ],
    )
