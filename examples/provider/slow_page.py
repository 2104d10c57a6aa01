"""Why is the page slow? A provider of hypotheses for CMBS, of which it imports nothing."""

from collections.abc import Iterable, Mapping
from typing import Any

# What each answer to each probe rules out.
RULED_OUT: dict[str, dict[str, set[str]]] = {
    "first byte": {
        "early": {"slow query", "cold cache"},
        "late": {"large images", "too many scripts"},
    },
    "second visit": {
        "fast": {"slow query", "too many scripts"},
        "slow": {"cold cache", "large images"},
    },
}


class SlowPage:
    def id(self) -> str:
        return "slow-page"

    def version(self) -> str:
        return "1"

    def hypothesis_ids(self) -> Iterable[str]:
        return {"slow query", "cold cache", "large images", "too many scripts"}

    def probe_ids(self) -> Iterable[str]:
        return RULED_OUT

    def apply_probe(self, probe_id: str, response: Any) -> Mapping[str, bool]:
        answers = RULED_OUT[probe_id]
        if response not in answers:
            raise ValueError(f"{probe_id!r} is answered by one of {sorted(answers)}")
        return dict.fromkeys(answers[response], True)
