"""The body of a request about a hypothesis space."""

from typing import Annotated

from msgspec import Struct

from cmbs.api.shell.request_shapes import Id, shown


class RegisterSpace(Struct, forbid_unknown_fields=True):
    hypotheses: Annotated[list[Id], shown(minItems=1)]
