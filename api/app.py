"""The application: routes, what they share, and the pool that lives as long as it does."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator

from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.types import ASGIApp

from cmbs.migrate import head

from . import answers, audit, beliefs, gates, openapi, page, refusals, spaces
from .calling import Answer, Asked, database, json_answer
from .database import Database
from .headers import query
from .shell import Shell


@get("/healthz", gives=answers.Alive)
async def healthz(request: Asked) -> Answer:
    """Whether the server runs; the database is not asked."""
    return json_answer(b'{"status": "ok"}')


@get("/readyz", gives=answers.Ready)
async def readyz(request: Asked) -> Answer:
    """Whether the database answers and has the schema of this version."""
    revision = (await database(request).call("revision")).decode()
    if revision != request.app.state.revision:
        details = {"revision": revision, "needed": request.app.state.revision}
        raise refusals.Refusal("UNAVAILABLE", 503, details)
    return json_answer(b'{"status": "ready", "revision": "%s"}' % revision.encode())


@get("/schema/openapi.json", media_type="application/json")
async def openapi_json(request: Asked) -> Answer:
    return json_answer(request.app.state.openapi_json)


@get("/schema/openapi.yaml", media_type="application/yaml")
async def openapi_yaml(request: Asked) -> Answer:
    return Response(request.app.state.openapi_yaml, media_type="application/yaml")


@get("/schema", media_type="text/html")
async def documentation(request: Asked) -> Answer:
    return Response(request.app.state.page, media_type="text/html", headers=page.HEADERS)


ROUTES = (
    *(beliefs.declare_session, beliefs.list_sessions, beliefs.query_belief),
    *(beliefs.eliminate, beliefs.eliminate_batch),
    *(audit.audit_trace, audit.audit_event, audit.verify, audit.why),
    *(gates.list_obligations, gates.enter_obligation, gates.request_exit, gates.waive_obligation),
    *(gates.list_conclusions, gates.declare_conclusion, gates.request_termination),
    *(spaces.register_space, spaces.read_space),
    *(healthz, readyz),
)


def create_app(
    url: str, *, connections: int = 8, waiting: int = 1000, patience: float = 3.0
) -> ASGIApp:
    """The server over a database; requests wait for a connection, but not for long."""
    store = Database(url, connections, waiting, patience)
    document = openapi.document(ROUTES)
    state = {
        "database": store,
        "revision": head(),
        "openapi_json": openapi.as_json(document),
        "openapi_yaml": openapi.as_yaml(document),
        "page": page.render(document),
    }

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        async with store.pool:
            _end_with_supervisor()
            yield

    return Shell(
        Litestar(
            [*ROUTES, openapi_json, openapi_yaml, documentation],
            lifespan=[lifespan],
            state=State(state),
            before_request=_check_query,
            exception_handlers={Exception: refusals.response},
            compression_config=CompressionConfig("gzip", minimum_size=1024, gzip_compress_level=1),
            openapi_config=None,
            logging_config=None,
        )
    )


def _check_query(request: Asked) -> None:
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
