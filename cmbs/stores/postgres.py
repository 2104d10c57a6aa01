"""A store of eliminations in PostgreSQL: elimination contexts, by their stored procedures."""

import os
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from cmbs import errors
from cmbs.database.calls import call, is_quiet
from cmbs.spi.elimination_store import EliminationProvenance, EliminationResult, RecoveredState
from cmbs.stores.arguments import checked_id, checked_ids, checked_provenance

# What the verbs call what a store calls otherwise.
_NAMES = {"context_id": "session_id", "hypotheses": "hypothesis_ids"}
_Pool = ConnectionPool[psycopg.Connection[Any]]
_CONNECTIONS = 8
_PATIENCE = 10.0
_CONNECT_TIMEOUT = 5
_TRIES = 10
_LONGEST = 512
_LOCK_TIMEOUT = "-c lock_timeout=10s"
# Pools that a fork copied: to close or collect one would warn of connections that the parent uses.
_OF_PARENTS: list[_Pool] = []


class PostgresStore:
    """Keeps sessions in a database that has the schema of CMBS (`cmbs migrate`), as elimination
    contexts. Those never meet the sessions that the verbs of the protocol know, whatever the ids.

    `conninfo` is an address as psycopg takes it, for a login of the role `cmbs_agent`. Nothing is
    connected before the first call. Safe to call from many threads and many processes, over one
    store or several; a process that was forked makes connections of its own. Close the store, or
    use it as a context manager, to give its connections back.

    An id, and what provenance says, may be any text of at most 512 bytes that PostgreSQL can hold:
    without NUL and lone surrogates. To create a session with others is `ValueError`, as are
    arguments of another type; elsewhere they are what nothing is known of.

    A call that lost a race is made again a few times. If the database is away, or goes away during
    a call, or another holds the session for ten seconds (unless `conninfo` has options of its own)
    that is `psycopg.OperationalError`. What a call has answered is kept; one that ended so may be
    made again, and what it did do is `already_eliminated` then.
    """

    def __init__(self, conninfo: str) -> None:
        # What is no address is said at once, and not by the first call.
        self._conninfo = make_conninfo(conninfo)
        self._lock = threading.Lock()
        self._is_closed = False
        self._pid, self._pool = os.getpid(), self._new_pool()

    def create_session(self, session_id: str, hypothesis_ids: Iterable[str]) -> None:
        """Begin a session. Again with the same set: nothing; with another: `ValueError`."""
        asked = checked_ids("hypothesis_ids", hypothesis_ids)
        self._call("create_context", session_id, hypotheses=list(asked))

    def eliminate(
        self, session_id: str, eliminated: Iterable[str], provenance: EliminationProvenance
    ) -> EliminationResult:
        """Eliminate, all or nothing. Unknown ids change nothing and are `already_eliminated`."""
        asked = checked_ids("eliminated", eliminated)
        checked_provenance(provenance)
        known = [one for one in asked if _fault(one) is None]
        answer = self._call(
            "eliminate_in_context",
            session_id,
            eliminated=known,
            source_id=provenance.source_id,
            trigger=provenance.trigger,
        )
        return EliminationResult(frozenset(answer["applied"]), asked.difference(answer["applied"]))

    def get_survivors(self, session_id: str) -> frozenset[str]:
        return frozenset(self._call("read_context_survivors", session_id)["survivors"])

    def get_eliminated(self, session_id: str) -> frozenset[str]:
        return frozenset(self._call("read_context_eliminated", session_id)["eliminated"])

    def recover(self, session_id: str) -> RecoveredState:
        """Everything about a session, of one moment."""
        answer = self._call("recover_context", session_id)
        return RecoveredState(
            frozenset(answer["hypotheses"]),
            frozenset(answer["eliminated"]),
            frozenset(answer["survivors"]),
        )

    def close(self) -> None:
        """Give the connections back; the store cannot be used any more, what it keeps is kept."""
        self._is_closed = True
        if self._pid == os.getpid():
            self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _call(self, verb: str, session_id: str, **arguments: str | list[str]) -> Any:
        checked_id("session_id", session_id)
        if verb != "create_context" and _fault(session_id):
            raise KeyError(session_id)
        given = {"context_id": session_id} | arguments
        for name, value in given.items():
            for text in [value] if isinstance(value, str) else value:
                if fault := _fault(text):
                    raise ValueError(f"{_NAMES.get(name, name)}: {fault}")
        try:
            for _ in range(_TRIES - 1):
                try:
                    return self._call_once(verb, given)
                except (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected):
                    continue
            return self._call_once(verb, given)
        except errors.SessionNotFound:
            raise KeyError(session_id) from None
        except errors.Conflict:
            raise ValueError(
                f"session {session_id!r} was created with other hypotheses; choose another id"
            ) from None
        except errors.InvalidRequest as error:
            raise ValueError(f"{_named(error)}: {error.details['problem']}") from None
        except errors.PayloadTooLarge as error:
            raise ValueError(f"{_named(error)}: at most {error.details['limit']} at once") from None

    def _call_once(self, verb: str, arguments: dict[str, Any]) -> Any:
        pool = self._opened_pool()
        try:
            connection = _quiet_connection(pool)
        except PoolTimeout:
            # If no connection can be made, this says why.
            psycopg.connect(self._conninfo, connect_timeout=_CONNECT_TIMEOUT).close()
            raise
        try:
            return call(connection, verb, **arguments)
        finally:
            pool.putconn(connection)

    def _opened_pool(self) -> _Pool:
        if self._is_closed:
            raise psycopg.OperationalError("the store was closed; make another")
        if self._pid != os.getpid():
            with self._lock:
                if self._pid != os.getpid():
                    _OF_PARENTS.append(self._pool)
                    self._pool = self._new_pool()
                    self._pid = os.getpid()
        self._pool.open()
        return self._pool

    def _new_pool(self) -> _Pool:
        given = conninfo_to_dict(self._conninfo).get("options")
        return ConnectionPool(
            self._conninfo,
            kwargs={
                "autocommit": True,
                "client_encoding": "utf8",
                "connect_timeout": _CONNECT_TIMEOUT,
                "options": given or _LOCK_TIMEOUT,
            },
            min_size=0,
            max_size=_CONNECTIONS,
            timeout=_PATIENCE,
            # Its pauses between two attempts grow as long as it is patient.
            reconnect_timeout=2,
            open=False,
        )


def _named(error: errors.BeliefError) -> str:
    member: str = error.details["member"]
    return _NAMES.get(member, member)


def _fault(text: str) -> str | None:
    """Why PostgreSQL, or an index of it, cannot keep a text."""
    if "\0" in text:
        return "PostgreSQL cannot keep text with a NUL character"
    try:
        is_short = len(text.encode()) <= _LONGEST
    except UnicodeEncodeError:
        return "PostgreSQL cannot keep a lone surrogate, which is no text"
    return None if is_short else f"must be text of at most {_LONGEST} bytes"


def _quiet_connection(pool: _Pool) -> psycopg.Connection[Any]:
    """A connection that the server has not closed while it was idle."""
    for _ in range(pool.max_size + 1):
        connection = pool.getconn()
        if is_quiet(connection):
            return connection
        # A check of the pool's own waits longer with each that it finds closed.
        connection.close()
        pool.putconn(connection)
    raise psycopg.OperationalError("the connections are closed faster than they are made")
