"""The application: routes, what they share, and the pool that lives as long as it does."""

import asyncio
import contextlib
import functools
import gc
import logging
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator
from typing import Any

from litestar import Litestar, get, route
from litestar.config.app import AppConfig
from litestar.datastructures import State
from litestar.types import ASGIApp

from cmbs import __version__
from cmbs.api.docs import openapi, page
from cmbs.api.docs.openapi_yaml import as_yaml
from cmbs.api.rooms.operations.metrics import Scrapes
from cmbs.api.routes import ROUTES
from cmbs.api.shell import refusals, tracing
from cmbs.api.shell.access import Access
from cmbs.api.shell.admission import Admission, Terms
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_limits import Memory
from cmbs.api.shell.headers import HttpRequest, query
from cmbs.api.shell.metrics import Counters, Kept
from cmbs.api.shell.upkeep import Upkeep
from cmbs.common.log import line
from cmbs.database.pool import Database
from cmbs.deploy.migrate import head

log = logging.getLogger("cmbs.process")


@get("/schema/openapi.json")
async def openapi_json(request: HttpRequest) -> Answer:
    return Answer(request.app.state.documents.json)


@get("/schema/openapi.yaml")
async def openapi_yaml(request: HttpRequest) -> Answer:
    # It takes a third of a second, once; others are served meanwhile.
    text = await asyncio.to_thread(lambda: request.app.state.documents.yaml)
    return Answer(text, kind=b"application/yaml")


# What its search field holds is in its address; the page itself reads it.
@get("/schema", query=("q",))
async def documentation(request: HttpRequest) -> Answer:
    text = request.app.state.documents.page
    return Answer(text, headers=page.HEADERS, kind=b"text/html; charset=utf-8")


def _methods() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for handler in (*ROUTES, openapi_json, openapi_yaml, documentation):
        for path in handler.paths:
            found.setdefault(path, {"OPTIONS"}).update(handler.http_methods)
    return found


_ALLOW = {path.replace(":str}", "}"): refusals.allow(names) for path, names in _methods().items()}


@route([*_methods()], http_method="OPTIONS")
async def options(request: HttpRequest) -> Answer:
    """The methods of a path; the framework's own answer knows those of one handler."""
    allowed = _ALLOW[request.scope["path_template"]]
    return Answer(b"", 204, [(b"allow", allowed.encode())])


class Documents:
    """What describes the routes, in each form; it is written when somebody first asks for it."""

    def __init__(self, needs_token: bool) -> None:
        self._needs_token = needs_token

    @functools.cached_property
    def _document(self) -> dict[str, Any]:
        return openapi.document(ROUTES)

    @functools.cached_property
    def json(self) -> bytes:
        return openapi.as_json(self._document)

    @functools.cached_property
    def yaml(self) -> bytes:
        return as_yaml(self._document)

    @functools.cached_property
    def page(self) -> bytes:
        return page.render(self._document, needs_token=self._needs_token)


class _App(Litestar):
    @staticmethod
    def _patch_opentelemetry_middleware(config: AppConfig) -> AppConfig:
        """Litestar would import its own plugin, and all that it finds of OpenTelemetry."""
        return config


def create_app(
    url: str,
    terms: Terms,
    kept: Kept,
    *,
    connections: int = 8,
    readers: int = 2,
    waiting: int = 1000,
    patience: float = 3.0,
    upkeep: float | None = None,
) -> ASGIApp:
    """The server over a database; requests wait for a connection, but not for long.

    `kept`: where all processes of the server keep what they count.
    `upkeep`: after how many seconds it looks again for what is due; None: it does nothing unasked.
    """
    spans = tracing.spans()
    opened = spans.database if spans else Database
    store = opened(url, connections, waiting, patience, readers)
    counters = Counters(kept)
    admission = Admission(store, terms)
    room = Memory()
    state = {
        "database": store,
        "admission": admission,
        "revision": head(),
        "documents": Documents(terms.needs_token),
        "room": room,
        "counters": counters,
        "scrapes": Scrapes(store, counters),
    }

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        # What is here now stays: collecting garbage need not look at it in the midst of requests.
        gc.collect()
        gc.freeze()
        log.info(line("start", pid=os.getpid(), version=__version__, revision=head()))
        async with contextlib.AsyncExitStack() as stack:
            if spans:
                await stack.enter_async_context(spans.sent())
            await stack.enter_async_context(store.opened())
            await stack.enter_async_context(counters.living(store))
            _end_with_supervisor()
            if upkeep:
                await stack.enter_async_context(Upkeep(store, upkeep, counters.round).running())
            log.info(line("ready", pid=os.getpid()))
            yield
        log.info(line("stop", pid=os.getpid()))
        # A worker ends without the handlers' own last chance.
        for handler in logging.getLogger("cmbs.access").handlers:
            handler.flush()

    return Access(
        _App(
            [options, *ROUTES, openapi_json, openapi_yaml, documentation],
            lifespan=[lifespan],
            state=State(state),
            before_request=_check_query,
            exception_handlers={Exception: refusals.response},
            openapi_config=None,
            logging_config=None,
        ),
        admission,
        room,
        counters,
        spans,
    )


async def _check_query(request: HttpRequest) -> None:
    # Where nothing is asked there is nothing to misspell.
    if request.scope["query_string"]:
        query(request)


def _end_with_supervisor() -> None:
    """A worker whose supervisor was killed ends too, or it would keep the port."""
    supervisor = multiprocessing.parent_process()
    if supervisor is None:
        return
    loop, sentinel = asyncio.get_running_loop(), supervisor.sentinel

    def end() -> None:
        loop.remove_reader(sentinel)
        os.kill(os.getpid(), signal.SIGTERM)

    loop.add_reader(sentinel, end)
