"""Write the list of rooms in sql/README.md anew, from sql/rooms.toml and the files.

python -m docs.house
"""

from pathlib import Path

from cmbs.deploy.function_files import sentence
from cmbs.deploy.resources import sql_dir
from docs import rooms
from docs.rooms import Room

README = sql_dir() / "README.md"
# What stands above this line is written by hand.
_MARK = "<!-- From here on: python -m docs.house, from rooms.toml and the headers of the files. -->"


def readme() -> str:
    by_hand = README.read_text().partition(_MARK)[0]
    sections = "".join(_section(room) for room in rooms.rooms().values())
    return f"{by_hand}{_MARK}\n\n{_overview()}{sections}"


def _overview() -> str:
    rows = "".join(
        f"| [{room.name}](#{room.name}) | {room.about} | {len(room.doors)} | {len(room.windows)} "
        f"| {len(room.furniture)} |\n"
        for room in rooms.rooms().values()
    )
    return f"| Room | Subject | Doors | Windows | Furniture |\n|---|---|--:|--:|--:|\n{rows}"


def _section(room: Room) -> str:
    parts = [f"\n## {room.name}\n\n{room.about}\n"]
    for title, paths in (("Doors", room.doors), ("Windows", room.windows)):
        if paths:
            parts.append(f"\n{title}\n\n" + "".join(_line(path) for path in paths))
    if room.folders:
        lines = (f"* [`{x}/`]({room.name}/{x}): {what}\n" for x, what in room.folders.items())
        parts.append("\nFurniture\n\n" + "".join(lines))
    lent = "everything" if room.lends is None else ", ".join(f"`{x}`" for x in sorted(room.lends))
    stands = ", ".join(f"[{name}](#{name})" for name in sorted(room.rests_on))
    parts.append(f"\nLends: {lent or 'nothing'}. Calls: {stands or 'no other room'}.\n")
    return "".join(parts)


def _line(path: Path) -> str:
    return f"* [`{path.stem}`]({path.relative_to(sql_dir())}) {sentence(path.read_text())}\n"


def main() -> None:
    README.write_text(readme())
    print(f"wrote {README.relative_to(Path.cwd())}")


if __name__ == "__main__":
    main()
