"""Whether the server is well."""

from litestar import get

from cmbs.api.rooms.operations.answers import Alive, Ready
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.headers import HttpRequest
from cmbs.api.shell.refusals import RequestRefused
from cmbs.api.shell.routes_common import database


@get("/healthz", gives=Alive, says="Use it to decide whether the process must be started anew.")
async def healthz(request: HttpRequest) -> Answer:
    """Check that the server runs; the database is not asked."""
    return Answer(b'{"status": "ok"}')


@get("/readyz", gives=Ready, says="Use it to decide whether requests may be sent here.")
async def readyz(request: HttpRequest) -> Answer:
    """Check that the database answers and has the schema of this version."""
    revision = (await database(request).call("revision")).decode()
    if revision != request.app.state.revision:
        details = {"revision": revision, "needed": request.app.state.revision}
        raise RequestRefused("UNAVAILABLE", 503, details, shed="other_revision")
    return Answer(b'{"status": "ready", "revision": "%s"}' % revision.encode())
