"""Stores of eliminations. That of PostgreSQL is imported when it is first named."""

from typing import TYPE_CHECKING

from cmbs.stores.memory import InMemoryStore

if TYPE_CHECKING:
    from cmbs.stores.postgres import PostgresStore

__all__ = ["InMemoryStore", "PostgresStore"]


# Whoever checks types is not to take a misspelt name for this.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name != "PostgresStore":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from cmbs.stores.postgres import PostgresStore

        return PostgresStore

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
