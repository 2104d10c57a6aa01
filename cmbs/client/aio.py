"""The client whose answers are awaited."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import UUID

import httpx

from cmbs.client import gates, identities, reads, verbs
from cmbs.client.chain import Ledger
from cmbs.client.connection import connection
from cmbs.client.flow import Conversation, Flow, Listing, Pause, Read, Reply, Send, Step
from cmbs.client.proof import asked
from cmbs.client.request import Request
from cmbs.client.sync import CLOSED, described
from cmbs.kernel.answers import AuditEntry, SessionId

P = ParamSpec("P")
T = TypeVar("T")


async def _nothing() -> AsyncIterator[bytes]:
    return
    yield


class _Tasks:
    """What goes on to its end although whoever waits for it is cancelled.

    A connection that is cancelled while it is given back would be lost to its pool for ever.
    """

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        # Whoever would have been told what went wrong may be gone.
        if not task.cancelled():
            task.exception()

    async def end(self) -> None:
        while self._running:
            await asyncio.wait(self._running)


class _Channel:
    """Does what a flow asks for; holds the stream it reads."""

    def __init__(self, http: httpx.AsyncClient, tasks: _Tasks) -> None:
        self._http, self._tasks = http, tasks
        self._stream: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes] = _nothing()
        self._last: asyncio.Task[Any] | None = None

    async def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    result = await self._do(step)
                except (httpx.RequestError, httpx.InvalidURL) as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    async def _do(self, step: Step) -> object:
        if self._http.is_closed:
            raise RuntimeError(CLOSED)
        match step:
            case Read():
                return await self._whole(self._read())
            case Pause():
                await asyncio.sleep(step.seconds)
                return None
            case Send():
                return await self._whole(self._send(step))

    async def _whole(self, work: Coroutine[Any, Any, T]) -> T:
        self._last = task = self._tasks.start(work)
        await asyncio.wait([task])
        return task.result()

    async def _read(self) -> bytes:
        return await anext(self._chunks, b"")

    async def _send(self, step: Send) -> Reply:
        asked = step.request
        request = self._http.build_request(
            asked.method,
            asked.path,
            params=asked.query or None,
            headers=[*asked.headers.items()],
            content=asked.body,
        )
        response = await self._http.send(request, stream=True)
        if step.is_stream and response.status_code == 200:
            await self._let_go()
            self._stream, self._chunks = response, response.aiter_bytes()
            return Reply(response.status_code, response.headers, b"")
        try:
            return Reply(response.status_code, response.headers, await response.aread())
        finally:
            await response.aclose()

    async def close(self) -> None:
        """Let the stream go; after a cancel only when the server has answered, without waiting."""
        if self._last and not self._last.done():
            self._tasks.start(self._let_go_after(self._last))
        elif self._stream:
            await self._whole(self._let_go())

    async def _let_go_after(self, last: asyncio.Task[Any]) -> None:
        await asyncio.wait([last])
        await self._let_go()

    async def _let_go(self) -> None:
        if self._stream:
            await self._stream.aclose()


def _call(
    build: Callable[P, Request[T]],
) -> "Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]":
    async def method(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._ask(build(*args, **kwargs))

    return described(method, build)


def _each(
    build: Callable[P, Listing[T]],
) -> "Callable[Concatenate[AsyncClient, P], AsyncGenerator[T, None]]":
    def method(
        self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncGenerator[T, None]:
        return self._list(build(*args, **kwargs))

    return described(method, build, AsyncGenerator, None)


class AsyncClient:
    """A belief server over HTTP, for asyncio: `Client` with methods to be awaited.

    What gives many things (`audit_stream`, `list_sessions`) is not awaited but iterated over, with
    `async for`.
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
        self._http = httpx.AsyncClient(
            timeout=timeout, **connection(base_url, headers, token, ssl_context)
        )
        self._conversation = Conversation(retries, Ledger() if verify else None)
        self._tasks = _Tasks()

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

    async def audit_trace(
        self, session_id: SessionId, since_event_id: str | UUID | None = None
    ) -> list[AuditEntry]:
        """The events after the given one, or all."""
        return [entry async for entry in self.audit_stream(session_id, since_event_id)]

    async def close(self) -> None:
        """Close the connections, once calls that were cancelled have ended."""
        await self._tasks.end()
        await self._http.aclose()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _ask(self, request: Request[T]) -> T:
        channel = _Channel(self._http, self._tasks)
        try:
            return await channel.run(asked(self._conversation, request))
        finally:
            await channel.close()

    async def _list(self, listing: Listing[T]) -> AsyncGenerator[T, None]:
        channel, source = _Channel(self._http, self._tasks), listing(self._conversation)
        try:
            while (item := await channel.run(source.next())) is not None:
                yield item
        finally:
            await channel.close()
