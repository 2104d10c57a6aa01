"""What the routes for monitors answer."""

from typing import Literal

from cmbs.api.shell.answer_shapes import Exact


class Alive(Exact, kw_only=True):
    status: Literal["ok"]


class Ready(Exact, kw_only=True):
    status: Literal["ready"]
    revision: str
