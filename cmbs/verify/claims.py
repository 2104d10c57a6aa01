"""Claims, and what confirms them."""

from typing import Any

from cmbs.verify.errors import refuse
from cmbs.verify.state import At
from cmbs.verify.text import digest_of
from cmbs.verify.verdicts import fold_reasons


class Claims:
    """The claims of a session."""

    def __init__(self) -> None:
        self._confirmed: dict[str, tuple[str, str]] = {}
        self._claims: set[str | None] = {None}

    def confirm(self, at: At, sent: dict[str, Any]) -> None:
        self._confirmed[at.event_id] = sent["key"], sent["value_digest"]

    def record(self, at: At, sent: dict[str, Any]) -> None:
        claim, kind, is_confirmed = sent["claim"], sent["kind"], sent["confirmed"]
        is_so = all(sent[name] == value for name, value in fold_reasons(sent["reasons"]).items())
        refuse({"the verdict is not what its reasons come to": not is_so})
        refuse({"a claim of this id was recorded before": sent["claim_id"] in self._claims})
        refuse({"it promotes what was not recorded": sent["promotes"] not in self._claims})
        act = claim["key"], digest_of(claim["value"])
        is_acted = self._confirmed.get(claim["confirmed_by_event_id"]) == act
        is_cited = claim["source_chunk_ids"] and claim["conflict_state"] == "none"
        is_failed = sent["reason_code"] == "EVALUATION_ERROR"
        refuse({"nothing confirms the claim": is_confirmed and not is_acted and not is_cited})
        refuse({"the claim was confirmed": is_acted and not is_confirmed and not is_failed})
        is_demoted = claim["on_unconfirmed"] == "demote" and kind == "hypothesis"
        is_same = kind == claim["kind"] or (is_demoted and not is_confirmed)
        refuse({"the claim is recorded as another kind": not is_same})
        if sent["decision"] == "allow":
            is_loose = kind in ("hypothesis", "derived") and (
                sent["expires_at"] or claim["review_at"]
            )
            refuse(
                {f"a {kind} was recorded that nothing confirms": not is_confirmed and not is_loose}
            )
            refuse({"a claim was recorded while the kill switch was on": "halt" in sent})
            self._claims.add(sent["claim_id"])
