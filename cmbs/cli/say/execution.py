"""The answers about questions, permits and modes in words, line by line."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from cmbs.cli.say.decision import action
from cmbs.cli.say.policy import version
from cmbs.common.words import Object, count, minute, printable, shown, written

_ENDS = {
    "allow": "tried and allowed",
    "deny": "denied",
    "exhausted": "exhausted: it was tried as often as the policy lets it be",
    "ended": "its session ended",
}


def inbox(answer: Object) -> Iterator[str]:
    """An answer of cmbs.list_inbox or cmbs.list_interrupts."""
    for found in answer["interrupts"]:
        yield (
            f"{found['session_id']} {found['interrupt_id']}  {found['status']}  "
            f"until {minute(found['expires_at'])}  {printable(found['question'])}"
        )
    yield from _more(answer.get("next_cursor", answer.get("next_before")))


def question(found: Object) -> Iterator[str]:
    """An answer of cmbs.read_interrupt."""
    yield f"question  {printable(found['question'])}"
    yield f"session   {found['session_id']}"
    yield f"proposal  {found['proposal_id']}, item {found['item_no']}"
    source = shown(str(found["provenance"].get("source")))
    yield f"asked     {minute(found['asked_at'])} by {shown(found['asked_by'])}, source {source}"
    yield f"policy    {version(found['policy'])}"
    yield f"status    {found['status']}"
    yield f"until     {minute(found['expires_at'])}"
    yield "action"
    yield from action(found["action"])
    yield f"digest    {found['action_digest']}"
    # A token that takes approval for each call asks without a constraint.
    keys = ", ".join(map(shown, found["constraint_keys"])) or "nothing but the token's requirement"
    yield f"a yes     lifts {keys}"
    if answer := found["resolution"]:
        comment = f": {printable(answer['comment'])}" if answer["comment"] else ""
        when = f"{minute(answer['at'])} by {shown(answer['by'])}"
        yield f"answered  {answer['resolution']}, {when}{comment}"
    if found["consumed_by"]:
        yield f"used      by the proposal {found['consumed_by']}"


def resolved(answer: Object, found: Object | None) -> Iterator[str]:
    """An answer of cmbs.resolve_interrupt, and of an approved question that of read_interrupt."""
    again = " (recorded before)" if answer["duplicate"] else ""
    yield f"question {answer['interrupt_id']} is {answer['status']}{again}"
    if found:
        session, proposal = found["session_id"], found["proposal_id"]
        yield (
            f"{shown(found['asked_by'])} may go on: cmbs resume {session} {proposal} FILE, "
            f"or POST /v1/sessions/{session}/proposals/{proposal}/resume"
        )


def permits(answer: Object) -> Iterator[str]:
    """An answer of cmbs.list_permits."""
    for found in answer["permits"]:
        until = f"  until {minute(found['expires_at'])}" if found["status"] == "issued" else ""
        begun = f"  begun by {shown(found['begun']['by'])}" if found["begun"] else ""
        yield (
            f"{found['permit_id']}  {found['status']}{until}  {shown(found['tool_id'])} with "
            f"{written(found['args'])}  proposed by {shown(found['proposed_by'])}{begun}"
        )
    yield from _more(answer["next_before"])


def permit(found: Object) -> Iterator[str]:
    """An answer of cmbs.read_permit."""
    yield f"permit    {found['permit_id']}"
    yield f"proposal  {found['proposal_id']}, item {found['item_no']}"
    yield f"issued    {minute(found['issued_at'])} to {shown(found['proposed_by'])}"
    yield f"until     {minute(found['expires_at'])}"
    yield f"status    {found['status']}" + (
        ": nobody said yet how it ended" if found["status"] == "executing" else ""
    )
    yield f"calls     {shown(found['tool_id'])} with {written(found['args'])}"
    yield f"digest    {found['args_hash']}"
    if begun := found["begun"]:
        yield f"begun     {minute(begun['at'])} by {shown(begun['by'])}"
    if ended := found["ended"]:
        yield f"ended     {minute(ended['at'])}"
        if ended["result"] is not None:
            yield f"result    {written(ended['result'])}"
        if ended["usage"]:
            yield f"used      {', '.join(f'{shown(u)} {n}' for u, n in ended['usage'].items())}"


def begun(answer: Object) -> Iterator[str]:
    """An answer of cmbs.begin_execution."""
    again = " (recorded before)" if answer["duplicate"] else ""
    yield f"permit {answer['permit_id']} is {answer['status']}{again}"
    yield f"calls {shown(answer['tool_id'])} with {written(answer['args'])}"


def completed(answer: Object) -> Iterator[str]:
    """An answer of cmbs.complete_execution."""
    again = " (recorded before)" if answer["duplicate"] else ""
    yield f"permit {answer['permit_id']} is {answer['status']}{again}"


def deferrals(answer: Object, asked: set[str]) -> Iterator[str]:
    """An answer of cmbs.list_deferrals, and which of the tries opened a question."""
    for found in answer["deferrals"]:
        first, *tries = found["tries"]
        last = found["tries"][-1]["proposal_id"]
        status = _ENDS.get(found["status"], found["status"])
        if found["status"] == "waiting":
            keys = ", ".join(map(shown, found["missing"])) or "time to pass"
            status = f"waiting for {keys}, next try {minute(found['next_at'])} at the latest"
        elif found["status"] == "defer":
            status = "its try asked a person" if last in asked else "deferred, not tried again"
            status += f": see {last}"
        yield f"{found['deferral_id']}  {status}"
        yield f"  proposed  {minute(first['ts'])} by {shown(first['by'])}, {first['proposal_id']}"
        for one in tries:
            yield (
                f"  retry {one['attempt']:<4}{minute(one['ts'])} by {shown(one['by'])}, "
                f"{one['proposal_id']}: {one['decision']} ({one['reason_code']})"
            )
    yield from _more(answer["next_before"])


def message(row: dict[str, Any]) -> str:
    """A row of cmbs.webhook_message."""
    next_at = "" if row["next_at"] is None else f", next {_minute(row['next_at'])}"
    error = "" if row["last_error"] is None else f": {printable(row['last_error'])}"
    return (
        f"{row['message_id']}  {row['state']}  {row['event']} {row['interrupt_id']} of "
        f"{_minute(row['created_at'])}  tried {count(row['n_attempts'], 'time')}{next_at}{error}"
    )


def _more(after: Any) -> Iterator[str]:
    if after is not None:
        yield f"and there are more: --after {after}"


def _minute(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M}"
