"""Obligations, conclusions and the end of a session: what each asks of belief."""

from typing import Any


class Gates:
    """The obligation, the conclusion and the end of one session."""

    def __init__(self) -> None:
        self.is_terminated = False
        self._obligation: tuple[str, int, int] | None = None
        self._conclusion, self._run = "", 0

    def active(self, n_survivors: int) -> dict[str, Any] | None:
        """The obligation that is active, as QUERY_BELIEF shows it."""
        if not self._obligation:
            return None
        obligation_id, minimum, at_entry = self._obligation
        return {
            "obligation_id": obligation_id,
            "min_total_eliminations": minimum,
            "eliminated_since_entry": at_entry - n_survivors,
            "satisfiable": minimum <= at_entry,
        }

    def decide(
        self, verb: str, payload: dict[str, Any], n_survivors: int, policy: dict[str, Any]
    ) -> None:
        """Make the decision anew, compare it with the recorded one, and act on it."""
        active = self._obligation
        if verb == "ENTER_OBLIGATION":
            if active:
                raise ValueError("another obligation is active")
            minimum = payload["min_total_eliminations"]
            self._obligation = payload["obligation_id"], minimum, n_survivors
            return
        if verb in ("REQUEST_EXIT", "WAIVE_OBLIGATION"):
            if not active or active[0] != payload["obligation_id"]:
                raise ValueError("the obligation is not active")
            if verb == "WAIVE_OBLIGATION":
                decision = True, "waived"
            elif active[2] - n_survivors >= active[1]:
                decision = True, "approved"
            else:
                decision = False, "minimum eliminations not met"
        elif verb == "DECLARE_CONCLUSION":
            decision = (
                (False, "active obligation blocks conclusion") if active else (True, "accepted")
            )
        else:
            decision = self._termination(
                payload["context"].get("force") is True, n_survivors, policy
            )
        recorded = payload["accepted" if verb == "DECLARE_CONCLUSION" else "approved"]
        if (recorded, payload["reason"]) != decision:
            raise ValueError(f"the decision is another: {decision[1]}")
        if not decision[0]:
            return
        if verb == "DECLARE_CONCLUSION":
            is_same = self._run > 0 and self._conclusion == payload["conclusion_id"]
            self._conclusion, self._run = payload["conclusion_id"], self._run * is_same + 1
        elif verb == "REQUEST_TERMINATION":
            self.is_terminated = True
        else:
            self._obligation = None

    def _termination(
        self, force: bool, n_survivors: int, policy: dict[str, Any]
    ) -> tuple[bool, str]:
        if self._obligation:
            return False, "active obligation blocks termination"
        if force and policy["allow_forced_termination"]:
            return True, "approved by force"
        if n_survivors == 1:
            if self._run >= policy["stability_window"]:
                return True, "approved"
            if not force:
                return False, "conclusion not stable"
        if force:
            return False, "force not allowed by policy"
        return False, "termination requires a singleton survivor"
