"""The client that waits for its answers."""

import functools
import inspect
import os
import ssl
import time
import types
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Concatenate, ParamSpec, TypeVar, get_args
from uuid import UUID

import httpx

from cmbs.client import gates, identities, reads, verbs
from cmbs.client.chain import Ledger
from cmbs.client.connection import connection
from cmbs.client.flow import Conversation, Flow, Listing, Pause, Read, Reply, Send, Step
from cmbs.client.proof import asked
from cmbs.client.request import Request
from cmbs.kernel.answers import AuditEntry, SessionId

P = ParamSpec("P")
T = TypeVar("T")


CLOSED = "The client was closed. Make a new one."


class _Channel:
    """Does what a flow asks for; holds the stream it reads."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._stream: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())

    def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    result = self._do(step)
                except (httpx.RequestError, httpx.InvalidURL) as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _do(self, step: Step) -> object:
        if self._http.is_closed:
            raise RuntimeError(CLOSED)
        match step:
            case Read():
                return next(self._chunks, b"")
            case Pause():
                time.sleep(step.seconds)
                return None
            case Send():
                return self._send(step)

    def _send(self, step: Send) -> Reply:
        asked = step.request
        request = self._http.build_request(
            asked.method,
            asked.path,
            params=asked.query or None,
            headers=[*asked.headers.items()],
            content=asked.body,
        )
        response = self._http.send(request, stream=True)
        if step.is_stream and response.status_code == 200:
            self.close()
            self._stream, self._chunks = response, response.iter_bytes()
            return Reply(response.status_code, response.headers, b"")
        try:
            return Reply(response.status_code, response.headers, response.read())
        finally:
            response.close()

    def close(self) -> None:
        if self._stream:
            self._stream.close()


def _call(build: Callable[P, Request[T]]) -> "Callable[Concatenate[Client, P], T]":
    def method(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._ask(build(*args, **kwargs))

    return described(method, build)


def _each(
    build: Callable[P, Listing[T]],
) -> "Callable[Concatenate[Client, P], Generator[T, None, None]]":
    def method(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> Generator[T, None, None]:
        return self._list(build(*args, **kwargs))

    return described(method, build, Generator, None, None)


Method = TypeVar("Method", bound=Callable[..., object])


def described(
    method: Method, build: Callable[..., object], kind: type | None = None, *rest: None
) -> Method:
    """The method, described as what it was made from is; it answers with what that asks for."""
    functools.update_wrapper(method, build)
    signature = inspect.signature(build)
    answer = get_args(signature.return_annotation)[-1]
    if kind:
        answer = types.GenericAlias(kind, (*get_args(answer), *rest))
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    method.__annotations__ = method.__annotations__ | {"return": answer}
    method.__dict__["__signature__"] = signature.replace(
        parameters=[own, *signature.parameters.values()], return_annotation=answer
    )
    return method


class Client:
    """A belief server over HTTP; its methods are those of `BeliefServer`, and may be called from
    many threads.

    A call is sent again, up to `retries` times within a minute, if the server cannot be reached,
    is busy, or fails: every message has an identity, so that it is applied once. If the first
    attempt was, its answer is lost, and the one that comes says `duplicate`. The pauses between 8
    retries add up to some 16 seconds, in which a server can be started again. `timeout` is in
    seconds, for each wait for the network. With `verify` every answer to a message, and every
    event, is checked against the hash chain of its session: see `ChainBroken`.

    `token` is sent with every request; over plain http only to a loopback address, and past any
    proxy. `ssl_context` says which certificates are trusted, where it is not those of the system.
    """

    def __init__(
        self,
        base_url: str,
        *,
        timeout: float = 30.0,
        retries: int = 8,
        verify: bool = False,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._connect = functools.partial(
            httpx.Client, timeout=timeout, **connection(base_url, headers, token, ssl_context)
        )
        self._http, self._pid = self._connect(), os.getpid()
        self._conversation = Conversation(retries, Ledger() if verify else None)

    declare_session = _call(verbs.declare_session)
    eliminate = _call(verbs.eliminate)
    eliminate_batch = _call(verbs.eliminate_batch)
    enter_obligation = _call(gates.enter_obligation)
    request_exit = _call(gates.request_exit)
    waive_obligation = _call(gates.waive_obligation)
    declare_conclusion = _call(gates.declare_conclusion)
    request_termination = _call(gates.request_termination)
    query_belief = _call(reads.query_belief)
    audit_stream = _each(reads.audit_stream)
    audit_event = _call(reads.audit_event)
    list_sessions = _each(reads.list_sessions)
    list_obligations = _call(reads.list_obligations)
    list_conclusions = _call(reads.list_conclusions)
    why = _call(reads.why)
    explain = _call(reads.explain)
    diff = _call(reads.diff)
    whatif = _call(reads.whatif)
    verify = _call(reads.verify)
    register_space = _call(reads.register_space)
    read_space = _call(reads.read_space)
    identify = _call(identities.identify)
    create_principal = _call(identities.create_principal)
    change_principal = _call(identities.change_principal)
    read_principal = _call(identities.read_principal)
    list_principals = _each(identities.list_principals)
    create_token = _call(identities.create_token)
    rotate_token = _call(identities.rotate_token)
    revoke_token = _call(identities.revoke_token)
    read_token = _call(identities.read_token)
    list_tokens = _each(identities.list_tokens)
    audit_identities = _each(identities.audit_identities)
    verify_identities = _call(identities.verify_identities)
    healthz = _call(reads.healthz)
    readyz = _call(reads.readyz)

    def audit_trace(
        self, session_id: SessionId, since_event_id: str | UUID | None = None
    ) -> list[AuditEntry]:
        """The events after the given one, or all."""
        return [*self.audit_stream(session_id, since_event_id)]

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        self.close()

    def _channel(self) -> _Channel:
        # After a fork the connections are those of the parent, and two would speak on each.
        if self._pid != os.getpid() and not self._http.is_closed:
            self._http, self._pid = self._connect(), os.getpid()
        return _Channel(self._http)

    def _ask(self, request: Request[T]) -> T:
        channel = self._channel()
        try:
            return channel.run(asked(self._conversation, request))
        finally:
            channel.close()

    def _list(self, listing: Listing[T]) -> Generator[T, None, None]:
        channel, source = self._channel(), listing(self._conversation)
        try:
            while (item := channel.run(source.next())) is not None:
                yield item
        finally:
            channel.close()
