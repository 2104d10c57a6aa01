"""What a log holds beside belief, as far as it follows with no policy being evaluated."""

from collections.abc import Callable
from typing import Any

from cmbs.verify.claims import Claims
from cmbs.verify.errors import refuse
from cmbs.verify.executions import Executions
from cmbs.verify.policies import Contents, Policies
from cmbs.verify.proposals import Proposals
from cmbs.verify.questions import Questions
from cmbs.verify.state import At, State
from cmbs.verify.tokens import Tokens

_MODES = ("boost", "normal", "eco", "thermal", "offline_safe")


class Arbitration:
    """Replays the events of arbitration of one session."""

    def __init__(self, bundle: Contents | None = None) -> None:
        self.state, self._claims = State(), Claims()
        self._policies, self._tokens = Policies(bundle), Tokens()
        self._questions = Questions(self._policies)
        self._executions = Executions(self._policies, self._tokens, self._questions, self.state)
        self._proposals = Proposals(
            self._policies, self._tokens, self._questions, self._executions, self.state
        )

    def pin(self, pinned: dict[str, Any]) -> None:
        """That a policy is in force from here on, with another one beside it or none."""
        self._policies.pin(pinned)
        self._questions.supersede(pinned["policy_hash"])

    def take(self, at: At, sent: dict[str, Any]) -> None:
        if "clock" in sent:
            self._end_all()
        for named in (sent, sent.get("shadow", {})):
            if "reads" in named:
                self._policies.check_named(named)
        if "policy" in sent:
            self._policies.check_in_force(sent["policy"])
        takers: dict[str, Callable[[At, dict[str, Any]], None]] = {
            "PROPOSE": self._proposals.take,
            "POLICY_APPLY": self._apply,
            "TOKEN_ISSUE": lambda _, sent: self._tokens.issue(sent),
            "TOKEN_REVOKE": lambda _, sent: self._tokens.revoke(sent["token_id"]),
            "RECORD_CLAIM": self._claims.record,
            "CONFIRM_CLAIM": self._claims.confirm,
            "BEGIN_EXECUTION": self._executions.begin,
            "COMPLETE_EXECUTION": self._executions.complete,
            "RESOLVE_INTERRUPT": self._questions.resolve,
            "SET_MODE": self._set_mode,
            "SWEEP_EXPIRED": self._executions.sweep,
        }
        takers[at.verb](at, sent)

    def _end_all(self) -> None:
        """The clock was set back: what was granted before has run out, however long it was for."""
        self._tokens.end_all()
        self._executions.end_all()
        self._questions.end_all()

    def _apply(self, at: At, sent: dict[str, Any]) -> None:
        reason = "an invariant of the policy does not hold" if sent["reasons"] else "applied"
        is_so = (sent["approved"], sent["reason"]) == (not sent["reasons"], reason)
        refuse({f"the decision is another: {reason}": not is_so})
        self.state.changed = at.seq
        if sent["approved"]:
            self.pin(sent)

    def _set_mode(self, at: At, sent: dict[str, Any]) -> None:
        refuse({"there is no such mode": sent["mode"] not in _MODES})
        self.state.mode, self.state.changed = sent["mode"], at.seq
