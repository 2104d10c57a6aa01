"""The bodies of requests about tools and schemas."""

from typing import Annotated

from msgspec import Raw, Struct, field

from cmbs.api.shell.request_shapes import ID, TEXTS, AsSent, shown


class RegisterTool(AsSent, kw_only=True):
    version: Annotated[
        Raw,
        shown(
            anyOf=[{"type": "string"}, {"type": "number"}],
            description="As its maker calls it; nothing depends on it.",
        ),
    ] = field(default_factory=Raw)
    authorities: Annotated[
        Raw, shown(**TEXTS, description="What constraints and tokens may name.")
    ] = field(default_factory=Raw)
    mutating: Annotated[
        Raw, shown(type="boolean", description="Whether it changes something; true by default.")
    ] = field(default_factory=Raw)
    effect_class: Annotated[
        Raw,
        shown(
            enum=["none", "local", "network", "external"],
            description="How far it reaches; external by default.",
        ),
    ] = field(default_factory=Raw)
    args_schema: Annotated[
        Raw,
        shown(
            anyOf=[ID, {"type": "object"}, {"type": "null"}],
            description="The id of a schema that its arguments conform to, or a schema.",
        ),
    ] = field(default_factory=Raw)


class RegisterSchema(Struct):
    """A JSON Schema of 2020-12, of the keywords that are checked; others are refused."""
