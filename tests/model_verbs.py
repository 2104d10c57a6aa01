"""The verbs of the model: `Model` has one method per stored procedure, with its arguments."""

from collections.abc import Callable, Sequence
from uuid import UUID

from tests.model import (
    Event,
    Json,
    Refused,
    Session,
    Stamp,
    Universe,
    canonical,
    check_id,
    check_ids,
    check_notes,
    free_object,
    hash_text,
    parse,
    termination_reason,
)
from tests.model_rules import (
    active_obligation,
    answer,
    bundle_of,
    check_open,
    end_obligation,
    event_as_shown,
    event_of,
    indexed,
    message_of,
    request_of,
    snapshot_as_shown,
    universe_of,
)

_OUTCOME = {"approved", "accepted", "reason"}


class Model:
    def __init__(self, stamp: Stamp, is_policy_role: Callable[[], bool] = lambda: True) -> None:
        self._stamp, self._is_policy_role = stamp, is_policy_role
        self.sessions: dict[UUID, Session] = {}
        self.spaces: dict[tuple[str, str], Universe] = {}
        self.defaults: Json = {
            "validate_hypotheses": False,
            "allow_forced_termination": False,
            "stability_window": 0,
        }

    def register_universe(self, hypotheses: Sequence[str | None] | None) -> Json:
        universe = universe_of(hypotheses)
        return {"universe_digest": universe.digest, "n_hypotheses": len(universe.ids)}

    def register_space(
        self,
        hypothesis_space_id: str,
        hypothesis_version: str,
        hypotheses: Sequence[str | None] | None,
    ) -> Json:
        name = check_id(hypothesis_space_id), check_id(hypothesis_version, 2048)
        universe = universe_of(hypotheses)
        known = self.spaces.setdefault(name, universe)
        if known.digest != universe.digest:
            raise Refused("MB102")
        return {
            "hypothesis_space_id": name[0],
            "hypothesis_version": name[1],
            "n_hypotheses": len(universe.ids),
            "universe_digest": universe.digest,
            "duplicate": known is not universe,
        }

    def set_policy_defaults(self, policy: str) -> Json:
        if not self._is_policy_role():
            raise Refused("MB302")
        self.defaults = self._policy(free_object(policy) or {})
        return self.defaults

    def declare_session(
        self,
        session_id: UUID,
        ontology: str,
        hypotheses: Sequence[str | None] | None = None,
        metadata: str | None = None,
        policy: str | None = None,
        notes: str | None = None,
        minimal: bool = False,
    ) -> Json:
        check_notes(notes)
        about, wanted = free_object(metadata), free_object(policy)
        bundle, resolved = bundle_of(ontology), self._policy(wanted or {})
        name = bundle["hypothesis_space_id"], bundle["hypothesis_version"]
        session = self.sessions.get(session_id)
        if hypotheses is not None:
            universe = universe_of(hypotheses)
        elif name in self.spaces:
            universe = self.spaces[name]
        elif session:
            raise Refused("MB102", audit_event_id=session.events[0].id)
        else:
            raise Refused("MB004")
        as_sent = canonical([bundle, universe.digest, about, wanted])
        duplicate = session is not None
        if session is None:
            session = Session(session_id, bundle, universe, resolved, as_sent, set(universe.ids))
            payload = {
                "ontology": bundle,
                "universe_digest": universe.digest,
                "n_hypotheses": len(universe.ids),
                "policy": resolved,
            }
            if about is not None:
                payload["metadata"] = about
            self.sessions[session_id] = session
            self._append(session, "DECLARE_SESSION", payload, notes)
        first = session.events[0]
        if session.as_sent != as_sent:
            raise Refused("MB102", audit_event_id=first.id)
        return answer(session, {"session_id": str(session_id)}, first, duplicate, minimal)

    def eliminate(
        self,
        session_id: UUID,
        source_id: str | None,
        observation_id: str | None,
        eliminated: Sequence[str | None] | None,
        justification: str | None = None,
        expected_head: UUID | None = None,
        notes: str | None = None,
        minimal: bool = False,
    ) -> Json:
        key, ids = (check_id(source_id), check_id(observation_id)), check_ids(eliminated)
        why = free_object(justification) or {}
        check_notes(notes)
        session = self._session(session_id)
        done = self._eliminate(session, key, ids, why, expected_head, notes)
        return answer(session, *done, minimal)

    def eliminate_batch(
        self,
        session_id: UUID,
        messages: str,
        expected_head: UUID | None = None,
        minimal: bool = False,
    ) -> Json:
        sent = parse(messages)
        if not isinstance(sent, list) or not sent:
            raise Refused("MB201")
        if len(sent) > 1000:
            raise Refused("MB203")
        checked = []
        for no, message in enumerate(sent):
            with indexed(no):
                checked.append(message_of(message, session_id))
        # All or nothing: work on a copy, keep it at the end.
        session = self._session(session_id).copy()
        results, is_repeat = [], True
        for no, (key, ids, why, notes) in enumerate(checked):
            with indexed(no):
                outcome, event, duplicate = self._eliminate(
                    session, key, ids, why, expected_head, notes
                )
            results.append(outcome | {"audit_event_id": event.id, "duplicate": duplicate})
            if not duplicate:
                expected_head, is_repeat = None, False
        self.sessions[session_id] = session
        return answer(session, {"results": results}, event, is_repeat, minimal)

    def enter_obligation(
        self,
        session_id: UUID,
        obligation_id: str,
        min_total_eliminations: int,
        request_id: str | None = None,
        expected_head: UUID | None = None,
        notes: str | None = None,
        minimal: bool = False,
    ) -> Json:
        content: Json = {"obligation_id": check_id(obligation_id)}
        if min_total_eliminations < 0:
            raise Refused("MB201")
        content["min_total_eliminations"] = min_total_eliminations

        def decide(session: Session) -> Json:
            if session.active:
                active = session.active["obligation_id"]
                raise Refused("MB102", active_obligation_id=active)
            session.active = content | {"at_entry": len(session.survivors), "state": "active"}
            session.obligations.append(session.active)
            return {}

        about = (request_id, expected_head, notes, minimal)
        return self._gate(session_id, "ENTER_OBLIGATION", content, decide, *about)

    def request_exit(
        self,
        session_id: UUID,
        obligation_id: str,
        context: str | None = None,
        request_id: str | None = None,
        expected_head: UUID | None = None,
        notes: str | None = None,
        minimal: bool = False,
    ) -> Json:
        content, kept = {"obligation_id": check_id(obligation_id)}, free_object(context) or {}

        def decide(session: Session) -> Json:
            active = active_obligation(session, obligation_id)
            gone = active["at_entry"] - len(session.survivors)
            if approved := gone >= active["min_total_eliminations"]:
                end_obligation(session, "exited")
            reason = "approved" if approved else "minimum eliminations not met"
            return {"context": kept, "approved": approved, "reason": reason}

        about = (request_id, expected_head, notes, minimal)
        return self._gate(session_id, "REQUEST_EXIT", content, decide, *about)

    def waive_obligation(
        self,
        session_id: UUID,
        obligation_id: str,
        reason: str,
        request_id: str | None = None,
        expected_head: UUID | None = None,
        notes: str | None = None,
        minimal: bool = False,
    ) -> Json:
        if not self._is_policy_role():
            raise Refused("MB302")
        content = {"obligation_id": check_id(obligation_id), "waive_reason": check_id(reason, 4096)}

        def decide(session: Session) -> Json:
            active_obligation(session, obligation_id)
            end_obligation(session, "waived")
            return {"approved": True, "reason": "waived"}

        about = (request_id, expected_head, notes, minimal)
        return self._gate(session_id, "WAIVE_OBLIGATION", content, decide, *about)

    def declare_conclusion(
        self,
        session_id: UUID,
        conclusion_id: str,
        context: str | None = None,
        request_id: str | None = None,
        expected_head: UUID | None = None,
        notes: str | None = None,
        minimal: bool = False,
    ) -> Json:
        content, kept = {"conclusion_id": check_id(conclusion_id)}, free_object(context) or {}

        def decide(session: Session) -> Json:
            accepted = session.active is None
            session.conclusions.append(content | {"accepted": accepted})
            reason = "accepted" if accepted else "active obligation blocks conclusion"
            return {"context": kept, "accepted": accepted, "reason": reason}

        about = (request_id, expected_head, notes, minimal)
        return self._gate(session_id, "DECLARE_CONCLUSION", content, decide, *about)

    def request_termination(
        self,
        session_id: UUID,
        context: str | None = None,
        request_id: str | None = None,
        expected_head: UUID | None = None,
        notes: str | None = None,
        minimal: bool = False,
    ) -> Json:
        kept = free_object(context) or {}

        def decide(session: Session) -> Json:
            reason = termination_reason(session, kept.get("force") is True)
            session.terminated = reason.startswith("approved")
            return {"context": kept, "approved": session.terminated, "reason": reason}

        about = (request_id, expected_head, notes, minimal)
        return self._gate(session_id, "REQUEST_TERMINATION", {}, decide, *about)

    def query_belief(
        self,
        session_id: UUID,
        as_of: UUID | None = None,
        minimal: bool = False,
        as_of_time: str | None = None,
    ) -> Json:
        if as_of and as_of_time:
            raise Refused("MB201")
        session = self._session(session_id)
        if as_of_time:
            # Recorded times have one form, so that their order is that of their texts.
            past = [event for event in session.events if event.record["ts"] <= as_of_time]
            if not past:
                raise Refused("MB003")
            as_of = UUID(past[-1].id)
        return snapshot_as_shown(
            (event_of(session, as_of) if as_of else session.head).snapshot, minimal
        )

    def audit_event(self, session_id: UUID, event_id: UUID) -> Json:
        session = self._session(session_id)
        return event_as_shown(session, event_of(session, event_id))

    def audit_trace(
        self, session_id: UUID, since_event_id: UUID | None = None, limit: int | None = None
    ) -> Json:
        session = self._session(session_id)
        if limit is not None and not 1 <= limit <= 10_000:
            raise Refused("MB201")
        start = int(event_of(session, since_event_id).record["seq"]) if since_event_id else 0
        rest = session.events[start:]
        page = rest if limit is None else rest[:limit]
        return {
            "events": [event_as_shown(session, event) for event in page],
            "next_since_event_id": page[-1].id if len(page) < len(rest) else None,
        }

    def why(self, session_id: UUID, hypothesis_id: str) -> Json:
        session = self._session(session_id)
        if hypothesis_id not in session.universe.ranks:
            raise Refused("MB202")
        event, by = session.eliminated_by.get(hypothesis_id), None
        if event:
            of_record = {name: event.record[name] for name in ("event_id", "seq", "ts", "actor")}
            named = ("source_id", "observation_id", "justification")
            by = of_record | {name: event.payload[name] for name in named}
        return {"hypothesis_id": hypothesis_id, "survives": event is None, "eliminated_by": by}

    def _session(self, session_id: UUID) -> Session:
        if session_id not in self.sessions:
            raise Refused("MB001")
        return self.sessions[session_id]

    def _policy(self, wanted: Json) -> Json:
        if unknown := sorted(set(wanted) - set(self.defaults)):
            raise Refused("MB201", unknown=unknown)
        policy = self.defaults | wanted
        switches = policy["validate_hypotheses"], policy["allow_forced_termination"]
        window = canonical(policy["stability_window"])
        if not all(isinstance(switch, bool) for switch in switches) or not window.isdecimal():
            raise Refused("MB201")
        if int(window) > 1000:
            raise Refused("MB201")
        return policy | {"stability_window": int(window)}

    def _eliminate(
        self,
        session: Session,
        key: tuple[str, str],
        ids: list[str],
        justification: Json,
        expected_head: UUID | None,
        notes: str | None,
    ) -> tuple[Json, Event, bool]:
        recorded = session.observations.get(key)
        if recorded and set(recorded.payload["eliminated"]) != set(ids):
            raise Refused("MB102", audit_event_id=recorded.id)
        if not recorded:
            check_open(session, expected_head)
            invalid = sorted(set(ids) - set(session.universe.ids))
            if invalid and session.policy["validate_hypotheses"]:
                raise Refused("MB202", invalid=invalid[:100])
            applied = sorted(session.survivors & set(ids))
            payload = {
                "source_id": key[0],
                "observation_id": key[1],
                "eliminated": ids,
                "justification": justification,
            }
            event = self._append(session, "ELIMINATE", payload, notes, applied)
            session.observations[key] = event
        event = recorded or event
        gone = event.record["delta"]["eliminated"]
        outcome = {
            "applied_eliminated": gone,
            "ignored_eliminated": sorted(set(ids) - set(gone)),
        }
        return outcome, event, recorded is not None

    def _gate(
        self,
        session_id: UUID,
        verb: str,
        content: Json,
        decide: Callable[[Session], Json],
        request_id: str | None,
        expected_head: UUID | None,
        notes: str | None,
        minimal: bool,
    ) -> Json:
        check_notes(notes)
        if request_id is not None:
            check_id(request_id)
        session = self._session(session_id)
        recorded = session.requests.get(request_id or "")
        if recorded and (
            recorded.record["verb"] != verb or recorded.payload != recorded.payload | content
        ):
            raise Refused("MB102", audit_event_id=recorded.id)
        if recorded:
            event = recorded
        else:
            check_open(session, expected_head)
            payload = content | decide(session)
            if request_id is not None:
                payload["request_id"] = request_id
            event = self._append(session, verb, payload, notes)
            if request_id is not None:
                session.requests[request_id] = event
        outcome = {name: value for name, value in event.payload.items() if name in _OUTCOME}
        return answer(session, outcome, event, recorded is not None, minimal)

    def _append(
        self,
        session: Session,
        verb: str,
        payload: Json,
        notes: str | None,
        eliminated: Sequence[str] = (),
    ) -> Event:
        seq = len(session.events) + 1
        event_id, ts, actor = self._stamp(session.session_id, seq)
        before = session.survivors if session.events else set[str]()
        after = session.survivors - set(eliminated)
        record: Json = {
            "v": 1,
            "session_id": str(session.session_id),
            "seq": seq,
            "event_id": event_id,
            "ts": ts,
            "verb": verb,
            "actor": actor,
            "payload": payload,
            "delta": {"eliminated": list(eliminated)},
            "survivors_before_hash": session.universe.survivors_hash(before),
            "survivors_after_hash": session.universe.survivors_hash(after),
            "prev_event_hash": session.head.hash if session.events else "0" * 64,
        }
        if notes is not None:
            record["notes"] = notes
        session.survivors = after
        text = canonical(record)
        event_hash = hash_text(text)
        snapshot = session.snapshot(event_id, event_hash, seq)
        event = Event(record, text, event_hash, snapshot)
        session.events.append(event)
        session.eliminated_by.update(dict.fromkeys(eliminated, event))
        return event


def replay(records: Sequence[Json], hypotheses: Sequence[str]) -> Session:
    """The session that the log alone leads to, by doing again what it says was asked for."""
    stamps = [(one["event_id"], one["ts"], one["actor"]) for one in records]
    model = Model(lambda _, seq: stamps[seq - 1])
    session_id = UUID(records[0]["session_id"])
    for record in records:
        getattr(model, record["verb"].lower())(session_id, **request_of(record, hypotheses))
    return model.sessions[session_id]
