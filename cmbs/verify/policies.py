"""The policy in force and the one beside it, and what a bundle has of them."""

from collections.abc import Iterable
from typing import Any, Protocol

from cmbs.verify.errors import refuse
from cmbs.verify.payloads import PINNED
from cmbs.verify.shapes import is_hash
from cmbs.verify.text import MOST_LISTED, parse


class Contents(Protocol):
    """The policies, schemas and tools that a bundle has beside its logs."""

    contents: dict[str, str]

    def content(self, name: str) -> str: ...


class Policies:
    """What is in force, as the log says it."""

    def __init__(self, bundle: Contents | None) -> None:
        # Where the policies, schemas and tools are; None without a bundle.
        self._bundle = bundle
        self.in_force: dict[str, Any] | None = None
        self.shadow: dict[str, Any] | None = None
        self._entries: tuple[str, dict[str, str]] = ("", {})

    def pin(self, pinned: dict[str, Any]) -> None:
        """That a policy is in force from here on, with another one beside it or none."""
        self.in_force = {name: pinned[name] for name in PINNED}
        self.shadow = pinned.get("shadow")
        for policy in filter(None, (self.in_force, self.shadow)):
            self._name("policies", policy["policy_hash"])

    def check_in_force(self, policy: dict[str, Any]) -> None:
        if self.in_force is None and (policy["pack"], policy["version"]) == ("deny-all", 1):
            # Its hash stands nowhere before, and stays the same.
            self.in_force = policy
        refuse({"the policy is not the one in force": policy != self.in_force})

    def check_named(self, sent: dict[str, Any]) -> None:
        """That what a decision names is there."""
        self._name("policies", sent.get("policy", sent)["policy_hash"])
        for kind in ("schemas", "tools"):
            # What was not there has no hash, and what was withdrawn false.
            for digest in filter(None, sent[kind].values()):
                self._name(kind, digest)

    def _name(self, kind: str, digest: str) -> None:
        name = f"{kind}/{digest}.json"
        is_there = self._bundle is None or name in self._bundle.contents
        refuse({f"of {kind} it names one by no hash": not is_hash(digest)})
        refuse({f"the bundle has no {name}": not is_there})

    def texts(self, digest: str, keys: Iterable[str]) -> dict[str, str | None] | None:
        """The texts of some entries of a policy, which only a bundle has."""
        if self._bundle is None:
            return None
        if self._entries[0] != digest:
            text = self._bundle.content(f"policies/{digest}.json")
            self._entries = digest, parse(text, MOST_LISTED)
        return {key: self._entries[1].get(key) for key in keys}
