"""A server on a socket, and a client for it: every test runs with the one that waits and the one
that awaits; with a push only what they do not share runs with both.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cmbs.client import AsyncClient, Client
from tests.support.servers import TLS
from tests.support.web import site_over

Connect = Callable[..., Any]
# What awaits has its own sending, retries and pages; what is sent and read is one code for both.
_OWN = ("test_methods", "test_retries", "test_stream", "test_tokens", "test_either")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and item.path.stem not in _OWN:
            given = getattr(item, "callspec", None)
            if given and given.params.get("connect") == "async":
                item.add_marker(pytest.mark.nightly)


class Awaited:
    """An AsyncClient that is called like a Client."""

    def __init__(self, client: AsyncClient, runner: asyncio.Runner) -> None:
        self._client, self._runner = client, runner

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)

        def call(*args: Any, **named: Any) -> Any:
            told = method(*args, **named)
            return self._each(told) if isinstance(told, AsyncIterator) else self._wait(told)

        return call

    def _each(self, many: Any) -> Iterator[Any]:
        end = object()
        try:
            while (one := self._wait(anext(many, end))) is not end:
                yield one
        finally:
            self._wait(many.aclose())

    def _wait(self, awaitable: Any) -> Any:
        async def wait() -> Any:
            return await awaitable

        return self._runner.run(wait())


@pytest.fixture(scope="session")
def site(server: SimpleNamespace, template: Any) -> Iterator[SimpleNamespace]:
    # Two, so that what many threads send at once can be told in another order.
    with site_over(server, template, "client", connections=2) as site:
        yield site


@pytest.fixture(params=["sync", "async"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Makes clients of an address, of the one kind and then of the other."""
    made: list[Any] = []
    with asyncio.Runner() as runner:

        def to(address: str, **options: Any) -> Any:
            options = {"ssl_context": TLS, **options}
            if request.param == "sync":
                made.append(Client(address, **options))
            else:
                made.append(Awaited(AsyncClient(address, **options), runner))
            return made[-1]

        yield to
        for client in made:
            client.close()


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.nightly)], ids=["", "verify"])
def client(connect: Connect, site: SimpleNamespace, request: pytest.FixtureRequest) -> Any:
    """What an honest server answers is the same with and without verification.

    With a push test_methods.py shows it, at night every file.
    """
    return connect(site.address, verify=request.param)
