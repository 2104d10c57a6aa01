"""What a monitor asks for: how far the mirror is behind, in the text format of Prometheus."""

from collections.abc import Iterator

import msgspec
from litestar import get
from msgspec import Struct

from cmbs.api.shell.answer import Answer
from cmbs.api.shell.headers import HttpRequest
from cmbs.api.shell.routes_common import database

KIND = "text/plain; version=0.0.4; charset=utf-8"


class MirrorStatus(Struct):
    """What the verb answers."""

    endpoint: str | None
    n_pending: int
    n_dead: int
    n_sessions: int
    n_retries: int
    lag_seconds: float


@get("/metrics", gives=MirrorStatus, text=KIND)
async def metrics(request: HttpRequest) -> Answer:
    """How far the mirror is behind, for Prometheus; for who sees every tenant."""
    answer = await database(request).call("read_mirror")
    status = msgspec.json.decode(answer, type=MirrorStatus)
    return Answer("".join(_lines(status)).encode(), kind=KIND.encode())


def _lines(status: MirrorStatus) -> Iterator[str]:
    for name, meaning, value in (
        ("configured", "Whether sessions are mirrored to a Tee.", int(status.endpoint is not None)),
        ("pending_messages", "Messages that wait to be told.", status.n_pending),
        ("dead_messages", "Messages that the Tee refused.", status.n_dead),
        ("waiting_sessions", "Sessions with any of these messages.", status.n_sessions),
        ("retries", "How often these messages were tried again.", status.n_retries),
        ("lag_seconds", "How long the oldest of them has waited.", status.lag_seconds),
    ):
        metric = f"cmbs_tee_mirror_{name}"
        yield f"# HELP {metric} {meaning}\n# TYPE {metric} gauge\n{metric} {value}\n"
