"""Hypothesis spaces: sets of hypotheses under a name and a version."""

from urllib.parse import quote

from litestar import get, put

from . import answers, requests
from .calling import Answer, Asked, database, json_answer, path_id

_SPACE = "/v1/hypothesis-spaces/{hypothesis_space_id:str}/versions/{hypothesis_version:str}"


@put(
    _SPACE,
    takes=requests.RegisterSpace,
    gives=answers.RegisteredSpace,
    errors=("CONFLICT",),
    creates=True,
)
async def register_space(
    request: Asked, hypothesis_space_id: str, hypothesis_version: str
) -> Answer:
    """Register a set of hypotheses under a name and a version, for ever."""
    message = await requests.read(request, requests.RegisterSpace)
    space = path_id("hypothesis_space_id", hypothesis_space_id)
    version = path_id("hypothesis_version", hypothesis_version)
    text = await database(request).call(
        "register_space",
        hypothesis_space_id=space,
        hypothesis_version=version,
        hypotheses=message.hypotheses,
    )
    if text.endswith(b"true}"):
        return json_answer(text)
    where = f"/v1/hypothesis-spaces/{_segment(space)}/versions/{_segment(version)}"
    return json_answer(text, 201, {"Location": where})


@get(_SPACE, gives=answers.Space, errors=("SPACE_NOT_FOUND",))
async def read_space(request: Asked, hypothesis_space_id: str, hypothesis_version: str) -> Answer:
    """A registered hypothesis space with its hypotheses."""
    text = await database(request).call(
        "read_space",
        hypothesis_space_id=path_id("hypothesis_space_id", hypothesis_space_id),
        hypothesis_version=path_id("hypothesis_version", hypothesis_version),
    )
    return json_answer(text)


def _segment(name: str) -> str:
    # Dots alone would lead whoever follows the location elsewhere.
    return name.replace(".", "%2E") if name in (".", "..") else quote(name, safe="")
