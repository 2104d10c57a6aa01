"""Hypothesis spaces: sets of hypotheses under a name and a version."""

from litestar import get, put
from litestar.params import FromPath

from cmbs.api.rooms.spaces import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import LARGE, read
from cmbs.api.shell.headers import HttpRequest, query
from cmbs.api.shell.routes_common import as_array, database, path_id, segment

_SPACE = "/v1/hypothesis-spaces/{hypothesis_space_id:str}/versions/{hypothesis_version:str}"


@put(
    _SPACE,
    takes=requests.RegisterSpace,
    gives=answers.RegisteredSpace,
    errors=("CONFLICT of a space",),
    creates=True,
    says="It stays as it is for ever, under its name and version.",
)
async def register_space(
    request: HttpRequest, hypothesis_space_id: FromPath[str], hypothesis_version: FromPath[str]
) -> Answer:
    """Register a set of hypotheses, from which sessions can start by name."""
    message = await read(request, requests.RegisterSpace, LARGE)
    space = path_id("hypothesis_space_id", hypothesis_space_id)
    version = path_id("hypothesis_version", hypothesis_version)
    text = await database(request).call(
        "register_space",
        hypothesis_space_id=space,
        hypothesis_version=version,
        hypotheses=as_array(message.hypotheses),
    )
    if text.endswith(b"true}"):
        return Answer(text)
    where = f"/v1/hypothesis-spaces/{segment(space)}/versions/{segment(version)}"
    return Answer(text, 201, [(b"location", where.encode())])


@get(_SPACE, gives=answers.Space, query=("tenant",), errors=("SPACE_NOT_FOUND",))
async def read_space(
    request: HttpRequest, hypothesis_space_id: FromPath[str], hypothesis_version: FromPath[str]
) -> Answer:
    """Read the hypotheses of a registered space."""
    text = await database(request).call(
        "read_space",
        hypothesis_space_id=path_id("hypothesis_space_id", hypothesis_space_id),
        hypothesis_version=path_id("hypothesis_version", hypothesis_version),
        tenant=query(request).get("tenant"),
    )
    return Answer(text)
