"""What policies speak of: tools that can be called, and schemas that arguments conform to."""

from litestar import delete, get, put
from litestar.params import FromPath

from cmbs.api.rooms.registry import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import read_as_sent
from cmbs.api.shell.headers import HttpRequest, query
from cmbs.api.shell.routes_common import database, of_tenant, path_id, segment

_TOOLS, _SCHEMAS = "/v1/tools", "/v1/schemas"


@put(
    f"{_TOOLS}/{{tool_id:str}}",
    takes=requests.RegisterTool,
    gives=answers.ToolRegistered,
    query=("tenant",),
    errors=("SCHEMA_NOT_FOUND",),
    creates=True,
    says="For the policy role.",
)
async def register_tool(request: HttpRequest, tool_id: FromPath[str]) -> Answer:
    """Register a tool that agents may propose to call, or change it."""
    name = path_id("tool_id", tool_id)
    _, definition = await read_as_sent(request, requests.RegisterTool)
    text = await database(request).call(
        "register_tool",
        tool_id=name,
        definition=definition or "{}",
        tenant=query(request).get("tenant"),
    )
    return _registered(text, f"{_TOOLS}/{segment(name)}{of_tenant(request)}")


@get(_TOOLS, gives=answers.Tools, query=("tenant",))
async def list_tools(request: HttpRequest) -> Answer:
    """List the tools of a tenant, also those that were withdrawn."""
    return Answer(await database(request).call("list_tools", tenant=query(request).get("tenant")))


@get(
    f"{_TOOLS}/{{tool_id:str}}",
    gives=answers.Tool,
    query=("tenant",),
    errors=("TOOL_NOT_FOUND",),
)
async def read_tool(request: HttpRequest, tool_id: FromPath[str]) -> Answer:
    """Read the current definition of a tool."""
    text = await database(request).call(
        "read_tool", tool_id=path_id("tool_id", tool_id), tenant=query(request).get("tenant")
    )
    return Answer(text)


@delete(
    f"{_TOOLS}/{{tool_id:str}}",
    gives=answers.ToolRegistered,
    query=("tenant",),
    says="For the policy role. It stays in the list, and may be registered again.",
    errors=("TOOL_NOT_FOUND",),
    status_code=200,
)
async def withdraw_tool(request: HttpRequest, tool_id: FromPath[str]) -> Answer:
    """Withdraw a tool, so that nobody may call it."""
    text = await database(request).call(
        "withdraw_tool", tool_id=path_id("tool_id", tool_id), tenant=query(request).get("tenant")
    )
    return Answer(text)


@put(
    f"{_SCHEMAS}/{{schema_id:str}}",
    takes=requests.RegisterSchema,
    gives=answers.SchemaRegistered,
    query=("tenant",),
    errors=("CONFLICT of a schema",),
    creates=True,
    says="For the policy role. It stays as it is for ever.",
)
async def register_schema(request: HttpRequest, schema_id: FromPath[str]) -> Answer:
    """Register a JSON Schema, by which arguments of tools are checked."""
    name = path_id("schema_id", schema_id)
    _, document = await read_as_sent(request, requests.RegisterSchema)
    text = await database(request).call(
        "register_schema",
        schema_id=name,
        document=document,
        tenant=query(request).get("tenant"),
    )
    return _registered(text, f"{_SCHEMAS}/{segment(name)}{of_tenant(request)}")


@get(_SCHEMAS, gives=answers.Schemas, query=("tenant",))
async def list_schemas(request: HttpRequest) -> Answer:
    """List the JSON Schemas of a tenant without their documents."""
    return Answer(await database(request).call("list_schemas", tenant=query(request).get("tenant")))


@get(
    f"{_SCHEMAS}/{{schema_id:str}}",
    gives=answers.Schema,
    query=("tenant",),
    errors=("SCHEMA_NOT_FOUND",),
)
async def read_schema(request: HttpRequest, schema_id: FromPath[str]) -> Answer:
    """Read a JSON Schema as it was registered."""
    text = await database(request).call(
        "read_schema",
        schema_id=path_id("schema_id", schema_id),
        tenant=query(request).get("tenant"),
    )
    return Answer(text)


def _registered(text: bytes, where: str) -> Answer:
    if text.endswith(b"true}"):
        return Answer(text)
    return Answer(text, 201, [(b"location", where.encode())])
