"""The rooms of sql/: what rooms.toml says of them, what is in them, and who calls whom."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cmbs.deploy.resources import helper_files, sql_dir, verb_files, view_files

_CALL = re.compile(r"\b(cmbs(?:_store)?\.\w+)\s*\(")
_COMMENT = re.compile(r"--.*")


@dataclass(frozen=True)
class Call:
    """A function of one room that names one of another."""

    room: str
    caller: str
    callee_room: str
    callee: str
    is_furniture: bool

    def __str__(self) -> str:
        return f"{self.room}/{self.caller} calls {self.callee_room}/{self.callee}"


@dataclass(frozen=True)
class Room:
    name: str
    floor: int
    about: str
    lends: frozenset[str] | None
    rests_on: frozenset[str]
    folders: dict[str, str]
    doors: list[Path] = field(default_factory=list)
    windows: list[Path] = field(default_factory=list)
    furniture: list[Path] = field(default_factory=list)

    @property
    def n_lines(self) -> int:
        files = [*self.doors, *self.windows, *self.furniture]
        return sum(len(path.read_text().splitlines()) for path in files)

    def may_lend(self, name: str) -> bool:
        return self.lends is None or name in self.lends


@cache
def rooms() -> dict[str, Room]:
    """By name, in the order of rooms.toml."""
    said = tomllib.loads((sql_dir() / "rooms.toml").read_text())
    found = {name: _room(name, entry) for name, entry in said.items()}
    for kind, paths in (
        ("doors", verb_files()),
        ("windows", view_files()),
        ("furniture", helper_files()),
    ):
        for path in paths:
            if room := found.get(room_of(path)):
                getattr(room, kind).append(path)
    return found


def _room(name: str, entry: dict[str, Any]) -> Room:
    lends = None if entry["lends"] == "all" else frozenset(entry["lends"])
    rests_on = frozenset(entry["rests_on"])
    return Room(name, entry["floor"], entry["about"], lends, rests_on, entry.get("folders", {}))


def room_of(path: Path) -> str:
    return path.relative_to(sql_dir()).parts[0]


def calls() -> Iterator[Call]:
    """Every call of a function from one room into another."""
    functions = {f"cmbs_store.{path.stem}": path for path in helper_files()}
    doors = {f"cmbs.{path.stem}": path for path in verb_files()}
    functions |= doors
    for path in functions.values():
        body = _COMMENT.sub("", path.read_text().split("$$")[1])
        for name in sorted(set(_CALL.findall(body)) & functions.keys()):
            callee = functions[name]
            if room_of(callee) != room_of(path):
                furniture = name not in doors
                yield Call(room_of(path), path.stem, room_of(callee), callee.stem, furniture)
