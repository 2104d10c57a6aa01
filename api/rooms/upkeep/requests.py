"""The bodies of requests about what is due."""

from msgspec import Struct

from cmbs.api.shell.request_shapes import InPath


class Sweep(Struct, forbid_unknown_fields=True, kw_only=True):
    """Nothing has to be said."""

    session_id: InPath | None = None
