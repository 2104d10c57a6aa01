"""Stores of eliminations. That of PostgreSQL is imported when it is first named."""

from typing import TYPE_CHECKING, Any

from cmbs.stores.memory import InMemoryStore

if TYPE_CHECKING:
    from cmbs.stores.postgres import PostgresStore

__all__ = ["InMemoryStore", "PostgresStore"]


def __getattr__(name: str) -> Any:
    if name != "PostgresStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cmbs.stores.postgres import PostgresStore

    return PostgresStore
