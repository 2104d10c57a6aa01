"""The sessions of a file, each replayed."""

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from cmbs.verify.bundle import Bundle
from cmbs.verify.errors import Fault
from cmbs.verify.files import is_bundle, open_file, split_lines
from cmbs.verify.log import Log


class Result(NamedTuple):
    session_id: str | None
    ok: bool
    rows_checked: int
    head_hash: str | None
    first_bad: tuple[int, str] | None


def _no_progress(_: int) -> None:
    pass


def check(
    path: str | os.PathLike[str], advance: Callable[[int], None] = _no_progress
) -> Iterator[Result]:
    """What is found for each session of the file; Unreadable if the file itself is not good."""
    return (result for result, _ in replayed(path, advance))


def replayed(
    path: str | os.PathLike[str], advance: Callable[[int], None]
) -> Iterator[tuple[Result, Log]]:
    if is_bundle(path):
        with Bundle(path) as bundle:
            for name in bundle.contents:
                bundle.content(name)
            for entry in bundle.sessions:
                log = bundle.log(entry)
                yield _result(log, bundle.lines(entry), advance, entry), log
    else:
        with open_file(path) as file:
            log = Log()
            yield _result(log, split_lines(file.read), advance), log


def _result(
    log: Log,
    lines: Iterator[bytes],
    advance: Callable[[int], None],
    entry: dict[str, Any] | None = None,
) -> Result:
    first_bad = None
    try:
        for line in lines:
            log.feed(line)
            if not log.seq % 1000:
                advance(1000)
        log.finish()
        if entry:
            compare(log, entry)
    except Fault as fault:
        first_bad = fault.seq, fault.reason
    advance(log.seq % 1000)
    head = log.head_hash if log.seq else None
    return Result(log.session_id, first_bad is None, log.seq, head, first_bad)


def compare(log: Log, entry: dict[str, Any]) -> None:
    """Whether the log is the one that the manifest names."""
    if log.seq != entry["n_events"]:
        reason = f"the manifest names {entry['n_events']} events, the log has {log.seq}"
        raise Fault(min(log.seq, entry["n_events"]) + 1, reason)
    if (log.head_event_id, log.head_hash) != (entry["head_event_id"], entry["head_hash"]):
        raise Fault(log.seq, "the manifest names another head")
    for name, value in (entry["policy_as_sent"] or {}).items():
        if log.policy[name] != value:
            raise Fault(1, "the policy as sent is not in the policy")
