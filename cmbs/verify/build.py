"""Writes the verifier as one file: its modules, put together in order of dependence.

The file is what an auditor takes along and can read from beginning to end, so nothing is
rewritten: imports go to the top, and the sentence that a module begins with stands above its part.
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_PACKAGE = "cmbs.verify"
_HERE = Path(__file__).resolve().parent
# They make a package of it, which one file is not.
_APART = ("__init__", "__main__", "build")
# Everything is there for this one.
_LAST = "command"
_END = 'if __name__ == "__main__":\n    sys.exit(main())\n'


class Unfit(Exception):
    """The modules cannot be one file."""


class Module(NamedTuple):
    name: str
    title: str
    body: str
    # What it defines at its top level.
    defined: list[str]
    # Modules of the standard library, with a name of theirs, or with none as a whole.
    imported: set[tuple[str, str]]
    # Modules of the package, with the names that it takes from each.
    needed: dict[str, list[str]]


def one_file(folder: Path = _HERE) -> str:
    """The text of the program; Unfit if the modules of the folder do not make one."""
    paths = sorted(path for path in folder.glob("*.py") if path.stem not in _APART)
    modules = {path.stem: _module(path.stem, path.read_text(encoding="utf-8")) for path in paths}
    imported = {("sys", "")}.union(*(module.imported for module in modules.values()))
    _check_names(modules, imported)
    ordered = [*_in_order(_LAST, modules)]
    if unused := sorted(modules.keys() - {module.name for module in ordered}):
        raise Unfit(f"{unused[0]}.py is not needed by {_LAST}.py")
    about = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    head = (
        f'"""{about}\n"""\n\n'
        f"# Written by `python -m {_PACKAGE}.build`: each part stands under the name of its module."
        f"\n\n{''.join(_import_lines(imported))}"
    )
    parts = [f"# {one.name}.py\n# {one.title}\n\n\n{one.body}\n" for one in ordered]
    return head + "\n" + "\n\n".join([*parts, _END])


def _in_order(
    name: str, modules: dict[str, Module], path: tuple[str, ...] = (), done: set[str] | None = None
) -> Iterator[Module]:
    """A module after those that it needs, each once, and near to where it is needed first."""
    done = set() if done is None else done
    if name in path:
        raise Unfit(f"modules import each other: {', '.join(path)}")
    for other in sorted(modules[name].needed):
        if other not in done:
            yield from _in_order(other, modules, (*path, name), done)
    done.add(name)
    yield modules[name]


def _module(name: str, text: str) -> Module:
    tree = ast.parse(text)
    title = ast.get_docstring(tree) or ""
    if not title or "\n" in title:
        raise Unfit(f"{name}.py does not begin with one line that says what it is")
    lines = text.split("\n")
    module = Module(name, title, "", [], set(), {})
    for number, node in enumerate(tree.body):
        if number > 0:
            _take(module, node)
        if number == 0 or isinstance(node, ast.Import | ast.ImportFrom):
            end = node.end_lineno or node.lineno
            lines[node.lineno - 1 : end] = [""] * (end - node.lineno + 1)
    top = {*tree.body}
    for one in ast.walk(tree):
        if isinstance(one, ast.Import | ast.ImportFrom) and one not in top:
            raise Unfit(f"{name}.py imports inside of something else, in line {one.lineno}")
    return module._replace(body="\n".join(lines).strip("\n"))


def _take(module: Module, node: ast.stmt) -> None:
    """Note what a statement at the top level of a module imports or defines."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        _take_import(module, node)
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        module.defined.append(node.name)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        found = [one for target in targets for one in ast.walk(target)]
        module.defined.extend(one.id for one in found if isinstance(one, ast.Name))
    elif not isinstance(node, ast.AugAssign):
        raise Unfit(f"{module.name}.py does more than define, in line {node.lineno}")


def _take_import(module: Module, node: ast.Import | ast.ImportFrom) -> None:
    where = f"{module.name}.py, line {node.lineno}"
    if any(alias.asname or alias.name == "*" for alias in node.names):
        raise Unfit(f"{where}: what is imported must keep its name")
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.Import):
        found = {(name, "") for name in names}
    else:
        source = "." * node.level + (node.module or "")
        package, _, name = source.rpartition(".")
        if package == _PACKAGE:
            module.needed.setdefault(name, []).extend(names)
            return
        found = {(source, name) for name in names}
    for source, _ in found:
        if source.partition(".")[0] not in sys.stdlib_module_names:
            raise Unfit(f"{where}: {source} is not of the standard library")
    module.imported.update(found)


def _check_names(modules: dict[str, Module], imported: set[tuple[str, str]]) -> None:
    """That each name means one thing, and is there where it is taken from."""
    owners: dict[str, str] = {}
    named = [(name or source, source) for source, name in sorted(imported)]
    named += [(name, f"{one.name}.py") for one in modules.values() for name in one.defined]
    for name, owner in named:
        if name in owners:
            raise Unfit(f"the name {name} is of {owners[name]} and of {owner}")
        owners[name] = owner
    for module in modules.values():
        for source, names in module.needed.items():
            for name in names:
                if owners.get(name) != f"{source}.py":
                    raise Unfit(f"{module.name}.py takes {name} from {source}.py, which has none")


def _import_lines(imported: set[tuple[str, str]]) -> Iterator[str]:
    for source in sorted(source for source, name in imported if not name):
        yield f"import {source}\n"
    for source in sorted({source for source, name in imported if name}):
        names = [name for other, name in imported if other == source and name]
        # As the modules have them: constants, classes, functions.
        names.sort(key=lambda name: (not name.isupper(), name.islower(), name))
        yield f"from {source} import {', '.join(names)}\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog=f"python -m {_PACKAGE}.build",
        description="Write the offline verifier as one file that needs nothing but Python 3.11.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="what to write, such as verify.py")
    options = parser.parse_args(arguments)
    try:
        options.file.write_text(one_file(), encoding="utf-8", newline="\n")
    except (OSError, Unfit) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
