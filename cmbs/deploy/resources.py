"""Where files live: package data in a wheel, the folders of the repository in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def sql_dir() -> Path:
    return _find("_sql", "sql")


def migrations_dir() -> Path:
    return _find("_migrations", "migrations")


def examples_dir() -> Path:
    return _find("_examples", "examples")


def _find(packaged: str, checkout: str) -> Path:
    for directory in (_PACKAGE / packaged, _PACKAGE.parent / checkout):
        if directory.is_dir():
            return directory
    raise FileNotFoundError(f"this installation of cmbs is incomplete: {packaged} is missing")
