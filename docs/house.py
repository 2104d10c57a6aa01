"""Write the pages of the rooms of sql/ and the picture of the house anew, from the sources.

python -m docs.house
"""

import ast
import tomllib
from collections import Counter
from pathlib import Path

from cmbs.deploy.function_files import sentence
from cmbs.deploy.resources import sql_dir, verb_files
from docs import picture, rooms
from docs.picture import Box, Panel
from docs.rooms import Room

ROOT = Path(__file__).parents[1]
IMAGE = ROOT / "docs" / "images" / "house.svg"
README = sql_dir() / "README.md"
FURNITURE = sql_dir() / "FURNITURE.md"
_FURNITURE = """\
# The furniture of the rooms

Every function that is no verb, with the first sentence of its file. `python -m docs.house` writes
this page.
"""
# What stands above this line is written by hand.
_MARK = "<!-- From here on: python -m docs.house, from rooms.toml and the headers of the files. -->"


def readme() -> str:
    by_hand = README.read_text().partition(_MARK)[0]
    sections = "".join(_section(room) for room in rooms.rooms().values())
    return f"{by_hand}{_MARK}\n\n{_overview()}\n{_index()}{sections}"


def _overview() -> str:
    rows = "".join(
        f"| [{room.name}](#{room.name}) | {room.about} | {len(room.doors)} | {len(room.windows)} "
        f"| {len(room.furniture)} |\n"
        for room in rooms.rooms().values()
    )
    return f"| Room | Subject | Doors | Windows | Furniture |\n|---|---|--:|--:|--:|\n{rows}"


def _index() -> str:
    """Every verb by name, since nobody knows the room of a verb in advance."""
    return f"Every verb, by name: {', '.join(map(_link, verb_files()))}.\n"


def _section(room: Room) -> str:
    parts = [f"\n## {room.name}\n\n{room.about}\n"]
    for title, paths in (("Doors", room.doors), ("Windows", room.windows)):
        if paths:
            parts.append(f"\n{title}\n\n" + "".join(_line(path) for path in paths))
    if room.folders:
        lines = (f"* [`{x}/`]({room.name}/{x}): {what}\n" for x, what in room.folders.items())
        parts.append("\nFurniture\n\n" + "".join(lines))
    if room.lends is None:
        lent = f"all its [furniture](FURNITURE.md#{room.name})"
    else:
        lent = ", ".join(_link(path) for path in room.furniture if room.may_lend(path.stem))
    below = ", ".join(f"[{name}](#{name})" for name in sorted(room.rests_on))
    parts.append(f"\nLends {lent or 'nothing'}.\n\nRests on {below or 'no other room'}.\n")
    return "".join(parts)


def furniture() -> str:
    parts = [_FURNITURE]
    for room in rooms.rooms().values():
        parts.append(f"\n## {room.name}\n\n")
        parts += (_line(path) for path in sorted(room.furniture))
    return "".join(parts)


def _link(path: Path) -> str:
    return f"[`{path.stem}`]({path.relative_to(sql_dir())})"


def _line(path: Path) -> str:
    return f"* {_link(path)} {sentence(path.read_text())}\n"


def image() -> str:
    return picture.svg([_python(), _sql()])


def _sql() -> Panel:
    floors: dict[int, list[Box]] = {}
    for room in rooms.rooms().values():
        notes = [f"{len(room.doors)} doors, {len(room.windows)} windows"] if room.doors else []
        floors.setdefault(room.floor, []).append(Box(room.name, room.n_lines, tuple(notes)))
    called = Counter((call.room, call.callee_room) for call in rooms.calls())
    everywhere = {"call", "identity"}
    return Panel(
        "sql/: the kernel",
        "Doors are verbs, windows are views. Lines are calls, thicker where there are more: blue "
        "ones lead down, brown ones up or beside. Calls into call and identity are left out: "
        "every room makes them.",
        [(f"floor {no}", floors[no]) for no in sorted(floors, reverse=True)],
        {pair: n for pair, n in called.items() if pair[1] not in everywhere},
    )


def _python() -> Panel:
    """The layers that import-linter holds, without the doors that only name what is in a room."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = [layer.replace(":", "|").split("|") for layer in contracts["contracts"][0]["layers"]]
    floors = []
    for names in ([name.strip() for name in layer] for layer in layers):
        boxes = [
            Box(name, _n_lines(found), ())
            for name in names
            if (found := ROOT.joinpath("cmbs", name).resolve()).is_dir()
        ]
        if boxes:
            floors.append(("", boxes))
    shown = {box.name for _, boxes in floors for box in boxes}
    return Panel(
        "cmbs/ and api/: the Python around it",
        "Lines are imports, thicker where there are more; each leads down.",
        floors,
        Counter(pair for pair in _imports(shown) if pair[0] != pair[1]),
    )


def _n_lines(folder: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in folder.rglob("*.py"))


def _imports(names: set[str]) -> list[tuple[str, str]]:
    return [
        (name, module.split(".")[1])
        for name in names
        for path in ROOT.joinpath("cmbs", name).resolve().rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module
        for module in _modules(node)
        if module.startswith("cmbs.") and module.split(".")[1] in names
    ]


def _modules(node: ast.ImportFrom) -> set[str]:
    """Of `from cmbs import tee` as of `from cmbs.tee import wire` the room."""
    module = node.module or ""
    return {f"cmbs.{alias.name}" for alias in node.names} if module == "cmbs" else {module}


def main() -> None:
    README.write_text(readme())
    FURNITURE.write_text(furniture())
    IMAGE.parent.mkdir(exist_ok=True)
    IMAGE.write_text(image())
    print(*(f"wrote {path.relative_to(ROOT)}" for path in (README, FURNITURE, IMAGE)), sep="\n")


if __name__ == "__main__":
    main()
