"""What the routes about tools and schemas answer."""

from cmbs.api.shell.answer_shapes import AnyJson, Exact, Hex, Object, Timestamp


class ToolRegistered(Exact, kw_only=True):
    tool_id: str
    tool_hash: Hex | None
    withdrawn: bool
    duplicate: bool


class Tool(Exact, kw_only=True):
    tool_id: str
    withdrawn: bool
    tool_hash: Hex | None
    registered_at: Timestamp
    registered_by: str
    definition: Object | None


class Tools(Exact, kw_only=True):
    tools: list[Tool]


class SchemaRegistered(Exact, kw_only=True):
    schema_id: str
    schema_hash: Hex
    duplicate: bool


class ListedSchema(Exact, kw_only=True):
    schema_id: str
    schema_hash: Hex
    registered_at: Timestamp
    registered_by: str


class Schema(ListedSchema, kw_only=True):
    document: AnyJson


class Schemas(Exact, kw_only=True):
    schemas: list[ListedSchema]
