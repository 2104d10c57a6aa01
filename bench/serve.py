"""Serves one application: `python -m bench.serve {ours,shared,closed,bare} URL PORT`."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
import uvicorn
from litestar import Litestar, Response, post
from litestar.types import ASGIApp
from psycopg_pool import AsyncConnectionPool

from cmbs.api import serve
from cmbs.api.shell.admission import Terms


class Row(msgspec.Struct):
    session_id: UUID
    source_id: str
    observation_id: str
    eliminated: list[str]


def bare(url: str) -> ASGIApp:
    """The least a Litestar server can do for one durable row."""
    pool = AsyncConnectionPool(url, kwargs={"autocommit": True}, min_size=8, open=False)

    @post("/row")
    async def insert(data: Row) -> Response[bytes]:
        async with pool.connection() as connection:
            cursor = await connection.execute(
                "select bench.insert_row(%s, %s, %s, %s)",
                [data.session_id, data.source_id, data.observation_id, data.eliminated],
            )
            row: Any = await cursor.fetchone()
        return Response(row[0].encode(), media_type="application/json", status_code=200)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        async with pool:
            yield

    return Litestar([insert], lifespan=[lifespan], openapi_config=None, logging_config=None)


def _with_shared_connections(make: Any, *arguments: Any, **more: Any) -> ASGIApp:
    app: ASGIApp = make(*arguments, **more | {"readers": 0})
    return app


def main() -> None:
    name, url, port = sys.argv[1:]
    if name == "shared":
        # As it was when readers had no connections of their own.
        serve.create_app = partial(_with_shared_connections, serve.create_app)
    if name in ("ours", "shared", "closed"):
        with closing(serve.listen("127.0.0.1", int(port))) as taken:
            serve.run(url, taken, 1, lambda: None, Terms(name == "closed", True, rate=0))
    else:
        uvicorn.run(
            partial(bare, url), factory=True, port=int(port), http="httptools", ws="none",
            loop="uvloop", access_log=False, log_level="warning", proxy_headers=False,
        )  # fmt: skip


main()
