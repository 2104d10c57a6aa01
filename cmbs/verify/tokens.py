"""Capability tokens, and what was spent of their budgets."""

from typing import Any

from cmbs.verify.errors import refuse


def are_under(keys: list[str], prefixes: list[str]) -> bool:
    roots = [prefix.rstrip(".") + "." for prefix in prefixes]
    return all(key in prefixes or key.startswith(tuple(roots)) for key in keys)


class Tokens:
    """The tokens of a session."""

    def __init__(self) -> None:
        self._tokens: dict[str, dict[str, Any]] = {}
        # Of each token: itself and all that it was made from.
        self._chains: dict[str, list[str]] = {}
        self._revoked: set[str] = set()
        self._spent: dict[tuple[str, str], int] = {}

    def known(self, token_id: str) -> dict[str, Any]:
        refuse({"the token is not one of the session": token_id not in self._tokens})
        return self._tokens[token_id]

    def check(self, token: dict[str, Any], now: str) -> None:
        is_revoked = not self._revoked.isdisjoint(self._chains[token["token_id"]])
        refuse({"the token, or one that it was made from, is revoked": is_revoked})
        refuse({"the token is not valid yet": now < token["valid_from"]})
        refuse({"the token has expired": now >= token["expires_at"]})

    def end_all(self) -> None:
        self._tokens = {one: token | {"expires_at": ""} for one, token in self._tokens.items()}

    def left(self, token: dict[str, Any], unit: str) -> int:
        """What is left of a unit in the budgets of a token and all that it was made from."""
        chain = self._chains[token["token_id"]]
        budgets: dict[str, dict[str, int]] = {one: self._tokens[one]["budgets"] for one in chain}
        return min(budgets[one].get(unit, 0) - self._spent.get((one, unit), 0) for one in chain)

    def used_up(self, token: dict[str, Any]) -> list[str]:
        """The units besides calls that a token, or one that it was made from, has used up."""
        chain = self._chains[token["token_id"]]
        units = {unit for one in chain for unit in self._tokens[one]["budgets"]} - {"max_calls"}
        return sorted(unit for unit in units if any(self._is_used_up(one, unit) for one in chain))

    def _is_used_up(self, token_id: str, unit: str) -> bool:
        budgets: dict[str, int] = self._tokens[token_id]["budgets"]
        return 0 < self._spent.get((token_id, unit), 0) >= budgets.get(unit, 0)

    def granted(self, token_id: str, unit: str) -> int:
        """As much of a unit as a call may have used up; below zero if no budget names it."""
        own = self.known(token_id)["budgets"].get(unit)
        named = [self._tokens[one]["budgets"].get(unit, -1) for one in self._chains[token_id]]
        return int(own or max(named))

    def spend(self, token_id: str, amounts: dict[str, int]) -> None:
        for one in self._chains[token_id]:
            for unit, amount in amounts.items():
                self._spent[one, unit] = self._spent.get((one, unit), 0) + amount

    def issue(self, sent: dict[str, Any]) -> None:
        token_id, chain, begins = sent["token_id"], list[str](), sent["valid_from"]
        refuse({"a token of this id was issued before": token_id in self._tokens})
        refuse({"it is never valid": sent["expires_at"] <= max(begins, sent["decided_at"])})
        if sent["parent_id"] is not None:
            parent, chain = self.known(sent["parent_id"]), self._chains[sent["parent_id"]]
            self.check(parent, sent["decided_at"])
            wider = {
                "depth": len(chain) >= 8,
                "tools": not {*sent["tools"]} <= {*parent["tools"]},
                "capabilities": not {*sent["capabilities"]} <= {*parent["capabilities"]},
                "expires_at": sent["expires_at"] > parent["expires_at"],
                "valid_from": begins < parent["valid_from"],
                "approval": (sent["approval"], parent["approval"]) == ("none", "required"),
                "state_prefixes": not are_under(sent["state_prefixes"], parent["state_prefixes"]),
                "budgets": any(n > self.left(parent, unit) for unit, n in sent["budgets"].items()),
            }
            lead = "the token is wider than the one that it is made from: "
            refuse({lead + name: is_wider for name, is_wider in wider.items()})
        self._tokens[token_id], self._chains[token_id] = sent, [*chain, token_id]

    def revoke(self, token_id: str) -> None:
        self.known(token_id)
        refuse({"the token was revoked before": token_id in self._revoked})
        self._revoked.add(token_id)
