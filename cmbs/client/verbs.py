"""The messages that declare and eliminate, each written once for both clients."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol
from uuid import UUID, uuid4

from cmbs.client.chain import Claim, Says, same
from cmbs.client.message import claim, message, snapshot
from cmbs.client.request import (
    Members,
    Request,
    body_of,
    ids,
    invalid,
    session_path,
    uuid_text,
)
from cmbs.errors import InvalidRequest
from cmbs.kernel.answers import (
    AuditEntry,
    Batch,
    Declared,
    Eliminated,
    ExpectedHead,
    FreeObject,
    Observed,
    OntologyBundle,
    SessionId,
    SessionPolicy,
    repeated,
)


class Observation(Protocol):
    """A message of a batch that is an object, such as an adapter's; `notes` may be there too."""

    @property
    def source_id(self) -> str: ...
    @property
    def observation_id(self) -> str: ...
    @property
    def eliminated(self) -> Iterable[str]: ...
    @property
    def justification(self) -> FreeObject | None: ...


# What the incident says that a session is declared from, whatever the ontology had there.
_OF_INCIDENT = ("causal_graph_version",)
_OF_MESSAGE = ("source_id", "observation_id", "eliminated", "justification", "notes")


def declare_session(
    ontology: OntologyBundle | FreeObject,
    hypotheses: Iterable[str] | None = None,
    metadata: FreeObject | None = None,
    *,
    policy: SessionPolicy | FreeObject | None = None,
    universe_from: FreeObject | None = None,
    session_id: SessionId | None = None,
    notes: str | None = None,
    minimal: bool = False,
) -> Request[Declared]:
    """Start a session from hypotheses, or from the registered space that the ontology names.

    With `universe_from={"tee_incident": ...}` they are the nodes of an incident, and with
    `"edges": True` its edges as well; the session's version of the causal graph is then the
    incident's, so the ontology may be a mapping without one.

    Without a `session_id` a new one is made before anything is sent. With one of yours, the same
    request again returns the same session, and `duplicate` is true.
    """
    chosen = uuid_text("session_id", uuid4() if session_id is None else session_id)
    bundle = _bundle(ontology)
    listed = None if hypotheses is None else ids("hypotheses", hypotheses)
    wanted: FreeObject | None = vars(policy) if isinstance(policy, SessionPolicy) else policy
    origin = None if universe_from is None else _origin(universe_from)
    body = {
        "session_id": chosen,
        "ontology": bundle,
        "hypotheses": listed,
        "metadata": metadata,
        "policy": wanted,
        "universe_from": universe_from,
        "notes": notes,
    }

    def says(entry: AuditEntry, is_new: bool) -> bool:
        payload, chose = entry.payload, wanted or {}
        given = {name: payload["ontology"][name] for name in _OF_INCIDENT} if origin else {}
        return (
            entry.verb == "DECLARE_SESSION"
            and payload["ontology"] == bundle | given
            and same(payload.get("universe_from"), origin)
            and (listed is None or set(payload["hypotheses"]) == set(listed))
            and all(chose[name] in (None, payload["policy"][name]) for name in chose)
            and same(payload.get("metadata"), metadata)
            and (not is_new or entry.notes == notes)
        )

    def claims(answer: Members) -> list[Claim]:
        if answer["session_id"] != chosen:
            raise ValueError("the answer is about another session")
        return [Claim(answer, says), *(_ruled_out(answer, origin) if origin else ())]

    return message(chosen, "/v1/sessions", body_of(body), _declared, claims, minimal=minimal)


def _bundle(ontology: OntologyBundle | FreeObject) -> dict[str, Any]:
    given = vars(ontology) if isinstance(ontology, OntologyBundle) else ontology
    if not isinstance(given, Mapping):
        raise invalid("ontology", "must be an OntologyBundle, or a mapping with its members")
    return dict(given)


def _origin(given: FreeObject) -> dict[str, Any]:
    """What is recorded of an incident: its edges, only if they are asked for."""
    if not isinstance(given, Mapping):
        raise invalid("universe_from", "must be a mapping")
    return {name: value for name, value in given.items() if (name, value) != ("edges", False)}


def _ruled_out(answer: Members, origin: Members) -> Iterator[Claim]:
    """The event of what an incident had ruled out by the time that a session was declared."""
    snapshot = answer["snapshot"]
    if answer["duplicate"] or snapshot["audit_seq"] == 1:
        return
    n_gone = snapshot["n_hypotheses"] - snapshot["n_survivors"]

    def says(entry: AuditEntry, is_new: bool) -> bool:
        payload = entry.payload
        return (
            entry.verb == "ELIMINATE"
            and (payload["source_id"], payload["observation_id"]) == ("tee", origin["tee_incident"])
            and len(entry.delta["eliminated"]) == n_gone
        )

    event = {"audit_event_id": snapshot["audit_head_event_id"], "duplicate": False}
    yield Claim(event, says, is_answered=False)


