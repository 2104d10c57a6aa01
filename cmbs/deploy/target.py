"""The database that a command works on."""

from dataclasses import dataclass

from cmbs.deploy import embedded


@dataclass(frozen=True)
class Target:
    """Where the commands work: a given URL, or the embedded server's database."""

    url: str
    server: embedded.Server | None
    is_new: bool = False
