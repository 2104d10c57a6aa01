"""Where files live: package data in a wheel, the folders of the repository in a checkout."""

from collections.abc import Iterable
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]

# Folders of sql/ whose files are run at their own time, or by somebody else.
_NO_ROOMS = {"deploy", "doctor", "operators"}


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


def verb_files() -> list[Path]:
    """The doors of the rooms of sql/."""
    return _by_name(sql_dir().glob("*/verbs/*.sql"))


def view_files() -> list[Path]:
    """The windows of the rooms of sql/."""
    return _by_name(sql_dir().glob("*/views/*.sql"))


def operator_files() -> list[Path]:
    """Functions that run with the rights of who calls them."""
    return _by_name(sql_dir().glob("operators/*.sql"))


def helper_files() -> list[Path]:
    """The furniture of the rooms of sql/, and what a deployment calls."""
    rooms = [room for room in sql_dir().iterdir() if room.name not in _NO_ROOMS]
    found = {path for room in rooms if room.is_dir() for path in room.rglob("*.sql")}
    found.update(sql_dir().glob("deploy/functions/*.sql"))
    return _by_name(found.difference(verb_files(), view_files()))


def _by_name(paths: Iterable[Path]) -> list[Path]:
    return sorted(paths, key=lambda path: path.name)
