"""A store of eliminations behind a Tee: an incident for each session, over gRPC."""

import os
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from cmbs.spi.elimination_store import EliminationProvenance, EliminationResult, RecoveredState
from cmbs.stores.arguments import checked_id, checked_ids, checked_provenance
from cmbs.tee import convert, endpoint, wire
from cmbs.tee.client import Client, TeeError, TeeUnavailable

__all__ = ["TeeError", "TeeStore", "TeeUnavailable"]

# So many hypotheses, or of one session more, are not asked for again: universes never change.
_REMEMBERED = 1_000_000


class TeeStore:
    """Keeps sessions as incidents of a Tee, ours or another's of the same proto. Hypotheses are
    nodes of its graph, which must be there before a session begins: `ValueError` otherwise.

    `tee_endpoint` is `host:port`, with `https://` before it for TLS; `authority` is a file of the
    certificates that may have signed the server's, in PEM. `token` is shown with every call.
    Nothing is connected before the first call. A call is made again while the Tee is away, for
    `timeout` seconds in all; then it is `TeeUnavailable`, and any other failure is `TeeError`. What
    a call has answered is kept; one that ended so may be made again, and what it did do is
    `already_eliminated` then. Safe to call from many threads; gRPC does not survive a
    fork, so a process has a store of its own.

    With `edges` hypotheses may be edges of the graph too, by ids `edge:<source>|<target>|<TYPE>`.
    A node takes the edges with it that it is an end of: `expand` names them, and `eliminate`
    eliminates them in any case.

    A Tee that does not know which nodes an incident is about keeps no universe: this store does
    then, as long as it lives, and `restore_all` gives it those of its log; of what it does not
    remember all that the graph has is the universe.
    """

    def __init__(
        self,
        tee_endpoint: str,
        *,
        edges: bool = False,
        token: str | None = None,
        authority: str | os.PathLike[str] | None = None,
        timeout: float = 10.0,
    ) -> None:
        # What is no address is said at once, and not by the first call.
        self._client = Client(endpoint.parse(tee_endpoint, token, authority), timeout)
        self._edges = edges
        # Whether the Tee keeps universes: not known before it has said so.
        self._is_anchoring = False
        self._lock = threading.Lock()
        self._declared: dict[str, _Universe] = {}
        self._of_logs: dict[str, _Universe] = {}
        self._remembered, self._n_remembered = OrderedDict[str, _Universe](), 0

    def create_session(self, session_id: str, hypothesis_ids: Iterable[str]) -> None:
        """Begin a session. Again with the same set: nothing; with another: `ValueError`."""
        asked = checked_ids("hypothesis_ids", hypothesis_ids)
        _check_text("session_id", checked_id("session_id", session_id))
        universe = _Universe(asked)
        for one in asked:
            _check_text("hypothesis_ids", one)
            if one.startswith("edge:") and not (self._edges and one in universe.edges):
                raise ValueError(f"hypothesis_ids: {one!r} is no node, and no edge of this store")
        for one, edge in universe.edges.items():
            if not {edge.source, edge.target} <= universe.nodes:
                raise ValueError(f"hypothesis_ids: both ends of {one!r} must be hypotheses too")
        if not self._is_anchoring:
            self._check_in_graph(universe)
        request = convert.incident_request(
            session_id,
            sorted(universe.nodes),
            universe.edges.values(),
            is_exact=self._edges or not asked,
        )
        is_same = True
        try:
            answer = self._client.send("CreateIncident", request)
        except TeeError as error:
            if error.code == "INVALID_ARGUMENT":
                raise ValueError(f"hypothesis_ids: {error}") from None
            if error.code != "ALREADY_EXISTS":
                raise
            is_same = False
        else:
            self._is_anchoring = bool(answer.universe_anchor)
            with self._lock:
                if self._is_anchoring:
                    self._remember(session_id, universe)
                else:
                    is_same = self._declared.setdefault(session_id, universe).ids == asked
        if not is_same:
            raise ValueError(
                f"session {session_id!r} was created with other hypotheses; choose another id"
            )

    def eliminate(
        self, session_id: str, eliminated: Iterable[str], provenance: EliminationProvenance
    ) -> EliminationResult:
        """Eliminate. Unknown ids change nothing and are `already_eliminated`. All or nothing up to
        10,000 ids or a megabyte of them, of nodes and of edges. Where an answer is lost and the
        store asks again, what the first call did is `already_eliminated` as well.
        """
        asked = checked_ids("eliminated", eliminated)
        why = checked_provenance(provenance)
        universe = self._universe(session_id)
        asked |= universe.dead_edges(asked)
        known = asked & universe.ids
        if not known:
            return EliminationResult(frozenset(), asked)
        _check_text("provenance source_id", why.source_id)
        _check_text("provenance trigger", why.trigger)
        said = wire.message("Provenance")(source=why.source_id, trigger=why.trigger)
        said.timestamp.GetCurrentTime()
        applied: set[str] = set()
        edges = {one: universe.edges[one] for one in known & universe.edges.keys()}
        for name, request in convert.tombstone_requests(
            session_id, known & universe.nodes, edges, said
        ):
            answered = self._send(session_id, name, request).applied_ids
            is_of_edges = name == "MergeEdgeTombstones"
            applied.update(convert.edges_named(answered, edges) if is_of_edges else answered)
        return EliminationResult(frozenset(applied), asked - applied)

    def expand(self, session_id: str, ids: Iterable[str]) -> frozenset[str]:
        """Ids that are to be eliminated, with the edges of the session that lose an end by it."""
        asked = checked_ids("ids", ids)
        return asked | self._universe(session_id).dead_edges(asked) if self._edges else asked

    def get_survivors(self, session_id: str) -> frozenset[str]:
        universe = self._universe(session_id)
        view = self._ask(session_id, "GetLiveView")
        alive = {node.id for node in view.nodes}
        if universe.edges:
            alive.update(map(convert.entry_id, view.edges))
        return universe.ids & alive

    def get_eliminated(self, session_id: str) -> frozenset[str]:
        return self.recover(session_id).eliminated

    def recover(self, session_id: str) -> RecoveredState:
        """Everything about a session, of one moment."""
        context = self._context(session_id)
        universe = self._universe_of(session_id, context)
        gone = {*context.tombstones.node_ids}
        gone.update(map(convert.entry_id, context.tombstones.edge_entries))
        eliminated = universe.ids & (gone | universe.dead_edges(gone))
        return RecoveredState(universe.ids, eliminated, universe.ids - eliminated)

    def remember(self, session_id: str, hypothesis_ids: Iterable[str]) -> None:
        """What a log says that a session began with: for a Tee that does not keep it."""
        universe = _Universe(checked_ids("hypothesis_ids", hypothesis_ids))
        with self._lock:
            self._of_logs[checked_id("session_id", session_id)] = universe

    def close(self) -> None:
        """Close the connection; the store cannot be used any more, what it keeps is kept."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(self, session_id: str, name: str) -> Any:
        return self._send(session_id, name, wire.METHODS[name].request(incident_id=session_id))

    def _send(self, session_id: str, name: str, request: Any) -> Any:
        # What a Tee would not even take for an id is of nothing that it has.
        unknown = ("NOT_FOUND", *(["INVALID_ARGUMENT"] if name == "GetIncidentContext" else []))
        try:
            return self._client.send(name, request)
        except TeeError as error:
            if error.code in unknown:
                raise KeyError(session_id) from None
            raise

    def _context(self, session_id: str) -> Any:
        if _fault(checked_id("session_id", session_id)):
            raise KeyError(session_id)
        return self._ask(session_id, "GetIncidentContext")

    def _universe(self, session_id: str) -> "_Universe":
        with self._lock:
            known = self._declared.get(checked_id("session_id", session_id))
            if session_id in self._remembered:
                self._remembered.move_to_end(session_id)
                known = known or self._remembered[session_id]
        return known or self._universe_of(session_id, self._context(session_id))

    def _universe_of(self, session_id: str, context: Any) -> "_Universe":
        with self._lock:
            if known := self._declared.get(session_id) or self._remembered.get(session_id):
                return known
        if context.universe_anchor:
            ids = context.universe_ids
            universe = _Universe(one for one in ids if self._edges or not one.startswith("edge:"))
            with self._lock:
                self._of_logs.pop(session_id, None)
                self._remember(session_id, universe)
            return universe
        with self._lock:
            if known := self._of_logs.pop(session_id, None):
                return self._declared.setdefault(session_id, known)
        return _Universe(self._graph_ids())

    def _remember(self, session_id: str, universe: "_Universe") -> None:
        if session_id in self._remembered:
            return
        self._remembered[session_id] = universe
        self._n_remembered += len(universe.ids)
        while self._n_remembered > _REMEMBERED and len(self._remembered) > 1:
            _, forgotten = self._remembered.popitem(last=False)
            self._n_remembered -= len(forgotten.ids)

    def _graph_ids(self) -> set[str]:
        """All that the graph of the Tee has, and that is a hypothesis to this store."""
        graph = self._client.send("GetMainGraph", wire.METHODS["GetMainGraph"].request())
        edges = map(convert.entry_id, graph.edges) if self._edges else ()
        return {*(node.id for node in graph.nodes), *edges}

    def _check_in_graph(self, universe: "_Universe") -> None:
        """For a Tee that may not look at what an incident is about."""
        if missing := sorted(universe.ids - self._graph_ids()):
            raise ValueError(
                f"hypothesis_ids: {len(missing)} are not in the graph of the Tee, such as "
                f"{missing[0]!r}; merge them into it first"
            )


class _Universe:
    """The hypotheses of a session: nodes and edges."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.ids = frozenset(ids)
        self.edges = convert.edges_of(self.ids)
        self.nodes = self.ids - self.edges.keys()
        self._at: dict[str, list[str]] = defaultdict(list)
        for one, edge in self.edges.items():
            self._at[edge.source].append(one)
            self._at[edge.target].append(one)

    def dead_edges(self, ids: Iterable[str]) -> frozenset[str]:
        """The edges that have one of these nodes for an end."""
        return frozenset(edge for one in ids for edge in self._at.get(one, ()))


def _check_text(name: str, text: str) -> None:
    if fault := _fault(text):
        raise ValueError(f"{name}: {fault}")


def _fault(text: str) -> str | None:
    """Why a message cannot hold a text, or a Tee not take it."""
    if not text:
        return "a Tee takes no empty text"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "a message cannot hold a lone surrogate, which is no text"
    return None
