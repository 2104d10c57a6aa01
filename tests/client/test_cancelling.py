"""A call that is cancelled, wherever it stands, leaves the client well."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

from cmbs.client import AsyncClient
from tests.client.test_methods import BUNDLE, CAUSES

Call = Callable[[AsyncClient, str], Coroutine[Any, Any, Any]]
CALLS: dict[str, Call] = {
    "read": lambda client, session: client.healthz(),
    "stream": lambda client, session: client.audit_trace(session),
}


@pytest.mark.parametrize("call", CALLS)
def test_no_connection_is_lost(site: SimpleNamespace, call: str) -> None:
    async def cancel_often() -> None:
        dice = random.Random(0)
        async with AsyncClient(site.address) as client:
            session, _ = await client.declare_session(BUNDLE, CAUSES)
            for _ in range(300):
                with suppress(TimeoutError):
                    await asyncio.wait_for(CALLS[call](client, session), dice.uniform(0, 0.004))
            assert await CALLS[call](client, session)
            await client._tasks.end()
            pool = client._http._transport._pool  # type: ignore[attr-defined]
            assert pool.connections
            assert all(one.is_idle() or one.is_closed() for one in pool.connections)

    asyncio.run(cancel_often())


def test_whoever_cancels_need_not_wait(site: SimpleNamespace) -> None:
    async def ask_a_silent_server() -> None:
        connected, over = asyncio.Event(), asyncio.Event()

        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connected.set()
            await over.wait()
            writer.close()

        async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            client = AsyncClient(f"http://127.0.0.1:{port}")
            task = asyncio.create_task(client.healthz())
            await connected.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert client._tasks._running, "the server has not answered yet"
            over.set()
            await client.close()
            assert not client._tasks._running

    asyncio.run(ask_a_silent_server())
