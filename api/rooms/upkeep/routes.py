"""What is due: permits that ran out, deferred proposals."""

from litestar import post
from litestar.params import FromPath

from cmbs.api.rooms.upkeep import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import read
from cmbs.api.shell.headers import (
    HttpRequest,
)
from cmbs.api.shell.routes_common import SESSION, database, same_session


@post(
    f"{SESSION}/sweep",
    verb="SWEEP_EXPIRED",
    takes=requests.Sweep,
    gives=answers.Swept,
    says="A server does this by itself every few seconds.",
    errors=("SESSION_NOT_FOUND",),
)
async def sweep_expired(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Release permits that expired unused, and retry deferred proposals."""
    message = await read(request, requests.Sweep)
    session = same_session(message, session_id)
    return Answer(await database(request).call("sweep_expired", session_id=session))