def eliminate(
    session_id: SessionId,
    source_id: str,
    observation_id: str,
    eliminated: Iterable[str],
    justification: FreeObject | None = None,
    *,
    request_id: str | None = None,
    notes: str | None = None,
    expected_head: ExpectedHead = None,
    minimal: bool = False,
) -> Request[Eliminated]:
    """Eliminate hypotheses on the word of one observation. Nothing ever comes back.

    Source and observation are the identity of the message: sent again with the same ids it changes
    nothing, answers what the first one did, and `duplicate` is true. A `request_id` is passed over.
    """
    listed = ids("eliminated", eliminated)
    body = {
        "source_id": source_id,
        "observation_id": observation_id,
        "eliminated": listed,
        "justification": justification,
        "notes": notes,
    }
    return message(
        session_id,
        session_path(session_id, "eliminate"),
        body_of(body),
        _eliminated,
        claim(_observed(body)),
        request_id=request_id,
        expected_head=expected_head,
        minimal=minimal,
    )


def eliminate_batch(
    session_id: SessionId,
    messages: Iterable[FreeObject | Observation],
    *,
    expected_head: ExpectedHead = None,
    minimal: bool = False,
) -> Request[Batch]:
    """Up to 1,000 ELIMINATE messages in their order: all of them, or none."""
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        raise invalid("messages", "must be a list of ELIMINATE messages")
    listed: list[dict[str, Any]] = []
    bodies: list[bytes] = []
    for no, sent in enumerate(messages):
        try:
            listed.append(_of_batch(sent))
            bodies.append(body_of(listed[-1]))
        except InvalidRequest as error:
            raise InvalidRequest.answered(error.message, error.details | {"index": no}) from None

    def claims(answer: Members) -> list[Claim]:
        return [
            Claim(result, _observed(sent))
            for sent, result in zip(listed, answer["results"], strict=True)
        ]

    path = session_path(session_id, "eliminate", "batch")
    return message(
        session_id,
        path,
        b'{"messages": [%b]}' % b", ".join(bodies),
        lambda answer: _batch(answer, len(listed)),
        claims,
        expected_head=expected_head,
        minimal=minimal,
    )


def _of_batch(sent: FreeObject | Observation) -> dict[str, Any]:
    if isinstance(sent, Mapping):
        members = {name: value for name, value in sent.items() if value is not None}
    else:
        given = {name: getattr(sent, name, None) for name in _OF_MESSAGE}
        members = {name: value for name, value in given.items() if value is not None}
        if not members:
            raise invalid(
                "messages",
                "every message must be a mapping, or an object with the members of a message",
            )
    if isinstance(members.get("session_id"), UUID):
        members["session_id"] = str(members["session_id"])
    if "eliminated" not in members:
        raise invalid("eliminated", "is missing")
    return members | {"eliminated": ids("eliminated", members["eliminated"])}


def _observed(sent: Members) -> Says:
    """Whether an event is that of an ELIMINATE message; the same set of ids is the same content."""

    def says(entry: AuditEntry, is_new: bool) -> bool:
        payload = entry.payload
        is_same = (
            entry.verb == "ELIMINATE"
            and payload["source_id"] == sent["source_id"]
            and payload["observation_id"] == sent["observation_id"]
            and _is_of(set(sent["eliminated"]), set(payload["eliminated"]))
        )
        if not is_same or not is_new:
            return is_same
        is_same = same(payload["justification"], sent.get("justification") or {})
        return is_same and entry.notes == sent.get("notes")

    return says


def _is_of(sent: set[str], recorded: set[str]) -> bool:
    """Whether these ids are what was sent, and with it edges that lose an end by that."""
    if sent == recorded:
        return True
    nodes = {node.replace("%", "%25").replace("|", "%7C") for node in sent}
    return sent <= recorded and all(
        edge.startswith("edge:") and nodes.intersection(edge[len("edge:") :].split("|")[:2])
        for edge in recorded - sent
    )


def _declared(answer: Members) -> Declared:
    return repeated(Declared(answer["session_id"], snapshot(answer)), answer["duplicate"])


def _eliminated(answer: Members) -> Eliminated:
    eliminated = Eliminated(
        answer["applied_eliminated"],
        answer["ignored_eliminated"],
        snapshot(answer),
        answer["audit_event_id"],
    )
    return repeated(eliminated, answer["duplicate"])


def _batch(answer: Members, n_sent: int) -> Batch:
    if len(answer["results"]) != n_sent:
        raise ValueError("there is a result for every message, and no other")
    results = [
        repeated(
            Observed(one["applied_eliminated"], one["ignored_eliminated"], one["audit_event_id"]),
            one["duplicate"],
        )
        for one in answer["results"]
    ]
    return repeated(Batch(results, snapshot(answer), answer["audit_event_id"]), answer["duplicate"])
