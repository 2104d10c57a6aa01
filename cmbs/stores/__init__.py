"""Stores of eliminations. Those behind a server are imported when they are first named."""

from importlib import import_module
from typing import TYPE_CHECKING

from cmbs.stores.memory import InMemoryStore

if TYPE_CHECKING:
    from cmbs.stores.postgres import PostgresStore
    from cmbs.stores.tee import TeeStore

__all__ = ["InMemoryStore", "PostgresStore", "TeeStore"]


# Whoever checks types is not to take a misspelt name for this.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        module = {"PostgresStore": "postgres", "TeeStore": "tee"}.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"cmbs.stores.{module}"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
